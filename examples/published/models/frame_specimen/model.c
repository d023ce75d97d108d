/* A specimen that is where it is told to be at once: f = stiffness x + damping v + mass a. */
#include "model.h"

#include "begin.h"
#include "motion.h"

typedef struct {
    double x, v, a;
    double f;
    double time;
    double mass, stiffness, damping;
} cp_state;

#include "variables.h"

static void cp_outputs(void *memory, const void *binding, double t, bool running)
{
    cp_state *const s = (cp_state *)memory;
    (void)binding;
    (void)t;
    (void)running;
    s->f = s->stiffness * s->x + s->damping * s->v + s->mass * s->a;
}

static cp_status cp_move(void *memory, const void *binding, cp_step *step)
{
    cp_outputs(memory, binding, step->t, true);
    return cp_ended(cp_finite(((cp_state *)memory)->f), step);
}

static const cp_event cp_events[] = {CP_MOTION_EVENTS};

static const cp_model cp_this_model = {
    .name = "frame_specimen",
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
