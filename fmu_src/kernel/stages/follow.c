/* The lag of the receiver, learnt from what it really does with the estimate: `applied`.

   What is applied at a time t is taken for gain times the estimate that was given out for t - L. With the present lag
   T, u the estimate given out for t - T and u' its rate, that is applied - u + T (-u') = L (-u') + (gain - 1) u +
   constant, which is solved by least squares over the answers of late, as if L were known beforehand: the offset of the
   configuration, as evenly likely as offset_min .. offset_max. Older answers fade once the lag is known to
   CP_FOLLOW_SHARP of that. A receiver that stands still tells nothing: no answer counts that is further off than the
   values of late reach, nor do answers that leave more than CP_FOLLOW_PLAUSIBLE of the estimate's variance unexplained;
   lag and gain stay then. */
#include "../stages.h"

#include <math.h>

CP_API bool cp_follows_gain(const cp_state *s)
{
    return s->parameter.follow == CP_FOLLOW_LAG_AND_GAIN && !(s->parameter.signal_period > 0.0);
}

/* place of macro step n in what was given out, also for n below 0 */
static size_t cp_follow_at(int64_t n)
{
    return (size_t)((uint64_t)n % CP_SLOTS);
}

/* Keep what is given out for this macro point. */
CP_API void cp_follow_note(cp_state *s)
{
    s->follow.given[cp_follow_at(s->grid.n)] = s->reconstruction.given;
}

static void cp_follow_add(cp_state *s, const double row[4])
{
    double *sum = s->follow.sums;
    for (int32_t i = 0; i < 4; i++) {
        for (int32_t j = 0; j <= i; j++) {
            *sum = *sum + row[i] * row[j];
            sum++;
        }
    }
}

/* sum of products of columns i and j, of which 1 is 0, without their means */
static double cp_follow_centred(const cp_state *s, int32_t i, int32_t j)
{
    const double *const sums = s->follow.sums;
    const int32_t first = i * (i + 1) / 2;
    return sums[first + j] - sums[first] * sums[j * (j + 1) / 2] / sums[0];
}

/* Let older answers fade: so far that their information is that of the deviation wanted, `sharp` over power. */
static void cp_follow_forget(cp_state *s, double sharp)
{
    const double n = s->follow.sums[0];
    const double wanted = cp_larger(sharp > s->follow.power ? s->follow.power / sharp : 1.0, CP_FOLLOW_ENOUGH / n);
    const double keep = wanted > CP_FOLLOW_MEMORY / n ? CP_FOLLOW_MEMORY / n : wanted;
    for (int32_t i = 0; i < CP_SUMS; i++) {
        s->follow.sums[i] = s->follow.sums[i] * keep;
    }
}

/* Move what is in force towards what was found; `lag` is in force, macro steps. */
static void cp_follow_move(cp_state *s, double lag, double found, double gain)
{
    const double more = cp_between(gain - s->follow.gain, -CP_FOLLOW_GAIN_RATE, CP_FOLLOW_GAIN_RATE);
    s->follow.lag = (lag + cp_between(found - lag, -CP_FOLLOW_RATE, CP_FOLLOW_RATE)) * s->grid.period;
    s->follow.gain = cp_between(s->follow.gain + more, CP_FOLLOW_LEAST_GAIN, CP_FOLLOW_MOST_GAIN);
}

/* variance that a lag and a gain of 1 + `more` leave unexplained */
static double cp_follow_left(const cp_state *s, double found, double more)
{
    const double on_rate = 2.0 * cp_follow_centred(s, 3, 1) - found * cp_follow_centred(s, 1, 1);
    const double on_value = cp_follow_centred(s, 3, 2) - found * cp_follow_centred(s, 2, 1);
    const double explained = found * on_rate + more * (2.0 * on_value - more * cp_follow_centred(s, 2, 2));
    return cp_larger((cp_follow_centred(s, 3, 3) - explained) / s->follow.sums[0], 0.0);
}

