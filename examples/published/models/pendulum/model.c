/* A pendulum in a plane, a mass at the tip of a massless rod; a spring and a damper may tie the tip to a point
   elsewhere, whose position and velocity are inputs. With the angle a from straight down, the vector d from tip to
   point, L = |d|

       m l a'' = (spring + force) . (cos a, sin a) - m g sin a
       spring = (spring.stiffness (L - spring.length) + spring.damping d . d'/L) d/L,   f = -spring acts on the point

   Symplectic Euler in equal parts of the communication step. Two of them are the coupled pendula of section 4.3 of
   Rodriguez et al., Energy-based monitoring and correction to enhance the accuracy and stability of explicit
   co-simulation, Multibody System Dynamics 55, 2022. */
#include <math.h>

#include "model.h"

#include "begin.h"
#include "motion.h"
#include "rotation.h"

typedef struct {
    double far_x, far_y, far_v_x, far_v_y, force_x, force_y;
    double f_x, f_y, x, y, v_x, v_y, angle;
    double time;
    double mass, length, pin_x, pin_y, gravity, spring_stiffness, spring_damping, spring_length;
    int32_t parts;
    double angle_start, rate_start;
    double rate; /* rad/s */
} cp_state;

#include "variables.h"

/* place and velocity of the tip, and the force on the point */
static void cp_show(cp_state *s)
{
    double cosine = 1.0;
    double sine = 0.0;
    cp_rotation(s->angle / cp_two_pi, &cosine, &sine);
    s->x = s->pin_x + s->length * sine;
    s->y = s->pin_y - s->length * cosine;
    s->v_x = s->length * cosine * s->rate;
    s->v_y = s->length * sine * s->rate;
    const double d_x = s->far_x - s->x;
    const double d_y = s->far_y - s->y;
    const double distance = sqrt(d_x * d_x + d_y * d_y);
    const double inverse = distance > 0.0 ? 1.0 / distance : 0.0; /* a spring without length pulls nowhere */
    const double stretching = (d_x * (s->far_v_x - s->v_x) + d_y * (s->far_v_y - s->v_y)) * inverse;
    const double tension = s->spring_stiffness * (distance - s->spring_length) + s->spring_damping * stretching;
    s->f_x = -tension * d_x * inverse;
    s->f_y = -tension * d_y * inverse;
}

static void cp_outputs(void *memory, const void *binding, double t, bool running)
{
    cp_state *const s = (cp_state *)memory;
    (void)binding;
    (void)t;
    if (!running) {
        s->angle = s->angle_start;
        s->rate = s->rate_start;
    }
    cp_show(s);
}

static cp_status cp_move(void *memory, const void *binding, cp_step *step)
{
    cp_state *const s = (cp_state *)memory;
    const double h = step->h / s->parts;
    (void)binding;
    cp_show(s);
    for (int32_t i = 0; i < s->parts; i++) {
        double cosine = 1.0;
        double sine = 0.0;
        cp_rotation(s->angle / cp_two_pi, &cosine, &sine);
        const double along = (s->force_x - s->f_x) * cosine + (s->force_y - s->f_y) * sine;
        s->rate += h * (along / s->mass - s->gravity * sine) / s->length;
        s->angle += h * s->rate;
        cp_show(s);
    }
    return cp_ended(cp_finite(s->angle) && cp_finite(s->rate) && cp_finite(s->f_x) && cp_finite(s->f_y), step);
}

static const cp_event cp_events[] = {CP_MOTION_EVENTS};

static const cp_model cp_this_model = {
    .name = "pendulum",
    .variables = cp_variables,
    .n_variables = CP_N_VARIABLES,
    .events = cp_events,
    .n_events = 1,
    .state_size = sizeof(cp_state),
    .time = offsetof(cp_state, time),
    .finish = cp_begin,
    .step = cp_move,
    .refresh = cp_outputs,
};
