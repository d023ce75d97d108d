/* Motion of a free mass over a whole communication step. */
#ifndef CP_ADVANCE_H
#define CP_ADVANCE_H

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

#endif
