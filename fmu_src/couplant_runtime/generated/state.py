"""The state of a coupling FMU: one record for each stage and for what stages share."""

from __future__ import annotations

from ..record import Record, slots
from .numbers import (
    ADAPTED_SUMS, ADAPTED_WEIGHTS, AVERAGES, BANK, BLOCKS, BURST, COMPANIONS, COVARIANCE, DEEP, DEEP_WEIGHTS,
    EARLIER_COMPANIONS, EARLIER_INPUTS, FIT, INPUTS, MOST_WEIGHTS, PARAMETERS, PATTERN, PATTERNS, PHASORS, PLANT_INPUTS,
    PLANT_POWERS, PLANT_STATES, RATES, RESIDUALS, RING, SLOTS, SUMS, TAPS, TERMS, TRIANGLE,
)


class Input(Record):
    """Inputs that the host sets in every step."""

    FIELDS = (
        ("y", "d", 1), ("y_time", "d", 1), ("y_echo", "d", 1), ("burst", "d", BURST), ("burst_time", "d", BURST),
        ("y_valid", "i", 1), ("burst_valid", "i", BURST),
    )
    __slots__ = slots(FIELDS)

    y: float  # newest value received, signal unit
    y_time: float  # its send time in the receiver's time, s
    y_echo: float  # send time of the receiver's message that the sender had last, s
    burst: list[float]  # earlier values that the message repeats, signal unit
    burst_time: list[float]  # their send times, s
    y_valid: int  # there is something new on y
    burst_valid: list[int]  # there is such an earlier value


class Parameter(Record):
    """Parameters of the FMU, fixed and tunable."""

    FIELDS = (
        ("macro_step", "d", 1), ("latency_offset", "d", 1), ("latency_minimum", "d", 1), ("host_lead", "d", 1),
        ("hold_lead", "d", 1), ("signal_period", "d", 1), ("floor", "d", 1), ("safe_value", "d", 1),
        ("observer_gain", "d", 1), ("noise", "d", 1), ("sensitivity", "d", 1), ("zeta", "d", 1), ("delta", "d", 1),
        ("output_min", "d", 1), ("output_max", "d", 1), ("rate_max", "d", 1), ("guard", "d", 1), ("a", "d", TAPS),
        ("slopes", "d", TAPS), ("latency_mode", "i", 1), ("latency_clock", "i", 1), ("constant_steps", "i", 1),
        ("coast_steps", "i", 1), ("lost_steps", "i", 1), ("reconstruction", "i", 1), ("on_loss", "i", 1),
        ("selected", "i", 1), ("action", "i", 1), ("detection", "i", 1), ("detector", "i", 1),
        ("hold_after_flag", "i", 1), ("bypass", "i", 1),
    )
    __slots__ = slots(FIELDS)

    macro_step: float  # dT; 0: the first step, s
    latency_offset: float  # time that no stamp shows, s
    latency_minimum: float  # of the fastest message, s
    host_lead: float  # what the importer adds between sender and receiver, macro steps
    hold_lead: float  # what the receiver adds by holding its input, macro steps
    signal_period: float  # of a signal that wraps round; 0: none, signal unit
    floor: float  # smaller breaks are no discontinuities, signal unit
    safe_value: float  # output when the signal is lost, signal unit
    observer_gain: float  # lambda of smb; 0: worked out, 1/s
    noise: float  # standard deviation of the measurement noise; 0: not known, signal unit
    sensitivity: float  # beta of the detectors, -
    zeta: float  # tolerance: weight of the curvature; -1: table, s
    delta: float  # tolerance: share of the horizon; -1: table, -
    output_min: float  # lower limit of y_hat, signal unit
    output_max: float  # upper limit of y_hat, signal unit
    rate_max: float  # largest rate of y_hat, signal unit per s
    guard: float  # of the last values that an estimate may lie outside; 0: any, ranges
    a: list[float]  # weights algorithm.a[i] of the level, newest first, -
    slopes: list[float]  # weights algorithm.A[i] of the slope, newest first, -
    latency_mode: int  # where the latency comes from, LatencyMode
    latency_clock: int  # of the send stamps, Clock
    constant_steps: int  # latency in constant mode, macro steps
    coast_steps: int  # without news, bridged, macro steps
    lost_steps: int  # without news until lost, macro steps
    reconstruction: int  # between macro steps, Reconstruction
    on_loss: int  # when the signal is lost, OnLoss
    selected: int  # that is to run, Algorithm
    action: int  # on a bad estimate, QualityAction
    detection: int  # detect discontinuities and switch
    detector: int  # test for discontinuities, Detector
    hold_after_flag: int  # hold instead of extrapolating after a flag
    bypass: int  # y_hat = y, everything else keeps running


class Grid(Record):
    """Time, and the macro steps in it."""

    FIELDS = (
        ("anchor_time", "d", 1), ("time", "d", 1), ("target", "d", 1), ("period", "d", 1), ("near", "d", 1),
        ("n", "q", 1), ("due", "q", 1), ("anchor", "q", 1), ("here", "q", 1),
    )
    __slots__ = slots(FIELDS)

    anchor_time: float  # of the macro point that others are counted from, s
    time: float  # end of the last step, s
    target: float  # time that the outputs are valid for, s
    period: float  # dT in use; 0: not yet known, s
    near: float  # so close to a macro point a communication point is on it, s
    n: int  # present macro step, -1 before the first, macro steps
    due: int  # macro step that an incoming value counts for, macro steps
    anchor: int  # macro step of the point that others are counted from, macro steps
    here: int  # macro step that the present time belongs to, macro steps


