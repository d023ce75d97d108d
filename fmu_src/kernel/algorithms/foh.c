/* First-order hold, the PD predictor of the literature: the line through the two newest values. */
#include "pure.h"

static int32_t cp_foh_taps(int32_t k)
{
    (void)k;
    return 2;
}

static cp_line cp_foh_estimate(const double *past, int32_t k)
{
    const double slope = past[0] - past[1];
    return (cp_line){past[0] + k * slope, slope};
}

CP_PURE(foh)
