/* What a step has to tell: the words for its event bits. */
#include "stages.h"

static const cp_coupling_event cp_events[CP_EVENTS] = {
    {"input", "y is not a finite number: a step without news; later ones are not logged"},
    {"input", "y_time is not a finite number: a step without news; later ones are not logged"},
    {"input", "y_time lies in the future: the value is not stored; later ones are not logged"},
    {"input", "y_time is older than the history: the value is not stored; later ones are not logged"},
    {"timing", "the host left out macro steps: they count as steps without news; later ones are not logged"},
    {"timing", "the step size does not divide macro_step; later ones are not logged"},
    {"latency", "the latency is above 64 macro steps: the output is held; later ones are not logged"},
    {"discontinuity", "a discontinuity was detected"},
    {"dropout", "no news for more than latency.coast_steps: the output is held"},
    {"dropout", "no news for more than latency.lost_steps: output.on_loss applies"},
    {"dropout", "news arrived: the output is estimated again"},
    {"quality", "the error of an estimate exceeds its tolerance"},
    {"quality", "quality.action = stop ends the run: the error of an estimate exceeds its tolerance"},
    {"output", "the output is limited; later ones are not logged"},
};

CP_API const cp_coupling_event *cp_coupling_event_of_bit(int bit)
{
    return bit >= 0 && bit < CP_EVENTS ? &cp_events[bit] : NULL;
}
