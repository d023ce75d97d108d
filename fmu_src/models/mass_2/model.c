/* Second half of the two-mass oscillator: m2 x2'' = -c2 x2 - d2 v2 - f + force, with the coupling between the masses
   f = cc (x2 - x1) + dc (v2 - v1), which depends on the inputs directly. */
#include "model.h"

#include "free.h"

typedef struct {
    double x1, x1_slope, v1, v1_slope;
    double f, x2, v2;
    double time;
    double m2, c2, d2, cc, dc, force_amplitude, force_start, force_period, x2_start, v2_start;
} cp_state;

#include "variables.h"

static double cp_coupling(const cp_state *s, double x1, double v1)
{
    return s->cc * (s->x2 - x1) + s->dc * (s->v2 - v1);
}

static void cp_place(cp_state *s)
{
    s->x2 = s->x2_start;
    s->v2 = s->v2_start;
    s->f = cp_coupling(s, s->x1, s->v1);
}

static bool cp_begin(void *memory, const void *binding, double t0, cp_reason *why)
{
    (void)binding;
    (void)t0;
    (void)why;
    cp_place((cp_state *)memory);
    return true;
}

static void cp_outputs(void *memory, const void *binding, double t, bool running)
{
    cp_state *const s = (cp_state *)memory;
    (void)binding;
    (void)t;
    if (!running) {
        cp_place(s);
    }
    s->f = cp_coupling(s, s->x1, s->v1);
}

static cp_status cp_move(void *memory, const void *binding, cp_step *step)
{
    cp_state *const s = (cp_state *)memory;
    const cp_body body = {s->m2, s->c2 + s->cc, s->d2 + s->dc};
    const cp_pulse pulse = {s->force_amplitude, s->force_start, s->force_period};
    const cp_ramp force = {s->cc * s->x1 + s->dc * s->v1, s->cc * s->x1_slope + s->dc * s->v1_slope};
    (void)binding;
    const cp_motion end = cp_advance(&body, &pulse, (cp_motion){s->x2, s->v2}, force, step, cp_move_freely, NULL);
    s->x2 = end.x;
    s->v2 = end.v;
    s->f = cp_coupling(s, s->x1 + s->x1_slope * step->h, s->v1 + s->v1_slope * step->h);
    return cp_motion_status(end, step);
}

static bool cp_partial(const void *memory, const void *binding, bool running, size_t unknown, size_t known,
                       double *value)
{
    const cp_state *const s = (const cp_state *)memory;
    (void)binding;
    (void)running;
    const bool direct = unknown == offsetof(cp_state, f);
    *value = !direct                              ? 0.0
             : known == offsetof(cp_state, x1) ? -s->cc
             : known == offsetof(cp_state, v1) ? -s->dc
                                               : 0.0;
    return true;
}

static const cp_event cp_events[] = {CP_MOTION_EVENTS};

static const cp_model cp_this_model = {
    .name = "mass_2",
    .variables = cp_variables,
    .n_variables = CP_N_VARIABLES,
    .events = cp_events,
    .n_events = 1,
    .state_size = sizeof(cp_state),
    .time = offsetof(cp_state, time),
    .finish = cp_begin,
    .step = cp_move,
    .refresh = cp_outputs,
    .partial = cp_partial,
};
