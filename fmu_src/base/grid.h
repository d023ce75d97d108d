/* Points of time a period apart, for hosts that add up their time: it lags, and the points have to follow. */
#ifndef CP_GRID_H
#define CP_GRID_H

#include "variable.h"

/* times closer than this are the same, s: 1e-6 periods, or at least four units in the last place of `time` */
CP_API double cp_same_time(double time, double period);

/* How close to a point the end of a step of `size` at `time` is on it, s: 1e-3 periods where the step divides the
   period or is a multiple of it, else 1e-6; at most a quarter of the step; at least what `time` resolves, up to a quarter
   of the period. */
CP_API double cp_nearness(double time, double size, double period);

#endif
