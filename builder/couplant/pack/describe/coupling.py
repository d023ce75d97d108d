"""The model description of a coupling FMU, the same for both backends."""

from collections.abc import Collection
from dataclasses import replace

from couplant.config.interface import Bonded, Signal
from couplant.pack.describe.xml import Capabilities, EnumType, ModelDescription, Type, Variable
from couplant_runtime.algorithms import BY_NAME
from couplant_runtime.config import Settings
from couplant_runtime.generated.algorithms import COUPLING_ELEMENT, MEMBERS
from couplant_runtime.generated.events import MESSAGES
from couplant_runtime.generated.numbers import BOND_EFFORT
from couplant_runtime.generated.variables import ALL
from couplant_runtime.guard import UNLIMITED
from couplant_runtime.variable import Variable as RuntimeVariable
from couplant_runtime.variables import items

_TYPES: dict[str, Type] = {"real": "Real", "integer": "Integer", "boolean": "Boolean", "enumeration": "Enumeration"}
_HERE = ("u", "conjugate", "applied")  # inputs that are signals of this side: no messages
_INITIAL = {
    "y_hat": ("y", "output.min", "output.max"),
    "latency.steps": ("latency.mode", "latency.constant_steps"),
    "latency.seconds": (
        *("macro_step", "latency.mode", "latency.constant_steps"),
        *("latency.offset", "latency.host_lead", "latency.hold_lead"),
    ),
    "latency.lag": ("latency.offset",),
}
_CATEGORY_TEXTS = {
    "input": "values that are not used",
    "timing": "steps that the host asks for",
    "latency": "latency out of range",
    "discontinuity": "detected discontinuities",
    "dropout": "loss and return of the sender",
    "quality": "errors beyond the tolerance",
    "output": "limits of the output",
    "energy": "energy that the coupling creates",
    "learning": "what the network learns",
    "model": "models of the sender that are wrong",
    "parameter": "refused values",
    "state": "refused states",
}


def describe(
    settings: Settings,
    name: str,
    signal: Signal,
    capabilities: Capabilities,
    needed_only: bool = False,
    step: float = 0.0,
) -> ModelDescription:
    """Return the description of the coupling FMU `name`, whose backend has `capabilities`.

    `step` is the communication step of its default experiment, 0: not known [s].

    Inputs that its settings do not use are said to be so, or with `needed_only` left out; the others keep their
    references.
    """
    references = {variable.name: i for i, variable in enumerate(settings.variables(), start=1)}
    # inputs that the FMU does not look at, each with the reason
    unused = {"y_time": "not used with latency.mode = constant"} if signal.latency.mode == "constant" else {}
    left_out = unused if needed_only else ()
    inputs = _acting(settings, references, left_out)
    estimate = signal.output.variability
    event = capabilities.event_mode
    variables = [
        _variable(v, start, references, inputs, _unit(v.unit, signal), _variability(v, estimate, event))
        for v, start in zip(settings.variables(), settings.start, strict=True)
    ]
    if settings.compared:
        variables = [replace(v, enum=_enumeration(v.enum.name, settings.compared)) if v.enum else v for v in variables]
    said = [replace(v, description=f"{unused[v.name]}: {v.description}") if v.name in unused else v for v in variables]
    categories = dict.fromkeys([category for category, _ in MESSAGES.values()] + ["parameter", "state"])
    return ModelDescription(
        name=name,
        variables=tuple(v for v in said if v.name not in left_out),
        description="Estimates the present value of a signal that arrives late",
        step_size=step or None,
        log_categories=tuple((key, _CATEGORY_TEXTS[key]) for key in categories),
        capabilities=capabilities,
    )