class Latency(Record):
    """Stage 1: how late the newest value is."""

    FIELDS = (
        ("seconds", "d", 1), ("first_stamp", "d", 1), ("newest_stamp", "d", 1), ("fraction", "d", 1),
        ("usual_lead", "d", 1), ("slot", "q", 1), ("steps", "i", 1), ("usual_reach", "i", 1), ("taken", "i", 1),
        ("early", "i", 1),
    )
    __slots__ = slots(FIELDS)

    seconds: float  # latency that is made up for, s
    first_stamp: float  # send time of slot 0, s
    newest_stamp: float  # send time of the newest value, s
    fraction: float  # f = k - lead / dT, -
    usual_lead: float  # of values as they arrive, mean, macro steps
    slot: int  # where the incoming value belongs, slots
    steps: int  # k, macro steps
    usual_reach: int  # from the newest value to what is estimated, usually, settled, macro steps
    taken: int  # what the incoming value is: nothing, newest, late
    early: int  # by which the estimate keeps back behind the newest, slots


class Clock(Record):
    """The sender's clock, where it is not the receiver's."""

    FIELDS = (
        ("drift", "d", 1), ("offset", "d", 1), ("fastest", "d", 1), ("transit", "d", 1), ("jump", "d", 1),
        ("low", "d", 2), ("high", "d", 2), ("stray_stamp", "d", 1), ("stray_low", "d", 1), ("stray_high", "d", 1),
        ("round_trip", "d", 1), ("block_time", "d", BLOCKS + 1), ("block_transit", "d", BLOCKS + 1),
        ("stray_step", "q", 1), ("blocks", "i", 1), ("block_count", "i", 1), ("known", "i", 1), ("guessed", "i", 1),
        ("usual", "i", 1), ("strays", "i", 1), ("certain", "i", 1), ("doubt", "i", 1),
    )
    __slots__ = slots(FIELDS)

    drift: float  # gain of the sender's clock on the receiver's, -
    offset: float  # added to a stamp gives the receiver's time, s
    fastest: float  # transit time of the fastest message as of now, s
    transit: float  # of the newest message, s
    jump: float  # by which stamps jumped when the sender began anew last, s
    low: list[float]  # smallest transit time of messages taken, of the present ones and those before, s
    high: list[float]  # the largest, s
    stray_stamp: float  # newest stamp of those that do not go on from the ones before, s
    stray_low: float  # their smallest transit time, s
    stray_high: float  # the largest, s
    round_trip: float  # smallest; 0: none yet, s
    block_time: list[float]  # of the lowest transit time of each block, the present one last, s
    block_transit: list[float]  # lowest transit time, s
    stray_step: int  # of the one counted last, macro steps
    blocks: int  # that are full, -
    block_count: int  # messages in the present block, -
    known: int  # taken since the sender began, up to STRAYS, messages
    guessed: int  # no good stamp told how late the fastest is, by a common clock
    usual: int  # whose transit times are the present ones, messages
    strays: int  # in succession that do not go on from the ones before, messages
    certain: int  # of these that cannot have been here before, messages
    doubt: int  # weight of these, up to DOUBT, -


class History(Record):
    """Stage 2: values by the sender's macro step."""

    FIELDS = (
        ("past", "d", SLOTS), ("stamps", "d", SLOTS), ("newest", "q", 1), ("origin", "q", 1), ("news", "q", 1),
        ("lost", "i", 1), ("late", "i", 1), ("reordered", "i", 1), ("filled", "B", 1), ("marked", "B", SLOTS),
    )
    __slots__ = slots(FIELDS)

    past: list[float]  # values, newest first, signal unit
    stamps: list[float]  # their send times since the first, macro steps
    newest: int  # slot of the newest value on the sender's grid, slots
    origin: int  # slot of the first value, slots
    news: int  # macro step of the last news, macro steps
    lost: int  # of the sender's macro steps so far that have not come, values
    late: int  # that came later than their turn, values
    reordered: int  # that came after a newer one, values
    filled: int  # there is a value
    marked: list[int]  # slot is filled by interpolation


