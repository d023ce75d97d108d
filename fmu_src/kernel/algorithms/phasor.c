/* Periodic signals, such as voltages and currents of a grid: phasors of the fundamental and of its odd harmonics.

   The signal is c + sum re z_i, each z_i turns by phi_i = 2 pi (2 i + 1) f dT in a macro step. A value y corrects what
   was foreseen of it:

       e = y - (c + sum re z_i),    c <- c + g e,    z_i <- z_i + g_i e

   With zeta_i = exp(j phi_i), c_i and s_i its parts, and m the memory in macro steps, the gains place all poles of the
   error at r = m / (m + 1) times those of the signal, 1 and the zeta_i with their conjugates:

       g = (1 - r) prod_j (1 - 2 r c_j + r^2) / (2 - 2 c_j)
       g_i = 2 (zeta_i - r) / (zeta_i - 1)  q_ii / (2 j s_i)  prod_{j != i} q_ij / (2 (c_i - c_j))
       q_ij = (1 + r^2) c_i - 2 r c_j + j (1 - r^2) s_i

   The angle by which corrections turn the fundamental moves the frequency, with a time constant T of `settling` times
   the latency, a, at least 1.5 periods, and its ramp by a quarter of that in T, so that both settle with 2 T. A
   modulation is then foreseen too large by at most 1 + 1.4 / a, so a loop of two such estimates with a gain below 1 /
   (1 + 1.4 / a)^2 does not grow: a half with the usual 3.5. An error far above the usual ones is a jump of phase or
   amplitude: the frequency goes back to what it was before, stays for two periods without a ramp, and the memory is
   short for one. A signal whose errors keep a quarter of its power after that, or whose frequency comes to the end of
   its range, is none of these: its newest value is given out. The estimate takes the place of that over ten periods,
   for in a loop the other end sees a jump if it does so at once. */
#include "../stages.h"

#include <math.h>
#include <string.h>

typedef struct {
    double real;
    double imaginary;
} cp_number;

CP_API int32_t cp_phasor_needed(const cp_coupling_settings *c, const cp_state *s)
{
    (void)s;
    return c->periodic ? 1 : CP_NEVER;
}

/* from the newest value to the macro point, macro steps */
static double cp_phasor_lead(const cp_state *s)
{
    return s->latency.steps - s->latency.early - s->latency.fraction;
}

/* How many harmonics are followed: those that the macro step can tell apart. */
static int32_t cp_phasor_count(const cp_state *s)
{
    const double base = s->phasor.nominal * s->grid.period * (1.0 + CP_PHASOR_RANGE);
    int32_t count = 0;
    if (base < CP_PHASOR_SLOW) {
        return 0;
    }
    for (int32_t i = 0; i < CP_PHASORS; i++) {
        count += 2 * i + 1 <= s->phasor.harmonics && (2 * i + 1) * base < CP_PHASOR_HIGHEST;
    }
    return count;
}

/* angle by which the fundamental turns in the next `steps` macro steps, rad */
static double cp_phasor_angle(const cp_state *s, double steps)
{
    const double turned = s->phasor.frequency * steps + s->phasor.ramp * (0.5 * steps * (steps + 1.0));
    return 2.0 * CP_PI * turned * s->grid.period;
}

/* the same in a macro step now, rad */
static double cp_phasor_turning(const cp_state *s)
{
    return 2.0 * CP_PI * s->phasor.frequency * s->grid.period;
}

/* a nominal period, macro steps */
static double cp_phasor_period(const cp_state *s)
{
    return 1.0 / (s->phasor.nominal * s->grid.period);
}

static cp_number cp_times(cp_number a, cp_number b)
{
    return (cp_number){a.real * b.real - a.imaginary * b.imaginary, a.real * b.imaginary + a.imaginary * b.real};
}

static cp_number cp_over(cp_number a, cp_number b)
{
    const double size = b.real * b.real + b.imaginary * b.imaginary;
    return (cp_number){(a.real * b.real + a.imaginary * b.imaginary) / size,
                       (a.imaginary * b.real - a.real * b.imaginary) / size};
}

