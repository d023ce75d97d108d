/* Stage 1: work out how late the newest value is.

   `cp_locate` finds the macro step at which an incoming value was sent, in the sender's count; `cp_latency` also works
   out the lead, the time from the newest value to the macro point, and splits it into whole steps k and a fraction f:
   k = ceil(lead / dT - 1e-6), f = k - lead / dT. */
#include "stages.h"

#define CP_FARTHEST_SLOT 9007199254740992.0 /* whole numbers are exact up to here */
#define CP_SETTLING 32      /* slots that the mean spans */
#define CP_SWAY 0.125       /* how far the mean goes before it counts, macro steps */

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
    if (s->n < s->constant_steps) {
        s->passed = s->y;
        return;
    }
    s->slot = s->n - s->constant_steps;
    s->taken = CP_NEWEST;
}

static void cp_latency_old_stamp(cp_state *s, double position)
{
    if (position < (double)s->origin || position < (double)(s->newest - CP_SLOTS + 1)) {
        cp_tell_once(s, CP_OLD_STAMP);
        return;
    }
    const int64_t slot = (int64_t)position;
    if (s->marked[s->newest - slot]) {
        s->slot = slot;
        s->taken = CP_LATE;
    }
}

static void cp_latency_after_first(cp_state *s)
{
    const double position = (s->y_time - s->first_stamp) / s->period + 0.5;
    if (!(position < CP_FARTHEST_SLOT)) {
        cp_tell_once(s, CP_BAD_STAMP);
    } else if (s->y_time > s->newest_stamp) {
        s->slot = (int64_t)position;
        s->taken = CP_NEWEST;
    } else if (s->y_time < s->newest_stamp) {
        cp_latency_old_stamp(s, position);
    }
}

/* Can a message with this stamp be here? Where the clocks differ its transit time is noted. */
static bool cp_latency_arrived(cp_state *s)
{
    if (!cp_clock_is_free(s)) {
        return s->y_time <= s->time + CP_TINY * s->period;
    }
    const bool possible = cp_clock_plausible(s);
    if (possible && !(s->filled && s->y_time == s->newest_stamp)) {
        cp_clock_observe(s);
    }
    return possible;
}

static void cp_latency_by_stamp(cp_state *s)
{
    if (s->y_time == CP_NO_STAMP) {
        return;
    }
    if (!cp_finite(s->y_time)) {
        cp_tell_once(s, CP_BAD_STAMP);
    } else if (!cp_latency_arrived(s)) {
        cp_tell_once(s, CP_FUTURE_STAMP);
    } else if (s->filled) {
        cp_latency_after_first(s);
    } else if (s->time - s->y_time > CP_FAR * s->period && !cp_clock_is_free(s)) {
        cp_tell_once(s, CP_OLD_STAMP);
    } else {
        s->first_stamp = s->y_time;
        s->slot = 0;
        s->taken = CP_NEWEST;
    }
}

CP_API void cp_locate(cp_state *s)
{
    s->taken = CP_NOTHING;
    if (!s->y_valid) {
        return;
    }
    if (!cp_finite(s->y)) {
        cp_tell_once(s, CP_BAD_VALUE);
    } else if (s->latency_mode == CP_CONSTANT) {
        cp_latency_by_count(s);
    } else {
        cp_latency_by_stamp(s);
    }
}

/* time from a send stamp to macro step n, macro steps */
static double cp_latency_age(cp_state *s, double stamp)
{
    const bool differs = cp_clock_is_free(s);
    if (differs) {
        cp_clock_follow(s);
    }
    const double age = (s->start_time + (double)s->n * s->period - (stamp + s->clock_offset)) / s->period;
    return age < 0.0 && differs ? 0.0 : age;
}

/* how many slots before the newest the estimate starts, so that the latency is always the constant one */
static int32_t cp_latency_keep_back(const cp_state *s, double steps)
{
    const int64_t newest = s->taken == CP_NEWEST ? s->slot : s->newest;
    const int64_t first = s->filled && newest - s->newest < CP_SLOTS ? s->origin : newest;
    const int64_t most = newest - first < CP_SLOTS / 2 ? newest - first : CP_SLOTS / 2;
    const double wait = s->constant_steps + s->latency_offset / s->period - steps + CP_TINY;
    if (!(wait >= 1.0)) {
        return 0;
    }
    return wait < (double)most ? (int32_t)wait : (int32_t)most;
}

/* time from the newest value to macro step n, macro steps */
static double cp_latency_lead(cp_state *s)
{
    const double offset = s->latency_offset / s->period;
    if (s->latency_mode == CP_CONSTANT) {
        const bool sent_earlier = s->taken != CP_NEWEST && s->filled;
        return (double)(sent_earlier ? s->n - s->newest : s->constant_steps) + offset;
    }
    if (s->taken == CP_NEWEST || s->filled) {
        const double stamp = s->taken == CP_NEWEST ? s->y_time : s->newest_stamp;
        return cp_latency_age(s, stamp) + offset;
    }
    return offset;
}

/* Follow the lead with which new values arrive: a mean, rounded up to steps that stay where it only sways. */
static void cp_latency_settle(cp_state *s, double steps)
{
    const double lead = steps < CP_HORIZONS - 1 ? steps : CP_HORIZONS - 1;
    const int64_t age = s->filled ? s->slot - s->origin + 1 : 1;
    s->usual_lead = s->usual_lead + (lead - s->usual_lead) / (double)(age < CP_SETTLING ? age : CP_SETTLING);
    const double off = s->usual_lead - s->usual_steps;
    if (!s->filled || off > CP_SWAY || off < -1.0 - CP_SWAY) {
        s->usual_steps = (int32_t)(s->usual_lead + 1.0 - CP_SWAY);
    }
}

CP_API void cp_latency(const cp_coupling_settings *c, cp_state *s)
{
    (void)c;
    cp_locate(s);
    double lead = cp_latency_lead(s);
    if (s->latency_mode == CP_RESEQUENCED) {
        s->early = cp_latency_keep_back(s, lead);
        lead = lead + s->early;
    }
    const double steps = lead > CP_FAR ? CP_FAR : lead;
    if (s->taken == CP_NEWEST) {
        cp_latency_settle(s, steps);
    }
    s->latency_seconds = cp_bounded(steps * s->period, CP_UNLIMITED);
    s->latency_steps = cp_latency_ceil(steps - CP_TINY);
    const double fraction = s->latency_steps - steps;
    s->fraction = fraction >= -CP_TINY && fraction <= CP_TINY ? 0.0 : fraction;
}
