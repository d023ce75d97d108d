/* The residual detector: a jump is a value that misses the parabola through the six received before it.

   r is the distance to the least-squares parabola, with the true send times, so that holes do not matter. A jump if |r|
   exceeds 1.2 times the sensitivity times the larger of 1.4826 times the median of the last 21 |r| and 0.004 of the
   range of the last 32 values, fewer than 6 of the 21 were half as large (the median of a sine at a quarter of the
   sampling rate is 0 in some phases), and it is no mere growth: of the sign of the residual before it, it must be 6
   times the largest of the last three, after a rest 6 times the square of the macro steps since the value before; a
   bank heeds jumps of a fifth of the range only; where it foresees well those of two fifths, and smaller ones of 10
   medians, as kinks. On a jump the six values are moved by r, so that a jump is flagged once. If the signal then moves
   on 1.5 times as fast as by r since the value before, or faster, the flag is taken back: it was the start of a
   movement; a bank does so only where there was less than a tenth of that rate before. */
#include "../stages.h"

#include <math.h>

/* prediction relative to the newest of the six values, by orthogonal polynomials */
static double cp_residual_parabola(const cp_state *s, double at, double centre, double square, double skew)
{
    double mean = 0.0;
    double line = 0.0;
    double bend = 0.0;
    double norm = 0.0;
    for (int i = 0; i < CP_FIT; i++) {
        const double x = s->residual.fitted_at[i] - at - centre;
        const double curve = x * x - skew * x - square / (double)CP_FIT;
        const double value = s->residual.fitted[i] - s->residual.fitted[0];
        mean = mean + value;
        line = line + value * x;
        bend = bend + value * curve;
        norm = norm + curve * curve;
    }
    const double x = -centre;
    const double curve = x * x - skew * x - square / (double)CP_FIT;
    const double result = mean / (double)CP_FIT + line / square * x;
    return norm > 0.0 ? result + bend / norm * curve : result;
}

/* value of the least-squares parabola at the send time `at`, macro steps */
static double cp_residual_predict(const cp_state *s, double at)
{
    double centre = 0.0;
    double square = 0.0;
    double cube = 0.0;
    for (int i = 0; i < CP_FIT; i++) {
        centre = centre + (s->residual.fitted_at[i] - at);
    }
    centre = centre / (double)CP_FIT;
    for (int i = 0; i < CP_FIT; i++) {
        const double x = s->residual.fitted_at[i] - at - centre;
        square = square + x * x;
        cube = cube + x * x * x;
    }
    if (!(square > 0.0)) {
        return s->residual.fitted[0];
    }
    const double first = s->residual.fitted[0];
    return cp_bounded(first + cp_residual_parabola(s, at, centre, square, cube / square), first);
}

/* does `size` exceed `factor` times the median of the residuals? */
static bool cp_residual_is_unusual(const cp_state *s, double size, double factor)
{
    int below = 0;
    for (int i = 0; i < CP_RESIDUALS; i++) {
        below += factor * s->residual.residuals[i] < size;
    }
    return below > CP_RESIDUALS / 2;
}

static bool cp_residual_is_common(const cp_state *s, double size)
{
    int large = 0;
    for (int i = 0; i < CP_RESIDUALS; i++) {
        large += s->residual.residuals[i] >= 0.5 * size;
    }
    return large >= CP_COMMON;
}

static double cp_residual_range(const cp_state *s, int64_t newest)
{
    const int64_t end = newest + CP_RANGE < CP_SLOTS ? newest + CP_RANGE : (int64_t)CP_SLOTS;
    double low = s->history.past[newest];
    double high = low;
    for (int64_t slot = newest + 1; slot < end; slot++) {
        low = s->history.past[slot] < low ? s->history.past[slot] : low;
        high = s->history.past[slot] > high ? s->history.past[slot] : high;
    }
    return cp_bounded(high - low, CP_UNLIMITED);
}

/* Is it large for a bank? */
static bool cp_residual_is_large(const cp_state *s, double size, double width)
{
    return size >= (s->bank.sure ? CP_SHARE_IF_SURE : CP_SHARE_IN_BANK) * width;
}

static bool cp_residual_exceeds(const cp_state *s, int64_t newest, double size)
{
    const double relative = CP_RELATIVE_FLOOR * fabs(s->history.past[newest]);
    const double factor = CP_SHARPNESS * s->parameter.sensitivity;
    const double noise = CP_LEAST_RESIDUAL * s->parameter.noise;
    if (!(size > relative && size > s->parameter.floor && size > noise &&
          cp_residual_is_unusual(s, size, factor * CP_SPREAD)) ||
        cp_residual_is_common(s, size)) {
        return false;
    }
    const double width = cp_residual_range(s, newest);
    return size > factor * CP_SHARE_OF_RANGE * width &&
           (!cp_is(s->parameter.selected, CP_BLENDS) || cp_residual_is_large(s, size, width) ||
            (s->bank.sure && cp_residual_is_unusual(s, size, CP_CLEAR)));
}

