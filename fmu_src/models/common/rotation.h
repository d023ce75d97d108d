/* cos and sin without libm. */
#ifndef CP_ROTATION_H
#define CP_ROTATION_H

#include <stdint.h>

static const double cp_two_pi = 6.283185307179586;

/* cos and sin of 2 pi turns by their Taylor polynomials around the nearest quarter */
static void cp_rotation(double turns, double *cosine, double *sine)
{
    turns = turns > -1e15 && turns < 1e15 ? turns - (double)(int64_t)turns : 0.0; /* beyond: nothing is resolved */
    turns = turns < 0.0 ? turns + 1.0 : turns;
    const int quarter = (int)(4.0 * turns + 0.5);
    const double r = (turns - 0.25 * quarter) * cp_two_pi;
    double c = 1.0;
    double s = 1.0;
    for (int n = 16; n >= 2; n -= 2) {
        c = 1.0 - c * r * r / (n * (n - 1));
        s = 1.0 - s * r * r / (n * (n + 1));
    }
    s *= r;
    const int odd = quarter % 2;
    *cosine = (odd ? s : c) * (quarter == 1 || quarter == 2 ? -1.0 : 1.0);
    *sine = (odd ? c : s) * (quarter == 2 || quarter == 3 ? -1.0 : 1.0);
}

#endif
