"""The settings of an interface: the tables of the file, each signal of which becomes one FMU.

Keys are the names of the FMU's parameters; they take start value, limits and, where it says enough, the description
from its list of variables.
"""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, Field

from couplant.config.parameters import items, parameter, setting
from couplant.frame import Flag, OneOf, Real, Table, Whole, allowed
from couplant_runtime.algorithms import ALL
from couplant_runtime.algorithms.rows import PURE
from couplant_runtime.generated.numbers import MAX_BURST, MAX_DEGREE, TAPS, TERMS

_SCHEMA_DIALECT = "https://json-schema.org/draft/2020-12/schema"

MAX_STEPS = 64
"""Largest latency in macro steps, and the length of the history. [-]"""

MAX_SEED = 2**31 - 1
"""Largest seed: the largest whole number of an FMU. [-]"""


STARTS = (*(name for name, module in PURE.items() if module.taps(0) > 1), "linear")
"""Algorithms that a neural network can start as: linear ones with two past values or more."""


def _from_table(value: float) -> float:
    if value < 0.0 and value != -1.0:
        raise ValueError("negative")
    return value


def _ascending(band: tuple[float, float]) -> tuple[float, float]:
    if not band[0] < band[1]:
        raise ValueError("not ascending")
    return band


FromTable = Annotated[
    Real,
    Field(json_schema_extra={"anyOf": [{"const": -1.0}, {"minimum": 0.0}]}),
    AfterValidator(_from_table),
    allowed("-1 (from the table) or a finite number of at least 0"),
]
Unit = Annotated[
    str, Field(strict=True, pattern=r"^[^\s\x00-\x1f]+$"), allowed('a unit without blanks, for instance "N.m"')
]
Name = Annotated[
    str,
    Field(strict=True, pattern=r"^[A-Za-z][A-Za-z0-9_]{0,54}$"),
    allowed("a letter, then letters, digits and underscores, at most 55 characters"),
]
Weights = Annotated[
    tuple[Real, ...], Field(min_length=1, max_length=TAPS), allowed(f"a list of 1 to {TAPS} finite numbers")
]
Band = Annotated[
    tuple[Annotated[Real, Field(ge=0.0)], Annotated[Real, Field(gt=0.0)]],
    AfterValidator(_ascending),
    allowed("two finite numbers of at least 0, the second larger"),
]
NeuralWeights = Annotated[
    tuple[Annotated[Real, Field(ge=-1e6, le=1e6)], ...],
    Field(min_length=3, max_length=64),
    allowed("a list of 3 to 64 numbers from -1000000 to 1000000"),
]
Host = Annotated[str, Field(strict=True, pattern=r"^[A-Za-z0-9.:_-]{1,253}$"), allowed("the name or address of a host")]
Token = Annotated[str, Field(strict=True, pattern=r"^[A-Za-z0-9_-]{16,128}$"), allowed("16 to 128 letters or digits")]
Timing = Annotated[str, OneOf(("step", "event"))]


class WeightsOfStep(Table):
    """Weights of a linear algorithm at one latency. Shapes: a[m], A[m], newest value first."""

    steps: Whole = Field(ge=0, le=MAX_STEPS, description="latency k in macro steps for which the weights hold [-]")
    a: Weights = Field(description="weights of the value, newest first [-]")
    A: Weights = Field(description="weights of the slope over a macro step, newest first [-]")


class Algorithm(Table):
    """Which algorithm estimates, and the weights of the free one."""

    selected: Annotated[str, OneOf(ALL)] = parameter("algorithm.selected")
    observer_gain: Real = parameter("algorithm.observer_gain", "gain of the sliding-mode observer, 0: worked out")
    steps: Whole | None = setting(
        None, "latency k for which a and A hold; not given: that of the signal [-]", ge=0, le=MAX_STEPS
    )
    a: Weights | None = setting(None, "weights of the value for one latency, newest first [-]")
    A: Weights | None = setting(None, "weights of the slope for one latency, newest first [-]")
    table: tuple[WeightsOfStep, ...] = setting((), "weights for several latencies")
    band: Band | None = setting(
        None, "band of the signal for irregular, not given: 26 to 600 macro steps a period [rad/s]"
    )
    values: Whole = setting(9, "received values that irregular uses [-]", ge=2, le=TERMS)
    exact: Whole = setting(2, "degree of the polynomials that irregular continues exactly [-]", ge=0, le=MAX_DEGREE)
    noise: Real = setting(1e-6, "least noise that irregular assumes, variance over the signal's [-]", gt=0.0)


