/* The whole kernel as one translation unit. */
#include "fmu.c"

#include "saved.c"
#include "../base/text.c"
#include "../base/variable.c"
