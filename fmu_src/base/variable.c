/* Values of variables in a state. */
#include "variable.h"

#include <string.h>

/* the one bit pattern of NaN that a state holds */
static double cp_nan(void)
{
    const uint64_t bits = (uint64_t)0x7FF8 << 48;
    double value = 0.0;
    memcpy(&value, &bits, sizeof value);
    return value;
}

CP_API double cp_value(const cp_variable *variable, const void *state)
{
    const void *const place = (const char *)state + variable->offset;
    double value = 0.0;
    int32_t whole = 0;
    if (variable->type == CP_REAL) {
        memcpy(&value, place, sizeof value);
        return value;
    }
    memcpy(&whole, place, sizeof whole);
    return whole;
}

CP_API void cp_put(const cp_variable *variable, void *state, double value)
{
    void *const place = (char *)state + variable->offset;
    if (variable->type == CP_REAL) {
        const double kept = value == value ? value : cp_nan();
        memcpy(place, &kept, sizeof kept);
        return;
    }
    const int32_t whole = variable->type == CP_BOOLEAN ? value != 0.0 : (int32_t)value;
    memcpy(place, &whole, sizeof whole);
}
