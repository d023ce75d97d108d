/* The natural logarithm without libm: the same on every platform. */
#ifndef CP_LOGARITHM_H
#define CP_LOGARITHM_H

#include <stdint.h>
#include <string.h>

/* Natural logarithm of a normal positive number: x = m 2^e with m in [2/3, 4/3), ln m = 2 artanh((m-1)/(m+1)) by its
   series to the 23rd power, which is below 1e-17 here. */
static double cp_log_of(double x)
{
    uint64_t bits = 0;
    memcpy(&bits, &x, sizeof bits);
    int e = (int)(bits >> 52) - 1023;
    bits = (bits & 0x000FFFFFFFFFFFFFu) | (uint64_t)1023 << 52;
    memcpy(&x, &bits, sizeof x);
    if (x >= 4.0 / 3.0) {
        x *= 0.5;
        e++;
    }
    const double r = (x - 1.0) / (x + 1.0);
    double sum = 0.0;
    for (int n = 23; n >= 1; n -= 2) {
        sum = sum * r * r + 1.0 / n;
    }
    return 2.0 * r * sum + e * 0.6931471805599453;
}

#endif
