/* The kernel and a loop over the messages of one scene, as a shared library for the tests. */
#include "kernel.c"

/* One value in each macro step, as the host sees it; lists of `steps` entries. */
typedef struct {
    const double *y;       /* newest message there, signal unit */
    const double *stamp;   /* its send time, s */
    const int32_t *valid;
    const double *earlier; /* CP_BURST for each macro step: what the message repeats */
    const double *earlier_stamp;
    const int32_t *earlier_valid; /* null: no message repeats any */
} cp_hostile_messages;

/* Who gets the estimate: one that lags, or the end of a power bond whose other end is perfect. */
typedef struct {
    double lag;            /* of what is applied, macro steps; below 0: there is no such receiver */
    const double *flow;    /* that the other end receives without error, by macro step; null: no bond */
    const double *effort;  /* that it sends */
    const int32_t *newest; /* macro step at which the message was sent that arrives at each one, -1: none */
    double *given;         /* its books by macro step: energy given out, J */
    double *passed;        /* and passed on, J */
} cp_hostile_receiver;

/* What came of it; lists with an entry for each communication step. */
typedef struct {
    double *estimate; /* what the receiver reads for the communication point, signal unit */
    double *inside;   /* the other end of the communication step, signal unit */
    int32_t *flagged;
    int32_t *limited;
} cp_hostile_answers;

size_t cp_hostile_state_size(void);
size_t cp_hostile_settings_size(void);
int64_t cp_hostile_run(const cp_coupling_settings *c, cp_state *s, int64_t steps, int64_t parts,
                       const cp_hostile_messages *given, const cp_hostile_receiver *to,
                       const cp_hostile_answers *found);

size_t cp_hostile_state_size(void)
{
    return sizeof(cp_state_with_neural);
}

size_t cp_hostile_settings_size(void)
{
    return sizeof(cp_coupling_settings);
}

static void cp_hostile_receive(cp_state *s, const cp_hostile_messages *given, int64_t n)
{
    s->input.y = given->y[n];
    s->input.y_time = given->stamp[n];
    s->input.y_valid = given->valid[n];
    for (int64_t i = 0; i < CP_BURST && given->earlier_valid != NULL; i++) {
        s->input.burst[i] = given->earlier[n * CP_BURST + i];
        s->input.burst_time[i] = given->earlier_stamp[n * CP_BURST + i];
        s->input.burst_valid[i] = given->earlier_valid[n * CP_BURST + i];
    }
}

/* What is applied now is what was given out for a time that is `lag` ago; `event`: for the point it was made at. */
static void cp_hostile_apply(cp_state *s, const cp_hostile_receiver *to, bool event, const double *given, int64_t n)
{
    const int64_t ahead = event ? 0 : 1;
    const double at = (double)(n - ahead) - to->lag;
    const int64_t i = (int64_t)at;
    s->follow.applied = at >= 0.0 ? given[i] + (at - (double)i) * (given[i + 1] - given[i]) : 0.0;
}

/* The books of the other end, and what its message tells here. */
static void cp_hostile_book(cp_state *s, const cp_hostile_receiver *to, int64_t n)
{
    const double budget = s->bond.budget;
    const double taken = n > 0 ? to->effort[n - 1] * 0.5 * (to->flow[n - 1] + to->flow[n]) * s->grid.period : 0.0;
    const int64_t sent = to->newest[n];
    to->given[n] = (n > 0 ? to->given[n - 1] : 0.0) - taken;
    const double over = s->energy.passed - to->given[n] - (n > 0 ? to->passed[n - 1] : 0.0);
    to->passed[n] = (n > 0 ? to->passed[n - 1] : 0.0) + (over > 0.0 && budget > 0.0 ? over : 0.0);
    s->bond.conjugate = to->flow[n];
    if (sent >= 0) {
        s->bond.far_given = to->given[sent];
        s->bond.far_passed = to->passed[sent];
        s->bond.far_time = (double)sent * s->grid.period;
    }
}

/* Run a scene from time 0 on, each macro step in `parts` communication steps; return the macro steps that were made. */
int64_t cp_hostile_run(const cp_coupling_settings *c, cp_state *s, int64_t steps, int64_t parts,
                       const cp_hostile_messages *given, const cp_hostile_receiver *to,
                       const cp_hostile_answers *found)
{
    cp_reason why;
    cp_coupling_reset(c, s);
    if (!cp_coupling_init(c, s, 0.0, &why)) {
        return -1;
    }
    const double step = s->parameter.macro_step / (double)parts;
    for (int64_t i = 0; i < steps * parts; i++) {
        cp_hostile_receive(s, given, i / parts);
        if (to != NULL && to->lag >= 0.0) {
            cp_hostile_apply(s, to, c->event, found->estimate, i);
        }
        if (to != NULL && to->flow != NULL) {
            cp_hostile_book(s, to, i);
        }
        if (!cp_coupling_step(c, s, (double)i * step, step, &why)) {
            return i / parts;
        }
        found->estimate[i] = s->reconstruction.given;
        found->inside[i] = s->reconstruction.y_hat;
        found->flagged[i] = s->discontinuity.detected;
        found->limited[i] = s->reconstruction.limited;
    }
    return steps;
}