class Latency(Table):
    """How late the newest value is."""

    mode: Annotated[str, items("latency.mode")] = parameter(
        "latency.mode", "constant, or from the send time stamps y_time"
    )
    clock: Annotated[str, items("latency.clock")] = parameter(
        "latency.clock", "time of the stamps: the receiver's, or the sender's own"
    )
    minimum: Real = parameter("latency.minimum", "latency of the fastest message, for stamps of a free clock")
    constant_steps: Whole = parameter("latency.constant_steps", "latency in macro steps in constant mode")
    offset: Real = parameter("latency.offset", "filter and computing time that nobody stamps")
    coast_steps: Whole = parameter("latency.coast_steps", "steps without news that the algorithm bridges")
    lost_steps: Whole = parameter("latency.lost_steps", "steps without news after which output.on_loss applies")


class Discontinuity(Table):
    """Detection of jumps of the signal."""

    enabled: Flag = parameter("discontinuity.enabled", "detect jumps and switch to short algorithms after them")
    detector: Annotated[str, items("discontinuity.detector")] = parameter("discontinuity.detector", "test for jumps")
    sensitivity: Real = parameter("discontinuity.sensitivity", "growth of the spectrum that counts as a jump")
    hold: Flag = parameter("discontinuity.hold", "after a jump: hold (ZOH) where FOH would run")
    floor: Real = parameter("discontinuity.floor", "jumps smaller than this are ignored")


class Quality(Table):
    """Comparison of earlier estimates with the values that arrived since."""

    action: Annotated[str, items("quality.action")] = parameter(
        "quality.action", "what happens when the tolerance is exceeded"
    )
    zeta: FromTable = parameter("quality.zeta", "weight of the second derivative, -1: from the table", ge=None)
    delta: FromTable = parameter("quality.delta", "tolerance per macro step of horizon, -1: from the table", ge=None)


class Output(Table):
    """Limits of the estimate and what is given out when the sender is lost."""

    min: Real = parameter("output.min", "lower limit")
    max: Real = parameter("output.max", "upper limit")
    rate_max: Real = parameter("output.rate_max", "largest rate of change", ge=None, gt=0.0)
    on_loss: Annotated[str, items("output.on_loss")] = parameter(
        "output.on_loss", "output when the sender is lost: hold the last, or go to safe_value"
    )
    safe_value: Real = parameter("output.safe_value", "output after a loss with on_loss = safe")
    variability: Annotated[str, OneOf(("continuous", "discrete"))] = setting(
        "continuous", "of y_hat in the model description; discrete keeps importers from extrapolating it"
    )


class Wrap(Table):
    """A signal that wraps round, such as a crank angle."""

    period: Real = parameter("signal.period", "difference of values that mean the same, 0: none")


class Neural(Table):
    """The algorithm ``network``: shape, and the linear algorithm that it starts as."""

    start: Annotated[str, OneOf(STARTS)] = setting("eros3", "algorithm that it behaves as before it has learnt")
    first: Whole = setting(4, "linear neurons of the first hidden layer [-]", ge=1, le=16)
    second: Whole = setting(2, "leaky ReLU neurons of the second hidden layer, an even number [-]", ge=1, le=4)
    leak: Real = setting(0.01, "slope of the leaky ReLU for negative values, 1: linear [-]", gt=0.0, le=1.0)
    seed: Whole = setting(1, "of the noise that tells copied neurons apart", ge=0, le=MAX_SEED)
    weights: NeuralWeights | None = setting(None, "learnt weights; not given: those of the start [-]")


