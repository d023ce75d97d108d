/* Derivatives of `y_hat` for importers that ask for them. */
#include "stages.h"

static bool cp_is_fixed(const cp_state *s)
{
    return s->limited || s->mode >= CP_HOLDING;
}

CP_API double cp_coupling_slope(const cp_coupling_settings *c, const cp_state *s)
{
    (void)c;
    if (cp_is_fixed(s) || s->bypass || s->reconstruction == CP_RECONSTRUCT_HOLD || !(s->period > 0.0)) {
        return 0.0;
    }
    return cp_bounded(s->slope / s->period, 0.0);
}

CP_API double cp_coupling_gain(const cp_coupling_settings *c, const cp_state *s, bool running)
{
    if (!running) {
        return s->y_hat == s->passed ? 1.0 : 0.0;
    }
    if (!c->event || cp_is_fixed(s) || s->taken == CP_LATE || (s->taken == CP_NOTHING && s->filled)) {
        return 0.0;
    }
    if (s->bypass || s->active == CP_NONE) {
        return 1.0;
    }
    if (s->early > 0) {
        return 0.0;
    }
    const cp_shifted_line share = cp_row_of(s->active)->share(c, s);
    return share.level + share.slope * (cp_theta(s, s->target) - s->shift);
}
