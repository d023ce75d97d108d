/* EROS4: extrapolation in error space with a smaller error on cubics than EROS3 (Baumann 2024, 3.2.2). */
#include "pure.h"

static int32_t cp_eros4_taps(int32_t k)
{
    return k + 4;
}

/* p = [c1 (y_{n-k} - y_{n-2k-1}) - c2 (y_{n-k-1} - y_{n-2k-2}) + c3 (y_{n-k-2} - y_{n-2k-3})] / (k+1) */
static cp_line cp_eros4_estimate(const double *past, int32_t k)
{
    const double c1 = 0.5 * k * k + 2.0 * k + 2.5;
    const double c2 = 1.0 * k * k + 3.0 * k + 2.0;
    const double c3 = 0.5 * k * k + k + 0.5;
    const double sum = c1 * (past[0] - past[k + 1]) - c2 * (past[1] - past[k + 2]) + c3 * (past[2] - past[k + 3]);
    const double slope = sum / (k + 1.0);
    return (cp_line){past[0] + k * slope, slope};
}

CP_PURE(eros4)