class Quality(Record):
    """Stage 3: estimates kept until their true values arrive, and how good they were."""

    FIELDS = (
        ("error", "d", 1), ("tolerance", "d", 1), ("skill", "d", 1), ("skill_zoh", "d", 1), ("error_power", "d", 1),
        ("hold_power", "d", 1), ("wire_power", "d", 1), ("worst", "d", 1), ("exceeded", "d", 1), ("lasted", "d", 1),
        ("all_worst", "d", 1), ("all_exceeded", "d", 1), ("all_judged", "d", 1), ("estimated", "d", RING),
        ("held_then", "d", RING), ("wire_mean", "d", RING), ("wire_spread", "d", RING), ("judged", "q", 1),
        ("ok", "i", 1), ("grade", "i", 1), ("measured", "i", 1), ("wire_count", "i", 1), ("stopped", "i", 1),
        ("calm", "i", 1), ("patience", "i", 1), ("warned", "B", 1), ("judged_ok", "B", 1), ("harmful", "B", 1),
        ("judgeable", "B", RING), ("horizon", "B", RING),
    )
    __slots__ = slots(FIELDS)

    error: float  # of the estimate judged last, signal unit
    tolerance: float  # of that estimate, signal unit
    skill: float  # 1 perfect, 0 as good as no FMU, -
    skill_zoh: float  # 1 perfect, 0 as good as ZOH: what stages decide by, -
    error_power: float  # faded sum of squared errors, signal unit squared
    hold_power: float  # the same for ZOH, signal unit squared
    wire_power: float  # the same for the values as they came, signal unit squared
    worst: float  # largest error since a warning began, signal unit
    exceeded: float  # estimates that exceeded their tolerance since then, -
    lasted: float  # estimates judged from the first of these to the last, -
    all_worst: float  # largest error of those in this run that exceeded their tolerance, signal unit
    all_exceeded: float  # their number, -
    all_judged: float  # estimates judged in this run while quality.action = warn, -
    estimated: list[float]  # unlimited estimate for t_n, by n modulo RING, signal unit
    held_then: list[float]  # what ZOH would have given, signal unit
    wire_mean: list[float]  # mean of the values as they came after t_n-1 up to t_n, signal unit
    wire_spread: list[float]  # their variance, signal unit squared
    judged: int  # macro step whose estimate is judged next, macro steps
    ok: int  # the error is tolerated and the output is not held
    grade: int  # worth of the algorithm, Grade
    measured: int  # estimates judged, up to a million, -
    wire_count: int  # communication points since the last macro point, up to a million, -
    stopped: int  # quality.action = stop ends the run
    calm: int  # tolerated in succession since a warning began, estimates
    patience: int  # tolerated in succession that end it, estimates
    warned: int  # a warning has begun and not ended
    judged_ok: int  # the estimate judged last is tolerated
    harmful: int  # estimates are worse than ZOH or create energy
    judgeable: list[int]  # by n modulo RING
    horizon: list[int]  # kappa, macro steps


class Discontinuity(Record):
    """Stage 4: whether the newest value breaks with the past."""

    FIELDS = (
        ("spectrum", "d", 1), ("spectrum_before", "d", 1), ("tested", "q", 1), ("anchor_before", "q", 1),
        ("detected", "i", 1), ("flagged", "B", 1),
    )
    __slots__ = slots(FIELDS)

    spectrum: float  # with the newest value, signal unit
    spectrum_before: float  # one slot earlier, signal unit
    tested: int  # slot that the detector looked at last, slots
    anchor_before: int  # anchor before the last flag, slots
    detected: int  # the newest value breaks with the past
    flagged: int  # the selected algorithm has not run since the last flag


class Residual(Record):
    """The residual detector."""

    FIELDS = (
        ("miss", "d", 1), ("break_rate", "d", 1), ("fitted", "d", FIT), ("fitted_at", "d", FIT),
        ("residuals", "d", RESIDUALS), ("fits", "i", 1),
    )
    __slots__ = slots(FIELDS)

    miss: float  # residual of the value tested last, signal unit
    break_rate: float  # residual by time of a flag one value ago; else 0, signal unit per macro step
    fitted: list[float]  # values received last, moved by jumps, newest first, signal unit
    fitted_at: list[float]  # their send times, macro steps
    residuals: list[float]  # sizes, newest first, signal unit
    fits: int  # values that it has taken, as far as that matters, -


class Switching(Record):
    """Stage 5: the algorithm that may run."""

    FIELDS = (
        ("anchor", "q", 1), ("mode", "i", 1), ("active", "i", 1), ("selected_before", "i", 1), ("brief", "B", 1),
        ("starting", "B", 1), ("anew", "B", 1),
    )
    __slots__ = slots(FIELDS)

    anchor: int  # slot of the first value, of the last flag or of a change of algorithm, slots
    mode: int  # starting, running, holding, lost, State
    active: int  # that makes the estimate, Algorithm
    selected_before: int  # that was selected in the last macro step, Algorithm
    brief: int  # the hold is no longer than what is bridged: the history goes on behind it
    starting: int  # the selected algorithm has not run since the start
    anew: int  # nor since the sender began anew


class Algorithm(Record):
    """Stage 6: the estimate, level + slope (theta - shift)."""

    FIELDS = (
        ("shift", "d", 1), ("level", "d", 1), ("slope", "d", 1), ("held", "d", 1), ("passed", "d", 1),
        ("observed", "d", RING), ("spent", "d", 1), ("corrected", "q", 1),
    )
    __slots__ = slots(FIELDS)

    shift: float  # of the line, -
    level: float  # at the macro point, signal unit
    slope: float  # change of the estimate, signal unit per macro step
    held: float  # what a held output shows, signal unit
    passed: float  # y before the history has a value, signal unit
    observed: list[float]  # estimate at theta = 0 for the observer, by n modulo RING, signal unit
    spent: float  # gain with which the observer has subtracted it, -
    corrected: int  # slot whose error the observer has subtracted last, slots


