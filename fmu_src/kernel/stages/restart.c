/* When the sender begins anew: it restarted or its clock was set, so its stamps no longer go on from those before.

   Stamps that do not fit are strays. CP_STRAYS of them in succession, one a macro step at most, whose stamps advance
   and whose transit times agree, are a sender that began anew. Strays that may be old messages once more count only
   when the signal is lost as well. */
#include "../../base/grid.h"
#include "../stages.h"

/* does this transit time agree with those of the strays? */
static bool cp_restart_agrees(const cp_state *s, double transit)
{
    const double low = transit < s->clock.stray_low ? transit : s->clock.stray_low;
    const double high = transit > s->clock.stray_high ? transit : s->clock.stray_high;
    return s->clock.doubt > 0 && high - low <= cp_clock_width(s) + CP_AGREE * s->grid.period;
}

/* Is the transit time of the message a usual one? */
CP_API bool cp_restart_is_usual(const cp_state *s)
{
    const double margin = (s->clock.known < CP_STRAYS ? CP_AGREE : CP_OUTSIDE) * s->grid.period;
    const double above = cp_clock_transit(s) - cp_clock_low(s);
    return above >= -margin && above <= cp_clock_width(s) + margin;
}

/* Has nothing come for so long that nothing goes on? */
CP_API bool cp_restart_is_lost(const cp_state *s)
{
    return s->grid.due - s->history.news > (s->parameter.lost_steps < CP_SLOTS ? s->parameter.lost_steps : CP_SLOTS);
}

/* Does a sender that was lost come back with stamps so old that no estimate could make up for them? */
static bool cp_restart_comes_back(const cp_state *s)
{
    const double most = (cp_clock_is_free(s) ? CP_LONGEST : CP_FAR_APART) * s->grid.period;
    const double later = cp_clock_transit(s) - cp_clock_low(s) - cp_clock_width(s);
    return s->clock.known == CP_STRAYS && cp_restart_is_lost(s) && later > most;
}

/* Does a message that could be taken go on from the strays rather than from the ones taken? */
CP_API bool cp_restart_doubts(const cp_state *s)
{
    const bool agrees = cp_restart_agrees(s, cp_clock_transit(s));
    return (s->clock.doubt >= CP_DOUBT && agrees && !cp_restart_is_usual(s)) || cp_restart_comes_back(s);
}

/* The strays were nothing: so late, up to a step more than before, is usual. */
static void cp_restart_excuse(cp_state *s)
{
    const double high = s->clock.high[0] + s->grid.period;
    if (s->clock.doubt > 0 && s->clock.stray_high > s->clock.high[0]) {
        s->clock.high[0] = s->clock.stray_high < high ? s->clock.stray_high : high;
    }
}

static void cp_restart_forget(cp_state *s)
{
    s->clock.strays = s->clock.certain = s->clock.doubt = 0;
}

/* None of those after the first came as fast: it does not decide alone. */
static void cp_restart_doubt_first(cp_state *s)
{
    if (!(s->clock.low[0] - s->clock.low[1] > s->grid.period)) {
        return;
    }
    s->clock.low[1] = s->clock.low[0];
    if (cp_clock_is_free(s)) {
        s->clock.blocks = s->clock.block_count = 0;
        cp_clock_note(s, s->clock.low[0]);
    }
}

/* A message was taken: its transit time is a usual one. */
CP_API void cp_restart_take(cp_state *s)
{
    const double transit = cp_clock_transit(s);
    if (s->clock.known <= 1 || s->clock.usual >= CP_USUAL) {
        s->clock.low[1] = s->clock.known == 0 ? transit : s->clock.low[0];
        s->clock.high[1] = s->clock.known == 0 ? transit : s->clock.high[0];
        s->clock.low[0] = s->clock.high[0] = transit;
        s->clock.usual = 0;
    }
    s->clock.low[0] = transit < s->clock.low[0] ? transit : s->clock.low[0];
    s->clock.high[0] = transit > s->clock.high[0] ? transit : s->clock.high[0];
    s->clock.usual++;
    if (s->clock.known < CP_STRAYS && ++s->clock.known == CP_STRAYS) {
        cp_restart_doubt_first(s);
    }
    if (s->clock.strays > 1 && cp_restart_agrees(s, transit)) {
        s->clock.strays--;
        s->clock.certain = s->clock.certain < s->clock.strays ? s->clock.certain : s->clock.strays;
    } else {
        cp_restart_excuse(s);
        cp_restart_forget(s);
    }
}

/* With a common clock: the fastest message takes as long as it did, where that is known, else what its stamp says if
   that can be, else no time. */
