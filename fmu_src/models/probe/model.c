/* A probe for importers: it gives out the time and, fed with its own output, tells how late that comes back. */
#include "model.h"

typedef struct {
    double back, signal, delay_seconds, delay_steps, delay_min, delay_max;
    double start, time;
    int32_t measured, spare;
} cp_state;

#include "variables.h"

static bool cp_begin_at(void *memory, const void *binding, double t0, cp_reason *why)
{
    cp_state *const s = memory;
    (void)binding;
    (void)why;
    s->signal = t0;
    s->start = t0;
    return true;
}

/* What came back was given out at the time it says; anything earlier than the start is no answer yet. */
static void cp_compare(cp_state *s, double t, double h)
{
    if (!(s->back >= s->start && s->back <= t + 0.5 * h)) {
        return;
    }
    s->delay_seconds = t - s->back;
    s->delay_steps = s->delay_seconds / h;
    if (s->measured == 0 || s->delay_seconds < s->delay_min) {
        s->delay_min = s->delay_seconds;
    }
    if (s->measured == 0 || s->delay_seconds > s->delay_max) {
        s->delay_max = s->delay_seconds;
    }
    s->measured = 1;
}

static cp_status cp_move(void *memory, const void *binding, cp_step *step)
{
    cp_state *const s = memory;
    (void)binding;
    cp_compare(s, step->t, step->h);
    s->signal = step->t + step->h;
    return CP_OK;
}

static const cp_model cp_this_model = {
    .name = "probe",
    .variables = cp_variables,
    .n_variables = CP_N_VARIABLES,
    .state_size = sizeof(cp_state),
    .time = offsetof(cp_state, time),
    .finish = cp_begin_at,
    .step = cp_move,
};
