/* First half of the two-mass oscillator: m1 x1'' = -c1 x1 - d1 v1 + f + force. */
#include "model.h"

#include "free.h"

typedef struct {
    double f, f_slope;
    double x1, v1;
    double time;
    double m1, c1, d1, force_amplitude, force_start, force_period, x1_start, v1_start;
} cp_state;

#include "variables.h"

#include "mass_1.h"

static bool cp_begin(void *memory, const void *binding, double t0, cp_reason *why)
{
    (void)binding;
    (void)t0;
    (void)why;
    cp_place((cp_state *)memory);
    return true;
}

static cp_status cp_move(void *memory, const void *binding, cp_step *step)
{
    (void)binding;
    return cp_push((cp_state *)memory, step, cp_move_freely, NULL);
}

static const cp_event cp_events[] = {CP_MOTION_EVENTS};

static const cp_model cp_this_model = {
    .name = "mass_1",
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