/* cosine and sine of an angle in plain arithmetic, so that both runtimes have the same bits */
static cp_number cp_phasor_turn(double angle)
{
    if (!(fabs(angle) < CP_PHASOR_FARTHEST)) {
        return (cp_number){1.0, 0.0};
    }
    const double place = angle / CP_QUARTER + 0.5;
    const int64_t whole = (int64_t)place;
    const int64_t quarters = (double)whole > place ? whole - 1 : whole;
    const double x = (angle - (double)quarters * CP_QUARTER) - (double)quarters * CP_QUARTER_REST;
    const double square = x * x;
    double cosine = 1.0;
    double sine = 1.0;
    for (int32_t i = 8; i > 0; i--) {
        cosine = 1.0 - cosine * square / (2 * i * (2 * i - 1));
        sine = 1.0 - sine * square / (2 * i * (2 * i + 1));
    }
    sine = sine * x;
    const uint64_t turned = (uint64_t)quarters & 3;
    const double real = turned & 1 ? sine : cosine;
    const double imaginary = turned & 1 ? cosine : sine;
    return (cp_number){turned == 1 || turned == 2 ? -real : real, turned >= 2 ? -imaginary : imaginary};
}

/* turns by 1, 3, 5 .. times the angle */
static void cp_phasor_turns(double angle, int32_t count, cp_number *turns)
{
    turns[0] = cp_phasor_turn(angle);
    const cp_number twice = cp_times(turns[0], turns[0]);
    for (int32_t i = 1; i < count; i++) {
        turns[i] = cp_times(turns[i - 1], twice);
    }
}

/* What turns as the signal does, at the macro point, and its change up to the next one, so far as it is trusted more
   than the `newest` value. */
static cp_shifted_line cp_phasor_between(const cp_state *s, double newest, double constant, const double *real,
                                         const double *imaginary)
{
    const int32_t count = cp_phasor_count(s);
    cp_number here[CP_PHASORS];
    cp_number there[CP_PHASORS];
    const double lead = cp_phasor_lead(s);
    double now = constant;
    double later = constant;
    cp_phasor_turns(cp_phasor_angle(s, lead), count, here);
    cp_phasor_turns(cp_phasor_angle(s, lead + 1.0), count, there);
    for (int32_t i = 0; i < count; i++) {
        now = now + cp_times((cp_number){real[i], imaginary[i]}, here[i]).real;
        later = later + cp_times((cp_number){real[i], imaginary[i]}, there[i]).real;
    }
    const double trust = s->phasor.trust;
    return (cp_shifted_line){newest + trust * (now - newest), trust * (later - now), 0.0};
}

CP_API cp_shifted_line cp_phasor_line(const cp_coupling_settings *c, cp_state *s)
{
    (void)c;
    const double newest = s->history.past[s->latency.early];
    if (!s->phasor.followed) {
        return (cp_shifted_line){newest, 0.0, 0.0};
    }
    return cp_phasor_between(s, newest, s->phasor.constant, s->phasor.real, s->phasor.imaginary);
}

static void cp_phasor_start(cp_state *s)
{
    memset(s->phasor.real, 0, sizeof s->phasor.real);
    memset(s->phasor.imaginary, 0, sizeof s->phasor.imaginary);
    s->phasor.frequency = s->phasor.nominal;
    for (int32_t i = 0; i < CP_RATES; i++) {
        s->phasor.earlier[i] = s->phasor.nominal;
    }
    s->phasor.drift = s->phasor.ramp = s->phasor.usual = 0.0;
    s->phasor.errors = s->phasor.power = s->phasor.amplitude = s->phasor.trust = 0.0;
    s->phasor.constant = s->history.past[0];
    s->phasor.slot = s->history.newest;
    s->phasor.held = s->phasor.followed = 0;
    s->phasor.samples = fabs(s->phasor.constant) < CP_PHASOR_LARGEST && cp_phasor_count(s) > 0;
}

/* Keep the frequency of the value before, and correct it by what that value told. */
static void cp_phasor_remember_frequency(cp_state *s)
{
    for (int32_t i = CP_RATES - 1; i > 0; i--) {
        s->phasor.earlier[i] = s->phasor.earlier[i - 1];
    }
    s->phasor.earlier[0] = s->phasor.frequency;
    s->phasor.frequency = s->phasor.frequency + s->phasor.drift;
    s->phasor.drift = 0.0;
}

/* Let the frequency go on for `gap` macro steps, not beyond its range. */
static void cp_phasor_move_frequency(cp_state *s, int64_t gap)
{
    const double low = s->phasor.nominal * (1.0 - CP_PHASOR_RANGE);
    const double high = s->phasor.nominal * (1.0 + CP_PHASOR_RANGE);
    const double moved = s->phasor.frequency + s->phasor.ramp * (double)gap;
    s->phasor.ramp = low < moved && moved < high ? s->phasor.ramp : 0.0;
    s->phasor.frequency = cp_between(moved, low, high);
}