/* Does the residual break with the ones before it, rather than grow out of them? At the beginning of a movement they
   grow with the time since the value before, `gap` macro steps. */
static bool cp_residual_is_sudden(const cp_state *s, double miss, double before, double gap)
{
    double largest = 0.0;
    if ((miss > 0.0 && before < 0.0) || (miss < 0.0 && before > 0.0)) {
        return true;
    }
    for (int i = 0; i < CP_LAST; i++) {
        largest = s->residual.residuals[i] > largest ? s->residual.residuals[i] : largest;
    }
    const double growth = cp_residual_is_unusual(s, largest, CP_GROWTH) ? CP_GROWTH * gap * gap : CP_GROWTH;
    return fabs(miss) > growth * largest;
}

static bool cp_residual_moves_on(double rate, double before)
{
    return before > 0.0 ? rate >= CP_MOVEMENT * before : rate <= CP_MOVEMENT * before;
}

static void cp_residual_push(double *values, int count, double value)
{
    for (int i = count - 1; i > 0; i--) {
        values[i] = values[i - 1];
    }
    values[0] = value;
}

static void cp_residual_move(cp_state *s, double miss, double value)
{
    for (int i = 0; i < CP_FIT; i++) {
        s->residual.fitted[i] = cp_bounded(s->residual.fitted[i] + miss, value);
    }
}

/* Did the signal move before, by more than a share of the `rate` of a break? Then no movement starts there. */
static bool cp_residual_moved(const cp_state *s, double rate)
{
    const double late = s->residual.fitted_at[0] - s->residual.fitted_at[1];
    const double change = s->residual.fitted[0] - s->residual.fitted[1];
    return fabs(change) > CP_REST * fabs(rate) * (late > CP_LEAST_GAP ? late : CP_LEAST_GAP);
}

/* Take the value `newest` slots before the newest into the test; is it a jump? */
CP_API bool cp_residual_break(cp_state *s, int64_t newest)
{
    if (s->history.marked[newest]) {
        return false;
    }
    const double value = s->history.past[newest];
    const double before = s->residual.miss;
    const double late = s->history.stamps[newest] - s->residual.fitted_at[0];
    const double gap = late > CP_LEAST_GAP ? late : CP_LEAST_GAP;
    const double rate = (value - s->residual.fitted[0]) / gap;
    const double miss = cp_bounded(value - cp_residual_predict(s, s->history.stamps[newest]), 0.0);
    s->residual.miss = miss;
    s->residual.fits = s->residual.fits < CP_LEAST_FITS ? s->residual.fits + 1 : CP_LEAST_FITS;
    bool jump = s->residual.fits == CP_LEAST_FITS && cp_residual_exceeds(s, newest, fabs(miss)) &&
                cp_residual_is_sudden(s, miss, before, gap);
    if (s->residual.break_rate != 0.0 && cp_residual_moves_on(rate, s->residual.break_rate)) {
        const int64_t anchor = s->discontinuity.anchor_before;
        s->switching.anchor = anchor > s->history.origin ? anchor : s->history.origin;
        s->discontinuity.flagged = 0;
        jump = false;
    }
    const bool jumps = jump && cp_is(s->parameter.selected, CP_BLENDS) && cp_residual_moved(s, miss / gap);
    s->residual.break_rate = jump && !jumps ? miss / gap : 0.0;
    if (jump) {
        const bool large = cp_residual_is_large(s, fabs(miss), cp_residual_range(s, newest));
        s->bank.bent = large ? 0 : s->history.newest - newest;
        cp_residual_move(s, miss, value);
    }
    cp_residual_push(s->residual.fitted, CP_FIT, value);
    cp_residual_push(s->residual.fitted_at, CP_FIT, s->history.stamps[newest]);
    cp_residual_push(s->residual.residuals, CP_RESIDUALS, fabs(miss));
    return jump;
}

/* Begin anew with the newest value as if it had always been there. */
CP_API void cp_residual_start(cp_state *s)
{
    for (int i = 0; i < CP_FIT; i++) {
        s->residual.fitted[i] = s->history.past[0];
        s->residual.fitted_at[i] = s->history.stamps[0] - i;
    }
    for (int i = 0; i < CP_RESIDUALS; i++) {
        s->residual.residuals[i] = 0.0;
    }
    s->residual.miss = s->residual.break_rate = 0.0;
    s->residual.fits = 1;
}
