"""Scenario files: their schema.

Keys are the names of the settings. Components are prototypes, signals are connections that pass a network and a
coupling FMU, connections are direct ones.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, NamedTuple

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator
from pydantic_core import PydanticCustomError

from couplant.config import fields as f
from couplant.config.fields import allowed
from couplant_runtime.algorithms import COMPARISON, NAMES

CONFIGURED = "configured"
"""Name of the run in which every coupling FMU keeps the algorithm of its own configuration."""

LEARNING = {
    "network": {},
    "network_off": {"enabled": False},
    "network_unsafe": {"mode": "embedded", "safe": False},
    "network_embedded": {"mode": "embedded"},
    "network_server": {"mode": "server"},
}
"""Runs of the algorithm network, with their differences from the table learning."""

_RUNS = (*NAMES, *LEARNING, *COMPARISON)
_MAX_SEED = 2**31 - 1
_Text = Annotated[str, Field(strict=True, min_length=1), allowed("a text")]
_Algorithm = Annotated[
    Literal[(*_RUNS, CONFIGURED)],
    allowed(", ".join(f'"{name}"' for name in _RUNS) + f' or "{CONFIGURED}"'),
]
_Variable = Annotated[str, Field(strict=True, pattern=r"^[A-Za-z][A-Za-z0-9_]*\..+$"), allowed('"component.variable"')]
_Share = Annotated[float, Field(strict=True, ge=0.0, le=1.0), allowed("a number from 0 to 1")]
_Seed = Annotated[int, Field(strict=True, ge=0, le=_MAX_SEED), allowed(f"0 to {_MAX_SEED}")]
_Order = Annotated[int, Field(strict=True, ge=1, le=16), allowed("1 to 16")]
_Jitter = Annotated[float, Field(strict=True, ge=0.0, le=f.MAX_STEPS), allowed(f"0 to {f.MAX_STEPS}")]
_Drift = Annotated[float, Field(strict=True, ge=-1e-3, le=1e-3), allowed("-0.001 to 0.001")]
_Distribution = Annotated[Literal["uniform", "erlang"], allowed('"uniform" or "erlang"')]


def _as_list(value: Any) -> Any:
    return [value] if isinstance(value, str) else value


class Ref(NamedTuple):
    """A variable of a component."""

    component: str
    variable: str

    def __str__(self) -> str:
        """Return the name as it is written in a scenario."""
        return f"{self.component}.{self.variable}"

    @classmethod
    def parse(cls, text: str) -> Ref:
        """Return the reference for `text` = ``component.variable``; the variable may contain dots."""
        component, _, variable = text.partition(".")
        return cls(component, variable)


class Table(BaseModel):
    """One table of the file: unknown keys are refused, values cannot be changed afterwards."""

    model_config = ConfigDict(extra="forbid", frozen=True, validate_default=True, populate_by_name=False)


class ComponentTable(Table):
    """A prototype: an FMU, a model that comes with couplant, or a recording whose columns are its outputs."""

    fmu: _Text | None = Field(None, description="path of an FMU, relative to the scenario")
    model: _Text | None = Field(None, description="name of a model that comes with couplant")
    recording: _Text | None = Field(None, description="path of a CSV file with headings")
    time: _Text = Field("time_s", description="heading of the time column of the recording [s]")
    parameters: dict[str, Any] = Field(default_factory=dict, description="values of parameters of the FMU")
    feedthrough: dict[str, list[str]] = Field(
        default_factory=dict, description="outputs with the inputs that act on them at once, where the FMU is silent"
    )

    @model_validator(mode="after")
    def _one_kind(self) -> ComponentTable:
        if sum(kind is not None for kind in (self.fmu, self.model, self.recording)) != 1:
            raise PydanticCustomError("together", "needs exactly one of fmu, model, recording")
        return self


class NetworkTable(Table):
    """What happens to every value on its way."""

    latency_steps: f.Steps = Field(0, description="constant latency, the smallest one with jitter [macro steps]")
    jitter_steps: _Jitter = Field(0.0, description="largest (uniform) or mean (erlang) extra latency [macro steps]")
    distribution: _Distribution = Field("uniform", description="of the extra latency; uniform: whole macro steps")
    order: _Order = Field(2, description="order of the Erlang distribution [-]")
    loss: _Share = Field(0.0, description="probability that a value is lost [-]")
    reordering: f.Flag = Field(True, description="values may overtake each other")
    clock_offset: f.Number = Field(0.0, description="lead of the sender's clock on the receiver's at the start [s]")
    clock_drift: _Drift = Field(0.0, description="gain of the sender's clock on the receiver's [-]")
    seed: _Seed = Field(1, description="seed of the random numbers; each signal gets its own from it")
    replay: _Text | None = Field(None, description="CSV file of measured latencies, in place of the ones above")
    replay_column: _Text = Field("latency_s", description="name of its column [s]")

    @model_validator(mode="after")
    def _whole_steps(self) -> NetworkTable:
        if self.distribution == "uniform" and self.jitter_steps % 1.0:
            text = 'jitter_steps = {steps}, allowed whole numbers with distribution = "uniform"'
            raise PydanticCustomError("together", text, {"steps": self.jitter_steps})  # type: ignore[arg-type]
        return self

    @property
    def is_constant(self) -> bool:
        """Tell whether every value arrives after the same latency."""
        return self.jitter_steps == 0.0 and self.loss == 0.0 and self.replay is None

    @property
    def longest_steps(self) -> int | None:
        """Return the longest latency [macro steps], None where it has no bound or is measured."""
        bounded = self.distribution == "uniform" or self.jitter_steps == 0.0
        return self.latency_steps + int(self.jitter_steps) if bounded and self.replay is None else None

    @property
    def has_own_clock(self) -> bool:
        """Tell whether stamps are by a clock that differs from the receiver's."""
        return self.clock_offset != 0.0 or self.clock_drift != 0.0

    @property
    def is_absent(self) -> bool:
        """Tell whether values arrive at once, so that no network is needed."""
        return self.is_constant and self.latency_steps == 0


