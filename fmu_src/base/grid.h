/* Points of time a period apart, for hosts that add up their time: it lags, and the points have to follow. */
#ifndef CP_GRID_H
#define CP_GRID_H

#include "variable.h"

static const double cp_grid_same = 1e-6; /* periods */
static const double cp_grid_counted = 1e-3; /* periods, off a point that a host counts its steps to */
static const double cp_grid_most = 1e6; /* in a period */
static const double cp_grid_resolved = 8.8817841970012523e-16; /* of a time: 4 * 2^-52 */
static const double cp_grid_single = 2.384185791015625e-07; /* the same in single precision: 4 * 2^-24 */
static const double cp_grid_upper = 536870913.0; /* 2^29 + 1: what tells the upper 24 bits from the others */

/* times closer than this are the same, s: 1e-6 periods, or at least four units in the last place of `time` */
static inline double cp_same_time(double time, double period)
{
    const double rounding = cp_grid_resolved * (time < 0.0 ? -time : time);
    return rounding > cp_grid_same * period ? rounding : cp_grid_same * period;
}

static inline bool cp_has_single_precision(double value)
{
    const double scaled = value * cp_grid_upper;
    return scaled - (scaled - value) == value;
}

/* How far a step of `size` may be off the end of the last one at `time`, s. A host that counts time in single precision
   rounds it far more coarsely; sizes and times with so few bits tell it. At most a quarter of the step. */
CP_APART double cp_stray(double time, double size, double period)
{
    const double same = cp_same_time(time, period);
    if (!(cp_has_single_precision(time) && cp_has_single_precision(size))) {
        return same;
    }
    const double rounding = cp_grid_single * (time < 0.0 ? -time : time);
    const double most = rounding < 0.25 * size ? rounding : 0.25 * size;
    return most > same ? most : same;
}

/* Is a period so many steps, or a step so many periods, to a thousandth of the smaller one? Points that other steps
   come close to by chance must not be followed: the chance is the same each time, and the grid would run away. */
static inline bool cp_is_whole(double size, double period)
{
    if (size == period) {
        return true;
    }
    const double ratio = size < period ? period / size : size / period;
    if (!(ratio > 0.0 && ratio < cp_grid_most)) {
        return false;
    }
    const double part = ratio - (double)(int64_t)(ratio + 0.5);
    return part >= -cp_grid_counted && part <= cp_grid_counted;
}

/* How close to a point the end of a step of `size` at `time` is on it, s: 1e-3 periods, or what single precision
   resolves, where the step divides the period or is a multiple of it, else 1e-6; at most a quarter of the step; at least
   what `time` resolves, up to a quarter of the period. */
static inline double cp_nearness(double time, double size, double period)
{
    const bool whole = cp_is_whole(size, period);
    const double counted = whole ? cp_stray(time - size, size, period) : 0.0;
    const double usual = (whole ? cp_grid_counted : cp_grid_same) * period;
    const double most = counted > usual ? counted : usual;
    const double near = 0.25 * size < most ? 0.25 * size : most;
    const double rounding = cp_grid_resolved * (time < 0.0 ? -time : time);
    if (rounding > 0.25 * period) {
        return 0.25 * period;
    }
    return rounding > near ? rounding : near;
}

#endif