def _acting(settings: Settings, references: dict[str, int], left_out: Collection[str]) -> tuple[int, ...]:
    """Return the inputs that act on outputs at the same instant, in event timing.

    The present `u` and `applied` only shape later steps, and so does an effort that is sent: it follows from the
    estimate. So do signals `u[i]` of a model that follow from it.
    """
    starts = dict(zip((v.name for v in settings.variables()), settings.start, strict=True))
    later = {"u", "applied"} if starts.get("energy.kind") == BOND_EFFORT else set(_HERE)
    if settings.plant and settings.plant.late:
        later |= {v.name for v in settings.variables() if v.name.startswith("u[")}
    inputs = (v.name for v in settings.variables() if v.causality == "input")
    return tuple(references[name] for name in inputs if name not in {*left_out, *later}) if settings.event else ()


def _variable(
    v: RuntimeVariable,
    start: float,
    references: dict[str, int],
    inputs: tuple[int, ...],
    unit: str | None,
    variability: str,
) -> Variable:
    output = v.causality == "output"
    initial = tuple(references[name] for name in _INITIAL.get(v.name, ()) if name in references) if output else None
    return Variable(
        name=v.name,
        reference=references[v.name],
        type=_TYPES[v.kind],
        causality=v.causality,
        variability=variability,
        description=v.description,
        start=None if v.start is None else _start(v, start),
        unit=unit,
        relative=v.unit.startswith("d "),
        min=_bound_of(v, v.minimum),
        max=_bound_of(v, v.maximum),
        enum=_enumeration(v.items) if v.items else None,
        dependencies=inputs if output else (),
        initial_dependencies=initial,
    )


def _variability(v: RuntimeVariable, of_estimate: str, event_mode: bool) -> str:
    """Return the variability: messages are samples, and so is what is made of them, but for the estimate.

    Inputs that are signals of this side are so in Event Mode only, where they are set at events as well.
    """
    here = v.name in _HERE or v.name.startswith("u[")
    if v.causality == "input" and (event_mode or not here):
        return "discrete"
    if v.causality != "output":
        return v.variability
    return of_estimate if v.name == "y_hat" else "discrete"


def _start(v: RuntimeVariable, value: float) -> float | int | bool:
    if v.kind == "boolean":
        return bool(value)
    return value if v.kind == "real" else int(value)


def _bound_of(v: RuntimeVariable, value: float) -> float | int | None:
    if abs(value) >= UNLIMITED or v.kind == "enumeration":
        return None
    return int(value) if v.kind == "integer" else float(value)


def _unit(symbol: str, signal: Signal) -> str | None:
    symbol = symbol.removeprefix("d ")
    if symbol == "signal/s":
        return f"{signal.unit}/s"
    if symbol == "partner":
        return signal.energy.partner or None if isinstance(signal, Bonded) else None
    return signal.unit if symbol == "signal" else symbol or None


def _enumeration(name: str, compared: int = 0) -> EnumType:
    return EnumType(name, tuple((item, value, "") for item, value in items(name, compared).items()))


def features(signal: Signal) -> dict[str, int]:
    """Return the features that a signal calls for, with the number of entries of those that are lists."""
    row = BY_NAME[signal.algorithm.selected]
    auto = row.blends
    latency = signal.latency
    wanted: dict[str, int] = {v.feature: _given(signal, v.name) for v in ALL if v.feature == v.name}
    wanted |= {
        "debug": signal.debug,
        "baseline": 1,
        "burst": signal.burst - 1,
        "messages": signal.debug or latency.mode != "constant",
        "echo": latency.mode == "round_trip",
        "clock": latency.mode == "round_trip" or latency.clock == "free" or latency.minimum > 0.0,
        "discontinuity.detector": auto or wanted["discontinuity.detector"],
        "output.guard": auto or wanted["output.guard"],
        "grade": auto or signal.quality.action == "hold" or isinstance(signal, Bonded),
        "auto": len(MEMBERS) * auto,
        "wrap": signal.signal.period > 0.0,
        "energy": isinstance(signal, Bonded),
        "identification": row.needs == "model",
        "phasor": row.needs == "phasor",
        "element": row.number == COUPLING_ELEMENT,
    }
    return {name: int(count) for name, count in wanted.items() if count}


def _given(signal: Signal, name: str) -> bool:
    section, _, key = name.partition(".")
    return key in getattr(signal, section).model_fields_set
