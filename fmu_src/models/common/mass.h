/* One mass on a spring and a damper, under a force that is linear over the step and a raised-cosine pulse:

       m x'' = -c x - d x' + u(t) + p(t),   u = value + slope (t - t_0),   p = amplitude/2 (1 - cos 2 pi (t - start)/period)

   Integrated exactly: the forces join the state, so that one matrix exponential gives the motion after any step. */
#ifndef CP_MASS_H
#define CP_MASS_H

#include <stddef.h>

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

enum { CP_DIM = 6 }; /* x, v, u, du/dt, -cos and sin part of the pulse; its constant part joins u */

typedef struct {
    double a[CP_DIM][CP_DIM];
} cp_matrix;

static const double cp_two_pi = 6.283185307179586;

static cp_matrix cp_product_of(const cp_matrix *p, const cp_matrix *q)
{
    cp_matrix r;
    for (size_t i = 0; i < CP_DIM; i++) {
        for (size_t j = 0; j < CP_DIM; j++) {
            double sum = 0.0;
            for (size_t k = 0; k < CP_DIM; k++) {
                sum += p->a[i][k] * q->a[k][j];
            }
            r.a[i][j] = sum;
        }
    }
    return r;
}

/* exp(A h) by the Taylor polynomial of degree 14 in Horner's form on h / 2^s, then s squarings */
static cp_matrix cp_exponential(const cp_matrix *a, double h)
{
    double largest = 0.0;
    int squarings = 0;
    for (size_t i = 0; i < CP_DIM; i++) {
        double row = 0.0;
        for (size_t j = 0; j < CP_DIM; j++) {
            row += a->a[i][j] < 0.0 ? -a->a[i][j] : a->a[i][j];
        }
        largest = row > largest ? row : largest;
    }
    for (; largest * h > 0.5 && squarings < 2000; squarings++) {
        h *= 0.5;
    }
    cp_matrix e = {{{0.0}}};
    for (int degree = 14; degree >= 0; degree--) {
        e = degree < 14 ? cp_product_of(a, &e) : e;
        for (size_t i = 0; i < CP_DIM; i++) {
            for (size_t j = 0; j < CP_DIM; j++) {
                e.a[i][j] = e.a[i][j] * (h / (degree + 1)) + (i == j ? 1.0 : 0.0);
            }
        }
    }
    for (; squarings > 0; squarings--) {
        e = cp_product_of(&e, &e);
    }
    return e;
}

/* cos and sin of 2 pi turns, 0 <= turns <= 1, by their Taylor polynomials around the nearest quarter */
static void cp_rotation(double turns, double *cosine, double *sine)
{
    const int quarter = (int)(4.0 * turns + 0.5);
    const double r = (turns - 0.25 * quarter) * cp_two_pi;
    double c = 1.0;
    double s = 1.0;
    for (int n = 16; n >= 2; n -= 2) {
        c = 1.0 - c * r * r / (n * (n - 1));
        s = 1.0 - s * r * r / (n * (n + 1));
    }
    s *= r;
    const int odd = quarter % 2;
    *cosine = (odd ? s : c) * (quarter == 1 || quarter == 2 ? -1.0 : 1.0);
    *sine = (odd ? c : s) * (quarter == 2 || quarter == 3 ? -1.0 : 1.0);
}

/* Length of the part of [t, t + h] that neither begins nor ends the pulse inside. */
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

/* Motion and forces at the start of a smooth part. */
typedef struct {
    cp_matrix a;       /* dz/dt = a z */
    double z[CP_DIM];
} cp_flow;

static cp_flow cp_flow_from(const cp_body *body, const cp_pulse *pulse, cp_motion motion, cp_ramp u, double t, double h)
{
    cp_flow flow = {.z = {motion.x, motion.v, u.value, u.slope, 0.0, 0.0}};
    const double w = cp_two_pi / pulse->period;
    const double turns = (t - pulse->start) / pulse->period;
    const double middle = turns + 0.5 * h / pulse->period;
    flow.a.a[0][1] = 1.0;
    flow.a.a[1][0] = -body->c / body->m;
    flow.a.a[1][1] = -body->d / body->m;
    flow.a.a[1][2] = 1.0 / body->m;
    flow.a.a[2][3] = 1.0;
    if (pulse->amplitude != 0.0 && middle > 0.0 && middle < 1.0) {
        double cosine = 1.0;
        double sine = 0.0;
        cp_rotation(turns < 0.0 ? 0.0 : turns > 1.0 ? 1.0 : turns, &cosine, &sine);
        flow.z[2] += 0.5 * pulse->amplitude;
        flow.z[4] = -0.5 * pulse->amplitude * cosine;
        flow.z[5] = 0.5 * pulse->amplitude * sine;
        flow.a.a[1][4] = 1.0 / body->m;
        flow.a.a[4][5] = w;
        flow.a.a[5][4] = -w;
    }
    return flow;
}

static cp_motion cp_flow_at(const cp_flow *flow, double h)
{
    const cp_matrix e = cp_exponential(&flow->a, h);
    double r[2] = {0.0, 0.0};
    for (size_t i = 0; i < 2; i++) {
        for (size_t j = 0; j < CP_DIM; j++) {
            r[i] += e.a[i][j] * flow->z[j];
        }
    }
    return (cp_motion){r[0], r[1]};
}

#endif
