/* EROS3: extrapolation in error space, exact on parabolas at the end of the macro step (Baumann 2024, 3.2.2). */
#include "pure.h"

static int32_t cp_eros3_taps(int32_t k)
{
    return k + 3;
}

/* p = r (y_{n-k} - y_{n-2k-1}) - (y_{n-k-1} - y_{n-2k-2}),  r = (k+2)/(k+1) */
static cp_line cp_eros3_estimate(const double *past, int32_t k)
{
    const double r = (k + 2.0) / (k + 1.0);
    const double slope = r * (past[0] - past[k + 1]) - (past[1] - past[k + 2]);
    return (cp_line){past[0] + k * slope, slope};
}

CP_PURE(eros3)
