/* Stage 6: estimate the value at this macro step and its change per macro step from the history.

   The estimate is a line, level + slope (theta - shift). What it gives for the time that quality will judge, and what
   the observer compares with later, is kept here, before any limit. */
#include "stages.h"

static void cp_algorithm_hold(cp_state *s)
{
    s->slope = 0.0;
    if (!s->filled) {
        s->level = s->passed;
    } else if (s->mode == CP_LOST && s->on_loss == CP_LOSS_SAFE) {
        s->level = cp_unwrap(s, s->safe_value, s->held);
    } else {
        s->level = s->held;
    }
}

static void cp_algorithm_estimate(const cp_coupling_settings *c, cp_state *s)
{
    const cp_shifted_line line = cp_row_of(s->active)->line(c, s);
    const bool finite = cp_finite(line.level) && cp_finite(line.slope);
    s->shift = line.shift;
    s->level = finite ? line.level : s->past[s->early];
    s->slope = finite ? line.slope : 0.0;
    s->held = cp_bounded(s->level + s->slope * (1.0 - s->shift), s->level);
}

/* Keep the estimate for the time at which it is given out: the end of the step, in event timing its start. */
static void cp_algorithm_keep(const cp_coupling_settings *c, cp_state *s)
{
    const int32_t ahead = c->event ? 0 : 1;
    const size_t at = cp_ring(s->n + ahead);
    s->estimated[at] = cp_bounded(s->level + s->slope * (ahead - s->shift), s->level);
    s->held_then[at] = s->past[s->early];
    s->horizon[at] = (uint8_t)(s->latency_steps <= CP_MAX_STEPS ? s->latency_steps + ahead : 0);
    s->judgeable[at] = s->active == s->selected && !s->starting;
}

/* Give out the newest value instead of the estimate, which is judged all the same. */
static void cp_algorithm_give_newest(cp_state *s)
{
    cp_tell_once(s, CP_IS_HARMFUL);
    s->active = CP_ZOH;
    s->level = s->held = s->past[s->early];
    s->slope = 0.0;
}

CP_API void cp_algorithm(const cp_coupling_settings *c, cp_state *s)
{
    s->shift = s->fraction;
    if (cp_is(s->selected, CP_LEARNS)) {
        cp_learn(c, s);
    }
    if (s->active == CP_NONE) {
        cp_algorithm_hold(s);
    } else {
        cp_algorithm_estimate(c, s);
    }
    s->observed[cp_ring(s->n)] = cp_bounded(s->level - s->slope * s->shift, s->level);
    cp_algorithm_keep(c, s);
    if (s->action == CP_QUALITY_HOLD && s->grade == CP_HARMFUL && s->active != CP_NONE) {
        cp_algorithm_give_newest(s);
    }
}
