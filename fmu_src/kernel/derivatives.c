/* Derivatives of `y_hat` for importers that ask for them. */
#include "stages.h"

static bool cp_is_fixed(const cp_state *s)
{
    return s->reconstruction.limited || s->switching.mode >= CP_HOLDING;
}

CP_API double cp_coupling_slope(const cp_coupling_settings *c, const cp_state *s)
{
    (void)c;
    const bool steps = s->parameter.reconstruction == CP_RECONSTRUCT_HOLD || !(s->grid.period > 0.0);
    if (cp_is_fixed(s) || s->parameter.bypass || steps) {
        return 0.0;
    }
    return cp_bounded(s->algorithm.slope / s->grid.period, 0.0);
}

CP_API double cp_coupling_gain(const cp_coupling_settings *c, const cp_state *s, bool running)
{
    if (!running) {
        return s->reconstruction.y_hat == s->algorithm.passed ? 1.0 : 0.0;
    }
    const bool without_news = s->latency.taken == CP_LATE || (s->latency.taken == CP_NOTHING && s->history.filled);
    if (!c->event || cp_is_fixed(s) || s->guard.acts || without_news) {
        return 0.0;
    }
    if (s->parameter.bypass || s->switching.active == CP_NONE) {
        return 1.0;
    }
    if (s->latency.early > 0) {
        return 0.0;
    }
    const cp_shifted_line share = cp_row_of(s->switching.active)->share(c, s);
    const double gain = share.level + share.slope * (cp_theta(s, s->grid.target) - s->algorithm.shift);
    return cp_follows_gain(c, s) ? gain / s->follow.gain : gain;
}
