/* Stage 6: estimate the value at this macro step and its change per macro step from the history.

   The estimate is a line, level + slope (theta - shift), that the guard keeps near the signal. What it gives for the
   time that quality will judge, and what the observer compares with later, is kept here, before any limit. */
#include "../stages.h"

static void cp_algorithm_hold(cp_state *s)
{
    s->algorithm.slope = 0.0;
    if (!s->history.filled) {
        s->algorithm.level = s->algorithm.passed;
    } else if (s->switching.mode == CP_LOST && s->parameter.on_loss == CP_LOSS_SAFE) {
        s->algorithm.level = cp_unwrap(s, s->parameter.safe_value, s->algorithm.held);
    } else {
        s->algorithm.level = s->algorithm.held;
    }
}

/* The observer compares with its own estimates, guarded or not. */
static void cp_algorithm_observe(cp_state *s, double level, double back)
{
    s->algorithm.observed[cp_ring(s->grid.n)] = cp_bounded(level - back, level);
}

static void cp_algorithm_estimate(const cp_coupling_settings *c, cp_state *s)
{
    const cp_shifted_line line = cp_row_of(s->switching.active)->line(c, s);
    const bool finite = cp_finite(line.level) && cp_finite(line.slope);
    const double level = finite ? line.level : s->history.past[s->latency.early];
    const double slope = finite ? line.slope : 0.0;
    cp_algorithm_observe(s, level, slope * line.shift);
    const cp_shifted_line kept = cp_guard_line(s, (cp_shifted_line){level, slope, line.shift}, 1.0);
    s->algorithm.shift = kept.shift;
    s->algorithm.level = kept.level;
    s->algorithm.slope = kept.slope;
    s->algorithm.held = cp_bounded(kept.level + kept.slope * (1.0 - kept.shift), kept.level);
}

/* the estimate at this place in the macro step, before any limit */
static double cp_algorithm_at(const cp_state *s, double theta)
{
    return cp_bounded(s->algorithm.level + s->algorithm.slope * (theta - s->algorithm.shift), s->algorithm.level);
}

/* Keep the estimate for the time at which it is given out: the end of the step, in event timing its start. One for a
   time before the newest value has a horizon too. */
static void cp_algorithm_keep(const cp_coupling_settings *c, cp_state *s)
{
    const int32_t ahead = c->event ? 0 : 1;
    const size_t at = cp_ring(s->grid.n + ahead);
    s->quality.estimated[at] = cp_algorithm_at(s, ahead);
    s->quality.held_then[at] = s->history.past[s->latency.early];
    const int32_t on = s->latency.steps <= CP_MAX_STEPS ? s->latency.steps + ahead : 0;
    const bool back = s->latency.steps + ahead == 0 && s->latency.fraction != 0.0;
    s->quality.horizon[at] = (uint8_t)(back ? 1 : on);
    s->quality.judgeable[at] = s->switching.active == cp_choose(c, s) && !s->switching.starting;
}

/* Give out so much more that what the receiver makes of it is the estimate. */
static void cp_algorithm_scale(cp_state *s)
{
    s->algorithm.level = s->algorithm.level / s->follow.gain;
    s->algorithm.slope = s->algorithm.slope / s->follow.gain;
    s->algorithm.held = s->algorithm.held / s->follow.gain;
}

/* Give out the newest value instead of the estimate, which is judged all the same. */
static void cp_algorithm_give_newest(cp_state *s)
{
    cp_tell_once(s, CP_IS_HARMFUL);
    s->switching.active = CP_ZOH;
    s->algorithm.level = s->algorithm.held = s->history.past[s->latency.early];
    s->algorithm.slope = 0.0;
}

CP_API void cp_algorithm(const cp_coupling_settings *c, cp_state *s)
{
    s->algorithm.shift = s->latency.fraction;
    cp_guard_measure(s);
    if (cp_has_plant(c)) {
        cp_observe(c, s);
    }
    if (CP_KNOWS_ENERGY && c->periodic) {
        cp_phasor_take(c, s);
    }
    if (cp_is(s->parameter.selected, CP_LEARNS)) {
        cp_learn(c, s);
    }
    if (s->switching.active == CP_NONE) {
        cp_algorithm_hold(s);
        cp_algorithm_observe(s, s->algorithm.level, 0.0);
    } else {
        cp_algorithm_estimate(c, s);
        const int32_t active = s->switching.active;
        if (active != s->parameter.selected && cp_models(c, s) && active == cp_choose(c, s)) {
            cp_row_of(CP_MODEL)->line(c, s); /* to see if it is right again */
        }
    }
    if (cp_has_plant(c) && c->plant.late) {
        cp_observer_keep(c, s);
    }
    cp_algorithm_keep(c, s);
    if (s->switching.active != CP_NONE && cp_follows_gain(c, s)) {
        cp_algorithm_scale(s);
    }
    const bool holds = s->parameter.action == CP_QUALITY_HOLD && s->quality.harmful;
    if (s->switching.active != CP_NONE && (holds || cp_is_harmful(c, s))) {
        cp_algorithm_give_newest(s);
    }
}
