/* The variables of a coupling FMU: the order gives the value references. */
#include "stages.h"
#include "variables.h"

#define CP_ROW(name, kind, role, member, ...)                                                      \
    {name, CP_KIND_##kind, CP_ROLE_##role, (uint32_t)offsetof(cp_state, member), __VA_ARGS__},
#define CP_ROW_OF_A(i) CP_ROW("algorithm.a[" #i "]", REAL, FIXED, a[i - 1], CP_FREE_RANGE)
#define CP_ROW_OF_SLOPE(i) CP_ROW("algorithm.A[" #i "]", REAL, FIXED, slopes[i - 1], CP_FREE_RANGE)

static const cp_coupling_variable cp_rows[CP_ROWS] = {CP_INTERFACE_ROWS(CP_ROW) CP_EACH_WEIGHT(CP_ROW_OF_A)
                                                          CP_EACH_WEIGHT(CP_ROW_OF_SLOPE) CP_DEBUG_ROWS(CP_ROW)};

CP_API const cp_coupling_variable *cp_variable_row(uint32_t row)
{
    return &cp_rows[row];
}

CP_API uint32_t cp_coupling_count(const cp_coupling_settings *c)
{
    return CP_ROWS_INTERFACE + 2 * (uint32_t)c->shown_taps + (c->debug ? CP_ROWS - CP_ROW_DEBUG : 0);
}

CP_API const cp_coupling_variable *cp_coupling_find(const cp_coupling_settings *c, uint32_t reference)
{
    const uint32_t taps = (uint32_t)c->shown_taps;
    if (reference < 1 || reference > cp_coupling_count(c)) {
        return NULL;
    }
    uint32_t row = reference - 1;
    if (row >= CP_ROWS_INTERFACE + 2 * taps) {
        row += CP_ROW_DEBUG - (CP_ROWS_INTERFACE + 2 * taps);
    } else if (row >= CP_ROWS_INTERFACE + taps) {
        row += CP_ROW_SLOPES - (CP_ROWS_INTERFACE + taps);
    }
    return &cp_rows[row];
}

CP_API double cp_coupling_get(const cp_state *s, const cp_coupling_variable *variable)
{
    const unsigned char *const place = (const unsigned char *)s + variable->offset;
    switch (variable->kind) {
    case CP_KIND_REAL:
        return *(const double *)(const void *)place;
    case CP_KIND_BOOLEAN:
        return *place;
    default:
        return *(const int32_t *)(const void *)place;
    }
}

/* the one NaN that a state holds */
static double cp_quiet_nan(void)
{
    const union {
        uint64_t bits;
        double value;
    } nan = {(uint64_t)0x7FF8 << 48};
    return nan.value;
}

CP_API void cp_place_value(cp_state *s, const cp_coupling_variable *variable, double value)
{
    unsigned char *const place = (unsigned char *)s + variable->offset;
    switch (variable->kind) {
    case CP_KIND_REAL:
        *(double *)(void *)place = value == value ? value : cp_quiet_nan();
        break;
    case CP_KIND_BOOLEAN:
        *place = value != 0.0;
        break;
    default:
        *(int32_t *)(void *)place = (int32_t)value;
    }
}
