/* A hydraulic cylinder: chambers 1 and 2 with pressures p1, p2 at both sides of a piston, fed through a valve whose
   spool is at g. With the length s of the cylinder, v = s', and its force f, which makes it longer

       f = area (p2 - p1) - damping v
       p1' = B(p1)/(area l1) (area v + q(g, supply - p1) - q(1 - g, p1 - tank)),    l1 = stroke/2 + length - s
       p2' = B(p2)/(area l2) (-area v + q(1 - g, supply - p2) - q(g, p2 - tank)),   l2 = stroke/2 + s - length
       q(g, p) = g valve.area valve.discharge sqrt(2 p/density) for p > 0, else 0
       B(p) = (1 + a p + b p^2)/(a + 2 b p)

   Forward Euler in equal parts of the communication step. Over it s and v follow their slopes, where the importer gives
   some, else the line through their last two values; f has v as it was in the last part. Equations and values:
   Rodriguez et al., Energy-based monitoring and correction to enhance the accuracy and stability of explicit co-simulation,
   Multibody System Dynamics 55, 2022, section 4.4. */
#include <math.h>

#include "model.h"

#include "motion.h"
#include "rotation.h"

typedef struct {
    double v, s, v_slope, s_slope;
    double f, p[2], spool;
    double time;
    double area, stroke, length, damping, density, fluid_a, fluid_b, pressure_supply, pressure_tank;
    double valve_area, valve_discharge, spool_start, spool_amplitude, spool_frequency;
    int32_t parts, extrapolation;
    double start; /* s */
    double before[2]; /* s and v at the start of the step before */
    double lasted;    /* that step, s; 0: there was none */
} cp_state;

#include "variables.h"

/* position of the spool, t after the start: the maneuver grows and ends in a second each and lasts nine */
static double cp_spool(const cp_state *s, double t)
{
    const double share = t < 1.0 ? t : t < 8.0 ? 1.0 : t < 9.0 ? 9.0 - t : 0.0;
    double cosine = 1.0;
    double sine = 0.0;
    cp_rotation(s->spool_frequency * t, &cosine, &sine);
    return s->spool_start * (1.0 - s->spool_amplitude * share * sine);
}

/* flow through a valve that is open to the share g under a pressure p, m^3/s */
static double cp_through(const cp_state *s, double g, double p)
{
    return p > 0.0 ? g * s->valve_area * s->valve_discharge * sqrt(2.0 * p / s->density) : 0.0;
}

/* rise of the pressure in a chamber of the length l into which `flow` goes, Pa/s */
static double cp_rise(const cp_state *s, double p, double l, double flow)
{
    return (1.0 + s->fluid_a * p + s->fluid_b * p * p) / (s->fluid_a + 2.0 * s->fluid_b * p) / (s->area * l) * flow;
}

enum { CP_AT_ITS_END = 2 };

/* pressures h later */
static void cp_flow_in(cp_state *s, double length, double v, double spool, double h)
{
    const double middle = 0.5 * s->stroke;
    const double supply = s->pressure_supply;
    const double tank = s->pressure_tank;
    const double from_pump[2] = {cp_through(s, spool, supply - s->p[0]), cp_through(s, 1.0 - spool, supply - s->p[1])};
    const double to_tank[2] = {cp_through(s, 1.0 - spool, s->p[0] - tank), cp_through(s, spool, s->p[1] - tank)};
    const double moved = s->area * v;
    s->p[0] += h * cp_rise(s, s->p[0], middle + s->length - length, from_pump[0] - to_tank[0] + moved);
    s->p[1] += h * cp_rise(s, s->p[1], middle + length - s->length, from_pump[1] - to_tank[1] - moved);
}

static double cp_force(const cp_state *s, double v)
{
    return s->area * (s->p[1] - s->p[0]) - s->damping * v;
}

/* nothing flows on the whole: what comes in through the one side of the valve leaves through the other */
static void cp_rest(cp_state *s)
{
    const double open = s->spool_start * s->spool_start;
    const double closed = (1.0 - s->spool_start) * (1.0 - s->spool_start);
    s->p[0] = (open * s->pressure_supply + closed * s->pressure_tank) / (open + closed);
    s->p[1] = s->pressure_supply + s->pressure_tank - s->p[0];
    s->spool = s->spool_start;
}

static void cp_outputs(void *memory, const void *binding, double t, bool running)
{
    cp_state *const s = (cp_state *)memory;
    (void)binding;
    (void)t;
    if (!running) {
        cp_rest(s);
    }
    s->f = cp_force(s, s->v);
}

static bool cp_begin(void *memory, const void *binding, double t0, cp_reason *why)
{
    *why = (cp_reason){"pressure.supply is below pressure.tank"};
    cp_outputs(memory, binding, t0, false);
    ((cp_state *)memory)->start = t0;
    return ((cp_state *)memory)->pressure_supply >= ((cp_state *)memory)->pressure_tank;
}

/* rate of change of an input over the step that begins */
static double cp_slope(const cp_state *s, double given, double value, double before)
{
    if (given > -CP_UNLIMITED) {
        return given;
    }
    return s->extrapolation && s->lasted > 0.0 ? (value - before) / s->lasted : 0.0;
}

static cp_status cp_move(void *memory, const void *binding, cp_step *step)
{
    cp_state *const s = (cp_state *)memory;
    const double h = step->h / s->parts;
    const double s_slope = cp_slope(s, s->s_slope, s->s, s->before[0]);
    const double v_slope = cp_slope(s, s->v_slope, s->v, s->before[1]);
    const double t = step->t - s->start;
    (void)binding;
    for (int32_t i = 0; i < s->parts; i++) {
        const double since = i * h;
        const double length = s->s + s_slope * since;
        if (!(2.0 * (length - s->length) < s->stroke && 2.0 * (s->length - length) < s->stroke)) {
            step->events |= CP_AT_ITS_END;
            return CP_ERROR;
        }
        cp_flow_in(s, length, s->v + v_slope * since, cp_spool(s, t + since), h);
    }
    s->f = cp_force(s, s->v + v_slope * (s->parts - 1) * h);
    s->spool = cp_spool(s, t + step->h);
    s->before[0] = s->s;
    s->before[1] = s->v;
    s->lasted = step->h;
    return cp_ended(cp_finite(s->f) && cp_finite(s->p[0]) && cp_finite(s->p[1]), step);
}

static const cp_event cp_events[] = {
    {CP_ERROR, "model", "the pressures are no longer finite"},
    {CP_ERROR, "model", "the piston is at an end of the cylinder: s is not within half of stroke from length"},
};

static const cp_model cp_this_model = {
    .name = "crane_cylinder",
    .variables = cp_variables,
    .n_variables = CP_N_VARIABLES,
    .events = cp_events,
    .n_events = sizeof cp_events / sizeof *cp_events,
    .state_size = sizeof(cp_state),
    .time = offsetof(cp_state, time),
    .finish = cp_begin,
    .step = cp_move,
    .refresh = cp_outputs,
};
