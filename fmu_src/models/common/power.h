/* Powers without libm: the same on every platform. */
#ifndef CP_POWER_H
#define CP_POWER_H

#include "logarithm.h"

/* exp(x) for |x| <= 700: x = n ln 2 + r with |r| <= ln(2)/2, the series of exp(r) to the 14th power, which is below 1e-18
   there, and n as an exponent. ln 2 is taken off in two parts, the first of which is exact for any n. */
static double cp_exp_of(double x)
{
    const int64_t n = (int64_t)(x * 1.4426950408889634 + (x < 0.0 ? -0.5 : 0.5));
    const double r = (x - (double)n * 0.693147180369123816490) - (double)n * 1.90821492927058770002e-10;
    double sum = 1.0;
    for (int degree = 14; degree >= 1; degree--) {
        sum = 1.0 + sum * r / degree;
    }
    const uint64_t bits = (uint64_t)(n + 1023) << 52;
    double scale = 0.0;
    memcpy(&scale, &bits, sizeof scale);
    return sum * scale;
}

#endif