class Irregular(Record):
    """Weights of `irregular` by pattern of ages."""

    FIELDS = (
        ("term_level", "d", PATTERNS * TERMS), ("term_slope", "d", PATTERNS * TERMS), ("scale", "d", 1),
        ("quiet", "d", 1), ("pattern", "i", PATTERNS * PATTERN), ("next_pattern", "i", 1), ("careful", "i", 1),
        ("patience", "i", 1),
    )
    __slots__ = slots(FIELDS)

    term_level: list[float]  # of the level, newest value first, -
    term_slope: list[float]  # of the slope, -
    scale: float  # largest faded sum of squared errors of zoh at ruinous skills, signal unit squared
    quiet: float  # the least of late, which grows, signal unit squared
    pattern: list[int]  # lead, number, usual reach, noise and ages of the values, ticks
    next_pattern: int  # place that the next new pattern takes, -
    careful: int  # until larger weights are tried again, macro steps
    patience: int  # that this takes; less by one with each macro step of larger weights, macro steps


class Noise(Record):
    """The noise of the signal, as its values tell it."""

    FIELDS = (
        ("told", "d", RESIDUALS), ("change", "d", 1), ("scale", "d", 1), ("newest", "q", 1), ("next", "i", 1),
        ("known", "i", 1), ("level", "i", 1), ("assumed", "i", 1), ("wide", "i", 1),
    )
    __slots__ = slots(FIELDS)

    told: list[float]  # variance of the noise by fifth differences of values, signal unit squared
    change: float  # mean square of the change over CHANGE slots, signal unit squared
    scale: float  # faded squared errors of zoh where doubts of weights began; 0: none, signal unit squared
    newest: int  # newest value that these know, slots
    next: int  # place that the next variance takes, -
    known: int  # that these know, as far as that matters, slots
    level: int  # of the noise that they tell, 0: none, -
    assumed: int  # level of the noise in force, -
    wide: int  # that latencies still count as wide, macro steps


class Bank(Record):
    """The members of `auto`."""

    FIELDS = (
        ("loss", "d", BANK), ("weight", "d", BANK), ("estimated", "d", BANK * RING), ("low", "d", 1), ("high", "d", 1),
        ("usual", "d", 1), ("bent", "q", 1), ("compared", "i", 1), ("moves", "i", 1), ("sure", "i", 1),
        ("leading", "i", 1),
    )
    __slots__ = slots(FIELDS)

    loss: list[float]  # faded sum of squared errors, signal unit squared
    weight: list[float]  # share in the estimate, -
    estimated: list[float]  # estimate for t_n, by member, then n modulo RING, signal unit
    low: float  # smallest value seen, signal unit
    high: float  # largest value seen, signal unit
    usual: float  # mean squared error of zoh, signal unit squared
    bent: int  # slot of the last small break; 0: a large one came after it, slots
    compared: int  # estimates judged, up to a million, -
    moves: int  # in succession by which a signal that rested moves, estimates
    sure: int  # the best member foresees well
    leading: int  # with the largest share, Algorithm


class Adaptive(Record):
    """The member of `auto` that learns the signal: a linear prediction by recursive least squares."""

    FIELDS = (
        ("sums", "d", ADAPTED_SUMS), ("right", "d", ADAPTED_WEIGHTS), ("use", "d", ADAPTED_WEIGHTS),
        ("average", "d", AVERAGES), ("late", "d", AVERAGES), ("share", "d", 1), ("taken", "q", 1), ("reach", "i", 1),
        ("samples", "i", 1), ("unused", "i", 1),
    )
    __slots__ = slots(FIELDS)

    sums: list[float]  # faded, of products of what is weighed: lower triangle, signal unit squared
    right: list[float]  # with the changes to be foreseen, to both points, signal unit squared
    use: list[float]  # weights of the change up to the macro point, and up to the next, -
    average: list[float]  # exponential averages of the values, signal unit
    late: list[float]  # the same `reach` + 1 slots ago, signal unit
    share: float  # in the estimate, -
    taken: int  # newest slot that the averages have, slots
    reach: int  # from the newest value to the macro point, of what is learnt, macro steps
    samples: int  # learnt from, as far as that matters, values
    unused: int  # learnt from since the weights were worked out, values


class Deep(Record):
    """The member of `auto` that looks far back: the same with more values, each as it is."""

    FIELDS = (
        ("sums", "d", DEEP), ("right", "d", DEEP_WEIGHTS), ("use", "d", DEEP_WEIGHTS), ("changes", "d", DEEP),
        ("samples", "i", 1), ("unused", "i", 1),
    )
    __slots__ = slots(FIELDS)

    sums: list[float]  # faded, of products of a change with those before it, by lag, signal unit squared
    right: list[float]  # with the changes to be foreseen, to both points, signal unit squared
    use: list[float]  # weights of the change up to the macro point, and up to the next, -
    changes: list[float]  # from value to value, newest first, `reach` + 1 slots ago, signal unit
    samples: int  # learnt from, as far as that matters, values
    unused: int  # learnt from since the weights were worked out, values


