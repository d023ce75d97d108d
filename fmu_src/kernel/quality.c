/* Stage 3: judge the estimate made for a time whose true value has just arrived.

   e_tol = (|f'| + zeta |f''|) delta kappa dT with backward differences (Baumann 2024, 5-10), and the skill
   1 - sqrt(sum lambda^i e^2 / sum lambda^i e_zoh^2) against what a coupling without compensation would have given. */
#include "stages.h"

#include <math.h>

#define CP_MEMORY 0.98
#define CP_WORST_SKILL (-1000.0)
#define CP_NOISE 1e-9

/* where on the sender's grid the value lies that the estimate for macro step n stood for, slots */
static double cp_quality_position(const cp_state *s, int64_t n)
{
    if (s->latency_mode == CP_CONSTANT) {
        return (double)n + s->latency_offset / s->period;
    }
    return (s->start_time + (double)n * s->period + s->latency_offset - (s->first_stamp + s->clock_offset)) / s->period;
}

enum { CP_ENOUGH = 20, CP_MANY = 1000000 };

/* what a skill is worth */
static int32_t cp_quality_grade(double skill)
{
    if (skill < -0.1) {
        return CP_HARMFUL;
    }
    if (skill < 0.1) {
        return CP_NEUTRAL;
    }
    return skill < 0.5 ? CP_USEFUL : CP_GOOD;
}

static void cp_quality_measure(cp_state *s, double error, double error_of_hold)
{
    double skill = 0.0;
    s->quality_error = cp_bounded(fabs(error), CP_UNLIMITED);
    s->error_power = cp_bounded(CP_MEMORY * s->error_power + error * error, CP_UNLIMITED);
    s->hold_power = cp_bounded(CP_MEMORY * s->hold_power + error_of_hold * error_of_hold, CP_UNLIMITED);
    if (s->hold_power > 0.0) {
        skill = 1.0 - sqrt(s->error_power / s->hold_power);
    }
    s->quality_skill = skill > CP_WORST_SKILL ? skill : CP_WORST_SKILL;
    s->measured = s->measured < CP_MANY ? s->measured + 1 : CP_MANY;
    s->grade = s->measured >= CP_ENOUGH ? cp_quality_grade(s->quality_skill) : CP_UNKNOWN;
}

static double cp_quality_tolerated(const cp_coupling_settings *c, const cp_state *s, int64_t newer, uint8_t horizon)
{
    const double *const past = &s->past[newer];
    const double first = past[0] - past[1];
    const double second = first - (past[1] - past[2]);
    const int32_t judged = s->selected_before;
    const int32_t name = (cp_is(judged, CP_AS_ORIGIN) ? c->neural.origin : judged) - 1;
    const double zeta = s->zeta >= 0.0 ? s->zeta / s->period : c->zeta[name][horizon];
    const double delta = s->delta >= 0.0 ? s->delta : c->delta[name][horizon];
    return cp_bounded((fabs(first) + zeta * fabs(second)) * (delta * horizon), CP_UNLIMITED);
}

/* Judge the estimate kept at ring place `at`; true if its error exceeds the tolerance. */
static bool cp_quality_is_bad(const cp_coupling_settings *c, cp_state *s, double position, size_t at)
{
    if (!s->judgeable[at] || position < (double)s->origin || position < (double)(s->newest - CP_SLOTS + 4)) {
        return false;
    }
    const int64_t slot = (int64_t)(position + CP_TINY);
    const double part = position - (double)slot;
    int64_t newer = s->newest - slot;
    double value = s->past[newer];
    if (s->marked[newer]) {
        return false;
    }
    if (part > CP_TINY && newer > 0) {
        newer--;
        if (s->marked[newer]) {
            return false;
        }
        value = value + part * (s->past[newer] - value);
    }
    if (cp_is(s->selected, CP_BLENDS)) {
        cp_bank_learn(s, at, value);
    }
    cp_quality_measure(s, s->estimated[at] - value, s->held_then[at] - value);
    s->quality_tolerance = cp_quality_tolerated(c, s, newer, s->horizon[at]);
    s->judged_ok = s->quality_error <= s->quality_tolerance + CP_NOISE * fabs(value);
    return !s->judged_ok;
}

static void cp_quality_act(cp_state *s)
{
    if (s->action == CP_QUALITY_WARN) {
        s->events |= CP_BAD_QUALITY;
    } else if (s->action == CP_QUALITY_STOP) {
        s->stopped = 1;
        s->events |= CP_QUALITY_ENDS;
    }
}

CP_API void cp_quality(const cp_coupling_settings *c, cp_state *s)
{
    bool bad = false;
    if (!s->filled) {
        return;
    }
    if (s->judged < s->n - CP_RING + 1) {
        s->judged = s->n - CP_RING + 1;
    }
    /* in event timing the estimate for t_n is made after this stage, so it waits for the next macro step */
    const int64_t made = c->event ? s->n - 1 : s->n;
    for (; s->judged <= made; s->judged++) {
        const double position = cp_quality_position(s, s->judged);
        if (position > (double)s->newest + CP_TINY) {
            break;
        }
        bad |= cp_quality_is_bad(c, s, position, cp_ring(s->judged));
    }
    if (bad) {
        cp_quality_act(s);
    }
}
