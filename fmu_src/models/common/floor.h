/* Rounding without libm. */
#ifndef CP_FLOOR_H
#define CP_FLOOR_H

#include <stdint.h>

/* largest whole number not above x >= 0; from 2^52 on every number is whole */
static double cp_floor(double x)
{
    return x < 4503599627370496.0 ? (double)(int64_t)x : x;
}

#endif
