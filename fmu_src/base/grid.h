/* Points of time a period apart, for hosts that add up their time: it lags, and the points have to follow. */
#ifndef CP_GRID_H
#define CP_GRID_H

#include "variable.h"

static const double cp_grid_same = 1e-6; /* periods */
static const double cp_grid_counted = 1e-3; /* periods, off a point that a host counts its steps to */
static const double cp_grid_most = 1e6; /* in a period */
static const double cp_grid_resolved = 8.8817841970012523e-16; /* of a time: 4 * 2^-52 */

/* times closer than this are the same, s: 1e-6 periods, or at least four units in the last place of `time` */
static inline double cp_same_time(double time, double period)
{
    const double rounding = cp_grid_resolved * (time < 0.0 ? -time : time);
    return rounding > cp_grid_same * period ? rounding : cp_grid_same * period;
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

/* How close to a point the end of a step of `size` at `time` is on it, s: 1e-3 periods where the step divides the
   period or is a multiple of it, else 1e-6; at most a quarter of the step; at least what `time` resolves, up to a quarter
   of the period. */
static inline double cp_nearness(double time, double size, double period)
{
    const double most = (cp_is_whole(size, period) ? cp_grid_counted : cp_grid_same) * period;
    const double near = 0.25 * size < most ? 0.25 * size : most;
    const double rounding = cp_grid_resolved * (time < 0.0 ? -time : time);
    if (rounding > 0.25 * period) {
        return 0.25 * period;
    }
    return rounding > near ? rounding : near;
}

#endif
