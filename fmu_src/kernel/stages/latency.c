/* Stage 1: work out how late the newest value is.

   `cp_locate` finds the macro step at which an incoming value was sent, in the sender's count; `cp_latency` also works
   out the lead and splits it into whole steps k and a fraction f:
   k = max(0, ceil(lead / dT - 1e-6)), f = k - lead / dT; with stamps CP_WHOLE in place of 1e-6, since clocks drift.
   The lead is the time from the newest value to the macro point, and what is added to it: latency.offset, and macro
   steps for the importer and the receiver's hold. Below 0 the estimate is for a time before the newest value, and f is
   above 0. */
#include "../../base/grid.h"
#include "../stages.h"

/* smallest integer not below x <= CP_FAR, at least 0 */
static int32_t cp_latency_ceil(double x)
{
    if (!(x > 0.0)) {
        return 0;
    }
    const int32_t whole = (int32_t)x;
    return (double)whole < x ? whole + 1 : whole;
}

static void cp_latency_by_count(cp_state *s)
{
    if (s->grid.n < s->parameter.constant_steps) {
        s->algorithm.passed = s->input.y;
        return;
    }
    s->latency.slot = s->grid.n - s->parameter.constant_steps;
    s->latency.taken = CP_NEWEST;
}

/* An older message that is later than usual may not go on from those before. */
static void cp_latency_later(cp_state *s, int32_t stray)
{
    if (!cp_restart_is_usual(s)) {
        cp_restart_stray(s, stray);
    }
}

static void cp_latency_old_stamp(cp_state *s, double position)
{
    if (position < (double)s->history.origin || position < (double)(s->history.newest - CP_SLOTS + 1)) {
        cp_tell_once(s, CP_OLD_STAMP);
        cp_latency_later(s, CP_GONE);
        return;
    }
    const int64_t slot = position < (double)s->history.newest ? (int64_t)position : s->history.newest;
    const int64_t place = s->history.newest - slot;
    if (s->history.marked[place] && !cp_restart_doubts(s)) {
        cp_latency_later(s, CP_AGAIN);
        if (s->latency.taken != CP_NEWEST) {
            s->latency.slot = slot;
            s->latency.taken = CP_LATE;
        }
        return;
    }
    const bool again = s->history.stamps[place] == cp_history_stamp(s, s->input.y_time) &&
                       cp_is_same(s, s->input.y, s->history.past[place]);
    cp_latency_later(s, again && !s->history.marked[place] ? CP_AGAIN : CP_ELSEWHERE);
}

static void cp_latency_after_first(cp_state *s)
{
    const double position = (s->input.y_time - s->latency.first_stamp) / s->grid.period + 0.5;
    if (!(position < CP_FARTHEST_SLOT)) {
        cp_tell_once(s, CP_BAD_STAMP);
    } else if (s->input.y_time < s->latency.newest_stamp) {
        cp_latency_old_stamp(s, position);
    } else if (s->input.y_time > s->latency.newest_stamp && !cp_restart_doubts(s)) {
        s->latency.slot = (int64_t)position;
        s->latency.taken = CP_NEWEST;
    } else if (s->input.y_time > s->latency.newest_stamp) {
        cp_restart_stray(s, CP_ELSEWHERE);
    }
}

static void cp_latency_first(cp_state *s)
{
    if (s->grid.time - s->input.y_time > CP_FAR * s->grid.period && !cp_clock_is_free(s)) {
        cp_tell_once(s, CP_OLD_STAMP);
        cp_restart_stray(s, CP_GONE);
        return;
    }
    s->latency.first_stamp = s->input.y_time;
    s->latency.slot = 0;
    s->latency.taken = CP_NEWEST;
}

/* Note the transit time of a message that is taken. */
static void cp_latency_take(cp_state *s)
{
    cp_restart_take(s);
    if (s->latency.taken == CP_NEWEST) {
        s->clock.transit = cp_clock_transit(s);
        if (cp_restart_is_lost(s)) { /* clocks may have drifted any way since */
            s->clock.blocks = s->clock.block_count = 0;
        }
    }
    if (cp_clock_is_free(s)) {
        cp_clock_observe(s);
    }
}

static void cp_latency_by_stamp(cp_state *s)
{
    if (!cp_finite(s->input.y_time)) {
        cp_tell_once(s, CP_BAD_STAMP);
        return;
    }
    if (s->input.y_time < CP_LEAST_STAMP) {
        return;
    }
    const double now = s->grid.time + cp_same_time(s->grid.time, s->grid.period);
    const bool sent = cp_clock_is_free(s) || s->input.y_time + s->clock.offset <= now;
    const bool first = sent && (!s->history.filled || cp_restart_contradicts(s));
    if (!first && !(sent && (!cp_clock_is_free(s) || cp_clock_plausible(s)))) {
        cp_tell_once(s, CP_FUTURE_STAMP);
        cp_restart_stray(s, CP_ELSEWHERE);
    } else if (!first) {
        cp_latency_after_first(s);
    } else if (!s->history.filled) {
        cp_latency_first(s);
    }
    if (s->latency.taken == CP_NEWEST || (s->latency.taken == CP_LATE && cp_restart_is_usual(s))) {
        cp_latency_take(s);
    }
}

