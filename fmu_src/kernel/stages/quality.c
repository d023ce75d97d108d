/* Stage 3: judge the estimate made for a time whose true value has just arrived.

   e_tol = (|f'| + zeta |f''|) delta kappa dT with backward differences (Baumann 2024, 5-10), and what the noise in the
   two values that are compared may make (`signal.noise`). The skill is
   1 - sqrt(sum lambda^i e^2 / sum lambda^i e_wire^2) against no FMU, the value as it came; the same with e_zoh against
   ZOH, which gives what the FMU had received when it made the estimate, is what other stages decide by.

   In event timing e_wire is the error of the newest value received by t_n. In step timing the receiver has an estimate
   a communication step after the values that it is made of, and the wire has none of that: e_wire^2 is the mean over
   the communication points after t_n-1 up to t_n, of the newest value received by then against that of t_n. */
#include "../stages.h"

#include <math.h>

/* where on the sender's grid the value lies that the estimate for macro step n stood for, slots */
static double cp_quality_position(const cp_coupling_settings *c, const cp_state *s, int64_t n)
{
    const double offset = cp_offset(c, s);
    const double leads = s->parameter.host_lead + s->parameter.hold_lead;
    if (s->parameter.latency_mode == CP_CONSTANT) {
        return (double)n + offset / s->grid.period + leads;
    }
    const double first = s->latency.first_stamp + s->clock.offset;
    return (cp_point_time(s, n) + offset - first) / s->grid.period + leads;
}

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

/* the skill of errors with this faded sum of squares against other ones */
static double cp_quality_skill(double power, double other)
{
    const double skill = other > 0.0 ? 1.0 - sqrt(power / other) : 0.0;
    return skill > CP_WORST_SKILL ? skill : CP_WORST_SKILL;
}

static void cp_quality_measure(cp_state *s, size_t at, double value)
{
    const double error = s->quality.estimated[at] - value;
    const double of_hold = s->quality.held_then[at] - value;
    const double of_wire = s->quality.wire_mean[at] - value;
    const double wire = of_wire * of_wire + s->quality.wire_spread[at];
    const double rounding = CP_NOISE * value;
    s->quality.error = cp_bounded(fabs(error), CP_UNLIMITED);
    s->quality.error_power = cp_bounded(CP_MEMORY * s->quality.error_power + error * error, CP_UNLIMITED);
    s->quality.hold_power = cp_bounded(CP_MEMORY * s->quality.hold_power + of_hold * of_hold, CP_UNLIMITED);
    s->quality.wire_power = cp_bounded(CP_MEMORY * s->quality.wire_power + wire, CP_UNLIMITED);
    s->quality.skill_zoh = cp_quality_skill(s->quality.error_power, s->quality.hold_power);
    s->quality.skill = cp_quality_skill(s->quality.error_power, s->quality.wire_power);
    if (s->quality.wire_power == 0.0 && s->quality.error_power > rounding * rounding) {
        s->quality.skill = CP_WORST_SKILL;
    }
    s->quality.measured = s->quality.measured < CP_MANY ? s->quality.measured + 1 : CP_MANY;
}

static double cp_quality_tolerated(const cp_coupling_settings *c, const cp_state *s, int64_t newer, uint8_t horizon)
{
    const double *const past = &s->history.past[newer];
    const double first = past[0] - past[1];
    const double second = first - (past[1] - past[2]);
    const int32_t selected = s->switching.selected_before;
    const int32_t judged = cp_is(selected, CP_AS_ORIGIN) ? c->neural.origin : selected;
    const double zeta = s->parameter.zeta >= 0.0 ? s->parameter.zeta / s->grid.period : c->zeta[judged][horizon];
    const double delta = s->parameter.delta >= 0.0 ? s->parameter.delta : c->delta[judged][horizon];
    const double noise = CP_TOLERATED_NOISE * s->parameter.noise;
    return cp_bounded((fabs(first) + zeta * fabs(second)) * (delta * horizon) + noise, CP_UNLIMITED);
}

/* Begin a warning; the more there have been, the longer it takes to end: flicker is told a few times only. */
static void cp_quality_warn(cp_state *s)
{
    const int32_t patience = s->quality.patience > 0 ? 2 * s->quality.patience : CP_CALM;
    s->quality.warned = 1;
    s->quality.worst = s->quality.exceeded = s->quality.lasted = 0.0;
    s->quality.calm = 0;
    s->quality.patience = patience > CP_LONGEST_CALM ? CP_LONGEST_CALM : patience;
    s->log.events |= CP_BAD_QUALITY;
}