class Guard(Record):
    """How far estimates may lie outside the last values."""

    FIELDS = (("low", "d", 1), ("high", "d", 1), ("lowest", "d", 1), ("highest", "d", 1), ("acts", "i", 1))
    __slots__ = slots(FIELDS)

    low: float  # least estimate, signal unit
    high: float  # largest estimate, signal unit
    lowest: float  # value of those that are remembered, signal unit
    highest: float  # value of those that are remembered, signal unit
    acts: int  # the estimate is kept within


class Reconstruction(Record):
    """Stage 8: what is given out."""

    FIELDS = (
        ("y_hat", "d", 1), ("unlimited", "d", 1), ("given", "d", 1), ("given_time", "d", 1), ("ends", "d", 1),
        ("limited", "i", 1),
    )
    __slots__ = slots(FIELDS)

    y_hat: float  # estimate for the target time, signal unit
    unlimited: float  # estimate before the limits, signal unit
    given: float  # what was given out last, signal unit
    given_time: float  # when, s
    ends: float  # what is given out where the step ends, signal unit
    limited: int  # the output is kept within its limits


class Log(Record):
    """Events of a step, for the log."""

    FIELDS = (("events", "i", 1), ("told", "i", 1))
    __slots__ = slots(FIELDS)

    events: int  # of this step, bits
    told: int  # that are told once only and have been told, bits


class Debug(Record):
    """Outputs of FMUs built with debug."""

    FIELDS = (("newest", "d", 1), ("slot", "i", 1), ("missing", "i", 1), ("usable", "i", 1))
    __slots__ = slots(FIELDS)

    newest: float  # newest value in the history, signal unit
    slot: int  # its slot, slots
    missing: int  # without news, macro steps
    usable: int  # since the start or the last flag, slots


class Follow(Record):
    """The lag of the receiver, learnt from its answer."""

    FIELDS = (
        ("applied", "d", 1), ("offset_min", "d", 1), ("offset_max", "d", 1), ("lag", "d", 1), ("gain", "d", 1),
        ("deviation", "d", 1), ("power", "d", 1), ("given", "d", SLOTS), ("answer", "d", 2), ("sums", "d", SUMS),
        ("step", "q", 1), ("mode", "i", 1), ("known", "i", 1), ("followed", "i", 1),
    )
    __slots__ = slots(FIELDS)

    applied: float  # what the receiver really does with the estimate, signal unit
    offset_min: float  # least lag that is followed, s
    offset_max: float  # largest lag that is followed, s
    lag: float  # offset in force, s
    gain: float  # amplitude of the answer over that of the estimate, -
    deviation: float  # standard deviation of the lag, s
    power: float  # variance of what lag and gain leave unexplained, signal unit squared
    given: list[float]  # what was given out for t_n, by n modulo SLOTS, signal unit
    answer: list[float]  # of the receiver at the last macro points, newest first, signal unit
    sums: list[float]  # of products of 1, slope, value, answer, lower triangle, -
    step: int  # newest macro step that was followed, macro steps
    mode: int  # what is learnt from the answer, Follow
    known: int  # in succession with an answer, macro steps
    followed: int  # the answer is plausible: lag and gain are learnt from it


class Phasor(Record):
    """A periodic signal: its constant part, its fundamental and odd harmonics as complex amplitudes."""

    FIELDS = (
        ("nominal", "d", 1), ("settling", "d", 1), ("frequency", "d", 1), ("drift", "d", 1), ("ramp", "d", 1),
        ("earlier", "d", RATES), ("real", "d", PHASORS), ("imaginary", "d", PHASORS), ("constant", "d", 1),
        ("amplitude", "d", 1), ("usual", "d", 1), ("errors", "d", 1), ("power", "d", 1), ("trust", "d", 1),
        ("slot", "q", 1), ("harmonics", "i", 1), ("follow", "i", 1), ("samples", "i", 1), ("held", "i", 1),
        ("followed", "i", 1),
    )
    __slots__ = slots(FIELDS)

    nominal: float  # frequency that the fundamental has nearly, Hz
    settling: float  # time constant with which the frequency is followed, latencies
    frequency: float  # of the fundamental, Hz
    drift: float  # by which the next value moves it, Hz
    ramp: float  # by which it changes in a macro step, Hz
    earlier: list[float]  # what it was at the values before, newest first, Hz
    real: list[float]  # real parts at the newest value, fundamental first, signal unit
    imaginary: list[float]  # imaginary parts, signal unit
    constant: float  # part that does not turn, signal unit
    amplitude: float  # of the fundamental, signal unit
    usual: float  # usual size of the errors of a value, signal unit
    errors: float  # faded square of these errors, signal unit squared
    power: float  # faded square of the signal without its constant part, signal unit squared
    trust: float  # share of the estimate in what is given out; the rest is the newest value, -
    slot: int  # of the value taken last, slots
    harmonics: int  # order of the highest harmonic, -
    follow: int  # what is followed, Frequency
    samples: int  # taken in succession, as far as that matters, values
    held: int  # for which the frequency still stays, after a jump, values
    followed: int  # the signal is periodic: it is foreseen


