/* Motion of a free mass over a whole communication step. */
#ifndef CP_ADVANCE_H
#define CP_ADVANCE_H

#include "model.h"

#include "mass.h"

static cp_motion cp_advance(const cp_body *body, const cp_pulse *pulse, cp_motion motion, cp_ramp u, double t, double h)
{
    while (h > 0.0) {
        const double part = cp_smooth_part(pulse, t, h);
        const cp_flow flow = cp_flow_from(body, pulse, motion, u, t, part);
        motion = cp_flow_at(&flow, part);
        u.value += u.slope * part;
        t += part;
        h = part < h ? h - part : 0.0;
    }
    return motion;
}

static const cp_event cp_motion_events[] = {{CP_ERROR, "the motion is no longer finite"}};

static cp_status cp_motion_status(cp_motion motion, cp_step *step)
{
    const bool finite = motion.x - motion.x == 0.0 && motion.v - motion.v == 0.0;
    step->events = finite ? 0 : 1;
    return finite ? CP_OK : CP_ERROR;
}

#endif
