/* Stage 2: store the value at the macro step at which it was sent.

   `past` holds 64 slots of the sender's grid, newest first. Empty slots between two received values are filled by
   interpolation and marked; slots before the first value repeat it. */
#include "stages.h"

#include <string.h>

static void cp_history_interpolate(cp_state *s, int64_t newer, int64_t older)
{
    if (older >= CP_SLOTS) {
        return;
    }
    for (int64_t slot = newer + 1; slot < older; slot++) {
        const double part = (double)(older - slot) / (double)(older - newer);
        s->past[slot] = cp_bounded(s->past[older] + (s->past[newer] - s->past[older]) * part, s->past[older]);
        s->marked[slot] = 1;
    }
}

/* a send time on the sender's grid, macro steps; in constant mode values are sent at macro steps */
static double cp_history_stamp(const cp_state *s, double time)
{
    return s->latency_mode == CP_CONSTANT ? (double)s->slot : (time - s->first_stamp) / s->period;
}

/* Begin a new history with the incoming value: nothing before it may enter an algorithm. */
static void cp_history_restart(cp_state *s, double value)
{
    for (int i = 0; i < CP_SLOTS; i++) {
        s->past[i] = value;
        s->marked[i] = 0;
    }
    for (int i = 0; i < CP_RING; i++) {
        s->observed[i] = value;
    }
    s->filled = 1;
    s->starting = 1;
    s->flagged = 0;
    s->newest = s->origin = s->anchor = s->tested = s->slot;
    s->spectrum = s->spectrum_before = 0.0;
    s->stamps[0] = cp_history_stamp(s, s->y_time);
    cp_residual_start(s);
}

static void cp_history_shift(cp_state *s, size_t gap)
{
    memmove(s->past + gap, s->past, (CP_SLOTS - gap) * sizeof *s->past);
    memmove(s->stamps + gap, s->stamps, (CP_SLOTS - gap) * sizeof *s->stamps);
    memmove(s->marked + gap, s->marked, (CP_SLOTS - gap) * sizeof *s->marked);
    s->newest = s->slot;
}

static void cp_history_advance(cp_state *s)
{
    const int64_t gap = s->slot - s->newest;
    const double value = s->filled ? cp_unwrap(s, s->y, s->past[0]) : s->y;
    if (!s->filled || gap >= CP_SLOTS) {
        cp_history_restart(s, value);
    } else if (gap > 0) {
        cp_history_shift(s, (size_t)gap);
    }
    s->past[0] = value;
    s->marked[0] = 0;
    s->stamps[0] = cp_history_stamp(s, s->y_time);
    cp_history_interpolate(s, 0, gap);
}

/* Put a late value `slot` slots before the newest and interpolate anew on both sides. */
static void cp_history_fill(cp_state *s, int64_t slot, double value, double time)
{
    int64_t newer = slot - 1;
    int64_t older = slot + 1;
    s->marked[slot] = 0;
    s->stamps[slot] = cp_history_stamp(s, time);
    while (s->marked[newer]) {
        newer--;
    }
    s->past[slot] = cp_unwrap(s, value, s->past[newer]);
    while (older < CP_SLOTS && s->marked[older]) {
        older++;
    }
    cp_history_interpolate(s, newer, slot);
    cp_history_interpolate(s, slot, older);
}

/* slot, counted back from the newest, of a value sent at `time`, or -1 */
static int64_t cp_history_place(const cp_state *s, double time)
{
    const double position = (time - s->first_stamp) / s->period + 0.5;
    if (!(time > CP_NO_STAMP && time < s->newest_stamp) || position < (double)s->origin ||
        position < (double)(s->newest - CP_SLOTS + 1)) {
        return -1;
    }
    return s->newest - (int64_t)position;
}

/* Fill empty slots with the earlier values that the message repeats. */
static void cp_history_repeated(cp_state *s)
{
    for (int i = 0; i < CP_BURST; i++) {
        if (s->burst_valid[i] && cp_finite(s->burst[i])) {
            const int64_t slot = cp_history_place(s, s->burst_time[i]);
            if (slot >= 0 && s->marked[slot]) {
                cp_history_fill(s, slot, s->burst[i], s->burst_time[i]);
            }
        }
    }
}

CP_API void cp_history(const cp_coupling_settings *c, cp_state *s)
{
    (void)c;
    if (s->taken == CP_NEWEST) {
        cp_history_advance(s);
        s->news = s->due;
        s->newest_stamp = s->latency_mode != CP_CONSTANT ? s->y_time : 0.0;
    } else if (s->taken == CP_LATE) {
        cp_history_fill(s, s->newest - s->slot, s->y, s->y_time);
    }
    if (s->y_valid && s->filled && s->latency_mode != CP_CONSTANT) {
        cp_history_repeated(s);
    }
}
