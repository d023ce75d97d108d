/* Stage 5: choose the algorithm that may run, so that no estimate mixes values from both sides of a jump.

   One rule for start-up, ladder and recovery: with c slots since the first value, the last flag or the end of a hold
   that was longer than what is bridged before it, c = 1 holds, 1 < c < m(k) continues the line through the two newest
   values, c >= m(k) runs the selected algorithm. */
#include "../stages.h"

#include <string.h>

static void cp_switching_start_anew(cp_state *s)
{
    s->switching.selected_before = s->parameter.selected;
    s->switching.anchor = s->history.newest;
    s->switching.starting = 1;
    s->discontinuity.flagged = 0;
    memset(s->quality.judgeable, 0, sizeof s->quality.judgeable);
    if (cp_is(s->parameter.selected, CP_BLENDS)) {
        cp_bank_start(s);
    }
}

static void cp_switching_choose(const cp_coupling_settings *c, cp_state *s)
{
    const int64_t slots = s->history.newest - s->latency.early - s->switching.anchor + 1;
    const int64_t most = CP_SLOTS - s->latency.early;
    const int64_t usable = slots > most ? most : slots;
    const int32_t selected = cp_choose(c, s);
    const int32_t need = cp_row_of(selected)->needed(c, s);
    if (usable >= need) {
        s->switching.active = selected;
        s->discontinuity.flagged = 0;
    } else if (usable <= 1 || s->switching.anew || (s->discontinuity.flagged && s->parameter.hold_after_flag)) {
        s->switching.active = CP_ZOH;
    } else {
        s->switching.active = CP_FOH;
    }
    if (usable >= need || need > CP_SLOTS) {
        s->switching.starting = s->switching.anew = 0;
    }
    s->switching.mode = s->switching.starting ? CP_STARTING : CP_RUNNING;
}

static void cp_switching_tell(cp_state *s, int32_t before)
{
    if (s->switching.mode == before) {
        return;
    }
    if (s->switching.mode == CP_HOLDING) {
        s->log.events |= CP_BEGAN_HOLDING;
    } else if (s->switching.mode == CP_LOST && s->history.filled) {
        s->log.events |= CP_BECAME_LOST;
    } else if (s->switching.mode == CP_LOST) {
        /* which of the wires it is likely to be */
        s->log.events |= s->input.y_valid ? CP_NEVER_STAMPED : CP_NEVER_VALID;
    } else if (before >= CP_HOLDING) {
        s->log.events |= CP_RECOVERED;
    }
}

CP_API bool cp_is_brief(const cp_state *s, int64_t missing)
{
    return missing <= 2 * (int64_t)s->parameter.coast_steps;
}

CP_API void cp_switching(const cp_coupling_settings *c, cp_state *s)
{
    if (s->parameter.selected != s->switching.selected_before) {
        cp_switching_start_anew(s);
    }
    const int32_t before = s->switching.mode;
    const int64_t missing = s->grid.n - s->history.news;
    const bool strays = s->clock.strays > 2;
    s->switching.active = CP_NONE;
    if (!s->history.filled) {
        s->switching.mode = s->grid.n <= s->parameter.lost_steps ? CP_STARTING : CP_LOST;
    } else if (missing > s->parameter.lost_steps) {
        s->switching.mode = CP_LOST;
        s->switching.brief = 0;
    } else if (missing > s->parameter.coast_steps || (missing > 0 && strays)) {
        s->switching.mode = CP_HOLDING;
        s->switching.brief = cp_is_brief(s, missing) && !strays && before != CP_LOST;
    } else if (s->latency.steps > CP_MAX_STEPS) {
        s->switching.mode = CP_HOLDING;
        s->switching.brief = 0;
        cp_tell_once(s, CP_TOO_LATE);
    } else {
        if (before >= CP_HOLDING && !s->switching.brief) {
            s->switching.anchor = s->history.newest;
        }
        cp_switching_choose(c, s);
    }
    cp_switching_tell(s, before);
}
