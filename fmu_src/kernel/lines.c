/* The line of each algorithm at this macro step: level + slope (theta - shift). */
#include "stages.h"

enum { CP_NEVER = CP_SLOTS + 1 };

/* values that `irregular` uses: their slots, and lead, number, usual lead [macro steps] and ages [ticks] */
typedef struct {
    int32_t slots[CP_TERMS];
    int32_t pattern[CP_PATTERN];
} cp_received;

/* m(k), the slots that an algorithm needs; more than there are if it has no weights for k */
CP_API int32_t cp_needed(const cp_coupling_settings *c, const cp_state *s, int32_t which)
{
    const int32_t k = s->latency_steps;
    switch (which) {
    case CP_EROS3:
        return cp_eros3_taps(k);
    case CP_EROS4:
        return cp_eros4_taps(k);
    case CP_SMB:
        return cp_smb_taps(k);
    case CP_LINEAR:
        return c->weights[k].m > 0 ? c->weights[k].m : CP_NEVER;
    case CP_IRREGULAR:
        return c->spectrum.values > 0 ? c->spectrum.values : CP_NEVER;
    case CP_NETWORK:
        return k == c->network.steps ? c->network.inputs + 1 : CP_NEVER;
    case CP_FOH:
        return 2;
    default:
        return 1;
    }
}

/* Advance the sliding-mode observer; it tracks the macro point itself, so no fraction moves it.

   The newest value lies `fraction` of a step after the estimate it is compared with; the received slope bridges that.
   Bridging with the estimated slope makes the observer diverge at latencies below a macro step. */
static cp_shifted_line cp_line_of_observer(const cp_state *s, const double *past, int32_t k)
{
    if (k == 0) {
        const cp_line line = cp_foh_line(past, k);
        return (cp_shifted_line){line.level, line.slope, s->fraction};
    }
    double then = s->observed[cp_ring(s->n - k)];
    if (s->fraction != 0.0) {
        then = then + s->fraction * (past[0] - past[1]);
    }
    const double slope = cp_smb_bracket(past, then, cp_smb_gain_per_step(s->observer_gain, s->period, k));
    return (cp_shifted_line){s->observed[cp_ring(s->n - 1)] + slope, slope, 0.0};
}

static cp_line cp_line_of_weights(const cp_coupling_settings *c, const cp_state *s, const double *past, int32_t k)
{
    if (c->shown_taps > 0) {
        return cp_linear_line(past, s->a, s->slopes, c->shown_taps);
    }
    const cp_weights *const w = &c->weights[k];
    return cp_linear_line(past, w->a, w->slopes, w->m);
}

/* Find the newest received values. */
static void cp_line_receive(const cp_coupling_settings *c, const cp_state *s, cp_received *found)
{
    const int64_t usable = s->newest - s->anchor + 1;
    const int64_t end = usable > CP_REACH + s->early ? CP_REACH + s->early : usable;
    int32_t count = 0;
    for (int32_t slot = s->early; slot < end; slot++) {
        if (!s->marked[slot] && count < c->spectrum.values) {
            found->slots[count++] = slot;
        }
    }
    if (count == 0) {
        return;
    }
    const double newest = s->stamps[found->slots[0]];
    const double steps = s->latency_steps - s->fraction - s->early + (s->stamps[0] - newest);
    found->pattern[0] = (int32_t)((steps < -CP_REACH ? -CP_REACH : steps) * CP_TICKS + 0.5);
    found->pattern[1] = count;
    found->pattern[2] = s->usual_steps;
    for (int32_t i = 1; i < count; i++) {
        found->pattern[2 + i] = (int32_t)((newest - s->stamps[found->slots[i]]) * CP_TICKS + 0.5);
    }
}

static bool cp_line_knows(const int32_t *known, const int32_t *pattern)
{
    for (int32_t i = 0; i < CP_PATTERN; i++) {
        if (known[i] != pattern[i]) {
            return false;
        }
    }
    return true;
}