class SignalTable(Table):
    """A connection that passes a network and a coupling FMU."""

    source: _Variable = Field(alias="from", description="output of a component")
    to: list[_Variable] = Field(default_factory=list, description="inputs of components; none: open loop")
    unit: f.Unit = Field("1", description="unit of the signal")
    reference: _Variable | None = Field(None, description="output of a component to judge against; not given: from")
    coupling: dict[str, Any] = Field(default_factory=dict, description="differences from the table coupling")
    network: dict[str, Any] = Field(default_factory=dict, description="differences from the table network")
    u: _Variable | None = Field(
        None, description="input of the sender, for coupling_element; not given: from of the first signal to it"
    )
    judge: f.Flag = Field(True, description="include in the figures")
    debug: f.Flag = Field(False, description="write the results of all stages to a CSV file")


class Scenario(Table):
    """A scenario file as it is written, but for the values of named parameters."""

    name: _Text = Field(description="title of the report")
    macro_step: f.Positive = Field(description="ΔT, period of the data exchange [s]")
    micro_step: f.Positive | None = Field(None, description="δT, communication step, divides the macro step [s]")
    duration: f.Positive | None = Field(None, description="simulated time; not given: that of the recordings [s]")
    timing: Annotated[list[f.Timing], Field(min_length=1)] = Field(["step"], description="timings to run")
    algorithms: Annotated[list[_Algorithm], Field(min_length=1)] = Field(
        [CONFIGURED], description="algorithms to run, each on all signals"
    )
    components: dict[f.Name, ComponentTable] = Field(description="prototypes and recordings", min_length=1)
    signals: dict[f.Name, SignalTable] = Field(description="connections through network and coupling", min_length=1)
    connections: dict[_Variable, _Variable] = Field(
        default_factory=dict, description="direct connections: input = output"
    )
    network: NetworkTable = Field(NetworkTable(), description="what happens to values on their way")
    coupling: dict[str, Any] = Field(
        default_factory=dict, description="settings of all coupling FMUs; also backend, fmi; fmu; configuration, signal"
    )
    parameters: dict[f.Name, Annotated[list[_Variable], BeforeValidator(_as_list)]] = Field(
        default_factory=dict, description="top-level keys that set parameters of components"
    )
    sweep: dict[str, Any] = Field(
        default_factory=dict, description="what couplant sweep varies: algorithms, timing, latency, jitter, loss, seeds"
    )

    @model_validator(mode="after")
    def _whole_micro_steps(self) -> Scenario:
        if self.micro_step is not None and self.micro_steps < 1:
            raise PydanticCustomError("together", "micro_step must divide macro_step")
        return self

    def steps(self, duration: float) -> int:
        """Return the number of whole macro steps in a `duration` [s]."""
        return int(duration / self.macro_step + 1e-6)

    @property
    def micro_steps(self) -> int:
        """Return the number of communication steps in a macro step, 0 if it is not whole."""
        ratio = 1.0 if self.micro_step is None else self.macro_step / self.micro_step
        return round(ratio) if abs(ratio - round(ratio)) <= 1e-6 * ratio else 0
