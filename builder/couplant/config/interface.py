"""The settings of an interface: the tables of the file, each signal of which becomes one FMU.

Keys are the names of the FMU's parameters. Those of a table come from `keys`, with start value, limits and description
of the FMU; here stands what the file adds, narrows or says in other words.
"""

from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, Field

from couplant.config.bonds import Bond, BondEnd
from couplant.config.frame.read import Flag, OneOf, Real, Table, Text, Whole, allow
from couplant.config.hosts import HOSTS, READS_AGAIN, HostLead
from couplant.config.keys import (
    AlgorithmKeys,
    DiscontinuityKeys,
    IdentificationKeys,
    LatencyKeys,
    LearningKeys,
    OutputKeys,
    QualityKeys,
    SignalKeys,
)
from couplant.config.models import Model
from couplant.config.parameters import WrittenRef, items, parameter, setting
from couplant_runtime.algorithms import ALL
from couplant_runtime.algorithms.rows import PURE
from couplant_runtime.generated.numbers import MAX_BURST, MAX_DEGREE, TAPS, TERMS

MAX_STEPS = 64  # largest latency in macro steps, and the length of the history [-]
MAX_SEED = 2**31 - 1  # largest seed: the largest whole number of an FMU [-]

STARTS = (*PURE, "linear")
"""Algorithms that a neural network can start as: linear ones; zoh with as many past values as eros3."""

METHODS = ("least_squares", "adam")  # how a server trains a neural network
WEIGHTINGS = ("absolute", "relative")  # what training by Adam makes small


# plain functions that pydantic calls; the page calls them too, translated. A ValueError refuses the entry
def at_least_0_or_from_table(value: float) -> float:
    """Return a `value` that is -1, which means that it is worked out, or not negative."""
    if value < 0.0 and value != -1.0:
        raise ValueError("negative")
    return value


def ascending(band: tuple[float, float]) -> tuple[float, float]:
    """Return the limits of a `band` of which the second is the larger one."""
    if not band[0] < band[1]:
        raise ValueError("not ascending")
    return band


def algorithm_table(value: Any) -> Any:
    """Return the table ``algorithm`` for a `value` that is a name, which is short for it."""
    return {"selected": value} if isinstance(value, str) else value


FromTable = Annotated[
    Real,
    Field(json_schema_extra={"anyOf": [{"const": -1.0}, {"minimum": 0.0}]}),
    AfterValidator(at_least_0_or_from_table),
    allow("-1 (from the table) or a finite number of at least 0"),
]
Unit = Annotated[
    str,
    Field(strict=True, pattern=r"^[^\s\x00-\x1f\ufffe\uffff]+$"),  # no character that XML does not have
    allow('a unit without blanks, for instance "N.m"'),
]
Name = Annotated[
    str,
    Field(strict=True, pattern=r"^[A-Za-z][A-Za-z0-9_]{0,54}$"),
    allow("a letter, then letters, digits and underscores, at most 55 characters"),
]
Weights = Annotated[
    tuple[Real, ...], Field(min_length=1, max_length=TAPS), allow(f"a list of 1 to {TAPS} finite numbers")
]
Band = Annotated[
    tuple[Annotated[Real, Field(ge=0.0)], Annotated[Real, Field(gt=0.0)]],
    AfterValidator(ascending),
    allow("two finite numbers of at least 0, the second larger"),
]
NeuralWeights = Annotated[
    tuple[Annotated[Real, Field(ge=-1e6, le=1e6)], ...],
    Field(min_length=3, max_length=64),
    allow("a list of 3 to 64 numbers from -1000000 to 1000000"),
]
Address = Annotated[
    str, Field(strict=True, pattern=r"^[A-Za-z0-9.:_-]{1,253}$"), allow("the name or address of a host")
]
Token = Annotated[str, Field(strict=True, pattern=r"^[A-Za-z0-9_-]{16,128}$"), allow("16 to 128 letters or digits")]
USUAL_TIMING = "step"  # timing of FMUs where nothing is said

Timing = Annotated[str, OneOf(("step", "event"))]
Host = Annotated[str, OneOf(HOSTS)]
Inputs = Annotated[str, OneOf(("all", "needed"))]


class WeightsOfStep(Table):
    """Weights of a linear algorithm at one latency. Shapes: a[m], A[m], b[n], B[n], newest value first."""

    steps: Whole = Field(ge=0, le=MAX_STEPS, description="latency k in macro steps for which the weights hold [-]")
    a: Weights = Field(description="weights of the value, newest first [-]")
    A: Weights = Field(description="weights of the slope over a macro step, newest first [-]")
    b: Weights | None = setting(None, "weights of the derivative times the macro step, for the value [-]")
    B: Weights | None = setting(None, "the same for the slope [-]")


