/* One mass on a spring and a damper, under a force that is linear over the step and a raised-cosine pulse:

       m x'' = -c x - d x' + u(t) + p(t)
       u = value + slope (t - t_0),   p = amplitude/2 (1 - cos 2 pi (t - start)/period)

   Integrated exactly: the forces join the state, so that one exponential gives the motion after any time. */
#ifndef CP_MASS_H
#define CP_MASS_H

#include "model.h"

#include "exponential.h"
#include "motion.h"
#include "rotation.h"

typedef struct {
    double x; /* m */
    double v; /* m/s */
} cp_motion;

typedef struct {
    double m; /* kg */
    double c; /* N/m */
    double d; /* N.s/m */
} cp_body;

typedef struct {
    double value; /* N */
    double slope; /* N/s */
} cp_ramp;

typedef struct {
    double amplitude; /* N */
    double start;     /* s */
    double period;    /* s */
} cp_pulse;

enum { CP_X, CP_V, CP_FORCE, CP_SLOPE, CP_COS, CP_SIN };

/* Motion and forces on a smooth part of the step, dz/dt = a z with z = x, v, force without the cosine, its slope,
   -amplitude/2 cos, amplitude/2 sin. */
typedef struct {
    cp_matrix a;
    double z[CP_DIM];
    double left; /* of the part, s */
} cp_flow;

/* length of the part of [t, t + h] inside which the pulse neither begins nor ends */
static double cp_smooth_part(const cp_pulse *pulse, double t, double h)
{
    const double until_start = pulse->start - t;
    const double until_end = pulse->start + pulse->period - t;
    if (pulse->amplitude == 0.0) {
        return h;
    }
    if (until_start > 0.0 && until_start < h) {
        return until_start;
    }
    return until_end > 0.0 && until_end < h ? until_end : h;
}

static void cp_add_pulse(cp_flow *flow, const cp_body *body, const cp_pulse *pulse, double t)
{
    const double turns = (t - pulse->start) / pulse->period;
    const double middle = turns + 0.5 * flow->left / pulse->period;
    const double w = cp_two_pi / pulse->period;
    double cosine = 1.0;
    double sine = 0.0;
    if (pulse->amplitude == 0.0 || middle <= 0.0 || middle >= 1.0) {
        return;
    }
    cp_rotation(turns < 0.0 ? 0.0 : turns > 1.0 ? 1.0 : turns, &cosine, &sine);
    flow->z[CP_FORCE] += 0.5 * pulse->amplitude;
    flow->z[CP_COS] = -0.5 * pulse->amplitude * cosine;
    flow->z[CP_SIN] = 0.5 * pulse->amplitude * sine;
    flow->a.a[CP_V][CP_COS] = 1.0 / body->m;
    flow->a.a[CP_COS][CP_SIN] = w;
    flow->a.a[CP_SIN][CP_COS] = -w;
}

/* the flow over the first smooth part of [t, t + h] */
static cp_flow cp_flow_from(const cp_body *body, const cp_pulse *pulse, cp_motion motion, cp_ramp u, double t, double h)
{
    cp_flow flow = {.z = {motion.x, motion.v, u.value, u.slope}, .left = cp_smooth_part(pulse, t, h)};
    flow.a.a[CP_X][CP_V] = 1.0;
    flow.a.a[CP_V][CP_X] = -body->c / body->m;
    flow.a.a[CP_V][CP_V] = -body->d / body->m;
    flow.a.a[CP_V][CP_FORCE] = 1.0 / body->m;
    flow.a.a[CP_FORCE][CP_SLOPE] = 1.0;
    cp_add_pulse(&flow, body, pulse, t);
    return flow;
}

/* Move a mass over a whole step; `move` takes it to the end of each smooth part. */
static cp_motion cp_advance(const cp_body *body, const cp_pulse *pulse, cp_motion motion, cp_ramp u,
                            const cp_step *step, void (*move)(cp_flow *flow, void *memory), void *memory)
{
    double t = step->t;
    for (double h = step->h; h > 0.0;) {
        cp_flow flow = cp_flow_from(body, pulse, motion, u, t, h);
        const double part = flow.left;
        move(&flow, memory);
        motion = (cp_motion){flow.z[CP_X], flow.z[CP_V]};
        u.value += u.slope * part;
        t += part;
        h = part < h ? h - part : 0.0;
    }
    return motion;
}

static cp_status cp_motion_status(cp_motion motion, cp_step *step)
{
    return cp_ended(cp_finite(motion.x) && cp_finite(motion.v), step);
}

#endif
