/* What the event bits of a step mean. */

static const cp_event cp_events[] = {
    {CP_WARNING, "input", "y is not a finite number: a step without news; later ones are not logged"},
    {CP_WARNING, "input", "y_time is not a finite number: a step without news; later ones are not logged"},
    {CP_WARNING, "input", "y_time lies in the future: the value is not stored; later ones are not logged"},
    {CP_WARNING, "input", "y_time is older than the history: the value is not stored; later ones are not logged"},
    {
        CP_WARNING, "timing",
        "the host left out macro steps: they count as steps without news; later ones are not logged",
    },
    {CP_WARNING, "timing", "the step size does not divide macro_step; later ones are not logged"},
    {CP_WARNING, "latency", "the latency is above 64 macro steps: the output is held; later ones are not logged"},
    {CP_OK, "discontinuity", "a discontinuity was detected; later ones are not logged"},
    {CP_WARNING, "dropout", "no news for more than latency.coast_steps: the output is held"},
    {CP_WARNING, "dropout", "no news for more than latency.lost_steps: output.on_loss applies"},
    {CP_WARNING, "dropout", "news arrived: the output is estimated again"},
    {CP_WARNING, "quality", "the error of an estimate exceeds its tolerance (%g): later ones are counted"},
    {
        CP_DISCARD, "quality",
        "quality.action = stop ends the run: an estimate exceeds its tolerance, or energy is created",
    },
    {CP_WARNING, "output", "the output is limited; later ones are not logged"},
    {
        CP_WARNING, "latency",
        "neither latency.minimum nor a round trip is known: latency counts from the fastest message",
    },
    {CP_WARNING, "quality", "estimates are worse than ZOH or create energy: the newest value is held meanwhile"},
    {CP_WARNING, "learning", "new weights are in use: they were better on values that they had not seen"},
    {CP_WARNING, "learning", "new weights were refused: no better, or too large a gain; the old ones stay in use"},
    {CP_WARNING, "learning", "the network is worse than ZOH: it returns to the weights of the start"},
    {CP_WARNING, "learning", "the learning server does not answer: no new weights for now; later ones are not logged"},
    {CP_WARNING, "learning", "the learning server sent an unusable answer: it is ignored; later ones are not logged"},
    {
        CP_WARNING, "quality",
        "errors are tolerated again: %g of %g estimates exceeded their tolerance, the largest error %g",
    },
    {CP_WARNING, "quality", "in this run %g of %g estimates exceeded their tolerance, the largest error %g"},
    {CP_WARNING, "latency", "stamps jumped by %g s: the sender begins anew, its fastest message as late as before"},
    {CP_WARNING, "dropout", "nothing has arrived since the start: y_valid is false, is that connected?"},
    {CP_WARNING, "dropout", "nothing has arrived since the start: it has no stamp, is y_time connected?"},
#if !defined(CP_WITHOUT_ENERGY) || !defined(CP_WITHOUT_NEURAL)
    {CP_WARNING, "energy", "conjugate is not a finite number: no energy is booked; later ones are not logged"},
    {CP_WARNING, "energy", "the coupling creates energy: %g J in about 100 macro steps; later ones are not logged"},
    {CP_WARNING, "energy", "the budget of energy is used up: the estimate is limited; later ones are not logged"},
    {CP_WARNING, "model", "the model is wrong: its fallback runs until it is right again; later ones are not logged"},
#endif
};

/* where the state has the numbers of an event's sentence */
static const uint32_t cp_event_numbers[][CP_EVENT_NUMBERS] = {
    {0},
    {0},
    {0},
    {0},
    {0},
    {0},
    {0},
    {0},
    {0},
    {0},
    {0},
    {offsetof(cp_state, quality.worst)},
    {0},
    {0},
    {0},
    {0},
    {0},
    {0},
    {0},
    {0},
    {0},
    {offsetof(cp_state, quality.exceeded), offsetof(cp_state, quality.lasted), offsetof(cp_state, quality.worst)},
    {
        offsetof(cp_state, quality.all_exceeded), offsetof(cp_state, quality.all_judged),
        offsetof(cp_state, quality.all_worst),
    },
    {offsetof(cp_state, clock.jump)},
    {0},
    {0},
#if !defined(CP_WITHOUT_ENERGY) || !defined(CP_WITHOUT_NEURAL)
    {0},
    {offsetof(cp_state, energy.created)},
    {0},
    {0},
#endif
};

enum { CP_EVENTS = sizeof cp_events / sizeof *cp_events }; /* kinds of events */
