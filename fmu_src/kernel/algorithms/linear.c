/* Linear algorithm with given weights: free, designed or learnt, one pair (a, A) for each latency k.

   Where the sender sends the derivative of y too there may be a second pair (b, B):

       y_hat = sum a_l y_{n-k-l} + dT sum b_l y'_{n-k-l},    with A and B likewise its slope */
#include "../stages.h"

/* weights at the present latency: parameters of the FMU where it shows them */
static cp_weights cp_linear_weights(const cp_coupling_settings *c, const cp_state *s)
{
    cp_weights w = c->weights[s->latency.steps];
    if (c->shown_taps > 0) {
        w.m = c->shown_taps;
        w.a = s->parameter.a;
        w.slopes = s->parameter.slopes;
    }
    return w;
}

/* without the derivative that the weights need they never run */
CP_API int32_t cp_linear_needed(const cp_coupling_settings *c, const cp_state *s)
{
    const cp_weights *const w = &c->weights[s->latency.steps];
    if (w->m == 0 || (CP_KNOWS_ENERGY && w->n > 0 && !cp_derivative_told(s, s->latency.early))) {
        return CP_NEVER;
    }
    return w->m > w->n ? w->m : w->n;
}

static cp_line cp_linear_sums(const cp_weights *w, const double *past, const double *rates)
{
    cp_line line = {0.0, 0.0};
    for (int32_t tap = 0; tap < w->m; tap++) {
        line.level = line.level + w->a[tap] * past[tap];
        line.slope = line.slope + w->slopes[tap] * past[tap];
    }
    for (int32_t tap = 0; tap < w->n; tap++) {
        line.level = line.level + w->b[tap] * rates[tap];
        line.slope = line.slope + w->b_slopes[tap] * rates[tap];
    }
    return line;
}

/* sum a_l y_l and sum A_l y_l over the m newest values, and what the derivative adds */
CP_API cp_shifted_line cp_linear_line(const cp_coupling_settings *c, cp_state *s)
{
    const cp_weights w = cp_linear_weights(c, s);
    if (!CP_KNOWS_ENERGY || w.n == 0) {
        return cp_shifted(cp_linear_sums(&w, &s->history.past[s->latency.early], NULL), s);
    }
    double values[CP_TAPS] = {0.0};
    double rates[CP_TAPS] = {0.0};
    cp_course(s, w.m > w.n ? w.m : w.n, values, rates);
    return cp_shifted(cp_linear_sums(&w, values, rates), s);
}

CP_API cp_shifted_line cp_linear_share(const cp_coupling_settings *c, const cp_state *s)
{
    const cp_weights w = cp_linear_weights(c, s);
    return (cp_shifted_line){w.a[0], w.slopes[0], s->latency.fraction};
}
