/* Signals that wrap round, such as a crank angle: unwrapped in the history, wrapped at the output. */
#include "../stages.h"

static double cp_wrap_floor(double x)
{
    const double whole = (double)(int64_t)x;
    return whole > x ? whole - 1.0 : whole;
}

/* `value` plus the whole number of periods that brings it nearest to `near`, signal unit */
CP_API double cp_unwrap(const cp_state *s, double value, double near)
{
    if (!(s->parameter.signal_period > 0.0 && s->parameter.signal_period <= CP_UNLIMITED)) {
        return value;
    }
    const double turns = (near - value) / s->parameter.signal_period + 0.5;
    if (!(turns >= -CP_MOST_TURNS && turns <= CP_MOST_TURNS)) {
        return value;
    }
    return value + cp_wrap_floor(turns) * s->parameter.signal_period;
}

/* Is `value` the one that was `stored`, rounding apart where it wraps round? */
CP_API bool cp_is_same(const cp_state *s, double value, double stored)
{
    const double off = cp_unwrap(s, value, stored) - stored;
    const double period = s->parameter.signal_period;
    const double rounding = period > 0.0 && period <= CP_UNLIMITED ? CP_RELATIVE_FLOOR * period : 0.0;
    return off >= -rounding && off <= rounding;
}

/* `value` within one period from `output.min` on, from 0 on without that limit, signal unit */
CP_API double cp_wrap(const cp_state *s, double value)
{
    if (!(s->parameter.signal_period > 0.0 && s->parameter.signal_period <= CP_UNLIMITED)) {
        return value;
    }
    const double low = s->parameter.output_min > -CP_UNLIMITED ? s->parameter.output_min : 0.0;
    const double turns = (value - low) / s->parameter.signal_period;
    if (!(turns >= -CP_MOST_TURNS && turns <= CP_MOST_TURNS)) {
        return low;
    }
    const double inside = value - cp_wrap_floor(turns) * s->parameter.signal_period;
    return inside < low || inside >= low + s->parameter.signal_period ? low : inside;
}
