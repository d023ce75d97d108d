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

static void cp_place(cp_state *s)
{
    s->x1 = s->x1_start;
    s->v1 = s->v1_start;
}

static bool cp_begin(void *memory, const void *binding, double t0, cp_reason *why)
{
    (void)binding;
    (void)t0;
    (void)why;
    cp_place(memory);
    return true;
}

static void cp_outputs(void *memory, const void *binding, double t, bool running)
{
    (void)binding;
    (void)t;
    if (!running) {
        cp_place(memory);
    }
}

static cp_status cp_move(void *memory, const void *binding, cp_step *step)
{
    cp_state *const s = memory;
    const cp_body body = {s->m1, s->c1, s->d1};
    const cp_pulse pulse = {s->force_amplitude, s->force_start, s->force_period};
    const cp_ramp force = {s->f, s->f_slope};
    (void)binding;
    const cp_motion end = cp_advance(&body, &pulse, (cp_motion){s->x1, s->v1}, force, step, cp_move_freely, NULL);
    s->x1 = end.x;
    s->v1 = end.v;
    return cp_motion_status(end, step);
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
