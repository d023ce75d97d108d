/* Stage 8: continue the estimate between macro steps, limit it, give it out. */
#include "../stages.h"

CP_API double cp_limit(const cp_state *s, double value)
{
    if (s->parameter.signal_period > 0.0) {
        return value;
    }
    if (value < s->parameter.output_min) {
        value = s->parameter.output_min;
    }
    return value > s->parameter.output_max ? s->parameter.output_max : value;
}

/* position of `time` [s] inside the macro step, on 0 and 1 when close to them */
static double cp_reconstruction_position(const cp_state *s, double time)
{
    const double passed = time - cp_point_time(s, s->grid.n);
    const double left = passed - s->grid.period;
    const double near = s->grid.near > CP_TINY * s->grid.period ? s->grid.near : CP_TINY * s->grid.period;
    if (passed <= near) {
        return 0.0;
    }
    return left >= -near && left <= near ? 1.0 : passed / s->grid.period;
}

/* 0 to 1, to 2 where the step size does not divide the macro step; `hold` knows only the ends */
CP_API double cp_theta(const cp_state *s, double time)
{
    const double position = cp_reconstruction_position(s, time);
    if (s->parameter.reconstruction == CP_RECONSTRUCT_HOLD) {
        return position >= 1.0 ? 1.0 : 0.0;
    }
    return position > CP_FURTHEST ? CP_FURTHEST : position;
}

static double cp_reconstruction_estimate(cp_state *s, double time)
{
    if (s->parameter.bypass) {
        const double given = s->reconstruction.given;
        return s->input.y_valid && cp_finite(s->input.y) ? cp_unwrap(s, s->input.y, given) : given;
    }
    if (cp_reconstruction_position(s, time) > 1.0) {
        cp_tell_once(s, CP_LONG_STEP);
    }
    return s->algorithm.level + s->algorithm.slope * (cp_theta(s, time) - s->algorithm.shift);
}

static double cp_reconstruction_within_rate(const cp_state *s, double value, double reach)
{
    if (value > s->reconstruction.given + reach) {
        value = s->reconstruction.given + reach;
    }
    return value < s->reconstruction.given - reach ? s->reconstruction.given - reach : value;
}

/* `wanted` within rate and range; a value that is not finite gives way to the last one */
static double cp_reconstruction_limit(cp_state *s, double wanted, double time)
{
    double value = cp_finite(wanted) ? wanted : s->reconstruction.given;
    if (s->parameter.rate_max < CP_UNLIMITED) {
        value = cp_reconstruction_within_rate(s, value, s->parameter.rate_max * (time - s->reconstruction.given_time));
    }
    value = cp_limit(s, value);
    s->reconstruction.limited = !(value == wanted);
    return value;
}

static void cp_reconstruction_remember(cp_state *s, double value, double time)
{
    s->reconstruction.given = value;
    s->reconstruction.given_time = time;
}

/* `output.rate_max` limits the change against what was given out last: in step timing at the end of a step, in event
   timing at its start, where the receiver reads it. */
CP_API void cp_reconstruction(const cp_coupling_settings *c, cp_state *s)
{
    if (c->event) {
        const double estimate = cp_reconstruction_estimate(s, s->grid.time);
        cp_reconstruction_remember(s, cp_reconstruction_limit(s, estimate, s->grid.time), s->grid.time);
    }
    const double estimate = cp_reconstruction_estimate(s, s->grid.target);
    const double value = cp_reconstruction_limit(s, estimate, s->grid.target);
    s->reconstruction.y_hat = cp_wrap(s, value);
    s->reconstruction.ends = value;
    s->reconstruction.unlimited = cp_bounded(estimate, value);
    if (!c->event) {
        cp_reconstruction_remember(s, value, s->grid.target);
    }
    s->quality.ok = s->quality.judged_ok && s->switching.mode < CP_HOLDING;
    if (s->reconstruction.limited) {
        cp_tell_once(s, CP_LIMITED);
    }
}
