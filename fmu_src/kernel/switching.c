/* Stage 5: choose the algorithm that may run, so that no estimate mixes values from both sides of a jump.

   One rule for start-up, ladder and recovery: with c slots since the first value, the last flag or the end of a hold,
   c = 1 holds, 1 < c < m(k) continues the line through the two newest values, c >= m(k) runs the selected algorithm. */
#include "stages.h"

#include <string.h>

enum { CP_NEVER = CP_SLOTS + 1 };

/* m(k), the slots that the selected algorithm needs; more than there are if it has no weights for k */
static int32_t cp_switching_needed(const cp_coupling_settings *c, const cp_state *s)
{
    const int32_t k = s->latency_steps;
    switch (s->selected) {
    case CP_EROS3:
        return cp_eros3_taps(k);
    case CP_EROS4:
        return cp_eros4_taps(k);
    case CP_SMB:
        return cp_smb_taps(k);
    case CP_LINEAR:
        return c->weights[k].m > 0 ? c->weights[k].m : CP_NEVER;
    case CP_NETWORK:
        return k == c->network.steps ? c->network.inputs + 1 : CP_NEVER;
    case CP_FOH:
        return 2;
    default:
        return 1;
    }
}

static void cp_switching_start_anew(cp_state *s)
{
    s->selected_before = s->selected;
    s->anchor = s->newest;
    s->starting = 1;
    s->flagged = 0;
    memset(s->judgeable, 0, sizeof s->judgeable);
}

static void cp_switching_choose(const cp_coupling_settings *c, cp_state *s)
{
    const int64_t slots = s->newest - s->anchor + 1;
    const int64_t usable = slots > CP_SLOTS ? CP_SLOTS : slots;
    const int32_t need = cp_switching_needed(c, s);
    if (usable >= need) {
        s->active = s->selected;
        s->flagged = 0;
    } else if (usable == 1 || (s->flagged && s->hold_after_flag)) {
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
