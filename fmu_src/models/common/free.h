/* Motion of a mass without anything in its way. */
#ifndef CP_FREE_H
#define CP_FREE_H

#include "mass.h"

static void cp_move_freely(cp_flow *flow, void *memory)
{
    (void)memory;
    cp_propagate(&flow->a, flow->left, flow->z);
}

#endif
