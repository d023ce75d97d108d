/* The kernel and a loop over the messages of one scene, as a shared library for the tests. */
#include "kernel.c"

/* One value in each macro step, as the host sees it; lists of `steps` entries. */
typedef struct {
    const double *y;       /* newest message there, signal unit */
    const double *stamp;   /* its send time, s */
    const int32_t *valid;
    const double *earlier; /* CP_BURST for each macro step: what the message repeats */
    const double *earlier_stamp;
    const int32_t *earlier_valid;
} cp_hostile_messages;

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
                       const cp_hostile_messages *given, const cp_hostile_answers *found);

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
    for (int64_t i = 0; i < CP_BURST; i++) {
        s->input.burst[i] = given->earlier[n * CP_BURST + i];
        s->input.burst_time[i] = given->earlier_stamp[n * CP_BURST + i];
        s->input.burst_valid[i] = given->earlier_valid[n * CP_BURST + i];
    }
}

/* Run a scene from time 0 on, each macro step in `parts` communication steps; return the macro steps that were made. */
int64_t cp_hostile_run(const cp_coupling_settings *c, cp_state *s, int64_t steps, int64_t parts,
                       const cp_hostile_messages *given, const cp_hostile_answers *found)
{
    cp_reason why;
    cp_coupling_reset(c, s);
    if (!cp_coupling_init(c, s, 0.0, &why)) {
        return -1;
    }
    const double step = s->parameter.macro_step / (double)parts;
    for (int64_t i = 0; i < steps * parts; i++) {
        cp_hostile_receive(s, given, i / parts);
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