static void cp_phasor_turn_on(cp_state *s, int32_t count, int64_t gap)
{
    cp_number turns[CP_PHASORS];
    cp_phasor_turns(cp_phasor_angle(s, (double)gap), count, turns);
    for (int32_t i = 0; i < count; i++) {
        const cp_number moved = cp_times((cp_number){s->phasor.real[i], s->phasor.imaginary[i]}, turns[i]);
        s->phasor.real[i] = moved.real;
        s->phasor.imaginary[i] = moved.imaginary;
    }
}

static void cp_phasor_look_for_jump(cp_state *s, double error)
{
    const double period = cp_phasor_period(s);
    const bool settled = s->phasor.samples > CP_PHASOR_SETTLED * period;
    const double least = cp_larger(CP_PHASOR_JUMP * s->phasor.usual, CP_PHASOR_LEAST * s->phasor.amplitude);
    if (s->phasor.held > 0) {
        s->phasor.held--;
    } else if (settled && fabs(error) > least) {
        s->phasor.held = (int32_t)cp_between(CP_PHASOR_HOLD * period + 0.5, 0.0, CP_MOST_COUNTED);
        s->phasor.frequency = s->phasor.earlier[CP_RATES - 1];
        s->phasor.ramp = 0.0;
    }
    if (s->phasor.held == 0) {
        const double grown = CP_PHASOR_GROWTH * s->phasor.usual;
        const double size = settled && fabs(error) > grown ? grown : fabs(error);
        s->phasor.usual = s->phasor.usual + CP_PHASOR_USUAL * (size - s->phasor.usual);
    }
}

/* Is the memory short: in the first period, and in that after a jump? */
static bool cp_phasor_is_quick(const cp_state *s)
{
    const double period = cp_phasor_period(s);
    return s->phasor.held > (CP_PHASOR_HOLD - CP_PHASOR_QUICK) * period || s->phasor.samples < period;
}

/* gain of the phasor `i`, with the poles of the error at `r` times those of the signal */
static cp_number cp_phasor_gain(const cp_number *turns, int32_t count, int32_t i, double r)
{
    const double cosine = turns[i].real;
    const double sine = turns[i].imaginary;
    const double high = (1.0 - r * r) * sine;
    cp_number gain = cp_over((cp_number){2.0 * (cosine - r), 2.0 * sine}, (cp_number){cosine - 1.0, sine});
    for (int32_t j = 0; j < count; j++) {
        const double apart = 2.0 * (cosine - turns[j].real);
        const cp_number q = {(1.0 + r * r) * cosine - 2.0 * r * turns[j].real, high};
        if (i == j) {
            gain = cp_over(cp_times(gain, q), (cp_number){0.0, 2.0 * sine});
        } else {
            gain = cp_times(gain, (cp_number){q.real / apart, q.imaginary / apart});
        }
    }
    return gain;
}

/* The gains of the phasors; returns that of the constant part. */
static double cp_phasor_gains(const cp_state *s, int32_t count, cp_number *gains)
{
    const double memory = (cp_phasor_is_quick(s) ? CP_PHASOR_SHORT : CP_PHASOR_LONG) * cp_phasor_period(s);
    const double r = memory / (memory + 1.0);
    double constant = 1.0 - r;
    cp_number turns[CP_PHASORS];
    cp_phasor_turns(cp_phasor_turning(s), count, turns);
    for (int32_t i = 0; i < count; i++) {
        constant = constant * ((1.0 - 2.0 * r * turns[i].real + r * r) / (2.0 - 2.0 * turns[i].real));
        gains[i] = cp_phasor_gain(turns, count, i, r);
    }
    return constant;
}

