/* Two links in a plane: the first is pinned to the ground, the second to its tip, and a cylinder lifts the middle of
   the first from a point of the ground. Link 1 is a rod with mass; masses are at its tip and at that of the massless
   link 2. With the angles a, b of the links to the horizontal and the length s of the cylinder

       (m1/3 + m2 + m3) L1^2 a'' + m3 L1 L2 (cos(a - b) b'' + sin(a - b) b'^2)
           = -(m1/2 + m2 + m3) g L1 cos a + f ds/da,   s^2 = L1^2/4 + base^2 - L1 base cos a
       m3 L2^2 b'' + m3 L1 L2 (cos(a - b) a'' - sin(a - b) a'^2) = -m3 g L2 cos b

   Symplectic Euler in equal parts of the communication step. Values: Rodriguez et al., Energy-based monitoring and
   correction to enhance the accuracy and stability of explicit co-simulation, Multibody System Dynamics 55, 2022,
   section 4.4. */
#include <math.h>

#include "model.h"

#include "begin.h"
#include "motion.h"
#include "rotation.h"

typedef struct {
    double f, f_slope;
    double s, v;
    double angle[2]; /* rad */
    double rate[2];  /* rad/s */
    double time;
    double length_1, length_2, mass_1, mass_2, mass_3, base, gravity;
    int32_t parts;
    double angle_1_start, angle_2_start;
} cp_state;

#include "variables.h"

typedef struct {
    double cosine[2], sine[2]; /* of the angles */
    double s;                  /* length of the cylinder, m */
    double lever;              /* ds/da, m */
} cp_pose;

static cp_pose cp_posed(const cp_state *s)
{
    cp_pose pose;
    for (int i = 0; i < 2; i++) {
        cp_rotation(s->angle[i] / cp_two_pi, &pose.cosine[i], &pose.sine[i]);
    }
    const double half = 0.5 * s->length_1;
    pose.s = sqrt(half * half + s->base * s->base - 2.0 * half * s->base * pose.cosine[0]);
    pose.lever = half * s->base * pose.sine[0] / pose.s;
    return pose;
}

/* angular accelerations under the force f of the cylinder, rad/s^2 */
static void cp_accelerations(const cp_state *s, const cp_pose *pose, double f, double acceleration[2])
{
    const double both = s->mass_3 * s->length_1 * s->length_2;
    const double cosine = pose->cosine[0] * pose->cosine[1] + pose->sine[0] * pose->sine[1]; /* of a - b */
    const double sine = pose->sine[0] * pose->cosine[1] - pose->cosine[0] * pose->sine[1];
    const double m11 = (s->mass_1 / 3.0 + s->mass_2 + s->mass_3) * s->length_1 * s->length_1;
    const double m12 = both * cosine;
    const double m22 = s->mass_3 * s->length_2 * s->length_2;
    const double weight = (0.5 * s->mass_1 + s->mass_2 + s->mass_3) * s->gravity * s->length_1;
    const double r1 = f * pose->lever - weight * pose->cosine[0] - both * sine * s->rate[1] * s->rate[1];
    const double r2 = both * sine * s->rate[0] * s->rate[0] - s->mass_3 * s->gravity * s->length_2 * pose->cosine[1];
    const double determinant = m11 * m22 - m12 * m12;
    acceleration[0] = (m22 * r1 - m12 * r2) / determinant;
    acceleration[1] = (m11 * r2 - m12 * r1) / determinant;
}

static void cp_show(cp_state *s)
{
    const cp_pose pose = cp_posed(s);
    s->s = pose.s;
    s->v = pose.lever * s->rate[0];
}

static void cp_outputs(void *memory, const void *binding, double t, bool running)
{
    cp_state *const s = (cp_state *)memory;
    (void)binding;
    (void)t;
    if (!running) {
        s->angle[0] = s->angle_1_start;
        s->angle[1] = s->angle_2_start;
        s->rate[0] = s->rate[1] = 0.0;
        cp_show(s);
    }
}

static cp_status cp_move(void *memory, const void *binding, cp_step *step)
{
    cp_state *const s = (cp_state *)memory;
    const double h = step->h / s->parts;
    (void)binding;
    for (int32_t i = 0; i < s->parts; i++) {
        const cp_pose pose = cp_posed(s);
        double acceleration[2];
        cp_accelerations(s, &pose, s->f + s->f_slope * (i + 0.5) * h, acceleration);
        for (int j = 0; j < 2; j++) {
            s->rate[j] += h * acceleration[j];
            s->angle[j] += h * s->rate[j];
        }
    }
    cp_show(s);
    return cp_ended(cp_finite(s->s) && cp_finite(s->v) && cp_finite(s->angle[1]) && cp_finite(s->rate[1]), step);
}

static const cp_event cp_events[] = {CP_MOTION_EVENTS};

static const cp_model cp_this_model = {
    .name = "crane_arm",
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
