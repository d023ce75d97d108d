"""Step control and power bonds of a scenario, and what they go with."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Protocol

from pydantic import BeforeValidator, Field, model_validator

from couplant.config.bonds import Bond
from couplant.config.frame.read import Content, OneOf, Real, Table, Text, together
from couplant.config.frame.sentences import Problem
from couplant.config.hosts import JACOBI
from couplant.config.parameters import setting
from couplant.config.ref import Ref

DIRECT = "direct"  # name of the run in which signals go from prototype to prototype, without network and coupling FMU

CONSTANT, ECCO, PREDICTOR_CORRECTOR = CONTROLS = ("constant", "ecco", "predictor_corrector")
"""Ways to choose the communication steps of a direct run."""

DIRECT_RUNS = {CONSTANT: DIRECT} | {control: f"{DIRECT}_{control}" for control in CONTROLS[1:]}
"""Name of the run by its step control."""

_GAINS = {ECCO: (0.15, 0.2), PREDICTOR_CORRECTOR: (0.3, 0.4)}
_LATE = ("latency_steps", "jitter_steps", "loss", "replay", "shape")  # keys of a network by any of which it is there
_SPAN = 10.0  # longest and shortest step over a macro step, and the other way round, unless given [-]


def as_list(value: object) -> object:
    """Return a text as a list of one."""
    return [value] if isinstance(value, str) else value


_Control = Annotated[str, OneOf(CONTROLS)]
_Controls = Annotated[list[_Control], BeforeValidator(as_list, _Control | list[_Control]), Field(min_length=1)]


class StepsTable(Table):
    """Who chooses the communication steps of a direct run; several: a run for each."""

    control: _Controls = setting(
        [CONSTANT], "constant: macro_step; ecco: by energy residuals of bonds; predictor_corrector: by a prediction"
    )
    first: Real | None = setting(None, "first step; not given: min [s]", gt=0)
    min: Real | None = setting(None, "shortest step; not given: a tenth of macro_step [s]", gt=0)
    max: Real | None = setting(None, "longest step; not given: ten macro steps [s]", gt=0)
    tolerance: Real | None = setting(
        None, "ecco: r, energy residual over scale and energy of a step; predictor_corrector: TOL [-]", gt=0
    )
    safety: Real = setting(0.8, "factor on every proposed step [-]", gt=0, le=1)
    i_gain: Real | None = setting(None, "integral gain; not given: 0.15, predictor_corrector: 0.3 [-]", ge=0)
    p_gain: Real | None = setting(None, "proportional gain; not given: 0.2, predictor_corrector: 0.4 [-]", ge=0)
    rate_min: Real = setting(0.2, "smallest ratio of a step to the one before [-]", gt=0, lt=1)
    rate_max: Real = setting(1.5, "largest ratio of a step to the one before [-]", gt=1)

    @model_validator(mode="after")
    def _whole(self) -> "StepsTable":
        if self.tolerance is None and self.control != [CONSTANT]:
            raise together(f"tolerance is missing, needed by control = {', '.join(self.control)}")
        if len(set(self.control)) < len(self.control):
            raise together(f"control = {', '.join(self.control)}, allowed each once")
        return self

    def limits(self, macro_step: float) -> tuple[float, float, float]:
        """Return the first, the shortest and the longest step for a macro step of ΔT = `macro_step`, all in s."""
        shortest = macro_step / _SPAN if self.min is None else self.min
        longest = macro_step * _SPAN if self.max is None else self.max
        return shortest if self.first is None else self.first, shortest, longest

    def gains(self, control: str) -> tuple[float, float]:
        """Return integral and proportional gain of a `control` that has them."""
        i_gain, p_gain = _GAINS[control]
        return i_gain if self.i_gain is None else self.i_gain, p_gain if self.p_gain is None else self.p_gain


class BondTable(Bond):
    """A power bond: two signals in opposite directions whose product is a power, or a signal and an output.

    Step control needs `scale` and `tolerance`, all runs `sign`, `flow_is` and `until`, coupling FMUs the rest.
    """

    effort: Text = Field(description="signal of a force, torque, voltage or pressure")
    flow: Text = Field(
        description="signal of a displacement or velocity, angle or speed, the other way; component.output: no signal"
    )
    until: Real | None = setting(None, "end of the energies that are told; not given: that of the run [s]", gt=0)
    scale: Real | None = setting(None, "E0, typical energy of the system; needed by ecco [J]", gt=0)
    tolerance: Real | None = setting(None, "r of this bond; not given: that of steps [-]", gt=0)

    @property
    def direct_flow(self) -> Ref | None:
        """Return the output that goes back by a direct connection; None where the flow is a signal."""
        return Ref.parse(self.flow) if "." in self.flow else None


class _Scenario(Protocol):
    """Scenario as the rules see it, whose module uses this one."""

    macro_step: float  # s
    micro_step: float | None  # s
    timing: list[str]
    host: str
    algorithms: list[str]
    coupling: dict[str, Any]
    signals: dict[str, Any]
    steps_table: StepsTable
    bonds: dict[str, BondTable]

    @property
    def model_fields_set(self) -> set[str]: ...


def problems(scenario: _Scenario, networks: Mapping[str, Content]) -> Iterator[Problem]:
    """Return settings that do not fit together; `networks` are the tables of the signals, by name."""
    if DIRECT in scenario.algorithms:
        if scenario.algorithms != [DIRECT]:
            text = f"algorithms = {', '.join(scenario.algorithms)}: {DIRECT} is allowed alone only"
            yield Problem(text, ("algorithms",))
        if scenario.host != JACOBI:
            yield Problem(f'host = "{scenario.host}", allowed "{JACOBI}" with {DIRECT}', ("host", "algorithms"))
        if scenario.timing != ["step"]:
            yield Problem(f'timing = {", ".join(scenario.timing)}, allowed ["step"] with {DIRECT}', ("timing",))
        if scenario.micro_step is not None:
            yield Problem(f"micro_step = {scenario.micro_step}, allowed is none with {DIRECT}", ("micro_step",))
        for name, network in networks.items():
            for key in _LATE:
                if network.get(key):
                    text = f"network.{key} = {network[key]} for signal {name}, allowed is no network with {DIRECT}"
                    yield Problem(text, ("network", f"signals.{name}"))
        made = ["coupling"] * bool(scenario.coupling)
        for name, signal in scenario.signals.items():
            made += [f"signals.{name}.{key}" for key in ("coupling", "debug") if getattr(signal, key)]
        for key in made:
            yield Problem(f"{key} is set, but {DIRECT} has no coupling FMU", (key,))
        first, shortest, longest = scenario.steps_table.limits(scenario.macro_step)
        if not shortest <= first <= longest:
            text = f"steps.first = {first:g} s is not between min = {shortest:g} s and max = {longest:g} s"
            yield Problem(text, ("steps", "macro_step"))
        if ECCO in scenario.steps_table.control and not scenario.bonds:
            yield Problem("bonds is missing: ecco needs a power bond", ("bonds", "steps"))
    elif "steps_table" in scenario.model_fields_set:
        yield Problem(f'steps is set, allowed with algorithms = ["{DIRECT}"] only', ("algorithms", "steps"))
    owners: dict[str, str] = {}
    for name in scenario.bonds:
        yield from _bond_problems(scenario, name, owners)


def _bond_problems(scenario: _Scenario, name: str, owners: dict[str, str]) -> Iterator[Problem]:
    bond, key = scenario.bonds[name], f"bonds.{name}"
    ends = {"effort": bond.effort, "flow": bond.flow}
    if bond.direct_flow is not None:
        yield from _direct_flow_problems(scenario, name, bond.direct_flow)
        del ends["flow"]
    for word, signal in ends.items():
        if signal not in scenario.signals:
            yield Problem(f'{key}.{word} = "{signal}", allowed {", ".join(scenario.signals)}', (key, "signals"))
        elif owners.setdefault(signal, name) != name:
            yield Problem(f'{key}.{word} = "{signal}" is in bonds.{owners[signal]} too, allowed in one', (key,))
    known = bond.direct_flow is None and all(signal in scenario.signals for signal in ends.values())
    if known and not _opposite(scenario, bond.effort, bond.flow):
        text = f"{key}: {bond.effort} and {bond.flow} must lead from one component to another and back"
        yield Problem(text, (key, "signals"))
    if bond.scale is None and DIRECT in scenario.algorithms and ECCO in scenario.steps_table.control:
        yield Problem(f"{key}.scale is missing: a typical energy, needed by ecco [J]", (key, "steps"))


def _direct_flow_problems(scenario: _Scenario, name: str, flow: Ref) -> Iterator[Problem]:
    """Yield problems of a bond whose flow passes no network: nothing but the effort is coupled."""
    bond, key = scenario.bonds[name], f"bonds.{name}"
    receivers = [ref.component for ref in scenario.signals[bond.effort].to] if bond.effort in scenario.signals else None
    if receivers is not None and receivers != [flow.component]:
        text = f'{key}.flow = "{flow}", allowed a signal, or an output of the one component that receives {bond.effort}'
        yield Problem(text, (key, "signals"))
    if DIRECT in scenario.algorithms:
        yield Problem(f'{key}.flow = "{flow}", allowed a signal with {DIRECT}', (key, "algorithms"))


def _opposite(scenario: _Scenario, effort: str, flow: str) -> bool:
    """Tell whether each of two signals has one receiver, which is the sender of the other."""
    there, back = scenario.signals[effort], scenario.signals[flow]
    if len(there.to) != 1 or len(back.to) != 1 or there.source.component == back.source.component:
        return False
    ends = (there.to[0].component, back.to[0].component)
    return ends == (back.source.component, there.source.component)
