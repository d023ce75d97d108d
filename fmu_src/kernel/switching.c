/* Stage 5: choose the algorithm that may run, so that no estimate mixes values from both sides of a jump.

   One rule for start-up, ladder and recovery: with c slots since the first value, the last flag or the end of a hold,
   c = 1 holds, 1 < c < m(k) continues the line through the two newest values, c >= m(k) runs the selected algorithm. */
#include "stages.h"

#include <string.h>

static void cp_switching_start_anew(cp_state *s)
{
    s->selected_before = s->selected;
    s->anchor = s->newest;
    s->starting = 1;
    s->flagged = 0;
    memset(s->judgeable, 0, sizeof s->judgeable);
    if (cp_is(s->selected, CP_BLENDS)) {
        cp_bank_start(s);
    }
}

static void cp_switching_choose(const cp_coupling_settings *c, cp_state *s)
{
    const int64_t slots = s->newest - s->early - s->anchor + 1;
    const int64_t most = CP_SLOTS - s->early;
    const int64_t usable = slots > most ? most : slots;
    const int32_t need = cp_row_of(s->selected)->needed(c, s);
    if (usable >= need) {
        s->active = s->selected;
        s->flagged = 0;
    } else if (usable <= 1 || (s->flagged && s->hold_after_flag)) {
        s->active = CP_ZOH;
    } else {
        s->active = CP_FOH;
    }
    if (usable >= need || need > CP_SLOTS) {
        s->starting = 0;
    }
    s->mode = s->starting ? CP_STARTING : CP_RUNNING;
}

static void cp_switching_tell(cp_state *s, int32_t before)
{
    if (s->mode == before) {
        return;
    }
    if (s->mode == CP_HOLDING) {
        s->events |= CP_BEGAN_HOLDING;
    } else if (s->mode == CP_LOST) {
        s->events |= CP_BECAME_LOST;
    } else if (before >= CP_HOLDING) {
        s->events |= CP_RECOVERED;
    }
}

CP_API void cp_switching(const cp_coupling_settings *c, cp_state *s)
{
    if (s->selected != s->selected_before) {
        cp_switching_start_anew(s);
    }
    const int32_t before = s->mode;
    const int64_t missing = s->n - s->news;
    s->active = CP_NONE;
    if (!s->filled) {
        s->mode = CP_STARTING;
    } else if (missing > s->lost_steps) {
        s->mode = CP_LOST;
    } else if (missing > s->coast_steps) {
        s->mode = CP_HOLDING;
    } else if (s->latency_steps > CP_MAX_STEPS) {
        s->mode = CP_HOLDING;
        cp_tell_once(s, CP_TOO_LATE);
    } else {
        if (before >= CP_HOLDING) {
            s->anchor = s->newest;
        }
        cp_switching_choose(c, s);
    }
    cp_switching_tell(s, before);
}
