/* Random numbers that are the same on every platform: integer arithmetic, + - * / only.

   Each draw is a hash of (seed, message, stream) and keeps no state, so that a change of one setting leaves the draws
   for all others as they were. The hash is the finaliser of splitmix64 (Steele, Lea, Flood 2014), once a word. */
#ifndef CP_RANDOM_H
#define CP_RANDOM_H

#include <stdint.h>

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

#endif
