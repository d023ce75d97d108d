/* Stage 7: continue the estimate between macro steps, limit it, give it out. */
#include "stages.h"

#define CP_FURTHEST 2.0

CP_API double cp_limit(const cp_state *s, double value)
{
    if (s->signal_period > 0.0) {
        return value;
    }
    if (value < s->output_min) {
        value = s->output_min;
    }
    return value > s->output_max ? s->output_max : value;
}

/* position of `time` [s] inside the macro step, on 0 and 1 when close to them */
static double cp_reconstruction_position(const cp_state *s, double time)
{
    const double theta = (time - (s->start_time + (double)s->n * s->period)) / s->period;
    if (theta <= CP_TINY) {
        return 0.0;
    }
    return theta >= 1.0 - CP_TINY && theta <= 1.0 + CP_TINY ? 1.0 : theta;
}

/* 0 to 1, to 2 where the step size does not divide the macro step; `hold` knows only the ends */
CP_API double cp_theta(const cp_state *s, double time)
{
    const double position = cp_reconstruction_position(s, time);
    if (s->reconstruction == CP_RECONSTRUCT_HOLD) {
        return position >= 1.0 ? 1.0 : 0.0;
    }
    return position > CP_FURTHEST ? CP_FURTHEST : position;
}

static double cp_reconstruction_estimate(cp_state *s, double time)
{
    if (s->bypass) {
        return s->y_valid && cp_finite(s->y) ? cp_unwrap(s, s->y, s->given) : s->given;
    }
    if (cp_reconstruction_position(s, time) > 1.0) {
        cp_tell_once(s, CP_LONG_STEP);
    }
    return s->level + s->slope * (cp_theta(s, time) - s->shift);
}

static double cp_reconstruction_within_rate(const cp_state *s, double value, double reach)
{
    if (value > s->given + reach) {
        value = s->given + reach;
    }
    return value < s->given - reach ? s->given - reach : value;
}

/* `wanted` within rate and range; a value that is not finite gives way to the last one */
static double cp_reconstruction_limited(cp_state *s, double wanted, double time)
{
    double value = cp_finite(wanted) ? wanted : s->given;
    if (s->rate_max < CP_UNLIMITED) {
        value = cp_reconstruction_within_rate(s, value, s->rate_max * (time - s->given_time));
    }
    value = cp_limit(s, value);
    s->limited = !(value == wanted);
    return value;
}

static void cp_reconstruction_remember(cp_state *s, double value, double time)
{
    s->given = value;
    s->given_time = time;
}

/* `output.rate_max` limits the change against what was given out last: in step timing at the end of a step, in event
   timing at its start, where the receiver reads it. */
CP_API void cp_reconstruction(const cp_coupling_settings *c, cp_state *s)
{
    if (c->event) {
        const double estimate = cp_reconstruction_estimate(s, s->time);
        cp_reconstruction_remember(s, cp_reconstruction_limited(s, estimate, s->time), s->time);
    }
    const double estimate = cp_reconstruction_estimate(s, s->target);
    const double value = cp_reconstruction_limited(s, estimate, s->target);
    s->y_hat = cp_wrap(s, value);
    s->unlimited = cp_bounded(estimate, value);
    if (!c->event) {
        cp_reconstruction_remember(s, value, s->target);
    }
    s->quality_ok = s->judged_ok && s->mode < CP_HOLDING;
    if (s->limited) {
        cp_tell_once(s, CP_LIMITED);
    }
}
