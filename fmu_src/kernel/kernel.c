/* The whole kernel as one translation unit. */
#include "fmu.c"

#include "events.c"
#include "state.c"
