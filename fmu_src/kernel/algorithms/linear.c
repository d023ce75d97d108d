/* Linear algorithm with given weights: free, designed or learnt, one pair (a, A) for each latency k. */
#include "../stages.h"

/* sum a_l y_l and sum A_l y_l over the m newest values */
CP_API cp_line cp_linear_line(const double *past, const double *a, const double *slopes, int32_t m)
{
    cp_line line = {0.0, 0.0};
    for (int32_t tap = 0; tap < m; tap++) {
        line.level = line.level + a[tap] * past[tap];
        line.slope = line.slope + slopes[tap] * past[tap];
    }
    return line;
}