class Bond(Record):
    """Inputs and parameters of the end of a power bond."""

    FIELDS = (
        ("conjugate", "d", 1), ("far_given", "d", 1), ("far_passed", "d", 1), ("far_time", "d", 1),
        ("take_back", "d", 1), ("cap", "d", 1), ("budget", "d", 1), ("alert", "d", 1), ("peak", "d", 1),
        ("rate", "d", 1), ("stiffness", "d", 1), ("give_back", "i", 1), ("end", "i", 1), ("conjugate_is", "i", 1),
        ("source", "i", 1), ("reversed", "i", 1), ("stale", "i", 1),
    )
    __slots__ = slots(FIELDS)

    conjugate: float  # present value of the signal of the bond that goes the other way, unit of the partner
    far_given: float  # energy that the far end has given out, J
    far_passed: float  # budget that the far end has passed on, J
    far_time: float  # until when the far end has booked, s
    take_back: float  # nu: share of created energy taken out in a macro step, -
    cap: float  # largest correction as a share of the estimate, -
    budget: float  # B: energy given out beyond what came back; 0: no guard, J
    alert: float  # share of the budget below which estimates must be plausible, -
    peak: float  # plausible size as a multiple of the largest one received, -
    rate: float  # plausible change as a multiple of the largest one received, -
    stiffness: float  # by which the effort falls at once; 0: unknown, effort per flow
    give_back: int  # energy that was lost is given back too
    end: int  # what y is in its power bond, BondEnd
    conjugate_is: int  # what the flow of the bond is, Conjugate
    source: int  # energy that is taken back, EnergySource
    reversed: int  # effort times flow is power out of the receiver of the effort
    stale: int  # the host reads outputs before it sets inputs


class Energy(Record):
    """Stage 7: the end of a power bond, what was given out and what the estimate may still do."""

    FIELDS = (
        ("given", "d", 1), ("residual", "d", 1), ("own", "d", 1), ("work", "d", 1), ("taken", "d", 1),
        ("passed", "d", 1), ("left", "d", 1), ("granted", "d", 1), ("far_given", "d", 1), ("far_passed", "d", 1),
        ("far_time", "d", 1), ("said", "d", 1), ("claimed", "d", 1), ("stray", "d", 1), ("power", "d", 1),
        ("correction", "d", 1), ("time", "d", 1), ("booked", "d", 1), ("lasted", "d", 2), ("conjugate", "d", 2),
        ("start", "d", 2), ("end", "d", 2), ("points", "d", 3), ("levels", "d", 3), ("means", "d", 2),
        ("impulse", "d", 1), ("change", "d", 2), ("above", "d", 1), ("below", "d", 1), ("response", "d", 1),
        ("square", "d", 1), ("size", "d", 1), ("swing", "d", 1), ("growth", "d", 1), ("last", "d", 1),
        ("reached", "d", 1), ("true_value", "d", 1), ("created", "d", 1), ("transmitted", "d", 1), ("before", "d", 1),
        ("owed", "d", 1), ("raw", "d", RING), ("moved", "d", RING), ("known", "d", RING), ("worked", "d", RING),
        ("judged", "q", 1), ("step", "q", 1), ("heard", "i", 1), ("counted", "i", 1), ("strays", "i", 1),
        ("fallen", "i", 1), ("graded", "i", 1), ("limited", "i", 1), ("grade", "i", 1), ("far", "i", 1),
    )
    __slots__ = slots(FIELDS)

    given: float  # E: energy that has left the network here, J
    residual: float  # energy that the coupling has created, as far as both ends are known, J
    own: float  # share of it that the estimates of this end have made, J
    work: float  # K: energy that the corrections have given out, J
    taken: float  # energy that the corrections have taken out, J
    passed: float  # S: budget passed on to the far end, J
    left: float  # T: what is left of the budget, J
    granted: float  # B: budget that has been granted, J
    far_given: float  # energy that the far end has given out, newest, J
    far_passed: float  # R: budget that the far end has passed on, as two messages say, J
    far_time: float  # until when the far end has booked, s
    said: float  # budget that the far end has passed on, newest, J
    claimed: float  # energy owed according to the newest message, J
    stray: float  # time of the newest message that was older than the one before, s
    power: float  # energy given out per time in the step booked last, W
    correction: float  # added to the estimate, signal unit
    time: float  # newest communication point, s
    booked: float  # until when everything is booked, s
    lasted: list[float]  # length of the steps that ended last, newest first, s
    conjugate: list[float]  # at communication points, newest first, unit of the partner
    start: list[float]  # what is given out from communication points on, newest first, signal unit
    end: list[float]  # what it has become where the step ends, signal unit
    points: list[float]  # conjugate at macro points, newest first, unit of the partner
    levels: list[float]  # what is given out at macro points, newest first, signal unit
    means: list[float]  # mean of what was given out in macro steps, newest first, signal unit
    impulse: float  # given out since the last macro point, signal unit s
    change: list[float]  # what this stage has added: next, in force, signal unit
    above: float  # faded sum of the squared responses, -
    below: float  # faded sum of the squares of what made them, -
    response: float  # energy of a step in which the conjugate gives way, per square of what is given, -
    square: float  # mean square of the flow, -
    size: float  # largest size received, signal unit
    swing: float  # largest change received per macro step, signal unit
    growth: float  # by which that has grown in the last macro step, signal unit
    last: float  # start of the line given out last, signal unit
    reached: float  # end of the line given out last, signal unit
    true_value: float  # newest true value at a macro point, signal unit
    created: float  # faded sum of the energy created, J
    transmitted: float  # faded sum of the sizes of the energy given out, J
    before: float  # energy created until the last macro point, J
    owed: float  # energy created less the work of corrections, until the far end's newest message, J
    raw: list[float]  # estimate before this stage, by n modulo RING, signal unit
    moved: list[float]  # conjugate that it acted on, by n modulo RING, -
    known: list[float]  # energy given out until t_n, J
    worked: list[float]  # work of the corrections until t_n, J
    judged: int  # macro step of the newest true value, macro steps
    step: int  # newest macro step that was followed, macro steps
    heard: int  # communication points in succession with a finite conjugate, up to 3
    counted: int  # macro points in succession, up to 3, macro steps
    strays: int  # in succession that were older, messages
    fallen: int  # in succession with less passed on than before, messages
    graded: int  # booked, as far as that matters, macro steps
    limited: int  # the estimate is kept within the budget
    grade: int  # what the coupling does to energy, EnergyGrade
    far: int  # there has been a message of the far end


