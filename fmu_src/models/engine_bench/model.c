/* An engine on a test bench that turns at the speed of the clutch in a vehicle, and what is measured of its torque.
   With the speed w_b of the bench and the torque T_i inside the engine

       T_i' = (T_dem - T_i)/air.lag,    T_dem = pedal T_max(w_b) cut, each ecu.period, without load drag + 3 N.m
       w_b' = (speed - w_b)/lag
       T = T_i - drag - friction w_b - inertia w_b',    the torque of the shaft
       q'' = w0^2 (T - q) - sqrt(2) w0 q',    w0 = sqrt(2)/filter.delay

   Heun in equal parts of the communication step, none longer than inner_step; over it speed follows its slope, where the
   importer gives one, else the line through its last two values. The torque that is given out has the speed at the end of
   the last step: no input acts at once. What is measured is q, or T without a filter, with noise.amplitude (rms) of tones
   between 30 and 55 rad/s and a tenth of it white, in steps of the quantum. Equations after Baumann et al. 2024, figures 6.3 and 6.4; the parameters are those of a compact car. */
#include <math.h>

#include "model.h"

#include "begin.h"
#include "floor.h"
#include "logarithm.h"
#include "motion.h"
#include "random.h"
#include "rotation.h"

enum { CP_TONES = 64, CP_POINTS = 7, CP_MOST_PARTS = 1000 };

typedef struct {
    double ti, wb, q, rate; /* N.m, rad/s, N.m, N.m/s; what a step integrates, and the energy given to the shaft, J */
    double energy;
} cp_inside;

typedef struct {
    double speed, speed_slope, pedal, cut;
    double torque, torque_shaft, torque_clean, energy, torque_demand;
    double time;
    double inertia, lag, air_lag, drag, friction, ecu_period, filter_delay, noise_amplitude, quantum, torque_start;
    double inner_step;
    int32_t engaged, noise_seed, extrapolation;
    cp_inside at;
    double start; /* s */
    double asked; /* demands so far, less one */
    double before; /* speed at the start of the step before, rad/s */
    double lasted; /* that step, s; 0: there was none */
} cp_state;

#include "variables.h"

static const double cp_full_speed[CP_POINTS] = {80.0, 105.0, 150.0, 180.0, 400.0, 520.0, 600.0};    /* rad/s */
static const double cp_full_torque[CP_POINTS] = {80.0, 95.0, 175.0, 220.0, 220.0, 190.0, 150.0}; /* N.m */

/* largest torque of the engine at a speed, N.m */
static double cp_most(double speed)
{
    if (!(speed > cp_full_speed[0])) {
        return cp_full_torque[0];
    }
    for (int i = 1; i < CP_POINTS; i++) {
        if (speed < cp_full_speed[i]) {
            const double share = (speed - cp_full_speed[i - 1]) / (cp_full_speed[i] - cp_full_speed[i - 1]);
            return cp_full_torque[i - 1] + share * (cp_full_torque[i] - cp_full_torque[i - 1]);
        }
    }
    return cp_full_torque[CP_POINTS - 1];
}

static double cp_shaft(const cp_state *s, const cp_inside *at, double speed)
{
    return at->ti - s->drag - s->friction * at->wb - s->inertia * (speed - at->wb) / s->lag;
}

/* number of the period of the engine's control unit in which t lies */
static double cp_sample(const cp_state *s, double t)
{
    return cp_floor((t > s->start ? t - s->start : 0.0) / s->ecu_period + 1e-6);
}

/* what disturbs the measurement at t, N.m: tones of random phases; white noise that stays for a period */
static double cp_disturbance(const cp_state *s, double t)
{
    const uint64_t seed = (uint64_t)s->noise_seed;
    double sum = 0.0;
    double cosine = 1.0;
    double sine = 0.0;
    if (!(s->noise_amplitude > 0.0)) {
        return 0.0;
    }
    for (uint64_t i = 0; i < CP_TONES; i++) {
        const double frequency = 30.0 + 25.0 * ((double)i + 0.5) / CP_TONES;
        cp_rotation(frequency * (t - s->start) / cp_two_pi + cp_uniform(seed, i, 0), &cosine, &sine);
        sum += cosine;
    }
    const double sample = cp_sample(s, t);
    const uint64_t n = sample < 1e15 ? (uint64_t)sample : 0; /* beyond: nothing is resolved */
    cp_rotation(cp_uniform(seed, n, 1), &cosine, &sine);
    const double white = sqrt(-2.0 * cp_log_of(cp_uniform(seed, n, 2))) * cosine; /* Box and Muller */
    return s->noise_amplitude * (sum * sqrt(2.0 / CP_TONES) + 0.1 * white);
}

