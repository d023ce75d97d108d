/* Half of a quarter car: a mass on a spring to the ground, tied by a suspension to the other mass, whose velocity is an
   input:

       m x'' = -k (x - ground) + F + force,   F = suspension.stiffness e + suspension.damping d(e'),   e' = velocity - x'

   with d(w) = w, or for `suspension.root` sign(w) sqrt|w|; f = -F acts on the other mass. Forward Euler in equal parts of
   the communication step: the solver of Sadjina et al., arXiv 1602.06434, section IV. */
#include <math.h>

#include "model.h"

#include "begin.h"
#include "motion.h"

typedef struct {
    double velocity, force;
    double f, x, v;
    double e; /* elongation of the suspension, m */
    double time;
    double mass, stiffness, ground, suspension_stiffness, suspension_damping;
    int32_t suspension_root, parts;
    double x_start, v_start;
} cp_state;

#include "variables.h"

static double cp_suspension(const cp_state *s)
{
    const double w = s->velocity - s->v;
    const double rate = !s->suspension_root ? w : w < 0.0 ? -sqrt(-w) : sqrt(w);
    return s->suspension_stiffness * s->e + s->suspension_damping * rate;
}

static void cp_outputs(void *memory, const void *binding, double t, bool running)
{
    cp_state *const s = (cp_state *)memory;
    (void)binding;
    (void)t;
    if (!running) {
        s->x = s->x_start;
        s->v = s->v_start;
    }
    s->f = -cp_suspension(s);
}

static cp_status cp_move(void *memory, const void *binding, cp_step *step)
{
    cp_state *const s = (cp_state *)memory;
    const double h = step->h / s->parts;
    (void)binding;
    for (int32_t i = 0; i < s->parts; i++) {
        const double acceleration = (cp_suspension(s) + s->force - s->stiffness * (s->x - s->ground)) / s->mass;
        s->e += h * (s->velocity - s->v);
        s->x += h * s->v;
        s->v += h * acceleration;
    }
    s->f = -cp_suspension(s);
    return cp_ended(cp_finite(s->x) && cp_finite(s->f), step);
}

static const cp_event cp_events[] = {CP_MOTION_EVENTS};

static const cp_model cp_this_model = {
    .name = "quarter_car",
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
