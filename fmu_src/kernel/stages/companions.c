/* What messages tell besides y: other outputs of the sender, and what it was given.

   The algorithm `model` needs these; for `linear` with weights of the derivative that is the only companion.

   Below LEAST_STAMP, and where nothing is connected, they tell nothing. */
#include "../stages.h"

static bool cp_is_told(double value)
{
    return value >= CP_LEAST_STAMP && value <= CP_UNLIMITED;
}

CP_API int64_t cp_oldest_slot(const cp_state *s)
{
    const int64_t first = s->history.newest - CP_SLOTS + 1;
    return first > s->history.origin ? first : s->history.origin;
}

CP_API int64_t cp_told_from(const cp_state *s, int64_t slot, int64_t step, int64_t end)
{
    while (slot != end && s->plant.told[cp_slot_at(slot)] < CP_INPUTS_TOLD) {
        slot += step;
    }
    return slot;
}

/* Let the states be worked out again from `slot` on, whose value has just come. */
static void cp_rework(const cp_coupling_settings *c, cp_state *s, int64_t slot)
{
    if (c->plant.states == 0) {
        return;
    }
    /* what was given since the message before that told it is a line to this slot */
    const int64_t before = cp_oldest_slot(s) - 1;
    int64_t older = slot > before ? slot - 1 : before;
    older = c->plant.echo == CP_BETWEEN ? cp_told_from(s, older, -1, before) : older;
    const int64_t first = older > before ? older + (c->plant.micro_step >= 1.0) : slot;
    if (first < s->plant.next) {
        s->plant.next = first;
    }
}

/* Keep what is told besides the value of the sender's `slot`. */
static void cp_take_told(const cp_coupling_settings *c, cp_state *s, int64_t slot, const double *companion,
                         const double *given, const double *slope)
{
    if (!cp_hears(c)) {
        return;
    }
    const size_t at = cp_slot_at(slot);
    int told = CP_COMPANIONS_TOLD;
    for (int32_t i = 0; i < c->plant.outputs - 1; i++) {
        told = cp_is_told(companion[i]) ? told : 0;
        s->plant.outputs[(size_t)i * CP_SLOTS + at] = cp_bounded(companion[i], 0.0);
    }
    bool known = c->plant.echo;
    for (int32_t i = 0; i < c->plant.inputs; i++) {
        known = known && cp_is_told(given[i]) && cp_finite(slope[i]);
        s->plant.level[(size_t)i * CP_SLOTS + at] = cp_bounded(given[i], 0.0);
        s->plant.change[(size_t)i * CP_SLOTS + at] = cp_bounded(slope[i] * s->grid.period, 0.0);
    }
    s->plant.told[at] = (uint8_t)(told + (known ? CP_INPUTS_TOLD : 0));
    cp_rework(c, s, slot);
}

/* Keep what the message says besides y, for the sender's `slot`. */
CP_API void cp_take_companions(const cp_coupling_settings *c, cp_state *s, int64_t slot)
{
    cp_take_told(c, s, slot, s->plant.companion, s->plant.given, s->plant.given_slope);
}

/* Keep what the message says besides its repeated value number `place`, for the sender's `slot`. */
CP_API void cp_take_earlier(const cp_coupling_settings *c, cp_state *s, int64_t slot, int place)
{
    static const double nothing[CP_PLANT_INPUTS] = {CP_NO_STAMP, CP_NO_STAMP, CP_NO_STAMP, CP_NO_STAMP};
    const int32_t m = c->plant.inputs;
    const int32_t others = c->plant.outputs - 1;
    const bool known = (place + 1) * others <= CP_EARLIER_COMPANIONS;
    const bool given = (place + 1) * m <= CP_EARLIER_INPUTS;
    cp_take_told(c, s, slot, known ? s->plant.earlier_companion + place * others : nothing,
                 given ? s->plant.earlier_given + place * m : nothing,
                 given ? s->plant.earlier_slope + place * m : nothing);
}

/* Forget what the messages of the newest `slots` told, at most all. */
CP_API void cp_forget_companions(const cp_coupling_settings *c, cp_state *s, int64_t slots)
{
    for (int64_t i = 0; cp_hears(c) && i < slots && i < CP_SLOTS; i++) {
        s->plant.told[cp_slot_at(s->history.newest - i)] = 0;
    }
}

CP_API bool cp_derivative_told(const cp_state *s, int32_t back)
{
    return (s->plant.told[cp_slot_at(s->history.newest - back)] & CP_COMPANIONS_TOLD) != 0 && !s->history.marked[back];
}

static double cp_derivative(const cp_state *s, int32_t back)
{
    return s->plant.outputs[cp_slot_at(s->history.newest - back)] * s->grid.period;
}

/* Lost ones lie on the cubic through those beside them, their derivatives included; `algorithms/linear` sees to it that
   the newest has come. None from before a jump is used. */
CP_API void cp_course(const cp_state *s, int32_t count, double *values, double *rates)
{
    const int32_t first = s->latency.early;
    const int64_t usable = s->history.newest - s->switching.anchor + 1;
    const int32_t end = usable < CP_SLOTS ? (int32_t)usable : CP_SLOTS;
    int32_t newer = 0;
    for (int32_t i = 0; i < count; i++) {
        values[i] = s->history.past[first + i];
    }
    for (int32_t i = 0; i < count; i++) {
        if (cp_derivative_told(s, first + i)) {
            rates[i] = cp_derivative(s, first + i);
            newer = i;
            continue;
        }
        int32_t older = i + 1;
        while (first + older < end && !cp_derivative_told(s, first + older)) {
            older++;
        }
        if (first + older >= end) {
            rates[i] = values[i - 1] - values[i];
            continue;
        }
        const double gap = (double)(older - newer);
        const double t = (double)(older - i) / gap;
        const double before = cp_derivative(s, first + older);
        const double origin = s->history.past[first + older];
        const double rise = values[newer] - origin;
        const double left = 1.0 - t;
        rates[i] = 6.0 * t * left * (rise / gap) + left * (1.0 - 3.0 * t) * before + t * (3.0 * t - 2.0) * rates[newer];
        if (s->history.marked[first + i]) {
            const double bend = gap * t * left * (left * before - t * rates[newer]);
            values[i] = origin + rise * (t * t * (3.0 - 2.0 * t)) + bend;
        }
    }
}
