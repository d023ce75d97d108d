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

/* Begin a new history with the incoming value: nothing before it may enter an algorithm. */
static void cp_history_restart(cp_state *s)
{
    for (int i = 0; i < CP_SLOTS; i++) {
        s->past[i] = s->y;
        s->marked[i] = 0;
    }
    for (int i = 0; i < CP_RING; i++) {
        s->observed[i] = s->y;
    }
    s->filled = 1;
    s->starting = 1;
    s->flagged = 0;
    s->newest = s->origin = s->anchor = s->tested = s->slot;
    s->spectrum = s->spectrum_before = 0.0;
}

static void cp_history_shift(cp_state *s, size_t gap)
{
    memmove(s->past + gap, s->past, (CP_SLOTS - gap) * sizeof *s->past);
    memmove(s->marked + gap, s->marked, (CP_SLOTS - gap) * sizeof *s->marked);
    s->newest = s->slot;
}

static void cp_history_advance(cp_state *s)
{
    const int64_t gap = s->slot - s->newest;
    if (!s->filled || gap >= CP_SLOTS) {
        cp_history_restart(s);
    } else if (gap > 0) {
        cp_history_shift(s, (size_t)gap);
    }
    s->past[0] = s->y;
    s->marked[0] = 0;
    cp_history_interpolate(s, 0, gap);
}

/* Put a late value `slot` slots before the newest and interpolate anew on both sides. */
static void cp_history_fill(cp_state *s, int64_t slot)
{
    int64_t newer = slot - 1;
    int64_t older = slot + 1;
    s->past[slot] = s->y;
    s->marked[slot] = 0;
    while (s->marked[newer]) {
        newer--;
    }
    while (older < CP_SLOTS && s->marked[older]) {
        older++;
    }
    cp_history_interpolate(s, newer, slot);
    cp_history_interpolate(s, slot, older);
}

CP_API void cp_history(const cp_coupling_settings *c, cp_state *s)
{
    (void)c;
    if (s->taken == CP_NEWEST) {
        cp_history_advance(s);
        s->news = s->due;
        s->newest_stamp = s->latency_mode != CP_CONSTANT ? s->y_time : 0.0;
    } else if (s->taken == CP_LATE) {
        cp_history_fill(s, s->newest - s->slot);
    }
}
