/* A vehicle with two clutches, whose engine runs elsewhere: w_e is the speed of the clutches on the engine's side, w_d that
   of the gearbox at its output, x the twist of the shafts, w_w the speed of the wheels, v = radius w_w.

       clutch.inertia w_e' = o torque - T1 - T2 - coast,    Tj = Cj(t) sat((w_e - ratio_j w_d)/clutch.slip)
       gearbox_inertia w_d' = efficiency (ratio_1 T1 + ratio_2 T2) - Ts,    Ts = stiffness x + damping x',  x' = w_d - w_w
       (mass radius^2 + wheel_inertia) w_w' = Ts + machine - radius (mass gravity rolling + density/2 drag_area v^2)
       pedal' = (sat(u) - pedal)/driver.lag,    u = gain e + I,  I' = integral e while 0 < u < 1,  e = v_ref - v

   At shift.start clutch 1 opens and clutch 2 closes; at `release` all opens, and an electric machine holds the speed.
   Linearly implicit with two stages (ROS2; Verwer et al., SIAM J. Sci. Comput. 20, 1999) in equal parts of the
   communication step, none longer than inner_step; torque follows its slope. Equations after Baumann et al. 2024,
   figure 6.3; the parameters are those of a compact car. */
#include "model.h"

#include "begin.h"
#include "motion.h"

/* places in the state that is integrated; the first CP_STIFF are solved implicitly */
enum { CP_E, CP_D, CP_TWIST, CP_W, CP_STIFF, CP_INTEGRAL = CP_STIFF, CP_PEDAL, CP_WAY, CP_ENERGY, CP_ALL };

enum { CP_POINTS = 8, CP_COPIES = 5, CP_MOST_PARTS = 1000 };

typedef struct {
    double torque, torque_slope;
    double speed, pedal, cut, v, v_ref, distance, energy;
    double time;
    double mass, radius, drag_area, rolling, density, gravity, wheel_inertia, ratio_1, ratio_2, efficiency;
    double shaft_stiffness, shaft_damping, gearbox_inertia, clutch_inertia, clutch_torque, clutch_slip;
    double driver_gain, driver_integral, driver_lag, shift_start, shift_torque_phase, shift_inertia_phase;
    double shift_reduction, release, v_start, pedal_start, inner_step;
    int32_t engaged;
    double x[CP_ALL];
    double start; /* s */
} cp_state;

#include "variables.h"

static const double cp_moment[CP_POINTS] = {0.0, 0.6, 3.0, 5.6, 6.0, 7.9, 9.0, 12.5};           /* s */
static const double cp_wanted[CP_POINTS] = {8.6, 8.6, 12.1, 12.9, 12.95, 15.2, 15.4, 15.2}; /* m/s */

/* where clutches and gearbox are at a time */
typedef struct {
    double open[2]; /* largest torque of each clutch, N.m */
    double cut;     /* share of the demand that is left */
    double o;       /* share of the engine that is connected */
} cp_gear;

static double cp_clip(double x, double low, double high)
{
    return x < low ? low : x > high ? high : x;
}

static double cp_course(double t)
{
    for (int i = 1; i < CP_POINTS; i++) {
        if (t < cp_moment[i]) {
            const double share = cp_clip((t - cp_moment[i - 1]) / (cp_moment[i] - cp_moment[i - 1]), 0.0, 1.0);
            return cp_wanted[i - 1] + share * (cp_wanted[i] - cp_wanted[i - 1]);
        }
    }
    return cp_wanted[CP_POINTS - 1];
}

/* speed that the driver wants, m/s: corners are rounded */
static double cp_target(double t)
{
    double sum = 0.0;
    for (int i = 0; i < CP_COPIES; i++) {
        sum += cp_course(t + 0.15 * (i - CP_COPIES / 2));
    }
    return sum / CP_COPIES;
}

static cp_gear cp_geared(const cp_state *s, double t)
{
    const double a = cp_clip((t - s->shift_start) / s->shift_torque_phase, 0.0, 1.0);
    const double since = t - s->shift_start - s->shift_torque_phase;
    const double b = cp_clip(since / s->shift_inertia_phase, 0.0, 1.0);
    const double o = 1.0 - cp_clip((t - s->release) / 0.08, 0.0, 1.0);
    const double second = b < 1.0 ? 0.45 * a + 0.55 * cp_clip((b - 0.6) / 0.4, 0.0, 1.0) : 1.0;
    return (cp_gear){
        .open = {(1.0 - a) * s->clutch_torque, o * second * s->clutch_torque},
        .cut = a > 0.0 && b < 1.0 ? 1.0 - s->shift_reduction : 1.0,
        .o = o,
    };
}

