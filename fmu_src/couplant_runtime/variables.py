"""The variables of a coupling FMU: one table for both runtimes, the model description and the configuration.

An FMU has those that its configuration calls for, with value references 1, 2, .. in this order. `field` names the
member of the state that holds the value; lists carry their position in `index`. Units are symbolic: "signal" is the
unit of the coupled signal.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from .algorithms import ROWS
from .guard import UNLIMITED
from .learning import variables as learning

NO_STAMP = -UNLIMITED
_NOTHING: Mapping[str, int] = MappingProxyType({})

ALGORITHM = {row.name: row.number for row in ROWS.values() if row.tolerances != "chosen"}
ENUMERATIONS = {
    "Algorithm": ALGORITHM,
    "ActiveAlgorithm": {"none": 0, **ALGORITHM},
    "LatencyMode": {"constant": 1, "stamps": 2, "resequenced": 3, "round_trip": 4},
    "Clock": {"common": 1, "free": 2},
    "Detector": {"spectral": 1, "residual": 2},
    "Reconstruction": {"linear": 1, "hold": 2},
    "OnLoss": {"hold": 1, "safe": 2},
    "QualityAction": {"ignore": 1, "warn": 2, "stop": 3, "hold": 4},
    "Grade": {"unknown": 0, "harmful": 1, "neutral": 2, "useful": 3, "good": 4},
    "LearningState": {"collecting": 1, "training": 2, "judging": 3},
    "State": {"starting": 1, "running": 2, "holding": 3, "lost": 4},
}
IDENTIFICATION, ELEMENT = "identification", "element"


def items(enumeration: str, compared: int = 0) -> dict[str, int]:
    """Return the items of an enumeration.

    Parameters
    ----------
    enumeration : str
        One of `ENUMERATIONS`.
    compared : int
        Number of the algorithm for comparison that the FMU has besides the common ones; 0: none.
    """
    if compared and enumeration in ("Algorithm", "ActiveAlgorithm"):
        return ENUMERATIONS[enumeration] | {ROWS[compared].name: compared}
    return ENUMERATIONS[enumeration]


@dataclass(frozen=True)
class Variable:
    """One variable of the FMU.

    Attributes
    ----------
    name : str
        Structured name, at most 55 characters.
    kind : str
        real, integer, boolean or enumeration.
    causality, variability : str
        As in FMI.
    field : str
        Member of the state.
    start : float
        Start value where the configuration says nothing; None for calculated variables.
    description : str
        One line.
    unit : str
        "", "s", "1/s", "signal", "signal/s"; a leading "d " marks a relative quantity.
    minimum, maximum : float
        Allowed range, inclusive.
    items : str
        Name of the enumeration.
    index : int
        Position in a list, or -1.
    feature : str
        What the configuration must ask for to have the variable; "" for those that every FMU has.
    """

    name: str
    kind: str
    causality: str
    variability: str
    field: str
    start: float | None
    description: str
    unit: str = ""
    minimum: float = -UNLIMITED
    maximum: float = UNLIMITED
    items: str = ""
    index: int = -1
    feature: str = ""


def _input(name, kind, field, start, description, unit="") -> Variable:
    variability = "continuous" if kind == "real" else "discrete"
    return Variable(name, kind, "input", variability, field, start, description, unit)


def _output(name, kind, field, description, unit="", items="") -> Variable:
    variability = "continuous" if kind == "real" else "discrete"
    return Variable(name, kind, "output", variability, field, None, description, unit, items=items)


def _parameter(variability, name, kind, field, start, description, unit="", low=-UNLIMITED, high=UNLIMITED, items=""):
    if items:
        low, high = min(ENUMERATIONS[items].values()), max(ENUMERATIONS[items].values())
    return Variable(name, kind, "parameter", variability, field, start, description, unit, low, high, items)


def _fixed(*args, **more) -> Variable:
    return _parameter("fixed", *args, **more)


def _tunable(*args, **more) -> Variable:
    return _parameter("tunable", *args, **more)


INTERFACE = (
    _input("y", "real", "y", 0.0, "newest value received", "signal"),
    _input("y_time", "real", "y_time", NO_STAMP, "send time of the value on y in the receiver's time", "s"),
    _input("y_valid", "boolean", "y_valid", 1, "false: nothing new on y"),
    _output("y_hat", "real", "y_hat", "estimate of the signal at the current time", "signal"),
    _output("latency.steps", "integer", "latency_steps", "latency in macro steps, rounded up"),
    _output("latency.seconds", "real", "latency_seconds", "latency that is made up for", "s"),
    _output("discontinuity.detected", "boolean", "detected", "the newest value breaks with the past"),
    _output("algorithm.active", "enumeration", "active", "algorithm that made the estimate", items="ActiveAlgorithm"),
    _output("quality.error", "real", "quality_error", "error of the estimate judged last", "d signal"),
    _output("quality.tolerance", "real", "quality_tolerance", "tolerated error of that estimate", "d signal"),
    _output("quality.ok", "boolean", "quality_ok", "the error is tolerated and the output is not held"),
    _output("quality.skill", "real", "quality_skill", "1 perfect, 0 as good as no compensation, negative harmful"),
    _output("output.limited", "boolean", "limited", "the output is kept within its limits"),
    _output("state", "enumeration", "mode", "starting, running, holding or lost", items="State"),
    _fixed("macro_step", "real", "macro_step", 0.01, "period of the data exchange; 0: the first step", "s", low=0.0),
    _fixed("latency.mode", "enumeration", "latency_mode", 1, "constant, or from send stamps", items="LatencyMode"),
    _fixed("latency.constant_steps", "integer", "constant_steps", 0, "latency in constant mode", low=0, high=64),
    _fixed("latency.offset", "real", "latency_offset", 0.0, "time that no stamp shows", "s", low=0.0),
    _fixed("latency.coast_steps", "integer", "coast_steps", 3, "steps without news bridged", low=0, high=64),
    _fixed("latency.lost_steps", "integer", "lost_steps", 64, "steps without news until lost", low=0, high=1000000),
    _fixed("discontinuity.enabled", "boolean", "detection", 0, "detect discontinuities and switch"),
    _fixed("discontinuity.hold", "boolean", "hold_after_flag", 0, "hold instead of extrapolating after a flag"),
    _fixed("discontinuity.floor", "real", "floor", 0.0, "smaller breaks are no discontinuities", "d signal", low=0.0),
    _fixed("reconstruction", "enumeration", "reconstruction", 1, "between macro steps", items="Reconstruction"),
    _fixed("output.on_loss", "enumeration", "on_loss", 1, "when the signal is lost", items="OnLoss"),
    _fixed("output.safe_value", "real", "safe_value", 0.0, "output when the signal is lost", "signal"),
    _tunable("bypass", "boolean", "bypass", 0, "y_hat = y, everything else keeps running"),
    _tunable("algorithm.selected", "enumeration", "selected", 2, "coupling algorithm", items="Algorithm"),
    _tunable("algorithm.observer_gain", "real", "observer_gain", 0.0, "gain of smb; 0: worked out", "1/s", low=0.0),
    _tunable("discontinuity.sensitivity", "real", "sensitivity", 5.0, "growth of the spectrum that flags", low=1.0),
    _tunable("quality.action", "enumeration", "action", 1, "on a bad estimate", items="QualityAction"),
    _tunable("quality.zeta", "real", "zeta", -1.0, "tolerance: weight of the curvature; -1: table", "s", low=-1.0),
    _tunable("quality.delta", "real", "delta", -1.0, "tolerance: share of the horizon; -1: table", low=-1.0),
    _tunable("output.min", "real", "output_min", -UNLIMITED, "lower limit of y_hat", "signal"),
    _tunable("output.max", "real", "output_max", UNLIMITED, "upper limit of y_hat", "signal"),
    _tunable("output.rate_max", "real", "rate_max", UNLIMITED, "largest rate of y_hat", "signal/s", low=0.0),
)

DEBUG = (
    _output("debug.slot", "integer", "debug_slot", "macro step at which the newest value was sent"),
    _output("debug.missing", "integer", "debug_missing", "macro steps without news"),
    _output("debug.fraction", "real", "fraction", "part of a macro step taken off the latency in steps"),
    _output("debug.newest", "real", "debug_newest", "newest value in the history", "signal"),
    _output("debug.spectrum", "real", "spectrum", "detector: spectrum with the newest value", "d signal"),
    _output("debug.spectrum_before", "real", "spectrum_before", "detector: spectrum one slot earlier", "d signal"),
    _output("debug.usable", "integer", "debug_usable", "slots since the start or the last flag"),
    _output("debug.level", "real", "level", "estimate at the macro point", "signal"),
    _output("debug.slope", "real", "slope", "change of the estimate per macro step", "d signal"),
    _output("debug.unlimited", "real", "unlimited", "estimate before the limits", "signal"),
)


MAX_TAPS = 64


def _weight(letter: str, field: str, meaning: str, i: int) -> Variable:
    text = f"weight of the {meaning} for value {i + 1}, newest first"
    return Variable(f"algorithm.{letter}[{i + 1}]", "real", "parameter", "fixed", field, 0.0, text, index=i)


WEIGHTS = tuple(
    _weight(letter, field, meaning, i)
    for letter, field, meaning in (("a", "a", "level"), ("A", "slopes", "slope"))
    for i in range(MAX_TAPS)
)
TIME = Variable("time", "real", "independent", "continuous", "time", None, "simulation time", "s")
MAX_BURST = 8
BANK = ("zoh", "foh", "eros3", "eros4", "irregular", "linear")


def _repeated(i: int) -> tuple[Variable, ...]:
    at = f"[{i + 2}]"
    lists = (
        _input("y" + at, "real", "burst", 0.0, "earlier value that the message repeats", "signal"),
        _input("y_time" + at, "real", "burst_time", NO_STAMP, "send time of that value", "s"),
        _input("y_valid" + at, "boolean", "burst_valid", 0, "false: no such value"),
    )
    return tuple(replace(variable, index=i, feature="burst") for variable in lists)


def _auto(i: int) -> Variable:
    name = BANK[i]
    variable = _output(f"auto.{name}", "real", "bank_weight", f"share of {name} in the estimate")
    return replace(variable, index=i, feature="auto")


def _with(feature: str, *variables: Variable) -> tuple[Variable, ...]:
    return tuple(replace(variable, feature=feature) for variable in variables)


EXTRA = (
    *(variable for i in range(MAX_BURST - 1) for variable in _repeated(i)),
    *_with(
        "echo",
        _input("y_echo", "real", "y_echo", NO_STAMP, "send time of our newest message that the sender had", "s"),
    ),
    *_with(
        "clock",
        _output("latency.drift", "real", "latency_drift", "gain of the sender's clock on the receiver's"),
        _fixed("latency.clock", "enumeration", "latency_clock", 1, "of the send stamps", items="Clock"),
        _fixed("latency.minimum", "real", "latency_minimum", 0.0, "of the fastest message, as seen here", "s", low=0.0),
    ),
    *_with(
        "detector",
        _fixed("discontinuity.detector", "enumeration", "detector", 1, "test for discontinuities", items="Detector"),
    ),
    *_with("grade", _output("quality.grade", "enumeration", "grade", "worth of the algorithm", items="Grade")),
    *(_auto(i) for i in range(len(BANK))),
    *_with(
        "auto",
        _output("auto.leading", "enumeration", "leading", "algorithm with the largest share", items="ActiveAlgorithm"),
    ),
    *_with(
        "wrap",
        _fixed("signal.period", "real", "signal_period", 0.0, "of a signal that wraps round", "d signal", low=0.0),
    ),
)


def _learning() -> tuple[Variable, ...]:
    lists = [_output(name, kind, field, text, items=items) for name, kind, field, text, items in learning.OUTPUTS]
    lists += [_fixed(*row[:5], low=row[5], high=row[6]) for row in learning.FIXED]
    lists += [_tunable(*row) for row in learning.TUNABLE]
    for name, i, text in learning.WEIGHTS:
        low, high = -learning.LARGEST_WEIGHT, learning.LARGEST_WEIGHT
        lists.append(replace(_fixed(name, "real", "base", 0.0, text, low=low, high=high), index=i))
    return tuple(replace(variable, feature=learning.FEATURE) for variable in lists)


PYTHON_ONLY = (
    *_with(
        IDENTIFICATION,
        _output("identification.settled", "boolean", "settled", "the model is known well enough to be used"),
        _output("identification.samples", "integer", "samples", "values that the model was identified from"),
        _fixed("identification.forgetting", "real", "forgetting", 0.99, "weight kept a sample", low=0.5, high=1.0),
    ),
    *_with(ELEMENT, _input("u", "real", "u", 0.0, "present value of the signal that goes to the sender of y")),
)
ALL = (*INTERFACE, *WEIGHTS, *DEBUG, TIME, *EXTRA, *_learning(), *PYTHON_ONLY)
_GROUPS = ("input", "output", "fixed", "tunable", "weight", "debug", "independent")


def chosen(taps: int = 0, debug: bool = False, features: Mapping[str, int] = _NOTHING) -> tuple[int, ...]:
    """Return which of all variables an FMU has, as positions in `ALL` from 1, in the order of their references.

    Parameters
    ----------
    taps : int
        Number of given weights that the FMU shows as parameters algorithm.a[i], algorithm.A[i]; 0: none.
    debug : bool
        Whether the results of the stages are outputs too.
    features : mapping of str to int
        Features of the FMU, with the number of entries of those that are lists: burst has one less than the values
        in a message, auto the members of the bank, network its number of weights.
    """

    def wanted(variable: Variable) -> bool:
        if variable.feature:
            return max(variable.index, 0) < features.get(variable.feature, 0)
        if variable.index >= 0:
            return variable.index < taps
        return debug or not variable.name.startswith("debug.")

    positions = [position for position, variable in enumerate(ALL, start=1) if wanted(variable)]
    return tuple(sorted(positions, key=lambda position: _GROUPS.index(_group(ALL[position - 1]))))


def _group(variable: Variable) -> str:
    if variable.name.startswith("debug."):
        return "debug"
    if variable.field in ("a", "slopes", "base"):
        return "weight"
    return variable.variability if variable.causality == "parameter" else variable.causality
