/* A vehicle behind an elastic shaft that is driven by a torque T from elsewhere: with the speed w of the gearbox, the twist
   x of the shafts to the wheels and the speed w_w of these

       inertia w' = T - S,   x' = w - w_w,   wheels.inertia w_w' = S - drag w_w,   S = stiffness x + damping (w - w_w)

   T is linear over the step; what is measured of w has white noise. Solved exactly. */
#include <math.h>

#include "model.h"

#include "exponential.h"
#include "motion.h"
#include "noise.h"

enum { CP_GEARBOX, CP_TWIST, CP_WHEELS, CP_TORQUE, CP_SLOPE };

typedef struct {
    double torque, torque_slope;
    double speed, wheel_speed;
    double time;
    double inertia, stiffness, damping, wheels_inertia, drag, noise_amplitude;
    int32_t noise_seed;
    double gearbox; /* rad/s, without noise */
    double twist;   /* rad */
    int64_t n;      /* steps */
} cp_state;

#include "variables.h"

#include "counted.h"

static void cp_outputs(void *memory, const void *binding, double t, bool running)
{
    cp_state *const s = (cp_state *)memory;
    (void)binding;
    (void)t;
    (void)running;
    s->speed = s->gearbox + s->noise_amplitude * cp_normal((uint64_t)s->noise_seed, (uint64_t)s->n, 0);
}

static cp_matrix cp_rates(const cp_state *s)
{
    cp_matrix m = {{{0.0}}};
    m.a[CP_GEARBOX][CP_GEARBOX] = -s->damping / s->inertia;
    m.a[CP_GEARBOX][CP_TWIST] = -s->stiffness / s->inertia;
    m.a[CP_GEARBOX][CP_WHEELS] = s->damping / s->inertia;
    m.a[CP_GEARBOX][CP_TORQUE] = 1.0 / s->inertia;
    m.a[CP_TWIST][CP_GEARBOX] = 1.0;
    m.a[CP_TWIST][CP_WHEELS] = -1.0;
    m.a[CP_WHEELS][CP_GEARBOX] = s->damping / s->wheels_inertia;
    m.a[CP_WHEELS][CP_TWIST] = s->stiffness / s->wheels_inertia;
    m.a[CP_WHEELS][CP_WHEELS] = -(s->damping + s->drag) / s->wheels_inertia;
    m.a[CP_TORQUE][CP_SLOPE] = 1.0;
    return m;
}

static cp_status cp_move(void *memory, const void *binding, cp_step *step)
{
    cp_state *const s = (cp_state *)memory;
    const cp_matrix rates = cp_rates(s);
    double z[CP_DIM] = {s->gearbox, s->twist, s->wheel_speed, s->torque, s->torque_slope};
    cp_propagate(&rates, step->h, z);
    s->gearbox = z[CP_GEARBOX];
    s->twist = z[CP_TWIST];
    s->wheel_speed = z[CP_WHEELS];
    s->n++;
    cp_outputs(s, binding, step->t, true);
    return cp_ended(cp_finite(s->speed) && cp_finite(s->twist), step);
}

static const cp_event cp_events[] = {CP_MOTION_EVENTS};

static const cp_model cp_this_model = {
    .name = "shaft_vehicle",
    .variables = cp_variables,
    .n_variables = CP_N_VARIABLES,
    .events = cp_events,
    .n_events = 1,
    .state_size = sizeof(cp_state),
    .time = offsetof(cp_state, time),
    .sound = cp_sound,
    .step = cp_move,
    .refresh = cp_outputs,
};