/* torque at the wheels that a speed needs, N.m */
static double cp_resistance(const cp_state *s, double v)
{
    return s->radius * (s->mass * s->gravity * s->rolling + 0.5 * s->density * s->drag_area * v * v);
}

static void cp_rates(const cp_state *s, const double x[CP_ALL], double t, double torque, double rate[CP_ALL])
{
    const cp_gear gear = cp_geared(s, t);
    const bool released = gear.o <= 0.5;
    const double v = s->radius * x[CP_W];
    const double e = cp_target(t) - v;
    const double u = s->driver_gain * e + x[CP_INTEGRAL];
    const double t1 = gear.open[0] * cp_clip((x[CP_E] - s->ratio_1 * x[CP_D]) / s->clutch_slip, -1.0, 1.0);
    const double t2 = gear.open[1] * cp_clip((x[CP_E] - s->ratio_2 * x[CP_D]) / s->clutch_slip, -1.0, 1.0);
    const double shafts = s->shaft_stiffness * x[CP_TWIST] + s->shaft_damping * (x[CP_D] - x[CP_W]);
    const double coast = released ? (x[CP_E] - 90.0) / 10.0 : 0.0;
    const double machine = released ? cp_clip(900.0 * e + cp_resistance(s, s->v_start), -600.0, 600.0) : 0.0;
    const double inertia = s->mass * s->radius * s->radius + s->wheel_inertia;
    rate[CP_E] = (gear.o * torque - t1 - t2 - coast) / s->clutch_inertia;
    rate[CP_D] = (s->efficiency * (s->ratio_1 * t1 + s->ratio_2 * t2) - shafts) / s->gearbox_inertia;
    rate[CP_TWIST] = x[CP_D] - x[CP_W];
    rate[CP_W] = (shafts + machine - cp_resistance(s, v)) / inertia;
    rate[CP_INTEGRAL] = u > 0.0 && u < 1.0 ? s->driver_integral * e : 0.0;
    rate[CP_PEDAL] = (cp_clip(u, 0.0, 1.0) - x[CP_PEDAL]) / s->driver_lag;
    rate[CP_WAY] = v;
    rate[CP_ENERGY] = gear.o * torque * x[CP_E];
}

/* derivatives of the stiff rates by their own states */
static void cp_jacobian(const cp_state *s, double t, double j[CP_STIFF][CP_STIFF])
{
    const cp_gear gear = cp_geared(s, t);
    const double ratio[2] = {s->ratio_1, s->ratio_2};
    const double inertia = s->mass * s->radius * s->radius + s->wheel_inertia;
    memset(j, 0, CP_STIFF * sizeof *j);
    for (int i = 0; i < 2; i++) {
        const double slip = s->x[CP_E] - ratio[i] * s->x[CP_D];
        const double g = slip > -s->clutch_slip && slip < s->clutch_slip ? gear.open[i] / s->clutch_slip : 0.0;
        j[CP_E][CP_E] -= g / s->clutch_inertia;
        j[CP_E][CP_D] += g * ratio[i] / s->clutch_inertia;
        j[CP_D][CP_E] += s->efficiency * g * ratio[i] / s->gearbox_inertia;
        j[CP_D][CP_D] -= s->efficiency * g * ratio[i] * ratio[i] / s->gearbox_inertia;
    }
    j[CP_D][CP_D] -= s->shaft_damping / s->gearbox_inertia;
    j[CP_D][CP_TWIST] = -s->shaft_stiffness / s->gearbox_inertia;
    j[CP_D][CP_W] = s->shaft_damping / s->gearbox_inertia;
    j[CP_TWIST][CP_D] = 1.0;
    j[CP_TWIST][CP_W] = -1.0;
    j[CP_W][CP_D] = s->shaft_damping / inertia;
    j[CP_W][CP_TWIST] = s->shaft_stiffness / inertia;
    j[CP_W][CP_W] = -s->shaft_damping / inertia;
}

