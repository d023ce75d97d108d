/* Linear algorithm with given weights: free, designed or learnt, one pair (a, A) for each latency k. */
#include "../stages.h"

/* weights at the present latency: parameters of the FMU where it shows them */
static cp_weights cp_linear_weights(const cp_coupling_settings *c, const cp_state *s)
{
    const cp_weights shown = {c->shown_taps, s->parameter.a, s->parameter.slopes};
    return c->shown_taps > 0 ? shown : c->weights[s->latency.steps];
}

CP_API int32_t cp_linear_needed(const cp_coupling_settings *c, const cp_state *s)
{
    const int32_t m = c->weights[s->latency.steps].m;
    return m > 0 ? m : CP_NEVER;
}

/* sum a_l y_l and sum A_l y_l over the m newest values */
CP_API cp_shifted_line cp_linear_line(const cp_coupling_settings *c, cp_state *s)
{
    const cp_weights w = cp_linear_weights(c, s);
    const double *const past = &s->history.past[s->latency.early];
    cp_line line = {0.0, 0.0};
    for (int32_t tap = 0; tap < w.m; tap++) {
        line.level = line.level + w.a[tap] * past[tap];
        line.slope = line.slope + w.slopes[tap] * past[tap];
    }
    return cp_shifted(line, s);
}

CP_API cp_shifted_line cp_linear_share(const cp_coupling_settings *c, const cp_state *s)
{
    const cp_weights w = cp_linear_weights(c, s);
    return (cp_shifted_line){w.a[0], w.slopes[0], s->latency.fraction};
}