static void cp_show(cp_state *s, double speed, double t)
{
    s->energy = s->at.energy;
    s->torque_shaft = cp_shaft(s, &s->at, speed);
    s->torque_clean = s->filter_delay > 0.0 ? s->at.q : s->torque_shaft;
    s->torque = s->torque_clean + cp_disturbance(s, t);
    if (s->quantum > 0.0) {
        const double steps = s->torque / s->quantum;
        s->torque = s->quantum * (steps < 0.0 ? -cp_floor(0.5 - steps) : cp_floor(0.5 + steps));
    }
}

static void cp_outputs(void *memory, const void *binding, double t, bool running)
{
    cp_state *const s = (cp_state *)memory;
    (void)binding;
    if (running) {
        return;
    }
    s->start = t;
    s->at = (cp_inside){s->torque_start + s->drag + s->friction * s->speed, s->speed, s->torque_start, 0.0, 0.0};
    s->torque_demand = s->at.ti;
    s->asked = -1.0;
    s->before = s->lasted = 0.0;
    cp_show(s, s->speed, t);
}

static cp_inside cp_rates(const cp_state *s, const cp_inside *at, double speed)
{
    const double shaft = cp_shaft(s, at, speed);
    const double w = s->filter_delay > 0.0 ? sqrt(2.0) / s->filter_delay : 0.0;
    return (cp_inside){
        .ti = (s->torque_demand - at->ti) / s->air_lag,
        .wb = (speed - at->wb) / s->lag,
        .q = at->rate,
        .rate = w * w * (shaft - at->q) - sqrt(2.0) * w * at->rate,
        .energy = shaft * speed,
    };
}

static cp_inside cp_moved(const cp_inside *at, const cp_inside *by, double h)
{
    return (cp_inside){at->ti + h * by->ti, at->wb + h * by->wb, at->q + h * by->q, at->rate + h * by->rate,
                       at->energy + h * by->energy};
}

/* the control unit asks for a torque once in each of its periods */
static void cp_ask(cp_state *s, double t)
{
    const double sample = cp_sample(s, t);
    if (sample > s->asked) {
        s->asked = sample;
        s->torque_demand =
            s->engaged ? s->pedal * cp_most(s->at.wb) * s->cut : s->drag + s->friction * s->at.wb + 3.0;
    }
}

/* rate of change of speed over the step that begins, rad/s^2 */
static double cp_slope(const cp_state *s)
{
    if (s->speed_slope > -CP_UNLIMITED) {
        return s->speed_slope;
    }
    return s->extrapolation && s->lasted > 0.0 ? (s->speed - s->before) / s->lasted : 0.0;
}

static cp_status cp_move(void *memory, const void *binding, cp_step *step)
{
    cp_state *const s = (cp_state *)memory;
    const double most = step->h / s->inner_step - 1e-6;
    const int parts = most < CP_MOST_PARTS - 1.0 ? (int)most + 1 : CP_MOST_PARTS;
    const double h = step->h / parts;
    const double slope = cp_slope(s);
    (void)binding;
    for (int i = 0; i < parts; i++) {
        const double speed[2] = {s->speed + slope * i * h, s->speed + slope * (i + 1) * h};
        cp_ask(s, step->t + i * h);
        const cp_inside before = cp_rates(s, &s->at, speed[0]);
        const cp_inside guess = cp_moved(&s->at, &before, h);
        const cp_inside after = cp_rates(s, &guess, speed[1]);
        const cp_inside half = cp_moved(&s->at, &before, 0.5 * h);
        s->at = cp_moved(&half, &after, 0.5 * h);
    }
    cp_show(s, s->speed + slope * step->h, step->t + step->h);
    s->before = s->speed;
    s->lasted = step->h;
    return cp_ended(cp_finite(s->torque) && cp_finite(s->energy) && cp_finite(s->at.wb), step);
}

static const cp_event cp_events[] = {CP_MOTION_EVENTS};

static const cp_model cp_this_model = {
    .name = "engine_bench",
    .variables = cp_variables,
    .n_variables = CP_N_VARIABLES,
    .events = cp_events,
    .n_events = 1,
    .state_size = sizeof(cp_state),
    .time = offsetof(cp_state, time),
    .finish = cp_begin,
    .step = cp_move,
    .refresh = cp_outputs,
};