/* Work out lag and gain from the sums. */
static void cp_follow_solve(cp_state *s, double lag)
{
    const double period = s->grid.period;
    const double least = s->parameter.offset_min / period;
    const double most = cp_between(s->parameter.offset_max / period, 0.0, CP_FOLLOW_FARTHEST);
    const double expected = (most - least) * (most - least) / 12.0;
    if (!(most > least && expected > CP_TINY)) {
        return;
    }
    const double known = s->follow.power / expected;
    const double values = cp_follow_centred(s, 2, 2);
    const double a = cp_follow_centred(s, 1, 1) + known;
    const double u = cp_follow_centred(s, 3, 1) + known * (s->parameter.latency_offset / period);
    const double d = values + s->follow.power / (CP_FOLLOW_GAIN_SPREAD * CP_FOLLOW_GAIN_SPREAD);
    const double b = cp_follows_gain(s) ? cp_follow_centred(s, 2, 1) : 0.0;
    const double v = cp_follows_gain(s) ? cp_follow_centred(s, 3, 2) : 0.0;
    const double det = a * d - b * b;
    if (!(a > 0.0 && det > 0.0)) {
        return;
    }
    const double found = cp_between((u * d - b * v) / det, least, most);
    const double more = cp_between((a * v - b * u) / det, CP_FOLLOW_LEAST_GAIN - 1.0, CP_FOLLOW_MOST_GAIN - 1.0);
    const double power = cp_follow_left(s, found, more);
    if (cp_finite(found) && cp_finite(more) && cp_finite(power)) {
        s->follow.power = power;
        s->follow.deviation = cp_bounded(period * sqrt(power / a), CP_UNLIMITED);
        s->follow.followed = power * s->follow.sums[0] <= CP_FOLLOW_PLAUSIBLE * values;
        if (s->follow.followed) {
            cp_follow_move(s, lag, found, 1.0 + more);
        }
        cp_follow_forget(s, CP_FOLLOW_SHARP * CP_FOLLOW_SHARP * expected * a);
    }
}

static void cp_follow_learn(cp_state *s)
{
    const double lag = cp_between(s->follow.lag / s->grid.period, 0.0, CP_FOLLOW_FARTHEST);
    const int32_t whole = (int32_t)lag;
    if (s->follow.known < whole + 4) {
        return;
    }
    double u[4];
    for (int32_t i = 0; i < 4; i++) {
        u[i] = s->follow.given[cp_follow_at(s->grid.n - whole - 1 - i)];
    }
    const double part = lag - whole;
    const double rise = u[2] - u[1];
    const double first = 0.5 * (u[2] - u[0]);
    const double second = 0.5 * (u[3] - u[1]);
    const double bend = first + second - 2.0 * rise;
    const double value = u[1] + part * (first + part * (rise - first - bend + part * bend));
    const double rate = first + part * (second - first);
    const double error = cp_unwrap(s, s->follow.answer[1], value) - value;
    double low = s->history.past[0];
    double high = low;
    for (int32_t i = 0; i < CP_SLOTS; i++) {
        low = s->history.past[i] < low ? s->history.past[i] : low;
        high = cp_larger(s->history.past[i], high);
    }
    if (fabs(error) < high - low && fabs(value) + fabs(rate) + fabs(error) < CP_FOLLOW_LARGEST) {
        cp_follow_add(s, (const double[4]){1.0, rate, value, error + lag * rate});
        if (s->follow.sums[0] >= CP_FOLLOW_ENOUGH) {
            cp_follow_solve(s, lag);
        }
    }
}

/* Learn from the answer at the macro point before the last, and keep the present one. */
CP_API void cp_follow(const cp_coupling_settings *c, cp_state *s)
{
    if (!(s->parameter.follow > CP_FOLLOW_OFF)) {
        return;
    }
    if (!c->event) {
        cp_follow_note(s);
    }
    if (s->grid.n != s->follow.step + 1) {
        s->follow.known = 0;
    }
    s->follow.step = s->grid.n;
    cp_follow_learn(s);
    s->follow.answer[1] = s->follow.answer[0];
    s->follow.answer[0] = cp_bounded(s->input.applied, 0.0);
    s->follow.known = s->follow.known < CP_SLOTS ? s->follow.known + 1 : CP_SLOTS;
    if (!cp_finite(s->input.applied)) {
        s->follow.known = 0;
    }
}
