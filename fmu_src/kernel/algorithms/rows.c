/* The algorithms by number. */
#include "../stages.h"

#include "../generated/rows.h"

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
    default:
        return true;
    }
}
