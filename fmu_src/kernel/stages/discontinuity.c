/* Stage 4: find out whether the newest value breaks with the past.

   The spectrum of the last 8 values minus the newest under a half Hann window (Baumann 2024, 5.3.1): a jump if the sum
   of its bins exceeds `discontinuity.sensitivity` times the same sum one slot earlier, and a floor. Compared along send
   steps: no news, no test. */
#include "../stages.h"

#include <math.h>

static bool cp_discontinuity_jumps(const cp_state *s, double size)
{
    const double relative = CP_RELATIVE_FLOOR * size;
    const double noise = CP_LEAST_IN_SPECTRUM * s->parameter.noise;
    const double least = noise > relative ? noise : relative;
    const double floor = s->parameter.floor > least ? s->parameter.floor : least;
    const double now = s->discontinuity.spectrum;
    return now > s->parameter.sensitivity * s->discontinuity.spectrum_before && now > floor;
}

/* sum of the magnitudes of all bins but the constant one, for the window that ends with `past[0]` */
static double cp_discontinuity_spectrum(const cp_coupling_settings *c, const double *past)
{
    double total = 0.0;
    for (int row = 0; row < CP_BINS; row++) {
        double real = 0.0;
        double imaginary = 0.0;
        for (int i = 0; i < CP_WINDOW - 1; i++) {
            const double step = past[CP_WINDOW - 1 - i] - past[0];
            real = real + c->real[i][row] * step;
            imaginary = imaginary + c->imaginary[i][row] * step;
        }
        total = total + sqrt(real * real + imaginary * imaginary);
    }
    return cp_bounded(total, CP_UNLIMITED);
}

static bool cp_spectral_break(const cp_coupling_settings *c, cp_state *s, int64_t newest)
{
    s->discontinuity.spectrum_before = s->discontinuity.spectrum;
    s->discontinuity.spectrum = cp_discontinuity_spectrum(c, &s->history.past[newest]);
    return cp_discontinuity_jumps(s, fabs(s->history.past[newest]));
}

/* Has the past been one value up to a slot? Then what comes is the start. */
static bool cp_rested(const cp_state *s, int64_t newest)
{
    for (int64_t i = newest + 1; i < CP_SLOTS; i++) {
        if (s->history.past[i] != s->history.past[newest]) {
            return false;
        }
    }
    return true;
}

CP_API void cp_discontinuity(const cp_coupling_settings *c, cp_state *s)
{
    const int64_t oldest = s->history.newest - (CP_SLOTS - CP_WINDOW);
    s->discontinuity.detected = 0;
    if (!s->parameter.detection) {
        s->discontinuity.tested = s->history.newest;
        return;
    }
    if (s->discontinuity.tested < oldest - 1) {
        s->discontinuity.tested = oldest;
        s->discontinuity.spectrum = cp_discontinuity_spectrum(c, &s->history.past[CP_SLOTS - CP_WINDOW]);
    }
    while (s->discontinuity.tested < s->history.newest) {
        s->discontinuity.tested++;
        const int64_t newest = s->history.newest - s->discontinuity.tested;
        const bool breaks =
            s->parameter.detector == CP_DETECT_RESIDUAL ? cp_residual_break(s, newest)
                                                        : cp_spectral_break(c, s, newest);
        const bool jump = s->discontinuity.tested - s->history.origin + 1 >= CP_WINDOW && breaks;
        if (jump && !(newest == 0 && cp_foreseen(c, s))) {
            s->discontinuity.detected = 1;
            s->discontinuity.flagged = 1;
            s->discontinuity.anchor_before = s->switching.anchor;
            s->switching.anchor = s->discontinuity.tested;
            if (!cp_rested(s, newest + 1)) {
                cp_tell_once(s, CP_DISCONTINUITY);
            }
        }
    }
}
