/* Stage 2: store the value at the macro step at which it was sent.

   `past` holds 64 slots of the sender's grid, newest first. Empty slots between two received values are filled by
   interpolation and marked; slots before the first value repeat it. A value is late if it comes more macro steps after
   the one before than it was sent after it, or together with a newer one. */
#include "../stages.h"

#include <string.h>

static void cp_history_interpolate(cp_state *s, int64_t newer, int64_t older)
{
    if (older >= CP_SLOTS) {
        return;
    }
    double *const past = s->history.past;
    for (int64_t slot = newer + 1; slot < older; slot++) {
        const double part = (double)(older - slot) / (double)(older - newer);
        past[slot] = cp_bounded(past[older] + (past[newer] - past[older]) * part, past[older]);
        s->history.marked[slot] = 1;
    }
}

/* in constant mode values are sent at macro steps */
CP_API double cp_history_stamp(const cp_state *s, double time)
{
    const bool counted = s->parameter.latency_mode == CP_CONSTANT;
    return counted ? (double)s->latency.slot : (time - s->latency.first_stamp) / s->grid.period;
}

/* Begin a new history with the incoming value: nothing before it may enter an algorithm. */
static void cp_history_restart(cp_state *s, double value)
{
    for (int i = 0; i < CP_SLOTS; i++) {
        s->history.past[i] = value;
        s->history.marked[i] = 0;
    }
    for (int i = 0; i < CP_RING; i++) {
        s->algorithm.observed[i] = value;
    }
    s->history.filled = 1;
    s->switching.starting = 1;
    s->discontinuity.flagged = 0;
    s->history.newest = s->history.origin = s->switching.anchor = s->discontinuity.tested = s->latency.slot;
    s->discontinuity.spectrum = s->discontinuity.spectrum_before = 0.0;
    s->history.stamps[0] = cp_history_stamp(s, s->input.y_time);
    cp_residual_start(s);
}

static void cp_history_shift(cp_state *s, size_t gap)
{
    memmove(s->history.past + gap, s->history.past, (CP_SLOTS - gap) * sizeof *s->history.past);
    memmove(s->history.stamps + gap, s->history.stamps, (CP_SLOTS - gap) * sizeof *s->history.stamps);
    memmove(s->history.marked + gap, s->history.marked, (CP_SLOTS - gap) * sizeof *s->history.marked);
    s->history.newest = s->latency.slot;
}

static void cp_history_count(int32_t *count, int64_t more)
{
    *count = *count < CP_MOST_COUNTED - more ? (int32_t)(*count + more) : CP_MOST_COUNTED;
}

static void cp_history_advance(const cp_coupling_settings *c, cp_state *s)
{
    const int64_t gap = s->latency.slot - s->history.newest;
    const double value = s->history.filled ? cp_unwrap(s, s->input.y, s->history.past[0]) : s->input.y;
    if (s->history.filled && gap > 0) {
        cp_history_count(&s->history.lost, gap - 1);
        cp_history_count(&s->history.late, s->grid.due - s->history.news > gap);
    }
    if (!s->history.filled || gap >= CP_SLOTS) {
        cp_history_restart(s, value);
        cp_forget_companions(c, s, CP_SLOTS);
    } else if (gap > 0) {
        cp_history_shift(s, (size_t)gap);
        cp_forget_companions(c, s, gap);
    }
    s->history.past[0] = value;
    s->history.marked[0] = 0;
    s->history.stamps[0] = cp_history_stamp(s, s->input.y_time);
    cp_take_companions(c, s, s->history.newest);
    cp_history_interpolate(s, 0, gap);
}

/* Put a late value `slot` slots before the newest and interpolate anew on both sides. */
static void cp_history_fill(cp_state *s, int64_t slot, double value, double time)
{
    int64_t newer = slot - 1;
    int64_t older = slot + 1;
    s->history.marked[slot] = 0;
    s->history.lost -= s->history.lost > 0;
    s->history.stamps[slot] = cp_history_stamp(s, time);
    while (s->history.marked[newer]) {
        newer--;
    }
    s->history.past[slot] = cp_unwrap(s, value, s->history.past[newer]);
    while (older < CP_SLOTS && s->history.marked[older]) {
        older++;
    }
    cp_history_interpolate(s, newer, slot);
    cp_history_interpolate(s, slot, older);
}

/* slot, counted back from the newest, of a value sent at `time`, or -1 */
static int64_t cp_history_place(const cp_state *s, double time)
{
    const double position = (time - s->latency.first_stamp) / s->grid.period + 0.5;
    if (!(time >= CP_LEAST_STAMP && time < s->latency.newest_stamp) || position < (double)s->history.origin ||
        position < (double)(s->history.newest - CP_SLOTS + 1)) {
        return -1;
    }
    return s->history.newest - (int64_t)position;
}

/* Fill empty slots with the earlier values that the message repeats. */
static void cp_history_fill_repeated(const cp_coupling_settings *c, cp_state *s)
{
    for (int i = 0; i < CP_BURST; i++) {
        if (s->input.burst_valid[i] && cp_finite(s->input.burst[i])) {
            const int64_t slot = cp_history_place(s, s->input.burst_time[i]);
            if (slot >= 0 && s->history.marked[slot]) {
                cp_history_count(&s->history.late, 1);
                cp_history_fill(s, slot, s->input.burst[i], s->input.burst_time[i]);
                cp_take_earlier(c, s, s->history.newest - slot, i);
            }
        }
    }
}

CP_API void cp_history(const cp_coupling_settings *c, cp_state *s)
{
    if (s->latency.taken == CP_NEWEST) {
        cp_history_advance(c, s);
        s->history.news = s->grid.due;
        s->latency.newest_stamp = s->parameter.latency_mode != CP_CONSTANT ? s->input.y_time : 0.0;
    } else if (s->latency.taken == CP_LATE) {
        cp_history_count(&s->history.reordered, 1);
        cp_history_fill(s, s->history.newest - s->latency.slot, s->input.y, s->input.y_time);
        cp_take_companions(c, s, s->latency.slot);
    }
    const bool stamped = s->parameter.latency_mode != CP_CONSTANT && s->latency.taken != CP_STRAY;
    if (s->input.y_valid && s->history.filled && stamped) {
        cp_history_fill_repeated(c, s);
    }
}
