/* First half of the two-mass oscillator with a stop on one side: m1 x1'' = -c1 x1 - d1 v1 + f + force, x1 >= stop.

   Hits are found by going forward only as far as a bound on the acceleration proves that there is none (conservative
   advancement): no hit is missed, however short, and the last of these steps are those of Newton's method. */
#include "model.h"

#include <math.h>

#include "mass.h"

typedef struct {
    double f, f_slope;
    double x1, v1;
    double time;
    double m1, c1, d1, force_amplitude, force_start, force_period, x1_start, v1_start, stop_position, stop_restitution;
    int32_t hits, resting;
} cp_state;

#include "variables.h"

#include "mass_1.h"

enum { CP_TOO_MANY = 2, CP_MOST_ADVANCES = 50000 };

static const cp_event cp_events[] = {
    CP_MOTION_EVENTS,
    {CP_WARNING, "model", "so many hits within one step that the mass was put to rest"},
};

static const double cp_instant = 1e-13;   /* s, resolution of events */
static const double cp_rest_speed = 1e-6; /* m/s, a slower rebound onto a pressed stop is none */

/* what a move works on */
typedef struct {
    cp_state *s;
    cp_flow *flow;
    int advances; /* since the start of the step */
} cp_contact;

static double cp_abs(double x)
{
    return x < 0.0 ? -x : x;
}

static double cp_acceleration(const cp_flow *flow)
{
    double sum = 0.0;
    for (size_t j = 0; j < CP_DIM; j++) {
        sum += flow->a.a[CP_V][j] * flow->z[j];
    }
    return sum;
}

/* bounds on acceleration and its rate over the next h seconds, for (c/m) h^2 + (d/m) h <= 1/2 */
static void cp_bounds(const cp_state *s, const cp_flow *flow, double h, double *a, double *jerk)
{
    const double *const z = flow->z;
    const double pulse = flow->a.a[CP_COS][CP_SIN] > 0.0 ? cp_abs(s->force_amplitude) : 0.0;
    const double force = cp_abs(z[CP_FORCE]) + cp_abs(z[CP_SLOPE]) * h + pulse;
    const double now = (s->c1 * cp_abs(z[CP_X]) + s->d1 * cp_abs(z[CP_V]) + force) / s->m1;
    *a = 2.0 * (now + s->c1 / s->m1 * h * cp_abs(z[CP_V]));
    const double speed = cp_abs(z[CP_V]) + *a * h;
    const double rate = cp_abs(z[CP_SLOPE]) + pulse * flow->a.a[CP_COS][CP_SIN];
    *jerk = (s->c1 * speed + s->d1 * *a + rate) / s->m1;
}

static double cp_horizon(const cp_state *s, double left)
{
    const double by_spring = s->c1 > 0.0 ? 0.5 * sqrt(s->m1 / s->c1) : left;
    const double by_damper = s->d1 > 0.0 ? 0.25 * s->m1 / s->d1 : left;
    const double h = by_spring < by_damper ? by_spring : by_damper;
    return h < left ? h : left;
}

static void cp_go(cp_contact *contact, double h)
{
    cp_flow *const flow = contact->flow;
    cp_propagate(&flow->a, h, flow->z);
    flow->left = h < flow->left ? flow->left - h : 0.0;
    contact->advances++;
}

static void cp_lie(cp_contact *contact)
{
    contact->s->resting = 1;
    contact->flow->z[CP_X] = contact->s->stop_position;
    contact->flow->z[CP_V] = 0.0;
}

static void cp_hit(cp_contact *contact)
{
    cp_state *const s = contact->s;
    double *const z = contact->flow->z;
    s->hits += s->hits < INT32_MAX;
    z[CP_X] = s->stop_position;
    z[CP_V] *= -s->stop_restitution;
    if (z[CP_V] < cp_rest_speed && cp_acceleration(contact->flow) <= 0.0) {
        cp_lie(contact);
    }
}

/* smallest positive root of gap + v t - a t^2/2, at most h; the form without cancellation for each sign of v */
static double cp_sure(double gap, double v, double a, double h)
{
    const double root = sqrt(v * v + 2.0 * a * gap);
    if (v < 0.0) {
        return 2.0 * gap / (root - v);
    }
    return v + root < a * h ? (v + root) / a : h;
}