class Algorithm(AlgorithmKeys):
    """Which algorithm estimates, and the weights of the free one."""

    selected: Annotated[str, OneOf(ALL)] = parameter("algorithm.selected")
    steps: Whole | None = setting(
        None, "latency k for which a and A hold; not given: that of the signal [-]", ge=0, le=MAX_STEPS
    )
    a: Weights | None = setting(None, "weights of the value for one latency, newest first [-]")
    A: Weights | None = setting(None, "weights of the slope for one latency, newest first [-]")
    b: Weights | None = setting(None, "weights of the derivative times the macro step, for the value [-]")
    B: Weights | None = setting(None, "the same for the slope [-]")
    table: tuple[WeightsOfStep, ...] = setting((), "weights for several latencies")
    band: Band | None = setting(
        None, "band of the signal for irregular, not given: 26 to 600 macro steps a period [rad/s]"
    )
    values: Whole = setting(9, "received values that irregular uses [-]", ge=2, le=TERMS)
    exact: Whole = setting(2, "degree of the polynomials that irregular continues exactly [-]", ge=0, le=MAX_DEGREE)
    noise: Real = setting(1e-6, "least noise that irregular assumes, variance over the signal's [-]", gt=0.0, le=1e6)


class Latency(LatencyKeys):
    """How late the newest value is."""

    clock: Annotated[str, items("latency.clock")] = parameter(
        "latency.clock", "time of the stamps: the receiver's, or the sender's own"
    )
    offset: Real = parameter("latency.offset", "filter and computing time that nobody stamps")


class Discontinuity(DiscontinuityKeys):
    """Detection of jumps of the signal."""


class Quality(QualityKeys):
    """Comparison of earlier estimates with the values that arrived since."""

    action: Annotated[str, items("quality.action")] = parameter(
        "quality.action", "what happens when the tolerance is exceeded"
    )
    zeta: FromTable = parameter("quality.zeta", "weight of the second derivative, -1: from the table", ge=None)
    delta: FromTable = parameter("quality.delta", "tolerance per macro step of horizon, -1: from the table", ge=None)


class Output(OutputKeys):
    """Limits of the estimate and what is given out when the sender is lost."""

    rate_max: Real = parameter("output.rate_max", ge=None, gt=0.0)
    on_loss: Annotated[str, items("output.on_loss")] = parameter(
        "output.on_loss", "output when the sender is lost: hold the last, or go to safe_value"
    )
    variability: Annotated[str, OneOf(("continuous", "discrete"))] = setting(
        "continuous", "of y_hat in the model description; discrete keeps importers from extrapolating it"
    )


class Wrap(SignalKeys):
    """A signal that wraps round, such as a crank angle."""


class Neural(Table):
    """The algorithm ``network``: shape, and the linear algorithm that it starts as."""

    start: Annotated[str, OneOf(STARTS)] = setting("eros3", "algorithm that it behaves as before it has learnt")
    first: Whole = setting(4, "linear neurons of the first hidden layer [-]", ge=1, le=16)
    second: Whole = setting(2, "leaky ReLU neurons of the second hidden layer, an even number [-]", ge=1, le=4)
    leak: Real = setting(0.01, "slope of the leaky ReLU for negative values, 1: linear [-]", gt=0.0, le=1.0)
    offsets: Flag = setting(False, "offsets of the leaky ReLU neurons: what is rare can be told from what is usual")
    seed: Whole = setting(1, "of the noise that tells copied neurons apart", ge=0, le=MAX_SEED)
    weights: NeuralWeights | None = setting(None, "learnt weights; not given: those of the start [-]")
    learnt: Text | None = setting(None, "file with the weights that a run has learnt, as couplant simulate writes it")


class Learning(LearningKeys):
    """Learning of the network while it runs."""

    mode: Annotated[str, OneOf(("embedded", "server"))] = setting(
        "embedded", "inside the step, or on a server (python backend)"
    )
    host: Address = setting("127.0.0.1", "host of the learning server")
    port: Whole = setting(47110, "port of the learning server", ge=1, le=65535)
    method: Annotated[str, OneOf(METHODS)] = setting(
        "least_squares", "of training: least_squares, or adam (on a server): mean squared error by gradient steps"
    )
    errors: Annotated[str, OneOf(WEIGHTINGS)] = setting(
        "absolute", "what adam makes small: absolute errors, or relative ones: over those of the start"
    )
    rate: Real = setting(0.005, "of adam: how far a weight goes in an update at first [-]", gt=0.0, le=1.0)
    epochs: Whole = setting(30, "of adam: passes over the values [-]", ge=1, le=1000)
    batch: Whole = setting(128, "of adam: samples in an update [-]", ge=8, le=4096)
    token: Token | None = setting(None, "secret shared with the server, in clear in the FMU; not given: COUPLANT_TOKEN")


