/* The variables of a coupling FMU: the order gives the value references. */
#include "stages.h"
#include "table.h"

#ifndef CP_BEHIND_A_FACE
#define CP_FOR_FACE(role)
#endif

#define CP_ROW_AT(place, text, kind, part, ...)                                                    \
    {.name = text, .type = CP_KIND_##kind, .role = CP_ROLE_##part, CP_FOR_FACE(part).offset = (uint32_t)(place), \
     .start = __VA_ARGS__},
#define CP_ROW(name, kind, role, member, ...)                                                      \
    CP_ROW_AT(offsetof(cp_state, member), name, kind, role, __VA_ARGS__)
#define CP_NEURAL_ROW(name, kind, role, member, ...)                                               \
    CP_ROW_AT(offsetof(cp_state_with_neural, neural.member), name, kind, role, __VA_ARGS__)
#define CP_ROW_OF_NEURAL(i)                                                                        \
    CP_NEURAL_ROW("network.weights[" #i "]", REAL, FIXED, base[i - 1], 0.0, -CP_LARGEST_WEIGHT, CP_LARGEST_WEIGHT)
#define CP_ROW_OF_A(i) CP_ROW("algorithm.a[" #i "]", REAL, FIXED, a[i - 1], 0.0, CP_FREE_RANGE)
#define CP_ROW_OF_SLOPE(i) CP_ROW("algorithm.A[" #i "]", REAL, FIXED, slopes[i - 1], 0.0, CP_FREE_RANGE)

static const cp_coupling_variable cp_rows[CP_VARIABLES] = {
    CP_INTERFACE_ROWS(CP_ROW) CP_EACH_WEIGHT(CP_ROW_OF_A) CP_EACH_WEIGHT(CP_ROW_OF_SLOPE) CP_DEBUG_ROWS(CP_ROW)
        CP_EXTRA_ROWS(CP_ROW) CP_NEURAL_ROWS(CP_NEURAL_ROW, CP_ROW_OF_NEURAL)};

CP_API const cp_coupling_variable *cp_variable_row(size_t row)
{
    return &cp_rows[row];
}

CP_API double cp_coupling_get(const cp_state *s, const cp_coupling_variable *variable)
{
    const void *const place = (const unsigned char *)s + variable->offset;
    return variable->type == CP_KIND_REAL ? *(const double *)place : *(const int32_t *)place;
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
    void *const place = (unsigned char *)s + variable->offset;
    if (variable->type == CP_KIND_REAL) {
        *(double *)place = value == value ? value : cp_quiet_nan();
    } else {
        *(int32_t *)place = variable->type == CP_KIND_BOOLEAN ? value != 0.0 : (int32_t)value;
    }
}
