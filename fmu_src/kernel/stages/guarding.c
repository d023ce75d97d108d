/* The guard: no estimate far outside the signal.

   An estimate may lie `output.guard` ranges outside the values of late, and 1.75 times as far from the newest one as
   the signal has ever changed of late in the time that it reaches ahead; within those ranges also as far as the
   movement goes by itself: rates and bends that three changes in succession have in common, for no longer than the
   movement has lasted. The range is that of the values at least 16 slots old, which fades in 4096 macro steps, and of
   the 16 newest. While it grows by a third or more, a movement may go on to a range outside. A signal that leaves rest
   faster than by the square of time, as what has mass does, is not guarded at all: nothing tells yet how far it goes.
   Changes are those between values received; what sets out in a hole may have done so in its last macro step. */
#include "../stages.h"

#include <math.h>

/* the changes between the newest values received, newest first */
typedef struct {
    double change[CP_GUARD_CHANGES]; /* signal unit */
    int32_t gap[CP_GUARD_CHANGES];   /* macro steps; 0: there is none */
    int32_t run;                     /* newest ones in one direction */
    int32_t lasted;                  /* their time, macro steps */
} cp_movement;

/* what two numbers have in common: the smaller one, 0 if their signs differ */
static double cp_guard_common(double a, double b)
{
    if (a > 0.0 && b > 0.0) {
        return a < b ? a : b;
    }
    return a < 0.0 && b < 0.0 ? (a > b ? a : b) : 0.0;
}

/* slot of the value received before that in slot `at`, or `at` */
static int32_t cp_guard_before(const cp_state *s, int32_t at)
{
    while (at < CP_SLOTS - 1 && s->history.marked[at + 1]) {
        at++;
    }
    return at < CP_SLOTS - 1 ? at + 1 : CP_SLOTS - 1;
}

static cp_movement cp_guard_movement(const cp_state *s)
{
    const double *const past = s->history.past;
    cp_movement found = {{0.0}, {0}, 0, 0};
    int32_t at = 0;
    bool on = true;
    for (int i = 0; i < CP_GUARD_RECENT && (on || i < CP_GUARD_CHANGES); i++) {
        const int32_t before = cp_guard_before(s, at);
        const double change = past[at] - past[before];
        if (i < CP_GUARD_CHANGES) {
            found.change[i] = change;
            found.gap[i] = before - at;
        }
        on = on && cp_guard_common(change, found.change[0]) != 0.0 && at < CP_GUARD_RECENT;
        if (on) {
            found.run++;
            found.lasted = at + 1;
        }
        at = before;
    }
    return found;
}

/* Does a signal at rest set out smoothly, faster than by the square of time? */
static bool cp_guard_sets_out(const cp_movement *m)
{
    double gap[CP_GUARD_CHANGES - 1];
    double rate[CP_GUARD_CHANGES - 1];
    double bend[CP_GUARD_CHANGES - 2];
    for (int i = 0; i < CP_GUARD_CHANGES - 1; i++) {
        gap[i] = m->change[i + 1] == 0.0 ? 1.0 : (double)m->gap[i];
        rate[i] = m->change[i] / gap[i];
    }
    if (rate[2] == 0.0) {
        const double least = CP_GUARD_START * rate[1];
        return least != 0.0 && cp_guard_common(rate[0], least) == least;
    }
    if (m->run < CP_GUARD_CHANGES - 2) {
        return false;
    }
    for (int i = 0; i < CP_GUARD_CHANGES - 2; i++) {
        bend[i] = (rate[i] - rate[i + 1]) / (0.5 * (gap[i] + gap[i + 1]));
    }
    const double share = 1.0 - CP_GUARD_BEND / m->lasted;
    const double growth = cp_guard_common(share * bend[0] - bend[1], bend[1] - bend[2]);
    const double both = cp_guard_common(bend[0], bend[1]);
    return cp_guard_common(growth, both) != 0.0 && cp_guard_common(growth, rate[0]) != 0.0;
}

/* How far the movement goes on from the newest value in `lead` macro steps. */
static double cp_guard_reach(const cp_movement *m, int32_t lead)
{
    const int32_t lasts = lead < m->lasted ? lead : m->lasted;
    const double first = 0.5 * (m->gap[0] + m->gap[1]);
    const double second = 0.5 * (m->gap[1] + m->gap[2]);
    const double rate = m->change[0] / m->gap[0];
    const double before = m->change[1] / m->gap[1];
    const double earlier = m->change[2] / m->gap[2];
    const double bent = cp_guard_common((rate - before) / first, (before - earlier) / second);
    const double shared = cp_guard_common(before + bent * first, earlier + bent * (first + second));
    const double pace = cp_guard_common(rate, shared) + bent * (0.5 * (m->gap[0] - 1));
    return CP_GUARD_STRETCH * (lasts * pace + 0.5 * lasts * (lasts + 1) * bent);
}

