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

/* share of the newest value in the line of an algorithm */
static cp_line cp_share_of_newest(const cp_coupling_settings *c, const cp_state *s, int32_t which)
{
    const double impulse[CP_SLOTS] = {1.0};
    const int32_t k = s->latency_steps;
    switch (which) {
    case CP_EROS4:
        return cp_eros4_line(impulse, k);
    case CP_EROS3:
        return cp_eros3_line(impulse, k);
    case CP_ZOH:
        return cp_zoh_line(impulse);
    case CP_IRREGULAR:
        return cp_irregular_share(c, s);
    case CP_LINEAR:
        return c->shown_taps > 0 ? (cp_line){s->a[0], s->slopes[0]}
                                 : (cp_line){c->weights[k].a[0], c->weights[k].slopes[0]};
    case CP_NETWORK:
        return cp_network_share(c, cp_network_in(s), s->past);
    case CP_SMB:
        if (k > 0) {
            const double gain = cp_smb_gain_per_step(s->observer_gain, s->period, k);
            const double share = 1.0 + gain * (1.0 - s->fraction);
            return (cp_line){share, share};
        }
        return cp_foh_line(impulse, k);
    default:
        return cp_foh_line(impulse, k);
    }
}

static cp_line cp_share_of_bank(const cp_coupling_settings *c, const cp_state *s)
{
    cp_line total = {0.0, 0.0};
    for (size_t i = 0; i < CP_BANK; i++) {
        const int32_t runs = cp_bank_runs(c, s, i);
        const cp_line share = s->bank_weight[i] > 0.0 ? cp_share_of_newest(c, s, runs) : (cp_line){0.0, 0.0};
        const double shift = runs == CP_IRREGULAR ? 0.0 : s->fraction;
        total.level = total.level + s->bank_weight[i] * (share.level - share.slope * shift);
        total.slope = total.slope + s->bank_weight[i] * share.slope;
    }
    return total;
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
    const cp_line share = s->active == CP_AUTO ? cp_share_of_bank(c, s) : cp_share_of_newest(c, s, s->active);
    return share.level + share.slope * (cp_theta(s, s->target) - s->shift);
}
