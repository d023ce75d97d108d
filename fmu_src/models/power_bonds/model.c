/* Power bonds between components of an importer: the power that they carry, the energy that the exchange creates, and
   the communication step that it recommends (ECCO).

   In a bond component 1 is given an effort u1 and shows a flow y1, component 2 is given a flow u2 and shows an effort y2.
   With u as they were set for a step of the length h and y' as they are at its end

       residual = u1 y1' - u2 y2'      power that the exchange has created, W
       power = y2' y1'                 into component 1, W; reversed: both with the other sign
       error = sqrt(mean over bonds of (residual h/(tolerance (scale + |power h|)))^2)
       step = h clip(safety error^-(i_gain + p_gain) before^p_gain, rate_min, rate_max), then within min and max

   (10), (14) and (15) of Sadjina et al., Energy conservation and power bonds in co-simulations, 2016, with the sign that
   (20) there lacks. A step is judged with the values set after it: at once by importers that read outputs again after
   they have set inputs, one step later by the others. */
#include <float.h>
#include <math.h>

#include "model.h"

#include "power.h"

enum { CP_BONDS = 8 };

typedef struct {
    double u1[CP_BONDS], y1[CP_BONDS], u2[CP_BONDS], y2[CP_BONDS];
    double power[CP_BONDS], residual[CP_BONDS], energy_residual[CP_BONDS];
    double error, step;
    double time;
    int32_t bonds, reversed[CP_BONDS];
    double scale[CP_BONDS], tolerance[CP_BONDS];
    double first, min, max, safety, i_gain, p_gain, rate_min, rate_max;
    double given[2][CP_BONDS]; /* u1 and u2 of the step that is to be judged */
    double lasted;             /* its length, s; 0: there was none */
    double before;             /* error of the step before it that counts, 0: none */
} cp_state;

#include "variables.h"

static double cp_sign(const cp_state *s, int i)
{
    return s->reversed[i] ? -1.0 : 1.0;
}

/* residual of a bond in the step over what is tolerated; books it, unless it is not finite */
static double cp_book(cp_state *s, int i)
{
    const double created = cp_sign(s, i) * (s->given[0][i] * s->y1[i] - s->given[1][i] * s->y2[i]);
    const double energy = created * s->lasted;
    const double passed = s->power[i] * s->lasted;
    const bool known = cp_finite(energy) && cp_finite(passed) && cp_finite(s->energy_residual[i] + energy);
    s->residual[i] = known ? created : 0.0;
    s->energy_residual[i] += known ? energy : 0.0;
    return known ? energy / (s->tolerance[i] * (s->scale[i] + (passed < 0.0 ? -passed : passed))) : CP_UNLIMITED;
}

/* rate of change of the step */
static double cp_rate(const cp_state *s)
{
    const double before = s->before > 0.0 ? s->before : s->error;
    if (s->error >= CP_UNLIMITED) {
        return s->rate_min;
    }
    if (s->error < DBL_MIN) {
        return s->rate_max;
    }
    const double power = s->p_gain * cp_log_of(before) - (s->i_gain + s->p_gain) * cp_log_of(s->error);
    return s->safety * cp_exp_of(power < -700.0 ? -700.0 : power > 700.0 ? 700.0 : power);
}

static void cp_recommend(cp_state *s)
{
    const double rate = cp_rate(s);
    const double step = s->lasted * (rate < s->rate_min ? s->rate_min : rate > s->rate_max ? s->rate_max : rate);
    s->step = step < s->min ? s->min : step > s->max ? s->max : step;
    s->before = s->error >= CP_UNLIMITED || s->error < DBL_MIN ? 0.0 : s->error;
}

/* Judge the step that has ended, by the values that were set after it. */
static void cp_judge(cp_state *s)
{
    const int n = s->bonds < CP_BONDS ? s->bonds : CP_BONDS; /* until initialisation ends it may be out of its range */
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        const double power = cp_sign(s, i) * s->y2[i] * s->y1[i];
        s->power[i] = cp_finite(power) ? power : 0.0;
    }
    if (!(s->lasted > 0.0)) {
        return;
    }
    for (int i = 0; i < n; i++) {
        const double part = cp_book(s, i);
        sum += part * part;
    }
    s->error = cp_finite(sum) ? sqrt(sum / n) : CP_UNLIMITED;
    cp_recommend(s);
}

static bool cp_begin(void *memory, const void *binding, double t0, cp_reason *why)
{
    cp_state *const s = (cp_state *)memory;
    (void)binding;
    (void)t0;
    s->step = s->first;
    cp_judge(s);
    if (!(s->min <= s->first && s->first <= s->max)) {
        *why = (cp_reason){"first is not between min and max"};
        return false;
    }
    *why = (cp_reason){"rate_min is not below rate_max"};
    return s->rate_min < s->rate_max;
}

static void cp_outputs(void *memory, const void *binding, double t, bool running)
{
    cp_state *const s = (cp_state *)memory;
    (void)binding;
    (void)t;
    s->step = running ? s->step : s->first;
    cp_judge(s);
}

static cp_status cp_move(void *memory, const void *binding, cp_step *step)
{
    cp_state *const s = (cp_state *)memory;
    (void)binding;
    cp_judge(s);
    for (int i = 0; i < CP_BONDS; i++) {
        s->given[0][i] = s->u1[i];
        s->given[1][i] = s->u2[i];
    }
    s->lasted = step->h;
    return CP_OK;
}

static const cp_model cp_this_model = {
    .name = "power_bonds",
    .variables = cp_variables,
    .n_variables = CP_N_VARIABLES,
    .state_size = sizeof(cp_state),
    .time = offsetof(cp_state, time),
    .finish = cp_begin,
    .step = cp_move,
    .refresh = cp_outputs,
};