/* Keep the range of the older values. */
static void cp_guard_remember(cp_state *s)
{
    const double *const past = s->history.past;
    if (s->history.newest == s->history.origin) {
        s->guard.lowest = s->guard.highest = past[0];
    }
    const double fade = cp_bounded((s->guard.highest - s->guard.lowest) * CP_GUARD_FADE, 0.0);
    double lowest = s->guard.lowest + fade;
    double highest = s->guard.highest - fade;
    for (int i = CP_GUARD_RECENT; i < CP_SLOTS; i++) {
        lowest = past[i] < lowest ? past[i] : lowest;
        highest = past[i] > highest ? past[i] : highest;
    }
    s->guard.lowest = lowest;
    s->guard.highest = highest;
}

/* most that the signal has changed of late in `lead` macro steps, signal unit */
static double cp_guard_change(const cp_state *s, int32_t lead)
{
    const int32_t over = lead < CP_SLOTS / 2 ? lead : CP_SLOTS / 2;
    double most = 0.0;
    for (int i = 0; i + over < CP_SLOTS; i++) {
        const double change = fabs(s->history.past[i] - s->history.past[i + over]);
        most = change > most ? change : most;
    }
    return most * ((double)lead / (double)over);
}

/* Where the movement of a growing signal goes, signal unit; CP_UNLIMITED: no one knows. */
static double cp_guard_grows(const cp_state *s, const cp_movement *m, int32_t lead, double low, double high)
{
    const double newest = s->history.past[0];
    const double width = high - low;
    const double before = s->guard.highest - s->guard.lowest;
    const double grown = width - before;
    const bool rested = before < CP_GUARD_YOUNG * width &&
                        s->history.newest - s->history.origin >= CP_GUARD_RECENT;
    const bool away = m->change[0] > 0.0 ? newest > s->guard.highest : newest < s->guard.lowest;
    if (rested && away && cp_guard_sets_out(m)) {
        return CP_UNLIMITED;
    }
    if (m->run < CP_GUARD_RUN) {
        return newest;
    }
    const double most = CP_GUARD_GROWTH * (grown < before ? grown * (grown / before) : grown);
    const double goes = newest + cp_between(cp_guard_reach(m, lead), -most, most);
    return rested ? goes : cp_between(goes, low - CP_GUARD_MOST * width, high + CP_GUARD_MOST * width);
}

/* Where the movement goes, signal unit; CP_UNLIMITED: no one knows. */
static double cp_guard_goes(const cp_state *s, int32_t lead, double low, double high)
{
    const cp_movement found = cp_guard_movement(s);
    const double newest = s->history.past[0];
    const double room = s->parameter.guard * (high - low);
    if (found.gap[CP_GUARD_CHANGES - 1] == 0) {
        return newest;
    }
    if (s->guard.highest - s->guard.lowest < CP_GUARD_GROWN * (high - low)) {
        return cp_guard_grows(s, &found, lead, low, high);
    }
    return found.run < CP_GUARD_RUN ? newest
                                    : cp_between(newest + cp_guard_reach(&found, lead), low - room, high + room);
}

static void cp_guard_limit(cp_state *s, double low, double high)
{
    const double newest = s->history.past[0];
    const double width = high - low;
    const int32_t lead = s->latency.steps < CP_MAX_STEPS ? s->latency.steps + 1 : CP_MAX_STEPS + 1;
    const double room = s->parameter.guard * width;
    const double change = CP_GUARD_CHANGE * cp_guard_change(s, lead);
    const double down = low - room > newest - change ? low - room : newest - change;
    const double up = high + room < newest + change ? high + room : newest + change;
    const double goes = cp_guard_goes(s, lead, low, high);
    if (goes >= CP_UNLIMITED) {
        return;
    }
    s->guard.low = cp_bounded(goes < down ? goes : down, -CP_UNLIMITED);
    s->guard.high = cp_bounded(goes > up ? goes : up, CP_UNLIMITED);
}

/* Work out how far the estimates of this macro step may lie outside the values of late. */
CP_API void cp_guard_measure(cp_state *s)
{
    const double *const past = s->history.past;
    s->guard.acts = 0;
    s->guard.low = -CP_UNLIMITED;
    s->guard.high = CP_UNLIMITED;
    if (!(s->parameter.guard > 0.0) || !s->history.filled) {
        return;
    }
    cp_guard_remember(s);
    double low = s->guard.lowest;
    double high = s->guard.highest;
    for (int i = 0; i < CP_GUARD_RECENT; i++) {
        low = past[i] < low ? past[i] : low;
        high = past[i] > high ? past[i] : high;
    }
    cp_guard_limit(s, low, high);
}

/* `line` with both ends of the macro step within the limits; `share` of the estimate that it has, -. */
CP_API cp_shifted_line cp_guard_line(cp_state *s, cp_shifted_line line, double share)
{
    const double here = line.level - line.slope * line.shift;
    const double there = here + line.slope;
    const double start = cp_between(here, s->guard.low, s->guard.high);
    const double end = cp_between(there, s->guard.low, s->guard.high);
    if ((start == here && end == there) || !cp_finite(end - start)) {
        return line;
    }
    if (share >= CP_GUARD_SHARE) {
        s->guard.acts = 1;
    }
    return (cp_shifted_line){start, end - start, 0.0};
}
