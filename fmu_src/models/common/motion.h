/* The end of a step of a model whose numbers may grow without bound. */
#ifndef CP_MOTION_H
#define CP_MOTION_H

#include "model.h"

enum { CP_NOT_FINITE = 1 };

#define CP_MOTION_EVENTS {CP_ERROR, "model", "the motion is no longer finite"}

static cp_status cp_ended(bool finite, cp_step *step)
{
    if (finite) {
        return CP_OK;
    }
    step->events |= CP_NOT_FINITE;
    return CP_ERROR;
}

#endif