class Plant(Record):
    """The prototype that sends y: what it is given, and its states as the algorithm `model` has them."""

    FIELDS = (
        ("u", "d", PLANT_INPUTS), ("companion", "d", COMPANIONS), ("given", "d", PLANT_INPUTS),
        ("given_slope", "d", PLANT_INPUTS), ("earlier_companion", "d", EARLIER_COMPANIONS),
        ("earlier_given", "d", EARLIER_INPUTS), ("earlier_slope", "d", EARLIER_INPUTS),
        ("local", "d", PLANT_INPUTS * INPUTS), ("outputs", "d", COMPANIONS * SLOTS),
        ("level", "d", PLANT_INPUTS * SLOTS), ("change", "d", PLANT_INPUTS * SLOTS),
        ("predicted", "d", PLANT_STATES * SLOTS), ("corrected", "d", PLANT_STATES), ("reached", "d", PLANT_STATES),
        ("powers", "d", PLANT_POWERS), ("begins", "d", 1), ("foreseen", "d", RING), ("errors", "d", 1),
        ("held", "d", 1), ("surprise", "d", 1), ("peak", "d", 1), ("low", "d", 1), ("high", "d", 1), ("step", "q", 1),
        ("at", "q", 1), ("next", "q", 1), ("origin", "q", 1), ("known", "i", 1), ("begun", "i", 1), ("ahead", "i", 1),
        ("power", "i", 1), ("moved", "i", 1), ("wrong", "i", 1), ("doubt", "i", 1), ("grown", "i", 1),
        ("since", "i", 1), ("recovers", "i", 1), ("told", "B", SLOTS),
    )
    __slots__ = slots(FIELDS)

    u: list[float]  # signals that go from here to the prototype, at present, unit of u
    companion: list[float]  # what it sent with y, its unit
    given: list[float]  # what it was given when it sent y, as its message says, unit of u
    given_slope: list[float]  # slope of that from then on, unit of u per s
    earlier_companion: list[float]  # what it sent with repeated values, its unit
    earlier_given: list[float]  # what it was given when it sent these, unit of u
    earlier_slope: list[float]  # slopes of that, unit of u per s
    local: list[float]  # signals from here at t_n, by signal, n modulo INPUTS, unit of u
    outputs: list[float]  # what was sent with y, by signal, slot modulo SLOTS, its unit
    level: list[float]  # what it was given, by signal, slot modulo SLOTS, unit of u
    change: list[float]  # change of that from then on, unit of u per step
    predicted: list[float]  # states before values count, by state, slot modulo SLOTS, -
    corrected: list[float]  # states at the slot that the last estimate came from, -
    reached: list[float]  # states `ahead` macro steps later, -
    powers: list[float]  # a power of Phi, column by column, -
    begins: float  # when that slot was sent, after the macro point, macro steps
    foreseen: list[float]  # what the model estimates for t_n, by n modulo RING, signal unit
    errors: float  # faded sum of its squared errors, signal unit squared
    held: float  # the same for ZOH, signal unit squared
    surprise: float  # faded squared errors of the observer on y over their variance, beyond noise, -
    peak: float  # the largest of these sums that counts as a growth, -
    low: float  # smallest value judged by, signal unit
    high: float  # largest value judged by, signal unit
    step: int  # newest macro step whose signals are kept, macro steps
    at: int  # macro step of the last estimate, macro steps
    next: int  # newest slot with such states, slots
    origin: int  # origin of the history that they come from, slots
    known: int  # kept in succession, macro steps
    begun: int  # there are such states
    ahead: int  # from the slot to the last inputs that are known, macro steps
    power: int  # of Phi that there is, -
    moved: int  # that states were moved on, macro steps
    wrong: int  # the model is wrong: its fallback runs
    doubt: int  # in succession that speak against that, estimates
    grown: int  # growths in succession, -
    since: int  # since the last one, estimates
    recovers: int  # with news until estimates tell of the model again, macro steps
    told: list[int]  # what messages told, by slot modulo SLOTS: 1 companions, 2 given, -


