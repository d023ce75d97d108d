"""The part of a federate: its component, the coupling FMUs at its inputs, an end of the way of each signal."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from couplant.base.errors import UsageError
from couplant.config.scenario import Loaded
from couplant.cosim.fmu.component import Component, LocalComponent, Port
from couplant.cosim.run.master import Wiring
from couplant.cosim.wiring.components import Coupled
from couplant.cosim.wiring.links import CARRIED, coupling_name, network_name
from couplant.elsewhere.helics.plan import OWN_STEP

_NEVER = -1.7976931348623157e308  # what a time shows before the first message, as in the network FMU [s]

_FAR = re.compile(r"energy\.(given|passed|time)")


class Way(LocalComponent):
    """The way of a signal between federates, in place of the network FMU: a half at each end, with its variables.

    It keeps messages to be sent, which carry the inputs `carried` of the `network` FMU besides the value, and gives out
    those that arrived: `burst` values, the newest and those of the messages before.
    """

    def __init__(self, network: Component, carried: Sequence[str], burst: int) -> None:
        known = (port for port in network.ports.values() if port.causality in ("input", "output"))
        super().__init__(network.name, [Port(p.name, p.kind, p.causality, (), p.unit) for p in known])
        self._carried, self._burst = tuple(carried), burst
        self._past: list[Sequence[float]] = []  # messages that have arrived, newest first

    def start(self, t_0: float, parameters: Mapping[str, Any]) -> None:
        """Show the outputs of the network FMU before a message: the start value, times of never."""
        for name in self.values:
            if re.match(r"received\b", name):
                self.values[name] = float(parameters["received.start"])
            elif re.match(r"(stamp|echoed|newest|energy\.far_time)\b", name):
                self.values[name] = _NEVER

    def message(self, stamp: float) -> list[float]:
        """Return the message that is sent at a time `stamp` [s]: stamp, value, companions."""
        return [stamp, self.values["value"], *(self.values[name] for name in self._carried)]

    @property
    def length(self) -> int:
        """Return the number of values in a message."""
        return 2 + len(self._carried)

    @property
    def newest(self) -> float:
        """Return the stamp of the newest message [s]."""
        return self.values["newest"]

    def deliver(self, message: Sequence[float]) -> None:
        """Give out a `message` until the next communication step is done."""
        self._past = [message, *self._past[: self._burst - 1]]
        for i, (stamp, value, *carried) in enumerate(self._past):
            at = i + 1
            self.values |= {_entry("received", at): value, _entry("stamp", at): stamp, _entry("valid", at): 1.0}
            brought = {_output_of(name, i): number for name, number in zip(self._carried, carried, strict=True)}
            assert i or brought.keys() <= self.ports.keys(), "what nobody reads would be lost in silence"
            self.values |= {name: number for name, number in brought.items() if name in self.ports}
        self.values["newest"] = message[0]

    def step(self, t: float, h: float) -> None:
        """Nothing has arrived since, unless it is delivered."""
        for i in range(1, self._burst + 1):
            self.values[_entry("valid", i)] = 0.0


def _entry(name: str, i: int) -> str:
    return name if i == 1 else f"{name}[{i}]"


def _output_of(name: str, before: int) -> str:
    """Return the output for what the input `name` took, `before` messages earlier; "" if there is none."""
    carried = re.fullmatch(r"carried(?:\[(\d+)\])?", name)
    if carried:
        return _entry("brought", int(carried[1] or 1) + before * CARRIED)
    if before:
        return ""
    return "echoed" if name == "echo" else _FAR.sub(r"energy.far_\1", name)


@dataclass(frozen=True)
class Line:
    """A signal as one federate sees it."""

    signal: str
    way: Way
    sender: str  # its federate
    receivers: tuple[str, ...]  # their federates
    steps: int  # what a delay filter adds to the federation's own step, macro steps
    macro_step: float  # s

    @property
    def delay(self) -> float:
        """Return the delay of the filter [s].

        HELICS hands a message over at the first time behind that of its arrival. Half a step more than the whole ones
        gives the same time and leaves nothing to the rounding of times to nanoseconds.
        """
        return (self.steps + 0.5) * self.macro_step


@dataclass(frozen=True)
class Part:
    """Part of a system that one federate runs."""

    name: str
    wiring: Wiring
    sends: list[Line]
    receives: list[Line]


def receivers(loaded: Loaded, signal: str) -> tuple[str, ...]:
    """Return the names of the components that receive a `signal`, in their order."""
    return tuple(dict.fromkeys(target.component for target in loaded.scenario.signals[signal].to))


def cut(loaded: Loaded, whole: Coupled, name: str) -> Part:
    """Return the part of the federate `name`; raise `UsageError` if a connection crosses federates at one instant."""
    signals = loaded.scenario.signals
    received = [signal for signal in signals if name in receivers(loaded, signal)]
    sent = [signal for signal in signals if signals[signal].source.component == name]
    ways = {signal: _way(whole, signal) for signal in dict.fromkeys([*received, *sent])}
    steps = {signal: loaded.networks[signal].latency_steps - OWN_STEP for signal in ways}
    step = loaded.scenario.macro_step
    lines = {s: Line(s, w, signals[s].source.component, receivers(loaded, s), steps[s], step) for s, w in ways.items()}
    prefixes = tuple(coupling_name(signal) for signal in received)
    own = {n: c for n, c in whole.components.items() if n == name or n.startswith(prefixes)}
    own |= {network_name(signal): way for signal, way in ways.items()}
    deaf, mute = ({network_name(s) for s in ways if s not in some} for some in (sent, received))
    wiring = _wiring(loaded, whole, own, deaf, mute)
    return Part(name, wiring, [lines[s] for s in sent], [lines[s] for s in received])


def _way(whole: Coupled, signal: str) -> Way:
    name = network_name(signal)
    carried = [link.target.variable for link in whole.links if link.target.component == name]
    burst = int(whole.parameters[name]["burst"])
    return Way(whole.components[name], [variable for variable in carried if variable != "value"], burst)


def _wiring(loaded: Loaded, whole: Coupled, own: dict[str, Component], deaf: set[str], mute: set[str]) -> Wiring:
    """Return the wiring among the components `own`; ways that are `deaf` send nothing, `mute` ones get nothing."""
    links = [link for link in whole.links if link.target.component in own.keys() - deaf]
    for link in links:
        if link.source.ref.component not in own.keys() - mute:
            raise UsageError(
                f"{loaded.path}: {link.target} takes {link.source.ref} at the same instant, "
                "which in a federation is in another federate; make it a signal."
            )
    parameters = {name: values for name, values in whole.parameters.items() if name in own}
    watched, signals, logged = (
        [ref for ref in refs if ref.component in own.keys() - mute]
        for refs in (whole.watched, whole.signals, whole.logged)
    )
    return Wiring(own, links, parameters, watched, signals, logged)
