/* The partner of the probe plays the prototype: an output that tells what its steps were given, and one that follows
   its input at once. */
#include "model.h"

#include "probe.h"

typedef struct {
    double in, plain, feedthrough, time;
    int64_t n; /* steps so far */
    cp_line line;
} cp_state;

#include "variables.h"

/* A message: the number of this step, and what its input told. Negative, so that the probe knows it from its own. */
static double cp_message(const cp_state *s)
{
    int64_t note = s->line.good > 0 ? (int64_t)s->line.delay + CP_DELAY_NOTE : (int64_t)CP_NOTHING;
    note = cp_is_changed(&s->line) ? (int64_t)CP_CHANGED : note;
    return -(CP_NOTES * cp_code(s->n) + (double)note);
}

static bool cp_begin_at(void *memory, const void *binding, double t0, cp_reason *why)
{
    cp_state *const s = (cp_state *)memory;
    (void)binding;
    (void)t0;
    (void)why;
    s->plain = cp_message(s);
    s->feedthrough = s->in;
    return true;
}

static void cp_outputs(void *memory, const void *binding, double t, bool running)
{
    cp_state *const s = (cp_state *)memory;
    (void)binding;
    (void)t;
    (void)running;
    s->plain = cp_message(s);
    s->feedthrough = s->in;
}

/* What a state from a file needs besides values in their ranges. */
static bool cp_can_go_on(const void *memory, const void *binding, bool running, cp_reason *why)
{
    const cp_state *const s = (const cp_state *)memory;
    (void)binding;
    (void)running;
    *why = (cp_reason){"its number of steps, or what it knows of its connection, is none"};
    return cp_is_count(s->n) && cp_is_line(&s->line, s->n);
}

static cp_status cp_move(void *memory, const void *binding, cp_step *step)
{
    cp_state *const s = (cp_state *)memory;
    int64_t sent = 0;
    (void)step;
    if (cp_is_news(&s->line, s->in)) {
        const bool understood = cp_decode(s->in, &sent);
        cp_note(&s->line, understood, s->n, sent);
    }
    s->n++;
    cp_outputs(memory, binding, step->t, true);
    return CP_OK;
}

static const cp_model cp_this_model = {
    .name = "probe_partner",
    .variables = cp_variables,
    .n_variables = CP_N_VARIABLES,
    .state_size = sizeof(cp_state),
    .time = offsetof(cp_state, time),
    .sound = cp_can_go_on,
    .finish = cp_begin_at,
    .step = cp_move,
    .refresh = cp_outputs,
};
