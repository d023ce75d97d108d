/* Sliding-mode observer (Baumann 2024, 3-36 with its misplaced index corrected): an algorithm that carries a state. */
#include "../stages.h"

#define CP_HALF_PI 1.5707963267948966

CP_API int32_t cp_smb_taps(int32_t k)
{
    return k + 2;
}

/* lambda dT; a gain of 0 [1/s] stands for 0.85 of the stability limit pi / (2 k dT) */
CP_API double cp_smb_gain_per_step(double gain, double macro_step, int32_t k)
{
    return gain > 0.0 ? gain * macro_step : 0.85 * CP_HALF_PI / k;
}

/* y_{n-k} - y_{n-k-1} - lambda dT (y_hat_{n-k} - y_{n-k}); `then` is the estimate made for the time of `past[0]` */
CP_API double cp_smb_bracket(const double *past, double then, double gain)
{
    return past[0] - past[1] - gain * (then - past[0]);
}