class Learning(Table):
    """Learning of the network while it runs."""

    enabled: Flag = parameter("learning.enabled")
    mode: Annotated[str, OneOf(("embedded", "server"))] = setting(
        "embedded", "inside the step, or on a server (python backend)"
    )
    safe: Flag = parameter("learning.safe", "take new weights only after a test on values that they have not seen")
    cycle_steps: Whole = parameter("learning.cycle_steps")
    judge_steps: Whole = parameter("learning.judge_steps", "macro steps that new weights are tested")
    prior: Real = parameter("learning.prior")
    gain_max: Real = parameter("learning.gain_max")
    host: Host = setting("127.0.0.1", "host of the learning server")
    port: Whole = setting(47110, "port of the learning server", ge=1, le=65535)
    token: Token | None = setting(None, "secret shared with the learning server; not given: COUPLANT_TOKEN")


class Identification(Table):
    """The algorithms ``recursive_fir`` and ``coupling_element``, which identify a model while they run."""

    forgetting: Real = parameter("identification.forgetting", "weight that a sample keeps with each later one")


def _long_form(value: Any) -> Any:
    return {"selected": value} if isinstance(value, str) else value


class Signal(Table):
    """One signal of the interface: one FMU."""

    unit: Unit = setting("1", "unit of the signal")
    start: Real = setting(0.0, "value before the first one arrives [signal unit]")
    bypass: Flag = parameter("bypass", "give out the received value, everything else keeps running")
    debug: Flag = setting(False, "add outputs with the result of each stage")
    reconstruction: Annotated[str, items("reconstruction")] = parameter(
        "reconstruction", "course of the estimate inside a macro step"
    )
    algorithm: Annotated[
        Algorithm, BeforeValidator(_long_form, json_schema_input_type=Annotated[str, OneOf(ALL)] | Algorithm)
    ] = setting(Algorithm(), 'coupling algorithm; algorithm = "eros3" is short for { selected = "eros3" }')
    network: Neural = setting(Neural(), "shape of the algorithm network")
    learning: Learning = setting(Learning(), "learning of the network while it runs")
    identification: Identification = setting(Identification(), "of recursive_fir and coupling_element")
    latency: Latency = setting(Latency(), "how late the newest value is")
    discontinuity: Discontinuity = setting(Discontinuity(), "detection of jumps")
    quality: Quality = setting(Quality(), "comparison with values that arrived since")
    output: Output = setting(Output(), "limits and loss of the sender")
    signal: Wrap = setting(Wrap(), "signals that wrap round")
    burst: Whole = setting(1, "values in a message: the newest and its predecessors [-]", ge=1, le=MAX_BURST)


class Common(Table):
    """What all signals of an interface share: the table ``[interface]``."""

    name: Name = Field(description="name of the interface, first part of the names of the FMUs")
    macro_step: Real = Field(ge=0.0, description="period of the data exchange, 0: the importer's first step [s]")
    timing: Timing = setting("step", "step: Jacobi, as most importers; event: values at macro points")


class Document(Table):
    """A settings file as it is written."""

    interface: Common = Field(description="what all signals share")
    signals: dict[Name, Signal] = Field(description="one table for each signal", min_length=1)


class Interface(Table):
    """A checked settings file: what the packer needs.

    Attributes
    ----------
    macro_step : float
        Period of the data exchange; 0 means the importer's first step. [s]
    signals : dict of str to Signal
        By name, in the order of the file.
    """

    name: Name
    macro_step: float
    timing: Timing
    signals: dict[Name, Signal]


def json_schema() -> dict[str, Any]:
    """Return the JSON schema of a settings file, for editors that complete and check TOML."""
    schema = Document.model_json_schema(mode="validation")
    return {"$schema": _SCHEMA_DIALECT, **schema, "title": "Settings of a couplant interface"}
