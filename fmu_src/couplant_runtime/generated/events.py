"""Events of a step: bits, with log category, sentence and the numbers in it."""

BAD_VALUE = 1 << 0
BAD_STAMP = 1 << 1
FUTURE_STAMP = 1 << 2
OLD_STAMP = 1 << 3
LATE_HOST = 1 << 4
LONG_STEP = 1 << 5
TOO_LATE = 1 << 6
DISCONTINUITY = 1 << 7
BEGAN_HOLDING = 1 << 8
BECAME_LOST = 1 << 9
RECOVERED = 1 << 10
BAD_QUALITY = 1 << 11
QUALITY_ENDS = 1 << 12
LIMITED = 1 << 13
RELATIVE_CLOCK = 1 << 14
IS_HARMFUL = 1 << 15
LEARNT = 1 << 16
NOT_LEARNT = 1 << 17
FELL_BACK = 1 << 18
SERVER_GONE = 1 << 19
SERVER_WRONG = 1 << 20
GOOD_QUALITY = 1 << 21
QUALITY_TOTAL = 1 << 22
BEGAN_ANEW = 1 << 23
NEVER_VALID = 1 << 24
NEVER_STAMPED = 1 << 25
BAD_CONJUGATE = 1 << 26
CREATES_ENERGY = 1 << 27
OVERDRAWN = 1 << 28
WRONG_MODEL = 1 << 29

MESSAGES: dict[int, tuple[str, str]] = {
    BAD_VALUE: ("input", "y is not a finite number: a step without news; later ones are not logged"),
    BAD_STAMP: ("input", "y_time is not a finite number: a step without news; later ones are not logged"),
    FUTURE_STAMP: ("input", "y_time lies in the future: the value is not stored; later ones are not logged"),
    OLD_STAMP: ("input", "y_time is older than the history: the value is not stored; later ones are not logged"),
    LATE_HOST: ("timing", "the host left out macro steps: they count as steps without news; later ones are not logged"),
    LONG_STEP: ("timing", "the step size does not divide macro_step; later ones are not logged"),
    TOO_LATE: ("latency", "the latency is above 64 macro steps: the output is held; later ones are not logged"),
    DISCONTINUITY: ("discontinuity", "a discontinuity was detected; later ones are not logged"),
    BEGAN_HOLDING: ("dropout", "no news for more than latency.coast_steps: the output is held"),
    BECAME_LOST: ("dropout", "no news for more than latency.lost_steps: output.on_loss applies"),
    RECOVERED: ("dropout", "news arrived: the output is estimated again"),
    BAD_QUALITY: ("quality", "the error of an estimate exceeds its tolerance (%g): later ones are counted"),
    QUALITY_ENDS: (
        "quality", "quality.action = stop ends the run: an estimate exceeds its tolerance, or energy is created",
    ),
    LIMITED: ("output", "the output is limited; later ones are not logged"),
    RELATIVE_CLOCK: (
        "latency", "neither latency.minimum nor a round trip is known: latency counts from the fastest message",
    ),
    IS_HARMFUL: ("quality", "estimates are worse than ZOH or create energy: the newest value is held meanwhile"),
    LEARNT: ("learning", "new weights are in use: they were better on values that they had not seen"),
    NOT_LEARNT: ("learning", "new weights were refused: no better, or too large a gain; the old ones stay in use"),
    FELL_BACK: ("learning", "the network is worse than ZOH: it returns to the weights of the start"),
    SERVER_GONE: ("learning", "the learning server does not answer: no new weights for now; later ones are not logged"),
    SERVER_WRONG: ("learning", "the learning server sent an unusable answer: it is ignored; later ones are not logged"),
    GOOD_QUALITY: (
        "quality", "errors are tolerated again: %g of %g estimates exceeded their tolerance, the largest error %g",
    ),
    QUALITY_TOTAL: ("quality", "in this run %g of %g estimates exceeded their tolerance, the largest error %g"),
    BEGAN_ANEW: ("latency", "stamps jumped by %g s: the sender begins anew, its fastest message as late as before"),
    NEVER_VALID: ("dropout", "nothing has arrived since the start: y_valid is false, is that connected?"),
    NEVER_STAMPED: ("dropout", "nothing has arrived since the start: it has no stamp, is y_time connected?"),
    BAD_CONJUGATE: ("energy", "conjugate is not a finite number: no energy is booked; later ones are not logged"),
    CREATES_ENERGY: ("energy", "the coupling creates energy: %g J in about 100 macro steps; later ones are not logged"),
    OVERDRAWN: ("energy", "the budget of energy is used up: the estimate is limited; later ones are not logged"),
    WRONG_MODEL: ("model", "the model is wrong: its fallback runs until it is right again; later ones are not logged"),
}

NUMBERS: dict[int, tuple[str, ...]] = {
    BAD_QUALITY: ("quality.worst",),
    GOOD_QUALITY: ("quality.exceeded", "quality.lasted", "quality.worst",),
    QUALITY_TOTAL: ("quality.all_exceeded", "quality.all_judged", "quality.all_worst",),
    BEGAN_ANEW: ("clock.jump",),
    CREATES_ENERGY: ("energy.created",),
}
"""Where the state has them."""
