/* A frame of three storeys under an earthquake, in one piece or without a part of its first storey, whose force f comes
   from elsewhere:

       (M - m e e') x'' + (C - c e e') x' + (K - k e e') x = -M (1 1 1)' scale a_g - f e,  e = (1 0 0)'

   with M = mass I, C of equal damping in all modes (natural frequencies rounded to 0.01 rad/s), and mass m, damping c,
   stiffness k of the part that is missing. a_g and f are linear over the step: along their slopes where the importer
   gives some, else a_g on the line through its last two values and f held. Values: Silva, Gomez, Maghareh, Dyke, Spencer,
   Benchmark control problem for real-time hybrid simulation, Mechanical Systems and Signal Processing 135, 2020. */
#include <math.h>

#include "model.h"

#include "floor.h"
#include "motion.h"

enum { CP_STOREYS = 3 };

typedef struct {
    double a_g, a_g_slope, f, f_slope;
    double x[CP_STOREYS], v, a;
    double time;
    double scale, mass, damping, missing_mass, missing_stiffness, missing_damping;
    double rate[CP_STOREYS]; /* m/s */
    double before;           /* a_g at the start of the step before, m/s^2 */
    double lasted;           /* that step, s; 0: there was none */
} cp_state;

#include "variables.h"

static const double cp_k[CP_STOREYS][CP_STOREYS] = { /* N/m */
    {26054883.8796, -23133938.8771, 5937035.4633},
    {-23133938.8771, 32560774.1864, -14419970.7772},
    {5937035.4633, -14419970.7772, 9267275.5062},
};
static const double cp_k_of[CP_STOREYS] = {515169.08572619775, 10102148.949011443, 57265615.53746238}; /* its eigenvalues */

typedef struct {
    double m[CP_STOREYS]; /* of the diagonal, kg */
    double c[CP_STOREYS][CP_STOREYS], k[CP_STOREYS][CP_STOREYS];
} cp_frame;

/* natural frequency of a mode, rad/s */
static double cp_frequency(const cp_state *s, int mode)
{
    return cp_floor(100.0 * sqrt(cp_k_of[mode] / s->mass) + 0.5) / 100.0;
}

/* row i, column j of the product of K - k_a I and K - k_b I with the eigenvalues k_a, k_b of the other modes */
static double cp_others(int mode, int i, int j)
{
    const double a = cp_k_of[(mode + 1) % CP_STOREYS];
    const double b = cp_k_of[(mode + 2) % CP_STOREYS];
    double sum = 0.0;
    for (int l = 0; l < CP_STOREYS; l++) {
        sum += (cp_k[i][l] - (i == l ? a : 0.0)) * (cp_k[l][j] - (l == j ? b : 0.0));
    }
    return sum / ((cp_k_of[mode] - a) * (cp_k_of[mode] - b));
}

static cp_frame cp_matrices(const cp_state *s)
{
    cp_frame frame;
    for (int i = 0; i < CP_STOREYS; i++) {
        frame.m[i] = s->mass;
        for (int j = 0; j < CP_STOREYS; j++) {
            frame.k[i][j] = cp_k[i][j];
            frame.c[i][j] = 0.0;
            for (int mode = 0; mode < CP_STOREYS; mode++) {
                frame.c[i][j] += 2.0 * s->damping * s->mass * cp_frequency(s, mode) * cp_others(mode, i, j);
            }
        }
    }
    frame.m[0] -= s->missing_mass;
    frame.k[0][0] -= s->missing_stiffness;
    frame.c[0][0] -= s->missing_damping;
    return frame;
}

/* next derivative: of the two before it, and that of a_g and f */
static void cp_derivative(const cp_state *s, const cp_frame *frame, const double low[], const double high[],
                          double a_g, double f, double next[])
{
    for (int i = 0; i < CP_STOREYS; i++) {
        double force = -s->mass * a_g - (i == 0 ? f : 0.0);
        for (int j = 0; j < CP_STOREYS; j++) {
            force -= frame->k[i][j] * low[j] + frame->c[i][j] * high[j];
        }
        next[i] = force / frame->m[i];
    }
}

enum { CP_HIGHEST = 14 };

/* The motion h later, by its Taylor series: exact to rounding for the frequencies of the frame and h below 1 ms. */
static void cp_pass(cp_state *s, const cp_frame *frame, const double a_g[2], const double f[2], double h)
{
    double d[CP_HIGHEST + 2][CP_STOREYS];
    for (int i = 0; i < CP_STOREYS; i++) {
        d[0][i] = s->x[i];
        d[1][i] = s->rate[i];
    }
    for (int n = 0; n < CP_HIGHEST; n++) {
        cp_derivative(s, frame, d[n], d[n + 1], n < 2 ? a_g[n] : 0.0, n < 2 ? f[n] : 0.0, d[n + 2]);
    }
    for (int i = 0; i < CP_STOREYS; i++) {
        s->x[i] = d[CP_HIGHEST][i];
        s->rate[i] = d[CP_HIGHEST + 1][i];
        for (int n = CP_HIGHEST - 1; n >= 0; n--) {
            s->x[i] = d[n][i] + s->x[i] * (h / (n + 1));
            s->rate[i] = d[n + 1][i] + s->rate[i] * (h / (n + 1));
        }
    }
}

static void cp_show(cp_state *s, const cp_frame *frame, double a_g, double f)
{
    double acceleration[CP_STOREYS];
    cp_derivative(s, frame, s->x, s->rate, a_g, f, acceleration);
    s->v = s->rate[0];
    s->a = acceleration[0];
}

static bool cp_begin(void *memory, const void *binding, double t0, cp_reason *why)
{
    (void)binding;
    (void)t0;
    *why = (cp_reason){"missing.mass is not below mass"};
    return ((const cp_state *)memory)->missing_mass < ((const cp_state *)memory)->mass;
}

static cp_status cp_move(void *memory, const void *binding, cp_step *step)
{
    cp_state *const s = (cp_state *)memory;
    const cp_frame frame = cp_matrices(s);
    const int parts = 1 + (int)cp_floor(step->h < 10.0 ? step->h / 1e-3 : 1e4);
    const double h = step->h / parts;
    const double line = s->lasted > 0.0 ? (s->a_g - s->before) / s->lasted : 0.0;
    const double slope = s->a_g_slope > -CP_UNLIMITED ? s->a_g_slope : line;
    double a_g[2] = {s->scale * s->a_g, s->scale * slope};
    double f[2] = {s->f, s->f_slope > -CP_UNLIMITED ? s->f_slope : 0.0};
    (void)binding;
    for (int i = 0; i < parts; i++) {
        cp_pass(s, &frame, a_g, f, h);
        a_g[0] += a_g[1] * h;
        f[0] += f[1] * h;
    }
    s->before = s->a_g;
    s->lasted = step->h;
    cp_show(s, &frame, a_g[0], f[0]);
    return cp_ended(cp_finite(s->a) && cp_finite(s->x[0]) && cp_finite(s->x[1]) && cp_finite(s->x[2]), step);
}

static const cp_event cp_events[] = {CP_MOTION_EVENTS};

static const cp_model cp_this_model = {
    .name = "frame",
    .variables = cp_variables,
    .n_variables = CP_N_VARIABLES,
    .events = cp_events,
    .n_events = 1,
    .state_size = sizeof(cp_state),
    .time = offsetof(cp_state, time),
    .finish = cp_begin,
    .step = cp_move,
};
