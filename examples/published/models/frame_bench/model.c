/* A test bench that moves a specimen with a hydraulic actuator to where a command says, in a loop that is sampled at every
   communication step. With the displacement x of the specimen, the force F of the actuator and the valve's command u

       m x'' + c x' + k x = F
       F' = -p F + q - b x'
       q'' + a1 q' + a0 q = g (b_u u - x)
       u = (kp + ki/s)(G r - x_m),   G = lead (s + lead.zero)/(s + lead.pole), or 1

   r is the command, x_m the measured displacement, both parts of u by the trapezoidal rule; the plant is solved exactly.
   The force shown is what the specimen does to the frame, k x + c v + m a with v and a by backward differences, measured
   a step before. Gaussian noise is on x_m and f. Values: Silva, Gomez, Maghareh, Dyke, Spencer, Benchmark control problem
   for real-time hybrid simulation, Mechanical Systems and Signal Processing 135, 2020. */
#include <math.h>

#include "model.h"

#include "exponential.h"
#include "motion.h"
#include "noise.h"

typedef struct {
    double command;
    double x_m, f, x, actuator_force;
    double time;
    double mass, stiffness, damping;
    double actuator_damping, actuator_stiffness, actuator_pole;
    int32_t compensated;
    double noise_x, noise_f;
    int32_t seed;
    double z[CP_DIM]; /* x, x', F, q, q', u in the units of cp_units */
    double old[2];    /* x one and two steps ago, m */
    double measured;  /* force of this step, shown at its end, N */
    double before[3]; /* command, command after G, error: of the step before, m */
    double sum;       /* integral of the error, m s */
    int64_t n;        /* steps */
} cp_state;

#include "variables.h"

#include "counted.h"

/* What keeps all entries of the matrix of one size: x, x', F, q, q', u in m, m/s, N, N/s, N/s^2, m. */
static const double cp_units[CP_DIM] = {1.0, 1e3, 1e7, 1e10, 1e13, 1.0};

static const double cp_gain = 2.1283e13;  /* N/(m s^3) */
static const double cp_ratio = 1.0261;    /* m/m, of the command u */
static const double cp_natural = 4.2297e6; /* N/m: velocity to force, s */

static cp_matrix cp_plant(const cp_state *s)
{
    cp_matrix m = {{{0.0}}};
    m.a[0][1] = 1.0;
    m.a[1][0] = -s->stiffness / s->mass;
    m.a[1][1] = -s->damping / s->mass;
    m.a[1][2] = 1.0 / s->mass;
    m.a[2][1] = -cp_natural;
    m.a[2][2] = -s->actuator_pole;
    m.a[2][3] = 1.0;
    m.a[3][4] = 1.0;
    m.a[4][0] = -cp_gain;
    m.a[4][3] = -s->actuator_stiffness;
    m.a[4][4] = -s->actuator_damping;
    m.a[4][5] = cp_gain * cp_ratio;
    for (size_t i = 0; i < CP_DIM; i++) {
        for (size_t j = 0; j < CP_DIM; j++) {
            m.a[i][j] *= cp_units[j] / cp_units[i];
        }
    }
    return m;
}

/* noise of this step */
static double cp_white(const cp_state *s, uint64_t stream)
{
    return cp_normal((uint64_t)s->seed, (uint64_t)s->n, stream);
}

/* the valve's command for a step h, m */
static double cp_control(cp_state *s, double h)
{
    const double lead = 50.8;
    const double zero = 168.6 * h;
    const double pole = 8570.0 * h;
    const double step = lead * ((2.0 + zero) * s->command - (2.0 - zero) * s->before[0]);
    const double led = s->compensated ? (step + (2.0 - pole) * s->before[1]) / (2.0 + pole) : s->command;
    const double error = led - s->x_m;
    s->sum += 0.5 * h * (error + s->before[2]);
    s->before[0] = s->command;
    s->before[1] = led;
    s->before[2] = error;
    return 2.0 * error + 95.0 * s->sum;
}

/* what is measured once a step h has brought the specimen to a new place */
static void cp_measure(cp_state *s, double h)
{
    const double v = (s->x - s->old[0]) / h;
    const double a = (s->x - 2.0 * s->old[0] + s->old[1]) / (h * h);
    s->f = s->measured;
    s->x_m = s->x + s->noise_x / sqrt(h) * cp_white(s, 0);
    s->measured = s->stiffness * s->x + s->damping * v + s->mass * a + s->noise_f / sqrt(h) * cp_white(s, 2);
}

static cp_status cp_move(void *memory, const void *binding, cp_step *step)
{
    cp_state *const s = (cp_state *)memory;
    const cp_matrix plant = cp_plant(s);
    (void)binding;
    s->z[5] = cp_control(s, step->h);
    cp_propagate(&plant, step->h, s->z);
    s->old[1] = s->old[0];
    s->old[0] = s->x;
    s->x = s->z[0];
    s->actuator_force = s->z[2] * cp_units[2];
    s->n++;
    cp_measure(s, step->h);
    return cp_ended(cp_finite(s->x) && cp_finite(s->f) && cp_finite(s->measured) && cp_finite(s->z[4]), step);
}

static const cp_event cp_events[] = {CP_MOTION_EVENTS};

static const cp_model cp_this_model = {
    .name = "frame_bench",
    .variables = cp_variables,
    .n_variables = CP_N_VARIABLES,
    .events = cp_events,
    .n_events = 1,
    .state_size = sizeof(cp_state),
    .time = offsetof(cp_state, time),
    .sound = cp_sound,
    .step = cp_move,
};