CP_API void cp_locate(cp_state *s)
{
    s->latency.taken = CP_NOTHING;
    if (!s->input.y_valid) {
        return;
    }
    if (!cp_finite(s->input.y)) {
        cp_tell_once(s, CP_BAD_VALUE);
    } else if (s->parameter.latency_mode == CP_CONSTANT) {
        cp_latency_by_count(s);
    } else {
        cp_latency_by_stamp(s);
    }
}

CP_API double cp_latency_added_lead(const cp_coupling_settings *c, const cp_state *s)
{
    return cp_offset(c, s) / s->grid.period + (s->parameter.host_lead + s->parameter.hold_lead);
}

/* time from a send stamp to macro step n, macro steps */
static double cp_latency_age(cp_state *s, double stamp)
{
    const bool differs = cp_clock_is_free(s);
    if (differs) {
        cp_clock_follow(s);
    }
    const double sent = stamp + s->clock.offset;
    const double age = (cp_point_time(s, s->grid.n) - sent) / s->grid.period;
    return age < 0.0 && differs ? 0.0 : age;
}

/* how many slots before the newest the estimate starts, so that the latency is always the constant one */
static int32_t cp_latency_keep_back(const cp_coupling_settings *c, const cp_state *s, double steps)
{
    const int64_t newest = s->latency.taken == CP_NEWEST ? s->latency.slot : s->history.newest;
    const int64_t first = s->history.filled && newest - s->history.newest < CP_SLOTS ? s->history.origin : newest;
    const int64_t most = newest - first < CP_SLOTS / 2 ? newest - first : CP_SLOTS / 2;
    const double wait = s->parameter.constant_steps + cp_latency_added_lead(c, s) - steps + CP_TINY;
    if (!(wait >= 1.0)) {
        return 0;
    }
    return wait < (double)most ? (int32_t)wait : (int32_t)most;
}

/* time from the newest value to macro step n and what is added to it, macro steps */
static double cp_latency_lead(const cp_coupling_settings *c, cp_state *s)
{
    const double added = cp_latency_added_lead(c, s);
    if (s->parameter.latency_mode == CP_CONSTANT) {
        const bool sent_earlier = s->latency.taken != CP_NEWEST && s->history.filled;
        return (double)(sent_earlier ? s->grid.n - s->history.newest : s->parameter.constant_steps) + added;
    }
    if (s->latency.taken == CP_NEWEST || s->history.filled) {
        const double stamp = s->latency.taken == CP_NEWEST ? s->input.y_time : s->latency.newest_stamp;
        return cp_latency_age(s, stamp) + added;
    }
    return added;
}

/* Follow the lead with which new values arrive: a mean, and the steps that an estimate usually reaches. They stay where
   the mean only sways. In event timing it is rounded up. In step timing an estimate reaches one step further, and that
   is rounded down: at long reaches a loop bears too much noise as badly as too little. */
static void cp_latency_settle(const cp_coupling_settings *c, cp_state *s, double steps)
{
    const double most = steps < (double)CP_MAX_STEPS ? steps : (double)CP_MAX_STEPS;
    const double lead = most > 0.0 ? most : 0.0;
    const int64_t age = s->history.filled ? s->latency.slot - s->history.origin + 1 : 1;
    const double span = (double)(age < CP_SETTLING ? age : CP_SETTLING);
    s->latency.usual_lead = s->latency.usual_lead + (lead - s->latency.usual_lead) / span;
    const double reach = c->event ? s->latency.usual_lead : s->latency.usual_lead + 1.0;
    const double least = c->event ? -1.0 - CP_SWAY : -CP_SWAY;
    const double shift = c->event ? 1.0 - CP_SWAY : CP_SWAY;
    const double off = reach - s->latency.usual_reach;
    if (!s->history.filled || off < least || off > least + 1.0 + 2.0 * CP_SWAY) {
        s->latency.usual_reach = (int32_t)(reach + shift);
    }
}

CP_API void cp_latency(const cp_coupling_settings *c, cp_state *s)
{
    cp_follow(c, s);
    cp_locate(s);
    double lead = cp_latency_lead(c, s);
    if (s->parameter.latency_mode == CP_RESEQUENCED) {
        s->latency.early = cp_latency_keep_back(c, s, lead);
        lead = lead + s->latency.early;
    }
    const double steps = lead <= CP_FAR ? (lead < -CP_FAR ? -CP_FAR : lead) : CP_FAR;
    if (s->latency.taken == CP_NEWEST) {
        cp_latency_settle(c, s, steps);
    }
    s->latency.seconds = cp_bounded(steps * s->grid.period, CP_UNLIMITED);
    const bool counted = s->parameter.latency_mode == CP_CONSTANT;
    const double same = counted ? CP_TINY : cp_same_time(s->grid.time, s->grid.period) / s->grid.period;
    const double whole = counted || same > CP_WHOLE ? same : CP_WHOLE;
    s->latency.steps = cp_latency_ceil(steps - whole);
    const double fraction = s->latency.steps - steps;
    s->latency.fraction = fraction >= -same && fraction <= same ? 0.0 : fraction;
}
