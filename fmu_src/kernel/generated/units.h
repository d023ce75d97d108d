/* All algorithms, as part of one translation unit. */
#include "../algorithms/zoh.c"
#include "../algorithms/foh.c"
#include "../algorithms/smb.c"
#include "../algorithms/eros3.c"
#include "../algorithms/eros4.c"
#include "../algorithms/linear.c"
#include "../algorithms/irregular.c"
#include "../algorithms/auto.c"
#ifndef CP_WITHOUT_NEURAL
#include "../algorithms/neural.c"
#endif
#ifndef CP_WITHOUT_ENERGY
#include "../algorithms/model.c"
#endif
#ifndef CP_WITHOUT_ENERGY
#include "../algorithms/phasor.c"
#endif
