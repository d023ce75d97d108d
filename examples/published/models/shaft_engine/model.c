/* An engine on an elastic shaft whose other end turns at a speed that comes from elsewhere: with the twist x of the shaft,
   the speed w_e of the engine and its torque T_i

       x' = w_e - speed,   inertia w_e' = T_i - T - friction w_e,   T = stiffness x + damping (w_e - speed)

   speed and T_i are linear over the step; what is measured of T has white noise. Solved exactly. */
#include <math.h>

#include "model.h"

#include "exponential.h"
#include "motion.h"
#include "noise.h"

enum { CP_TWIST, CP_ENGINE, CP_SPEED, CP_RISE, CP_TORQUE, CP_CHANGE };

typedef struct {
    double speed, speed_slope, indicated, indicated_slope;
    double torque, engine_speed;
    double time;
    double inertia, friction, stiffness, damping, noise_amplitude;
    int32_t noise_seed;
    double twist; /* rad */
    int64_t n;    /* steps */
} cp_state;

#include "variables.h"

#include "counted.h"

static void cp_outputs(void *memory, const void *binding, double t, bool running)
{
    cp_state *const s = (cp_state *)memory;
    const double noise = cp_normal((uint64_t)s->noise_seed, (uint64_t)s->n, 0);
    (void)binding;
    (void)t;
    (void)running;
    s->torque = s->stiffness * s->twist + s->damping * (s->engine_speed - s->speed) + s->noise_amplitude * noise;
}

static cp_matrix cp_rates(const cp_state *s)
{
    cp_matrix m = {{{0.0}}};
    m.a[CP_TWIST][CP_ENGINE] = 1.0;
    m.a[CP_TWIST][CP_SPEED] = -1.0;
    m.a[CP_ENGINE][CP_TWIST] = -s->stiffness / s->inertia;
    m.a[CP_ENGINE][CP_ENGINE] = -(s->damping + s->friction) / s->inertia;
    m.a[CP_ENGINE][CP_SPEED] = s->damping / s->inertia;
    m.a[CP_ENGINE][CP_TORQUE] = 1.0 / s->inertia;
    m.a[CP_SPEED][CP_RISE] = 1.0;
    m.a[CP_TORQUE][CP_CHANGE] = 1.0;
    return m;
}

static cp_status cp_move(void *memory, const void *binding, cp_step *step)
{
    cp_state *const s = (cp_state *)memory;
    const cp_matrix rates = cp_rates(s);
    double z[CP_DIM] = {s->twist, s->engine_speed, s->speed, s->speed_slope, s->indicated, s->indicated_slope};
    cp_propagate(&rates, step->h, z);
    s->twist = z[CP_TWIST];
    s->engine_speed = z[CP_ENGINE];
    s->n++;
    const double held = s->speed;
    s->speed = z[CP_SPEED];
    cp_outputs(s, binding, step->t, true);
    s->speed = held;
    return cp_ended(cp_finite(s->torque) && cp_finite(s->twist), step);
}

static bool cp_partial(const void *memory, const void *binding, bool running, size_t unknown, size_t known,
                       double *value)
{
    const bool direct = unknown == offsetof(cp_state, torque) && known == offsetof(cp_state, speed);
    (void)binding;
    (void)running;
    *value = direct ? -((const cp_state *)memory)->damping : 0.0;
    return true;
}

static const cp_event cp_events[] = {CP_MOTION_EVENTS};

static const cp_model cp_this_model = {
    .name = "shaft_engine",
    .variables = cp_variables,
    .n_variables = CP_N_VARIABLES,
    .events = cp_events,
    .n_events = 1,
    .state_size = sizeof(cp_state),
    .time = offsetof(cp_state, time),
    .sound = cp_sound,
    .step = cp_move,
    .refresh = cp_outputs,
    .partial = cp_partial,
};