/* place of the weights for this pattern of ages; new ones replace the oldest */
static int32_t cp_line_find(const cp_coupling_settings *c, cp_state *s, const int32_t *pattern)
{
    int32_t ages[CP_TERMS] = {0};
    for (int32_t place = 0; place < CP_PATTERNS; place++) {
        if (cp_line_knows(&s->pattern[place * CP_PATTERN], pattern)) {
            return place;
        }
    }
    const int32_t place = s->next_pattern;
    s->next_pattern = place + 1 < CP_PATTERNS ? place + 1 : 0;
    for (int32_t i = 0; i < CP_PATTERN; i++) {
        s->pattern[place * CP_PATTERN + i] = pattern[i];
    }
    for (int32_t i = 1; i < CP_TERMS; i++) {
        ages[i] = pattern[i + 2];
    }
    cp_irregular_weights(&c->spectrum, ages, pattern, &s->term_level[place * CP_TERMS],
                         &s->term_slope[place * CP_TERMS]);
    return place;
}

/* Apply the weights for the present ages to the received values; as differences, so that constants stay. */
static cp_line cp_line_of_irregular(const cp_coupling_settings *c, cp_state *s)
{
    cp_received found = {{0}, {0}};
    cp_line_receive(c, s, &found);
    if (found.pattern[1] == 0) {
        return (cp_line){s->past[s->early], 0.0};
    }
    const int32_t place = cp_line_find(c, s, found.pattern) * CP_TERMS;
    const double first = s->past[found.slots[0]];
    double level = 0.0;
    double slope = 0.0;
    for (int32_t i = 1; i < found.pattern[1]; i++) {
        const double change = s->past[found.slots[i]] - first;
        level = level + s->term_level[place + i] * change;
        slope = slope + s->term_slope[place + i] * change;
    }
    return (cp_line){first + level, slope};
}

/* share of the newest value in the line of `irregular` */
CP_API cp_line cp_irregular_share(const cp_coupling_settings *c, const cp_state *s)
{
    cp_received found = {{0}, {0}};
    int32_t ages[CP_TERMS] = {0};
    double level[CP_TERMS] = {0.0};
    double slope[CP_TERMS] = {0.0};
    cp_line share = {1.0, 0.0};
    cp_line_receive(c, s, &found);
    for (int32_t i = 1; i < CP_TERMS; i++) {
        ages[i] = found.pattern[i + 2];
    }
    if (found.pattern[1] > 0) {
        cp_irregular_weights(&c->spectrum, ages, found.pattern, level, slope);
    }
    for (int32_t i = 1; i < found.pattern[1]; i++) {
        share.level = share.level - level[i];
        share.slope = share.slope - slope[i];
    }
    return share;
}

static cp_line cp_line_of_generic(const double *past, int32_t k, int32_t which)
{
    switch (which) {
    case CP_EROS4:
        return cp_eros4_line(past, k);
    case CP_EROS3:
        return cp_eros3_line(past, k);
    case CP_FOH:
        return cp_foh_line(past, k);
    default:
        return cp_zoh_line(past);
    }
}

CP_API cp_shifted_line cp_line_of(const cp_coupling_settings *c, cp_state *s, int32_t which)
{
    const int32_t k = s->latency_steps;
    const double *const past = &s->past[s->early];
    if (which == CP_SMB) {
        return cp_line_of_observer(s, past, k);
    }
    if (which == CP_IRREGULAR) {
        const cp_line line = cp_line_of_irregular(c, s);
        return (cp_shifted_line){line.level, line.slope, 0.0};
    }
    if (which == CP_NETWORK) {
        const cp_line line = cp_network_line(c, cp_network_of(s), past);
        return (cp_shifted_line){line.level, line.slope, s->fraction};
    }
    const cp_line line = which == CP_LINEAR ? cp_line_of_weights(c, s, past, k) : cp_line_of_generic(past, k, which);
    return (cp_shifted_line){line.level, line.slope, s->fraction};
}
