/* What messages tell besides y, for the algorithm `model`: other outputs of the sender, and what it was given.

   Below LEAST_STAMP, and where nothing is connected, they tell nothing. */
#include "../stages.h"

static bool cp_is_told(double value)
{
    return value >= CP_LEAST_STAMP && value <= CP_UNLIMITED;
}

/* Let the states be worked out again from `slot` on, whose value has just come. */
CP_API void cp_changed(const cp_coupling_settings *c, cp_state *s, int64_t slot)
{
    if (c->plant.states > 0 && slot < s->plant.next) {
        s->plant.next = slot;
    }
}

/* Keep what the message says besides y, for the sender's `slot`. */
CP_API void cp_take_companions(const cp_coupling_settings *c, cp_state *s, int64_t slot)
{
    if (c->plant.states == 0) {
        return;
    }
    const size_t at = cp_slot_at(slot);
    int told = CP_COMPANIONS_TOLD;
    for (int32_t i = 0; i < c->plant.outputs - 1; i++) {
        told = cp_is_told(s->plant.companion[i]) ? told : 0;
        s->plant.outputs[(size_t)i * CP_SLOTS + at] = cp_bounded(s->plant.companion[i], 0.0);
    }
    bool known = c->plant.echo;
    for (int32_t i = 0; i < c->plant.inputs; i++) {
        known = known && cp_is_told(s->plant.given[i]) && cp_finite(s->plant.given_slope[i]);
        s->plant.level[(size_t)i * CP_SLOTS + at] = cp_bounded(s->plant.given[i], 0.0);
        s->plant.change[(size_t)i * CP_SLOTS + at] = cp_bounded(s->plant.given_slope[i] * s->grid.period, 0.0);
    }
    s->plant.told[at] = (uint8_t)(told + (known ? CP_INPUTS_TOLD : 0));
    cp_changed(c, s, slot);
}

/* Forget what the messages of the newest `slots` told, at most all. */
CP_API void cp_forget_companions(const cp_coupling_settings *c, cp_state *s, int64_t slots)
{
    for (int64_t i = 0; c->plant.states > 0 && i < slots && i < CP_SLOTS; i++) {
        s->plant.told[cp_slot_at(s->history.newest - i)] = 0;
    }
}
