/* The lag of the receiver, learnt from what it really does with the estimate: `applied`.

   What is applied at a time t is taken for gain times the estimate that was given out for t - L. With the present lag
   T, u the estimate given out for t - T and u' its rate, that is applied - u + T (-u') = L (-u') + (gain - 1) u +
   constant, which is solved by least squares over the answers of late, as if L were known beforehand: the offset of the
   configuration, as evenly likely as offset_min .. offset_max. Older answers fade once the lag is known to
   CP_FOLLOW_SHARP of that. A receiver that stands still tells nothing, lag and gain stay: no answer counts that is
   further off than the values of late reach. Where answers leave more than CP_FOLLOW_PLAUSIBLE of the estimate's
   variance unexplained, lag and gain go back to where they began. */
#include "../stages.h"

#include <math.h>

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

/* the sums without the means of slope, value and answer */
static void cp_follow_centre(const cp_state *s, double c[CP_SUMS])
{
    static const uint8_t first[4] = {0, 1, 3, 6};
    int32_t at = 0;
    for (int32_t i = 0; i < 4; i++) {
        for (int32_t j = 0; j <= i; j++) {
            const double means = s->follow.sums[first[i]] * s->follow.sums[first[j]] / s->follow.sums[0];
            c[at] = s->follow.sums[at] - means;
            at++;
        }
    }
}

/* Move what is in force towards what was found; `lag` is in force, macro steps. */
static void cp_follow_move(cp_state *s, double lag, double found, double gain)
{
    const double more = cp_between(gain - s->follow.gain, -CP_FOLLOW_GAIN_RATE, CP_FOLLOW_GAIN_RATE);
    s->follow.lag = (lag + cp_between(found - lag, -CP_FOLLOW_RATE, CP_FOLLOW_RATE)) * s->grid.period;
    s->follow.gain = cp_between(s->follow.gain + more, CP_FOLLOW_LEAST_GAIN, CP_FOLLOW_MOST_GAIN);
}

/* Let older answers fade: so far that their information is that of the deviation wanted, `sharp` over power. */
static void cp_follow_forget(cp_state *s, double sharp)
{
    const double wanted = sharp > s->follow.power ? s->follow.power / sharp : 1.0;
    const double most = s->follow.followed ? CP_FOLLOW_MEMORY : CP_FOLLOW_DOUBT;
    const double keep = cp_between(most / s->follow.sums[0], 0.0,
                                   cp_larger(wanted, CP_FOLLOW_LEAST / s->follow.sums[0]));
    for (int32_t i = 0; i < CP_SUMS; i++) {
        s->follow.sums[i] = s->follow.sums[i] * keep;
    }
}

/* Work out lag and gain from the sums. */
static void cp_follow_solve(cp_state *s, double lag, bool gains)
{
    const double period = s->grid.period;
    const double least = s->follow.offset_min / period;
    const double most = cp_between(s->follow.offset_max / period, 0.0, CP_FOLLOW_FARTHEST);
    const double expected = (most - least) * (most - least) / 12.0;
    double c[CP_SUMS];
    cp_follow_centre(s, c);
    const double known = s->follow.power / expected;
    const double a = c[2] + known;
    const double u = c[7] + known * (s->parameter.latency_offset / period);
    const double d = c[5] + s->follow.power / (CP_FOLLOW_GAIN_SPREAD * CP_FOLLOW_GAIN_SPREAD);
    const double b = gains ? c[4] : 0.0;
    const double v = gains ? c[8] : 0.0;
    const double det = a * d - b * b;
    if (!(most - least > CP_TINY && a > 0.0 && det > 0.0)) {
        return;
    }
    const double found = cp_between((u * d - b * v) / det, least, most);
    const double more = cp_between((a * v - b * u) / det, CP_FOLLOW_LEAST_GAIN - 1.0, CP_FOLLOW_MOST_GAIN - 1.0);
    const double on_rate = 2.0 * c[7] - found * c[2];
    const double on_value = 2.0 * (c[8] - found * c[4]) - more * c[5];
    const double power = cp_larger((c[9] - found * on_rate - more * on_value) / s->follow.sums[0], 0.0);
    if (!cp_finite(found + more + power)) {
        return;
    }
    s->follow.power = power;
    s->follow.deviation = cp_bounded(period * sqrt(power / a), CP_UNLIMITED);
    s->follow.followed = power * s->follow.sums[0] <= CP_FOLLOW_PLAUSIBLE * c[5];
    const double wanted = s->follow.followed ? found : s->parameter.latency_offset / period;
    cp_follow_move(s, lag, wanted, s->follow.followed ? 1.0 + more : 1.0);
    cp_follow_forget(s, CP_FOLLOW_SHARP * CP_FOLLOW_SHARP * expected * a);
}

static void cp_follow_learn(const cp_coupling_settings *c, cp_state *s)
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
        const double row[4] = {1.0, rate, value, error + lag * rate};
        cp_follow_add(s, row);
        if (s->follow.sums[0] >= (s->follow.followed ? CP_FOLLOW_LEAST : CP_FOLLOW_ENOUGH)) {
            cp_follow_solve(s, lag, cp_follows_gain(c, s));
        }
    }
}

/* Learn from the answer at the macro point before the last, and keep the present one. */
CP_API void cp_follow(const cp_coupling_settings *c, cp_state *s)
{
    if (!cp_follows(c, s)) {
        return;
    }
    if (!c->event) {
        cp_follow_note(s);
    }
    if (s->grid.n != s->follow.step + 1) {
        s->follow.known = 0;
    }
    s->follow.step = s->grid.n;
    cp_follow_learn(c, s);
    s->follow.answer[1] = s->follow.answer[0];
    s->follow.answer[0] = cp_bounded(s->follow.applied, 0.0);
    s->follow.known = s->follow.known < CP_SLOTS ? s->follow.known + 1 : CP_SLOTS;
    if (!cp_finite(s->follow.applied)) {
        s->follow.known = 0;
    }
}
