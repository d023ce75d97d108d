/* The kernel as it goes into an FMU: all but what a face does itself, saved states and the words of events. */
#include "step.c"

#include "stages/clock.c"
#include "stages/restart.c"
#include "stages/latency.c"
#include "stages/wrap.c"
#include "stages/guarding.c"
#include "stages/residual.c"
#include "stages/noise.c"
#include "stages/history.c"
#include "stages/quality.c"
#include "stages/discontinuity.c"
#include "stages/switching.c"
#include "stages/reconstruction.c"

/* what most of the time goes to */
CP_FAST_FROM_HERE
#include "stages/algorithm.c"
#include "algorithms/adaptive.c"
#ifndef CP_WITHOUT_ENERGY
#include "stages/observer.c"
#endif
CP_SMALL_FROM_HERE

#include "algorithms/rows.c"
#include "generated/units.h"

#ifdef CP_WITHOUT_ENERGY
#include "without_energy.c"
#else
#include "stages/follow.c"
#include "stages/companions.c"
#include "stages/bond.c"
#include "stages/budget.c"
#include "stages/energy.c"
#endif

#ifdef CP_WITHOUT_NEURAL
#include "without_neural.c"
#else
#include "learning/embedded.c"
#include "learning/judge.c"
#include "learning/neural.c"
#include "learning/normal.c"
#include "learning/sample.c"
#endif

#include "access.c"
#include "checks.c"
#include "derivatives.c"
#include "settings.c"
#include "sound.c"
#include "variables.c"
