/* The variables of a coupling FMU: the order gives the value references. */
#include "stages.h"

#define CP_FLAGS_OF_INPUT CP_ANY_VALUE
#define CP_FLAGS_OF_OUTPUT 0
#define CP_FLAGS_OF_FIXED 0
#define CP_FLAGS_OF_TUNABLE 0
#define CP_FLAGS_OF_TIME 0
#define CP_ROW_AT(place, text, kind, part, enumeration, ...)                                                         \
    {text, "", CP_##kind, CP_##part, CP_FLAGS_OF_##part | (enumeration) << CP_ITEMS_SHIFT, (uint32_t)(place),        \
     __VA_ARGS__},
#define CP_ROW(name, kind, role, member, ...) CP_ROW_AT(offsetof(cp_state, member), name, kind, role, __VA_ARGS__)
#define CP_NEURAL_ROW(name, kind, role, member, ...)                                                                 \
    CP_ROW_AT(offsetof(cp_state_with_neural, neural.member), name, kind, role, __VA_ARGS__)

/* items of an enumeration */
typedef struct {
    uint32_t numbers; /* bits */
    const char *words;
} cp_items;

#include "generated/tables.h"

CP_API const cp_variable *cp_variable_row(size_t row)
{
    return &cp_rows[row];
}

CP_API bool cp_in_allowed_range(const cp_variable *variable, double value, cp_reason *why)
{
    const cp_items *const items = &cp_enumerations[variable->flags >> CP_ITEMS_SHIFT];
    const bool within = value >= variable->min && value <= variable->max;
    if (within && (items->numbers == 0 || (items->numbers >> (uint32_t)value & 1u) != 0)) {
        return true;
    }
    if (items->numbers != 0) {
        return cp_refuse(why, "%s = %g, allowed %s", variable->name, value, items->words);
    }
    if (variable->min == -CP_UNLIMITED) {
        return cp_refuse(why, "%s = %g, allowed any finite number", variable->name, value);
    }
    if (variable->max == CP_UNLIMITED) {
        return cp_refuse(why, "%s = %g, allowed %g or more", variable->name, value, variable->min);
    }
    return cp_refuse(why, "%s = %g, allowed %g to %g", variable->name, value, variable->min, variable->max);
}
