/* The table of the algorithms, by number. */
#include "../stages.h"

#define CP_ROW_OF_ALGORITHM(number, file, text, what, bits)                                      \
    [CP_##number] = {.needed = cp_##file##_needed, .line = cp_##file##_line, .share = cp_##file##_share, \
                     .name = text, .needs = CP_NEEDS_##what, .is = bits},
/* settings that need such an algorithm are refused, so it is never called */
#define CP_ROW_WITHOUT_CODE(number, file, text, what, bits) \
    [CP_##number] = {.name = text, .needs = CP_NEEDS_##what, .is = bits},
#ifdef CP_WITHOUT_NEURAL
#define CP_ROW_OF_NEURAL CP_ROW_WITHOUT_CODE
#else
#define CP_ROW_OF_NEURAL CP_ROW_OF_ALGORITHM
#endif
#ifdef CP_WITHOUT_ENERGY
#define CP_ROW_OF_PLANT CP_ROW_WITHOUT_CODE
#else
#define CP_ROW_OF_PLANT CP_ROW_OF_ALGORITHM
#endif

#define CP_NO_ROW(number) [number] = {.needed = NULL},

/* the row of no algorithm comes first: C++ takes rows in the order of their numbers only, and none may be missing */
static const cp_algorithm_row cp_algorithm_rows[] = {
    CP_NO_ROW(0) CP_ALGORITHM_ROWS(CP_ROW_OF_ALGORITHM, CP_ROW_OF_NEURAL, CP_ROW_OF_PLANT, CP_ROW_OF_PLANT, CP_NO_ROW)};

CP_API const cp_algorithm_row *cp_row_of(int32_t which)
{
    return &cp_algorithm_rows[which];
}

CP_API bool cp_is(int32_t which, int32_t bit)
{
    return (cp_row_of(which)->is & bit) != 0;
}

CP_API bool cp_is_offered(const cp_coupling_settings *c, int32_t which)
{
    switch (cp_row_of(which)->needs) {
    case CP_NEEDS_WEIGHTS:
        return c->n_weights > 0;
    case CP_NEEDS_SPECTRUM:
        return c->spectrum.values > 0;
    case CP_NEEDS_NEURAL:
        return c->neural.size > 0;
    case CP_NEEDS_PLANT:
        return CP_KNOWS_ENERGY && c->plant.states > 0;
    case CP_NEEDS_PHASOR:
        return CP_KNOWS_ENERGY && c->periodic;
    default:
        return cp_row_of(which)->line != NULL; /* numbers between are those of algorithms without a twin in C */
    }
}