class Identification(IdentificationKeys):
    """The algorithms ``recursive_fir`` and ``coupling_element``, which identify a model while they run."""


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
        Algorithm, BeforeValidator(algorithm_table, json_schema_input_type=Annotated[str, OneOf(ALL)] | Algorithm)
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
    derivative: Text | None = setting(
        None, "signal that is sent with it and is its derivative, in its unit per s; linear and auto use it"
    )
    source: WrittenRef | None = Field(default=None, alias="from", description="output of a component that is sent")
    to: tuple[WrittenRef, ...] = setting((), "inputs of components that take the estimate")


class Bonded(Signal):
    """A signal of a power bond, with what the bond means for its FMU."""

    energy: BondEnd = setting(BondEnd(), "end of the bond that receives the signal")


class End(Table):
    """A prototype at one end of the signals, whose direct feedthrough decides what the host adds."""

    fmu: Text | None = setting(None, "path of the FMU, relative to the file: its model description is read")
    system: Text | None = setting(None, "path of a SYSTEM.toml with a prototype of this name: build asks its loop")
    feedthrough: dict[str, tuple[str, ...]] = Field(
        default_factory=dict, description="outputs with the inputs that act on them at once, where no FMU tells"
    )


class Common(Table):
    """Settings that all signals of an interface share: the table ``[interface]``."""

    name: Name = Field(description="name of the interface, first part of the names of the FMUs")
    macro_step: Real = Field(ge=0.0, description="period of the data exchange, 0: the importer's first step [s]")
    timing: Timing = setting(USUAL_TIMING, "step: Jacobi, as most importers; event: values at macro points")
    host: Host = setting(
        READS_AGAIN, "importer: reads outputs again once inputs are set, sets all and steps all, or takes turns"
    )
    micro_step: Real | None = setting(
        None, "communication step of the importer, divides macro_step; not given: macro_step [s]", gt=0.0
    )
    order: tuple[Text, ...] = setting(
        (), "components, and coupling FMUs as SIGNAL.coupling, in the order in which a sequential host steps them"
    )
    inputs: Inputs = setting("all", "of the FMUs: all, or only those that are needed with these settings")

    @property
    def step(self) -> float:
        """Return the communication step in macro steps [-]."""
        return 1.0 if self.micro_step is None or not self.macro_step else self.micro_step / self.macro_step


class Document(Table):
    """A settings file as it is written."""

    interface: Common = Field(description="what all signals share")
    components: dict[Name, End] = Field(default_factory=dict, description="prototypes at the ends of the signals")
    signals: dict[Name, Signal] = Field(description="one table for each signal", min_length=1)
    bonds: dict[Name, Bond] = Field(default_factory=dict, description="pairs of signals whose product is a power")
    models: dict[Name, Model] = Field(default_factory=dict, description="prototypes that send signals, for model")


class Interface(Table):
    """A checked settings file: what the packer needs."""

    name: Name
    macro_step: float  # period of the data exchange; 0 means the importer's first step [s]
    timing: Timing
    inputs: Inputs = "all"
    # by name, in the order of the file; with what the host adds in `latency.host_lead`. Those of a bond are `Bonded`
    signals: dict[Name, Signal]
    bonds: dict[Name, Bond] = Field(default_factory=dict)  # power bonds, by name
    models: dict[Name, Model] = Field(default_factory=dict)  # prototypes that send signals, by name
    host: Host | None = None  # kind of importer; None: not given, `READS_AGAIN` is assumed
    # what the host adds to the latency of each signal, and why
    added: dict[str, HostLead] = Field(default_factory=dict)
    micro_step: float | None = None  # communication step of the importer; None: not given, `macro_step` is assumed [s]

    @property
    def communication_step(self) -> float:
        """Return the communication step that the FMUs are made for, 0: the importer's first one [s]."""
        return self.macro_step if self.micro_step is None else self.micro_step

    @property
    def held(self) -> float:
        """Return how long receivers hold an estimate in step timing, the communication step in macro steps [-]."""
        return self.communication_step / self.macro_step if self.macro_step else 1.0

    @property
    def could_step_finer(self) -> bool:
        """Tell whether the FMUs foresee a whole macro step more than a plain wire is late."""
        return self.timing == "step" and self.communication_step == self.macro_step