/* free motion until the next hit, or as far as can be seen */
static void cp_fly(cp_contact *contact)
{
    cp_flow *const flow = contact->flow;
    const double h = cp_horizon(contact->s, flow->left);
    const double gap = flow->z[CP_X] - contact->s->stop_position;
    const double v = flow->z[CP_V];
    const double now = cp_acceleration(flow);
    double a = 0.0;
    double jerk = 0.0;
    cp_bounds(contact->s, flow, h, &a, &jerk);
    double safe = cp_sure(gap > 0.0 ? gap : 0.0, v, a, h);
    if (v >= 0.0 && 3.0 * now > safe * jerk) {
        safe = jerk > 0.0 ? 3.0 * now / jerk : h; /* root of now t^2/2 - jerk t^3/6 */
    }
    if (v < 0.0 && safe < cp_instant) {
        cp_hit(contact);
    } else if (v == 0.0 && gap <= 0.0 && now <= 0.0) {
        cp_lie(contact);
    } else {
        safe = safe > cp_instant ? safe : cp_instant;
        cp_go(contact, safe < h ? safe : h);
    }
}

/* at the stop until the forces pull away from it; positions stand still, forces go on */
static void cp_rest(cp_contact *contact)
{
    cp_flow *const flow = contact->flow;
    const cp_state *const s = contact->s;
    const double now = cp_acceleration(flow);
    double a = 0.0;
    double jerk = 0.0;
    if (now > 0.0) {
        contact->s->resting = 0;
        return;
    }
    const cp_state still = {.m1 = s->m1, .force_amplitude = s->force_amplitude};
    cp_bounds(&still, flow, 0.0, &a, &jerk);
    const double sure = jerk > 0.0 ? -now / jerk : flow->left;
    const double h = sure > cp_instant ? sure : cp_instant;
    cp_go(contact, h < flow->left ? h : flow->left);
    cp_lie(contact);
}

static void cp_move_with_stop(cp_flow *flow, void *memory)
{
    cp_contact *const contact = (cp_contact *)memory;
    contact->flow = flow;
    while (flow->left > 0.0 && flow->z[CP_X] - flow->z[CP_X] == 0.0) {
        if (contact->advances >= CP_MOST_ADVANCES) {
            cp_lie(contact);
            return;
        }
        if (contact->s->resting != 0) {
            cp_rest(contact);
        } else {
            cp_fly(contact);
        }
    }
}

static bool cp_begin(void *memory, const void *binding, double t0, cp_reason *why)
{
    cp_state *const s = (cp_state *)memory;
    (void)binding;
    (void)t0;
    cp_place(s);
    *why = (cp_reason){"x1.start is below stop.position"};
    return s->x1 >= s->stop_position;
}

/* What a state from a file needs besides values in their ranges. */
static bool cp_can_go_on(const void *memory, const void *binding, bool running, cp_reason *why)
{
    const cp_state *const s = (const cp_state *)memory;
    (void)binding;
    (void)running;
    *why = (cp_reason){"its number of hits, or whether it rests, is none"};
    return s->hits >= 0 && (s->resting == 0 || s->resting == 1);
}

static cp_status cp_move(void *memory, const void *binding, cp_step *step)
{
    cp_state *const s = (cp_state *)memory;
    cp_contact contact = {s, NULL, 0};
    (void)binding;
    const cp_status status = cp_push(s, step, cp_move_with_stop, &contact);
    step->events |= contact.advances >= CP_MOST_ADVANCES ? CP_TOO_MANY : 0;
    return status;
}

static const cp_model cp_this_model = {
    .name = "mass_1_stop",
    .variables = cp_variables,
    .n_variables = CP_N_VARIABLES,
    .events = cp_events,
    .n_events = 2,
    .state_size = sizeof(cp_state),
    .time = offsetof(cp_state, time),
    .sound = cp_can_go_on,
    .finish = cp_begin,
    .step = cp_move,
    .refresh = cp_outputs,
};
