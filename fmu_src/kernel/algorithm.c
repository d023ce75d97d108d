/* Stage 6: estimate the value at this macro step and its change per macro step from the history.

   The estimate is a line, level + slope (theta - shift). What it gives for the time that quality will judge, and what
   the observer compares with later, is kept here, before any limit. */
#include "stages.h"

/* Advance the sliding-mode observer; it tracks the macro point itself, so no fraction moves it.

   The newest value lies `fraction` of a step after the estimate it is compared with; the received slope bridges that.
   Bridging with the estimated slope makes the observer diverge at latencies below a macro step. */
static cp_line cp_algorithm_observer(cp_state *s, int32_t k)
{
    if (k == 0) {
        return cp_foh_line(s->past, k);
    }
    s->shift = 0.0;
    double then = s->observed[cp_ring(s->n - k)];
    if (s->fraction != 0.0) {
        then = then + s->fraction * (s->past[0] - s->past[1]);
    }
    const double slope = cp_smb_bracket(s->past, then, cp_smb_gain_per_step(s->observer_gain, s->period, k));
    return (cp_line){s->observed[cp_ring(s->n - 1)] + slope, slope};
}

static cp_line cp_algorithm_linear(const cp_coupling_settings *c, const cp_state *s, int32_t k)
{
    if (c->shown_taps > 0) {
        return cp_linear_line(s->past, s->a, s->slopes, c->shown_taps);
    }
    const cp_weights *const w = &c->weights[k];
    return cp_linear_line(s->past, w->a, w->slopes, w->m);
}

static cp_line cp_algorithm_line(const cp_coupling_settings *c, cp_state *s)
{
    const int32_t k = s->latency_steps;
    switch (s->active) {
    case CP_EROS4:
        return cp_eros4_line(s->past, k);
    case CP_EROS3:
        return cp_eros3_line(s->past, k);
    case CP_FOH:
        return cp_foh_line(s->past, k);
    case CP_ZOH:
        return cp_zoh_line(s->past);
    case CP_LINEAR:
        return cp_algorithm_linear(c, s, k);
    case CP_NETWORK:
        return cp_network_line(c, cp_network_of(s), s->past);
    default:
        return cp_algorithm_observer(s, k);
    }
}

static void cp_algorithm_hold(cp_state *s)
{
    s->slope = 0.0;
    if (!s->filled) {
        s->level = s->passed;
    } else if (s->mode == CP_LOST && s->on_loss == CP_LOSS_SAFE) {
        s->level = s->safe_value;
    } else {
        s->level = s->held;
    }
}

static void cp_algorithm_estimate(const cp_coupling_settings *c, cp_state *s)
{
    const cp_line line = cp_algorithm_line(c, s);
    const bool finite = cp_finite(line.level) && cp_finite(line.slope);
    s->level = finite ? line.level : s->past[0];
    s->slope = finite ? line.slope : 0.0;
    s->held = cp_bounded(s->level + s->slope * (1.0 - s->shift), s->level);
}

/* Keep the estimate for the time at which it is given out: the end of the step, in event timing its start. */
static void cp_algorithm_keep(const cp_coupling_settings *c, cp_state *s)
{
    const int32_t ahead = c->event ? 0 : 1;
    const size_t at = cp_ring(s->n + ahead);
    s->estimated[at] = cp_bounded(s->level + s->slope * (ahead - s->shift), s->level);
    s->held_then[at] = s->past[0];
    s->horizon[at] = (uint8_t)(s->latency_steps <= CP_MAX_STEPS ? s->latency_steps + ahead : 0);
    s->judgeable[at] = s->active == s->selected && !s->starting;
}

CP_API void cp_algorithm(const cp_coupling_settings *c, cp_state *s)
{
    s->shift = s->fraction;
    if (c->network.size > 0 && s->selected == CP_NETWORK) {
        cp_learn(c, s);
    }
    if (s->active == CP_NONE) {
        cp_algorithm_hold(s);
    } else {
        cp_algorithm_estimate(c, s);
    }
    s->observed[cp_ring(s->n)] = cp_bounded(s->level - s->slope * s->shift, s->level);
    cp_algorithm_keep(c, s);
}
