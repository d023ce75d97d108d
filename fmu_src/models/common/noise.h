/* Normally distributed noise that is the same on every platform. */
#ifndef CP_NOISE_H
#define CP_NOISE_H

#include <math.h>

#include "logarithm.h"
#include "random.h"
#include "rotation.h"

/* draw n of a stream (Box and Muller 1958); it takes the stream after it too */
static double cp_normal(uint64_t seed, uint64_t n, uint64_t stream)
{
    double cosine = 1.0;
    double sine = 0.0;
    cp_rotation(cp_uniform(seed, n, stream + 1), &cosine, &sine);
    return sqrt(-2.0 * cp_log_of(cp_uniform(seed, n, stream))) * cosine;
}

#endif
