/* The check of a model that counts its steps in `n`: no file can have brought it beyond what steps do. */
#ifndef CP_COUNTED_H
#define CP_COUNTED_H

#include "model.h"

static bool cp_sound(const void *memory, const void *binding, bool running, cp_reason *why)
{
    (void)binding;
    (void)running;
    *why = (cp_reason){"the number of steps is negative"};
    return ((const cp_state *)memory)->n >= 0;
}

#endif
