/* What mass 1 does whatever is in its way; to be included below its `cp_state`. */
#ifndef CP_MASS_1_H
#define CP_MASS_1_H

#include "mass.h"

static void cp_place(cp_state *s)
{
    s->x1 = s->x1_start;
    s->v1 = s->v1_start;
}

static void cp_outputs(void *memory, const void *binding, double t, bool running)
{
    (void)binding;
    (void)t;
    if (!running) {
        cp_place((cp_state *)memory);
    }
}

static cp_status cp_push(cp_state *s, cp_step *step, void (*move)(cp_flow *flow, void *memory), void *memory)
{
    const cp_body body = {s->m1, s->c1, s->d1};
    const cp_pulse pulse = {s->force_amplitude, s->force_start, s->force_period};
    const cp_ramp force = {s->f, s->f_slope};
    const cp_motion end = cp_advance(&body, &pulse, (cp_motion){s->x1, s->v1}, force, step, move, memory);
    s->x1 = end.x;
    s->v1 = end.v;
    return cp_motion_status(end, step);
}

#endif