static void cp_restart_agree_on_offset(cp_state *s)
{
    const double same = cp_same_time(s->grid.time, s->grid.period);
    const double near = CP_OUTSIDE * s->grid.period;
    const bool credible = s->clock.stray_low >= -same && s->clock.stray_low <= CP_FAR_APART * s->grid.period;
    const bool unknown = s->clock.known < CP_STRAYS || s->clock.guessed;
    const double before = unknown ? 0.0 : cp_clock_low(s) - s->clock.offset;
    const double offset = cp_bounded(s->clock.stray_low - before, 0.0);
    s->clock.guessed = unknown && !credible;
    s->clock.offset = credible && (unknown || (offset >= -near && offset <= near)) ? 0.0 : offset;
}

/* Take the message as the first of its sender; the slots go on behind a gap that nothing spans. */
static void cp_restart_begin(cp_state *s)
{
    s->switching.anew = s->clock.known >= CP_STRAYS;
    s->clock.jump = s->clock.known > 0 ? cp_bounded(cp_clock_low(s) - s->clock.stray_low, 0.0) : 0.0;
    if (cp_clock_is_free(s)) {
        s->clock.blocks = s->clock.block_count = 0;
        s->clock.drift = 0.0;
        cp_clock_note(s, s->clock.stray_low);
    } else {
        cp_restart_agree_on_offset(s);
    }
    s->clock.low[0] = s->clock.low[1] = s->clock.stray_low;
    s->clock.high[0] = s->clock.high[1] = s->clock.stray_high;
    s->clock.known = s->clock.usual = s->clock.strays;
    cp_restart_forget(s);
    s->latency.slot = s->history.filled ? s->history.newest + CP_SLOTS : 0;
    s->latency.first_stamp = s->input.y_time - (double)s->latency.slot * s->grid.period;
    s->latency.taken = CP_NEWEST;
    s->log.events |= CP_BEGAN_ANEW;
}

/* The same message again says little: on a second way messages come late and twice, and go on when the first fails. */
static void cp_restart_count(cp_state *s, int32_t stray)
{
    const int32_t weights[] = {1, CP_DOUBT / 2, CP_DOUBT};
    const int32_t doubt = s->clock.doubt + weights[stray];
    s->clock.doubt = doubt < CP_DOUBT ? doubt : CP_DOUBT;
    if (stray == CP_AGAIN || (s->clock.strays > 0 && s->grid.due <= s->clock.stray_step)) {
        return;
    }
    s->clock.stray_step = s->grid.due;
    s->clock.strays = s->clock.strays < CP_STRAYS ? s->clock.strays + 1 : CP_STRAYS;
    if (stray == CP_ELSEWHERE && s->clock.certain < CP_STRAYS) {
        s->clock.certain++;
    }
    if (s->clock.strays > 1 && s->history.filled) {
        s->algorithm.held = s->history.past[s->latency.early];
    }
}

/* Is it a sender that began anew? */
static bool cp_restart_is_due(const cp_state *s)
{
    return s->clock.certain >= CP_STRAYS ||
           (s->clock.strays >= CP_STRAYS && (s->clock.known < CP_STRAYS || cp_restart_is_lost(s)));
}

/* A message with a stamp that does not go on from those before. */
CP_API void cp_restart_stray(cp_state *s, int32_t stray)
{
    const double transit = cp_clock_transit(s);
    s->latency.taken = CP_STRAY;
    if (s->clock.doubt > 0 && s->input.y_time == s->clock.stray_stamp) {
        return;
    }
    if (!cp_restart_agrees(s, transit)) {
        cp_restart_forget(s);
        s->clock.stray_low = s->clock.stray_high = transit;
        s->clock.stray_stamp = CP_NO_STAMP;
    }
    s->clock.stray_low = transit < s->clock.stray_low ? transit : s->clock.stray_low;
    s->clock.stray_high = transit > s->clock.stray_high ? transit : s->clock.stray_high;
    if (s->input.y_time > s->clock.stray_stamp) {
        s->clock.stray_stamp = s->input.y_time;
        cp_restart_count(s, stray);
    }
    if (cp_restart_is_due(s)) {
        cp_restart_begin(s);
    }
}

/* Few messages are known, and this one contradicts them: it is far from the only one, or much faster than all by a
   clock whose offset only they tell. Then begin with this one. */
CP_API bool cp_restart_contradicts(cp_state *s)
{
    const double transit = cp_clock_transit(s);
    const double later = (transit - cp_clock_low(s)) / s->grid.period;
    const bool far = !(later >= -CP_FAR_APART && later <= CP_FAR_APART);
    const bool fast = later < -CP_AGREE - cp_clock_width(s) / s->grid.period;
    const bool free = cp_clock_is_free(s);
    if (!((s->clock.known == 1 && far) || (s->clock.known < CP_STRAYS && fast && free)) ||
        (transit > CP_FAR * s->grid.period && !free)) {
        return false;
    }
    s->clock.stray_low = s->clock.stray_high = transit;
    s->clock.strays = 0;
    cp_restart_begin(s);
    return true;
}
