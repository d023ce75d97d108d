/* The guard: no estimate far outside the signal.

   An estimate may lie `output.guard` ranges outside the values of late. Their range is that of the values at least 16
   slots old, which fades in 4096 macro steps, and of the 16 newest. While that range grows by a third or more, the
   estimate may go on as far again as a movement went by itself in the last values: rates and bends that three changes in
   succession have in common, for no longer than the movement lasted. A signal that leaves rest faster than by its square,
   as what has mass does, is not guarded at all: nothing tells yet how far it goes. */
#include "../stages.h"

/* what two numbers have in common: the smaller one, 0 if their signs differ */
static double cp_guard_common(double a, double b)
{
    if (a > 0.0 && b > 0.0) {
        return a < b ? a : b;
    }
    return a < 0.0 && b < 0.0 ? (a > b ? a : b) : 0.0;
}

/* changes of the newest values in succession with the sign of the newest */
static int32_t cp_guard_run(const double *past)
{
    const double newest = past[0] - past[1];
    int32_t run = 0;
    while (run < CP_GUARD_RECENT &&
           ((newest > 0.0 && past[run] > past[run + 1]) || (newest < 0.0 && past[run] < past[run + 1]))) {
        run++;
    }
    return run;
}

/* Does a signal at rest set out smoothly, faster than by the square of time? */
static bool cp_guard_sets_out(const double *rate, const double *bend, int32_t run)
{
    const double growth = cp_guard_common(bend[0] - bend[1], bend[1] - bend[2]);
    if (rate[2] == 0.0) {
        const double least = CP_GUARD_START * bend[1];
        return cp_guard_common(bend[0], least) != 0.0 && cp_guard_common(bend[0], least) == least;
    }
    return run >= CP_GUARD_CHANGES - 1 && cp_guard_common(growth, bend[0]) != 0.0 &&
           cp_guard_common(growth, rate[0]) != 0.0;
}

/* How far the movement goes on from the newest value, at most `most`; CP_UNLIMITED: no one knows. */
static double cp_guard_reach(const cp_state *s, double most, bool young)
{
    const double *const past = s->history.past;
    double rate[CP_GUARD_CHANGES];
    double bend[CP_GUARD_CHANGES - 1];
    for (int i = 1; i <= CP_GUARD_CHANGES; i++) {
        if (s->history.marked[i]) {
            return 0.0;
        }
    }
    for (int i = 0; i < CP_GUARD_CHANGES; i++) {
        rate[i] = past[i] - past[i + 1];
    }
    for (int i = 0; i < CP_GUARD_CHANGES - 1; i++) {
        bend[i] = rate[i] - rate[i + 1];
    }
    const int32_t run = cp_guard_run(past);
    if (young && cp_guard_sets_out(rate, bend, run)) {
        return CP_UNLIMITED;
    }
    if (run < CP_GUARD_RUN) {
        return 0.0;
    }
    const int32_t lead = s->latency.steps + 1 < run ? s->latency.steps + 1 : run;
    const double bent = cp_guard_common(bend[0], bend[1]);
    const double pace = cp_guard_common(rate[0], cp_guard_common(rate[1] + bent, rate[2] + 2.0 * bent));
    const double reach = CP_GUARD_STRETCH * (lead * pace + 0.5 * lead * (lead + 1) * bent);
    if (reach > most) {
        return most;
    }
    return reach < -most ? -most : reach;
}

/* Keep the range of the older values. */
static void cp_guard_remember(cp_state *s)
{
    const double *const past = s->history.past;
    if (s->history.newest == s->history.origin) {
        s->guard.lowest = s->guard.highest = past[0];
    }
    const double fade = cp_bounded((s->guard.highest - s->guard.lowest) * CP_GUARD_FADE, 0.0);
    s->guard.lowest = s->guard.lowest + fade;
    s->guard.highest = s->guard.highest - fade;
    for (int i = CP_GUARD_RECENT; i < CP_SLOTS; i++) {
        s->guard.lowest = past[i] < s->guard.lowest ? past[i] : s->guard.lowest;
        s->guard.highest = past[i] > s->guard.highest ? past[i] : s->guard.highest;
    }
}

static void cp_guard_limit(cp_state *s, double low, double high)
{
    const double width = high - low;
    const double before = s->guard.highest - s->guard.lowest;
    double down = low;
    double up = high;
    if (before < CP_GUARD_GROWN * width) {
        const double most = CP_GUARD_GROWTH * (width - before);
        const double reach = cp_guard_reach(s, most, before < CP_GUARD_YOUNG * width);
        if (!(reach >= -CP_UNLIMITED && reach < CP_UNLIMITED)) {
            return;
        }
        const double goes = s->history.past[0] + reach;
        down = goes < low ? goes : low;
        up = goes > high ? goes : high;
    }
    s->guard.low = cp_bounded(down - s->parameter.guard * width, -CP_UNLIMITED);
    s->guard.high = cp_bounded(up + s->parameter.guard * width, CP_UNLIMITED);
}

/* Work out how far the estimates of this macro step may lie outside the values of late. */
CP_API void cp_guard_measure(cp_state *s)
{
    const double *const past = s->history.past;
    s->guard.acts = 0;
    s->guard.low = -CP_UNLIMITED;
    s->guard.high = CP_UNLIMITED;
    if (!(s->parameter.guard > 0.0) || !s->history.filled) {
        return;
    }
    cp_guard_remember(s);
    double low = s->guard.lowest;
    double high = s->guard.highest;
    for (int i = 0; i < CP_GUARD_RECENT; i++) {
        low = past[i] < low ? past[i] : low;
        high = past[i] > high ? past[i] : high;
    }
    cp_guard_limit(s, low, high);
}

static double cp_guard_within(const cp_state *s, double value)
{
    if (value < s->guard.low) {
        return s->guard.low;
    }
    return value > s->guard.high ? s->guard.high : value;
}

/* `line` with both ends of the macro step within the limits; `share` of the estimate that it has, -. */
CP_API cp_shifted_line cp_guarded(cp_state *s, cp_shifted_line line, double share)
{
    const double here = line.level - line.slope * line.shift;
    const double there = here + line.slope;
    const double start = cp_guard_within(s, here);
    const double end = cp_guard_within(s, there);
    if ((start == here && end == there) || !cp_finite(end - start)) {
        return line;
    }
    if (share >= CP_GUARD_SHARE) {
        s->guard.acts = 1;
    }
    return (cp_shifted_line){start, end - start, 0.0};
}
