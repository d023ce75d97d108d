/* Random numbers that are the same on every platform: integer arithmetic, + - * / only.

   Each draw is a hash of (seed, message, stream) and keeps no state, so that a change of one setting leaves the draws
   for all others as they were. The hash is the finaliser of splitmix64 (Steele, Lea, Flood 2014), once a word. */
#ifndef CP_RANDOM_H
#define CP_RANDOM_H

#include <stdint.h>
#include <string.h>

static uint64_t cp_mix(uint64_t z)
{
    z += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

/* uniform in (0, 1), 53 bits */
static double cp_uniform(uint64_t seed, uint64_t message, uint64_t stream)
{
    const uint64_t bits = cp_mix(cp_mix(cp_mix(seed) ^ message) ^ stream);
    return ((double)(bits >> 12) + 0.5) * (1.0 / 4503599627370496.0);
}

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

/* largest whole number not above x >= 0; from 2^52 on every number is whole */
static double cp_floor(double x)
{
    return x < 4503599627370496.0 ? (double)(int64_t)x : x;
}

#endif
