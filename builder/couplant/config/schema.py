"""The sections of a settings file. Keys are the names of the FMU's parameters."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from couplant.config import fields as f
from couplant_runtime.guard import UNLIMITED

_SCHEMA_DIALECT = "https://json-schema.org/draft/2020-12/schema"


class Section(BaseModel):
    """One table of the file: unknown keys are refused, values cannot be changed afterwards."""

    model_config = ConfigDict(extra="forbid", frozen=True, validate_default=True)


class WeightsOfStep(Section):
    """Weights of a linear algorithm at one latency. Shapes: a[m], A[m], newest value first."""

    steps: f.Steps = Field(description="latency k in macro steps for which the weights hold [-]")
    a: f.Weights = Field(description="weights of the value, newest first [-]")
    A: f.Weights = Field(description="weights of the slope over a macro step, newest first [-]")


class Algorithm(Section):
    """Which algorithm estimates, and the weights of the free one."""

    selected: f.Selected = Field("foh", description="coupling algorithm")
    observer_gain: f.NotNegative = Field(0.0, description="gain of the sliding-mode observer, 0: worked out [1/s]")
    steps: f.Steps | None = Field(None, description="latency k for which a and A hold; not given: the constant one [-]")
    a: f.Weights | None = Field(None, description="weights of the value for one latency, newest first [-]")
    A: f.Weights | None = Field(None, description="weights of the slope for one latency, newest first [-]")
    table: tuple[WeightsOfStep, ...] = Field((), description="weights for several latencies")
    band: f.Band | None = Field(
        None, description="band of the signal for irregular, not given: 26 to 600 macro steps a period [rad/s]"
    )
    values: f.Values = Field(9, description="received values that irregular uses [-]")
    exact: f.Degree = Field(2, description="degree of the polynomials that irregular continues exactly [-]")
    noise: f.Positive = Field(1e-6, description="least noise that irregular assumes, variance over the signal's [-]")


class Latency(Section):
    """How late the newest value is."""

    mode: f.LatencyMode = Field("constant", description="constant, or from the send time stamps y_time")
    clock: f.Clock = Field("common", description="time of the stamps: the receiver's, or the sender's own")
    minimum: f.NotNegative = Field(0.0, description="latency of the fastest message, for stamps of a free clock [s]")
    constant_steps: f.Steps = Field(0, description="latency in macro steps in constant mode [-]")
    offset: f.NotNegative = Field(0.0, description="filter and computing time that nobody stamps [s]")
    coast_steps: f.Steps = Field(3, description="steps without news that the algorithm bridges [-]")
    lost_steps: f.LostSteps = Field(64, description="steps without news after which output.on_loss applies [-]")


class Discontinuity(Section):
    """Detection of jumps of the signal."""

    enabled: f.Flag = Field(False, description="detect jumps and switch to short algorithms after them")
    detector: f.Detector = Field("spectral", description="test for jumps")
    sensitivity: f.Sensitivity = Field(5.0, description="growth of the spectrum that counts as a jump [-]")
    hold: f.Flag = Field(False, description="after a jump: hold (ZOH) where FOH would run")
    floor: f.NotNegative = Field(0.0, description="jumps smaller than this are ignored [signal unit]")


class Quality(Section):
    """Comparison of earlier estimates with the values that arrived since."""

    action: f.QualityAction = Field("ignore", description="what happens when the tolerance is exceeded")
    zeta: f.FromTable = Field(-1.0, description="weight of the second derivative, -1: from the table [s]")
    delta: f.FromTable = Field(-1.0, description="tolerance per macro step of horizon, -1: from the table [-]")


class Output(Section):
    """Limits of the estimate and what is given out when the sender is lost."""

    min: f.Number = Field(-UNLIMITED, description="lower limit [signal unit]")
    max: f.Number = Field(UNLIMITED, description="upper limit [signal unit]")
    rate_max: f.Positive = Field(UNLIMITED, description="largest rate of change [signal unit/s]")
    on_loss: f.OnLoss = Field("hold", description="output when the sender is lost: hold the last, or go to safe_value")
    safe_value: f.Number = Field(0.0, description="output after a loss with on_loss = safe [signal unit]")
    variability: f.Variability = Field(
        "continuous", description="of y_hat in the model description; discrete keeps importers from extrapolating it"
    )


class Wrap(Section):
    """A signal that wraps round, such as a crank angle."""

    period: f.NotNegative = Field(0.0, description="difference of values that mean the same, 0: none [signal unit]")


class Network(Section):
    """The algorithm ``network``: shape, and the linear algorithm that it starts as."""

    start: f.NetworkStart = Field("eros3", description="algorithm that it behaves as before it has learnt")
    first: f.First = Field(4, description="linear neurons of the first hidden layer [-]")
    second: f.Second = Field(2, description="leaky ReLU neurons of the second hidden layer, an even number [-]")
    leak: f.Leak = Field(0.01, description="slope of the leaky ReLU for negative values, 1: linear [-]")
    seed: f.Seed = Field(1, description="of the noise that tells copied neurons apart")
    weights: f.NetworkWeights | None = Field(None, description="learnt weights; not given: those of the start [-]")


class Learning(Section):
    """Learning of the network while it runs."""

    enabled: f.Flag = Field(True, description="learn while running")
    mode: f.LearningMode = Field("embedded", description="inside the step, or on a server (python backend)")
    safe: f.Flag = Field(True, description="take new weights only after a test on values that they have not seen")
    cycle_steps: f.Cycle = Field(100, description="macro steps of a learning cycle [-]")
    judge_steps: f.Judge = Field(50, description="macro steps that new weights are tested [-]")
    prior: f.Prior = Field(0.3, description="expected change of a weight [-]")
    gain_max: f.GainMax = Field(1.25, description="largest gain, as a multiple of that of the start [-]")
    host: f.Host = Field("127.0.0.1", description="host of the learning server")
    port: f.Port = Field(47110, description="port of the learning server")
    token: f.Token | None = Field(None, description="secret shared with the learning server; not given: COUPLANT_TOKEN")


class Identification(Section):
    """The algorithms ``recursive_fir`` and ``coupling_element``, which identify a model while they run."""

    forgetting: f.Forgetting = Field(0.99, description="weight that a sample keeps with each later one [-]")


def _long_form(value: Any) -> Any:
    return {"selected": value} if isinstance(value, str) else value


class Signal(Section):
    """One signal of the interface: one FMU."""

    unit: f.Unit = Field("1", description="unit of the signal")
    start: f.Number = Field(0.0, description="value before the first one arrives [signal unit]")
    bypass: f.Flag = Field(False, description="give out the received value, everything else keeps running")
    debug: f.Flag = Field(False, description="add outputs with the result of each stage")
    reconstruction: f.Reconstruction = Field("linear", description="course of the estimate inside a macro step")
    algorithm: Annotated[Algorithm, BeforeValidator(_long_form, json_schema_input_type=f.Selected | Algorithm)] = Field(
        Algorithm(), description='coupling algorithm; algorithm = "eros3" is short for { selected = "eros3" }'
    )
    network: Network = Field(Network(), description="shape of the algorithm network")
    learning: Learning = Field(Learning(), description="learning of the network while it runs")
    identification: Identification = Field(Identification(), description="of recursive_fir and coupling_element")
    latency: Latency = Field(Latency(), description="how late the newest value is")
    discontinuity: Discontinuity = Field(Discontinuity(), description="detection of jumps")
    quality: Quality = Field(Quality(), description="comparison with values that arrived since")
    output: Output = Field(Output(), description="limits and loss of the sender")
    signal: Wrap = Field(Wrap(), description="signals that wrap round")
    burst: f.Burst = Field(1, description="values in a message: the newest and its predecessors [-]")


class Common(Section):
    """What all signals of an interface share: the table ``[interface]``."""

    name: f.Name = Field(description="name of the interface, first part of the names of the FMUs")
    macro_step: f.NotNegative = Field(description="period of the data exchange, 0: the importer's first step [s]")
    timing: f.Timing = Field("step", description="step: Jacobi, as most importers; event: values at macro points")


class Document(Section):
    """A settings file as it is written."""

    interface: Common = Field(description="what all signals share")
    signals: dict[f.Name, Signal] = Field(description="one table for each signal", min_length=1)


class Interface(Section):
    """A checked settings file: what the packer needs.

    Attributes
    ----------
    name : str
        Name of the interface.
    macro_step : float
        Period of the data exchange; 0 means the importer's first step. [s]
    timing : str
        ``"step"`` or ``"event"``.
    signals : dict of str to Signal
        By name, in the order of the file.
    """

    name: f.Name
    macro_step: f.NotNegative
    timing: f.Timing
    signals: dict[f.Name, Signal]


def json_schema() -> dict[str, Any]:
    """Return the JSON schema of a settings file, for editors that complete and check TOML."""
    schema = Document.model_json_schema(mode="validation")
    return {"$schema": _SCHEMA_DIALECT, **schema, "title": "Settings of a couplant interface"}