/* Count the estimate judged last; a warning begins with one beyond its tolerance, `cp_quality` ends it after calm. */
static void cp_quality_count(cp_state *s)
{
    const double error = s->quality.error;
    s->quality.all_judged = s->quality.all_judged + 1.0;
    if (s->quality.judged_ok) {
        s->quality.calm = s->quality.calm < CP_MANY ? s->quality.calm + 1 : CP_MANY;
        return;
    }
    if (!s->quality.warned) {
        cp_quality_warn(s);
    }
    s->quality.lasted = s->quality.lasted + s->quality.calm + 1.0;
    s->quality.exceeded = s->quality.exceeded + 1.0;
    s->quality.all_exceeded = s->quality.all_exceeded + 1.0;
    s->quality.calm = 0;
    s->quality.worst = error > s->quality.worst ? error : s->quality.worst;
    s->quality.all_worst = error > s->quality.all_worst ? error : s->quality.all_worst;
}

/* Judge the estimate kept at ring place `at`; true if its error exceeds the tolerance. */
static bool cp_quality_is_bad(const cp_coupling_settings *c, cp_state *s, double position, size_t at)
{
    const bool known = position >= (double)s->history.origin && position >= (double)(s->history.newest - CP_SLOTS + 4);
    if (!s->quality.judgeable[at] || !known) {
        return false;
    }
    const int64_t slot = (int64_t)(position + CP_TINY);
    const double part = position - (double)slot;
    int64_t newer = s->history.newest - slot;
    double value = s->history.past[newer];
    if (s->history.marked[newer]) {
        return false;
    }
    if (part > CP_TINY && newer > 0) {
        newer--;
        if (s->history.marked[newer]) {
            return false;
        }
        value = value + part * (s->history.past[newer] - value);
    }
    if (cp_is(cp_choose(c, s), CP_BLENDS)) {
        cp_bank_learn(s, at, value, position);
    }
    if (cp_models(c, s)) {
        cp_model_judge(s, at, value);
    }
    cp_energy_judge(c, s, s->quality.judged, value);
    cp_quality_measure(s, at, value);
    s->quality.tolerance = cp_quality_tolerated(c, s, newer, s->quality.horizon[at]);
    s->quality.judged_ok = s->quality.error <= s->quality.tolerance + CP_NOISE * fabs(value);
    if (s->parameter.action == CP_QUALITY_WARN) {
        cp_quality_count(s);
    }
    return !s->quality.judged_ok;
}

/* Take in what the receiver would have without an FMU at this communication point, for the macro point to come. In
   event timing the last one counts alone, which is the macro point. */
CP_API void cp_read_wire(const cp_coupling_settings *c, cp_state *s)
{
    const size_t at = cp_ring(s->grid.due);
    const double value = s->history.past[0];
    if (c->event || s->quality.wire_count == 0) {
        s->quality.wire_count = 0;
        s->quality.wire_mean[at] = value;
        s->quality.wire_spread[at] = 0.0;
    }
    s->quality.wire_count = s->quality.wire_count < CP_MANY ? s->quality.wire_count + 1 : CP_MANY;
    const double count = s->quality.wire_count;
    const double off = value - s->quality.wire_mean[at];
    const double spread = s->quality.wire_spread[at];
    s->quality.wire_mean[at] = cp_bounded(s->quality.wire_mean[at] + off / count, value);
    s->quality.wire_spread[at] =
        cp_bounded(spread + (off * off * ((count - 1.0) / count) - spread) / count, CP_UNLIMITED);
}

CP_API int32_t cp_coupling_closing(const cp_state *s)
{
    return s->quality.all_exceeded > 0.0 ? CP_QUALITY_TOTAL : 0;
}

CP_API void cp_quality(const cp_coupling_settings *c, cp_state *s)
{
    bool bad = false;
    if (!s->history.filled) {
        return;
    }
    cp_read_wire(c, s);
    s->quality.wire_count = 0;
    if (s->quality.judged < s->grid.n - CP_RING + 1) {
        s->quality.judged = s->grid.n - CP_RING + 1;
    }
    /* in event timing the estimate for t_n is made after this stage, so it waits for the next macro step */
    const int64_t made = c->event ? s->grid.n - 1 : s->grid.n;
    for (; s->quality.judged <= made; s->quality.judged++) {
        const double position = cp_quality_position(c, s, s->quality.judged);
        if (position > (double)s->history.newest + CP_TINY) {
            break;
        }
        bad |= cp_quality_is_bad(c, s, position, cp_ring(s->quality.judged));
    }
    const bool known = s->quality.measured >= CP_ENOUGH;
    s->quality.grade = known ? cp_quality_grade(s->quality.skill) : CP_UNKNOWN;
    s->quality.harmful = known && cp_quality_grade(s->quality.skill_zoh) == CP_HARMFUL;
    if (cp_energy_creates(c, s)) {
        s->quality.grade = CP_HARMFUL;
        s->quality.harmful = 1;
        bad = true;
    }
    if (bad && s->parameter.action == CP_QUALITY_STOP) {
        s->quality.stopped = 1;
        s->log.events |= CP_QUALITY_ENDS;
    }
    if (s->quality.warned && s->quality.calm >= s->quality.patience) {
        s->quality.warned = 0;
        s->log.events |= CP_GOOD_QUALITY;
    }
}