static void cp_phasor_correct(cp_state *s, int32_t count, double error)
{
    cp_number gains[CP_PHASORS];
    const double constant = cp_phasor_gains(s, count, gains);
    s->phasor.constant = s->phasor.constant + constant * error;
    for (int32_t i = 0; i < count; i++) {
        s->phasor.real[i] = s->phasor.real[i] + gains[i].real * error;
        s->phasor.imaginary[i] = s->phasor.imaginary[i] + gains[i].imaginary * error;
    }
    const double period = cp_phasor_period(s);
    const double size = s->phasor.real[0] * s->phasor.real[0] + s->phasor.imaginary[0] * s->phasor.imaginary[0];
    s->phasor.amplitude = sqrt(size);
    if (s->phasor.follow == CP_FREQUENCY_FREQUENCY && s->phasor.held == 0 && s->phasor.samples > 2.0 * period &&
        size > 0.0) {
        const double turned =
            error * (gains[0].imaginary * s->phasor.real[0] - gains[0].real * s->phasor.imaginary[0]) / size;
        const double slow = s->phasor.settling * cp_larger(CP_PHASOR_SLOWEST * period, cp_phasor_lead(s));
        s->phasor.drift =
            cp_between(turned, -CP_PHASOR_CLIP, CP_PHASOR_CLIP) / (slow * 2.0 * CP_PI * s->grid.period);
        if (s->phasor.samples > CP_PHASOR_CALM * slow) {
            s->phasor.ramp = s->phasor.ramp + CP_PHASOR_RAMP * s->phasor.drift / slow;
        }
    }
}

/* Tell whether the signal is periodic; begin anew with one that is too large. */
static void cp_phasor_rate(cp_state *s, int32_t count, double error, double signal)
{
    const double period = cp_phasor_period(s);
    const double share = 1.0 / (1.0 + CP_PHASOR_FADE * period);
    s->phasor.errors = s->phasor.errors + share * (error * error - s->phasor.errors);
    s->phasor.power = s->phasor.power + share * (signal * signal - s->phasor.power);
    double size = fabs(s->phasor.constant) + s->phasor.amplitude + fabs(error);
    for (int32_t i = 0; i < count; i++) {
        size = size + fabs(s->phasor.real[i]) + fabs(s->phasor.imaginary[i]);
    }
    if (!(size < CP_PHASOR_LARGEST)) {
        cp_phasor_start(s);
        s->phasor.samples = 0;
    }
    const bool inside = fabs(s->phasor.frequency - s->phasor.nominal) < CP_PHASOR_INSIDE * s->phasor.nominal;
    const bool periodic = s->phasor.samples > period && s->phasor.errors < CP_PHASOR_PLAUSIBLE * s->phasor.power;
    if (periodic && inside) {
        s->phasor.trust = cp_between(s->phasor.trust + 1.0 / (CP_PHASOR_EASE * period), 0.0, 1.0);
    } else if (s->phasor.held == 0) {
        s->phasor.trust = 0.0;
    }
    s->phasor.followed = s->phasor.trust > 0.0;
}

CP_API void cp_phasor_take(const cp_coupling_settings *c, cp_state *s)
{
    (void)c;
    const int64_t gap = s->history.newest - s->phasor.slot;
    if (!s->history.filled || (s->phasor.samples > 0 && gap == 0)) {
        return;
    }
    const int32_t count = cp_phasor_count(s);
    if (s->phasor.samples == 0 || gap <= 0 || gap >= CP_SLOTS || count == 0) {
        cp_phasor_start(s);
        return;
    }
    s->phasor.slot = s->history.newest;
    s->phasor.samples = s->phasor.samples < CP_MOST_COUNTED ? s->phasor.samples + 1 : s->phasor.samples;
    cp_phasor_remember_frequency(s);
    cp_phasor_turn_on(s, count, gap);
    cp_phasor_move_frequency(s, gap);
    double foreseen = s->phasor.constant;
    for (int32_t i = 0; i < count; i++) {
        foreseen = foreseen + s->phasor.real[i];
    }
    const double error = s->history.past[0] - foreseen;
    const double signal = s->history.past[0] - s->phasor.constant;
    cp_phasor_look_for_jump(s, error);
    cp_phasor_correct(s, count, error);
    cp_phasor_rate(s, count, error, signal);
}

/* of the newest value, in the macro step in which it came */
CP_API cp_shifted_line cp_phasor_share(const cp_coupling_settings *c, const cp_state *s)
{
    (void)c;
    if (!s->phasor.followed) {
        return (cp_shifted_line){1.0, 0.0, 0.0};
    }
    cp_number gains[CP_PHASORS];
    double real[CP_PHASORS] = {0.0};
    double imaginary[CP_PHASORS] = {0.0};
    const int32_t count = cp_phasor_count(s);
    const double constant = cp_phasor_gains(s, count, gains);
    for (int32_t i = 0; i < count; i++) {
        real[i] = gains[i].real;
        imaginary[i] = gains[i].imaginary;
    }
    return cp_phasor_between(s, 1.0, constant, real, imaginary);
}