/* b becomes the solution k of (1 - c j) k = b */
static void cp_solve(double j[CP_STIFF][CP_STIFF], double c, double b[CP_ALL])
{
    double m[CP_STIFF][CP_STIFF];
    for (int i = 0; i < CP_STIFF; i++) {
        for (int n = 0; n < CP_STIFF; n++) {
            m[i][n] = (i == n ? 1.0 : 0.0) - c * j[i][n];
        }
    }
    for (int i = 0; i < CP_STIFF; i++) {
        for (int row = i + 1; row < CP_STIFF; row++) {
            const double share = m[row][i] / m[i][i];
            for (int n = i; n < CP_STIFF; n++) {
                m[row][n] -= share * m[i][n];
            }
            b[row] -= share * b[i];
        }
    }
    for (int i = CP_STIFF - 1; i >= 0; i--) {
        for (int n = i + 1; n < CP_STIFF; n++) {
            b[i] -= m[i][n] * b[n];
        }
        b[i] /= m[i][i];
    }
}

/* k1 = f(x) + c J k1, k2 = f(x + h k1) - 2 k1 + c J k2, x + h (3 k1 + k2)/2, with c = (1 - sqrt(1/2)) h */
static void cp_advance(cp_state *s, double t, double h, double torque)
{
    const double c = 0.29289321881345254 * h;
    double j[CP_STIFF][CP_STIFF];
    double k1[CP_ALL];
    double k2[CP_ALL];
    double x[CP_ALL];
    cp_jacobian(s, t, j);
    cp_rates(s, s->x, t, torque, k1);
    cp_solve(j, c, k1);
    for (int i = 0; i < CP_ALL; i++) {
        x[i] = s->x[i] + h * k1[i];
    }
    cp_rates(s, x, t + h, torque + s->torque_slope * h, k2);
    for (int i = 0; i < CP_ALL; i++) {
        k2[i] -= 2.0 * k1[i];
    }
    cp_solve(j, c, k2);
    for (int i = 0; i < CP_ALL; i++) {
        s->x[i] += h * (1.5 * k1[i] + 0.5 * k2[i]);
    }
}

static void cp_show(cp_state *s, double t)
{
    const cp_gear gear = cp_geared(s, t);
    s->speed = s->x[CP_E];
    s->pedal = s->x[CP_PEDAL];
    s->cut = gear.cut;
    s->engaged = gear.o > 0.5;
    s->v = s->radius * s->x[CP_W];
    s->v_ref = cp_target(t);
    s->distance = s->x[CP_WAY];
    s->energy = s->x[CP_ENERGY];
}

/* everything turns at the speed that v.start is, and nothing accelerates */
static void cp_rest(cp_state *s)
{
    const double load = cp_resistance(s, s->v_start);
    const double torque = load / (s->ratio_1 * s->efficiency);
    memset(s->x, 0, sizeof s->x);
    s->x[CP_W] = s->x[CP_D] = s->v_start / s->radius;
    s->x[CP_TWIST] = load / s->shaft_stiffness;
    s->x[CP_E] = s->ratio_1 * s->x[CP_D] + s->clutch_slip * torque / s->clutch_torque;
    s->x[CP_INTEGRAL] = s->x[CP_PEDAL] = s->pedal_start;
}

static void cp_outputs(void *memory, const void *binding, double t, bool running)
{
    cp_state *const s = (cp_state *)memory;
    (void)binding;
    if (!running) {
        s->start = t;
        cp_rest(s);
        cp_show(s, 0.0);
    }
}

static cp_status cp_move(void *memory, const void *binding, cp_step *step)
{
    cp_state *const s = (cp_state *)memory;
    const double most = cp_clip(step->h / s->inner_step - 1e-6, 0.0, CP_MOST_PARTS - 1.0);
    const int parts = (int)most + 1;
    const double h = step->h / parts;
    bool finite = true;
    (void)binding;
    for (int i = 0; i < parts; i++) {
        cp_advance(s, step->t - s->start + i * h, h, s->torque + s->torque_slope * i * h);
    }
    cp_show(s, step->t - s->start + step->h);
    for (int i = 0; i < CP_ALL; i++) {
        finite = finite && cp_finite(s->x[i]);
    }
    return cp_ended(finite, step);
}

static const cp_event cp_events[] = {CP_MOTION_EVENTS};

static const cp_model cp_this_model = {
    .name = "hybrid_vehicle",
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