class NeuralState(Record):
    """Weights, sums and counters of a neural network; sums are over the running range."""

    FIELDS = (
        ("prior", "d", 1), ("gain_max", "d", 1), ("lowest", "d", 1), ("highest", "d", 1), ("spread", "d", 1),
        ("power", "d", 1), ("behind", "d", 1), ("loss", "d", 3), ("loss_far", "d", 3), ("base", "d", MOST_WEIGHTS),
        ("use", "d", MOST_WEIGHTS), ("candidate", "d", MOST_WEIGHTS), ("right", "d", MOST_WEIGHTS),
        ("matrix", "d", TRIANGLE), ("factor", "d", TRIANGLE), ("enabled", "i", 1), ("safe", "i", 1),
        ("cycle_steps", "i", 1), ("judge_steps", "i", 1), ("phase", "i", 1), ("accepted", "i", 1), ("refused", "i", 1),
        ("fallbacks", "i", 1), ("collected", "i", 1), ("column", "i", 1), ("judged", "i", 1), ("poor", "i", 1),
        ("ranged", "i", 1), ("harmful", "i", 1),
    )
    __slots__ = slots(FIELDS)

    prior: float  # expected change of a weight, -
    gain_max: float  # largest gain, as a multiple of that of the start, -
    lowest: float  # end of the running range, signal unit
    highest: float  # end of the running range, signal unit
    spread: float  # median of the errors, -
    power: float  # sum of the squared errors of the start, -
    behind: float  # faded sum of what the weights in use lose more than hold, -
    loss: list[float]  # of candidate, weights in use, hold, -
    loss_far: list[float]  # at the other end of the macro step, -
    base: list[float]  # parameters network.weights[i], -
    use: list[float]  # weights in use, -
    candidate: list[float]  # weights under test; while training the right-hand side, -
    right: list[float]  # normal equations: right-hand side, -
    matrix: list[float]  # and matrix, lower triangle, -
    factor: list[float]  # its Cholesky factor in the making, -
    enabled: int  # learn while running
    safe: int  # new weights are taken only after a test
    cycle_steps: int  # of a learning cycle, macro steps
    judge_steps: int  # of a test of new weights, macro steps
    phase: int  # collecting, training, judging, LearningState
    accepted: int  # new weights that were taken, -
    refused: int  # new weights that were not taken, -
    fallbacks: int  # returns to the weights of the start, -
    collected: int  # samples in this cycle, -
    column: int  # of the factor, next, -
    judged: int  # samples in this test, -
    poor: int  # with a skill below zero in succession, macro steps
    ranged: int  # the running range has begun
    harmful: int  # up to now at which the weights in use lose against hold, values


class ModelState(Record):
    """Identified model; ranges and inputs count from the first value."""

    FIELDS = (
        ("u", "d", 1), ("forgetting", "d", 1), ("first", "d", 1), ("first_u", "d", 1), ("low", "d", 2),
        ("high", "d", 2), ("parameters", "d", PARAMETERS), ("covariance", "d", COVARIANCE), ("inputs", "d", INPUTS),
        ("learnt", "q", 1), ("recorded", "q", 1), ("samples", "i", 1), ("settled", "i", 1), ("ranged", "i", 1),
        ("heard", "i", 1),
    )
    __slots__ = slots(FIELDS)

    u: float  # present input of the prototype that sends y, unit of u
    forgetting: float  # weight kept a sample, -
    first: float  # first value, signal unit
    first_u: float  # first input, unit of u
    low: list[float]  # lower ends of the ranges, units of y and u
    high: list[float]  # upper ends of the ranges, units of y and u
    parameters: list[float]  # of the model, -
    covariance: list[float]  # of the parameters, lower triangle, -
    inputs: list[float]  # of the macro steps up to `recorded`, newest first, unit of u
    learnt: int  # slot of the last sample, slots
    recorded: int  # macro step of the newest input, macro steps
    samples: int  # values that the model was identified from, -
    settled: int  # the model is known well enough to be used
    ranged: int  # the ranges have begun
    heard: int  # there was an input


class Stages:
    """All records; those that only some FMUs have are None in the others."""

    __slots__ = (
        "input", "parameter", "grid", "latency", "clock", "history", "quality", "discontinuity", "residual",
        "switching", "algorithm", "irregular", "noise", "bank", "adaptive", "deep", "guard", "reconstruction", "log",
        "debug", "follow", "phasor", "bond", "energy", "plant", "neural", "model",
    )

    def __init__(self, with_neural: bool = False, with_model: bool = False) -> None:
        self.input = Input()
        self.parameter = Parameter()
        self.grid = Grid()
        self.latency = Latency()
        self.clock = Clock()
        self.history = History()
        self.quality = Quality()
        self.discontinuity = Discontinuity()
        self.residual = Residual()
        self.switching = Switching()
        self.algorithm = Algorithm()
        self.irregular = Irregular()
        self.noise = Noise()
        self.bank = Bank()
        self.adaptive = Adaptive()
        self.deep = Deep()
        self.guard = Guard()
        self.reconstruction = Reconstruction()
        self.log = Log()
        self.debug = Debug()
        self.follow = Follow()
        self.phasor = Phasor()
        self.bond = Bond()
        self.energy = Energy()
        self.plant = Plant()
        self.neural: NeuralState | None = NeuralState() if with_neural else None
        self.model: ModelState | None = ModelState() if with_model else None
