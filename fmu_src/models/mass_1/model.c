/* First half of the two-mass oscillator: m1 x1'' = -c1 x1 - d1 v1 + f + pulse. */
#include "model.h"

#include "advance.h"

typedef struct {
    double f, f_slope;
    double x1, v1;
    double m1, c1, d1, force_amplitude, force_start, force_period, x1_start, v1_start;
} cp_state;

#include "variables.h"

static void cp_place(void *memory, const void *binding, double t)
{
    cp_state *const s = memory;
    (void)binding;
    (void)t;
    s->x1 = s->x1_start;
    s->v1 = s->v1_start;
}

static uint32_t cp_finish(void *memory, const void *binding, double t0)
{
    cp_place(memory, binding, t0);
    return 0;
}

static cp_status cp_step_mass(void *memory, const void *binding, cp_step *step)
{
    cp_state *const s = memory;
    const cp_body body = {s->m1, s->c1, s->d1};
    const cp_pulse pulse = {s->force_amplitude, s->force_start, s->force_period};
    (void)binding;
    const cp_motion end =
        cp_advance(&body, &pulse, (cp_motion){s->x1, s->v1}, (cp_ramp){s->f, s->f_slope}, step->t, step->h);
    s->x1 = end.x;
    s->v1 = end.v;
    return CP_OK;
}
