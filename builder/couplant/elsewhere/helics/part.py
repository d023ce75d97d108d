"""The part of a federate: its component, the coupling FMUs at its inputs, an end of the way of each signal."""

from __future__ import annotations

from dataclasses import dataclass

from couplant.base.errors import UsageError
from couplant.config.scenario import Loaded
from couplant.cosim.fmu.component import Component
from couplant.cosim.run.master import Wiring
from couplant.cosim.wiring.components import Coupled
from couplant.cosim.wiring.links import coupling_name, network_name
from couplant.elsewhere.helics.plan import filter_steps
from couplant.elsewhere.helics.way import Way


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
    """Return the part of a coupled system that the federate `name` runs.

    Raises
    ------
    UsageError
        If a connection reaches across federates at one instant.
    """
    signals = loaded.scenario.signals
    received = [signal for signal in signals if name in receivers(loaded, signal)]
    sent = [signal for signal in signals if signals[signal].source.component == name]
    ways = {signal: _way(whole, signal) for signal in dict.fromkeys([*received, *sent])}
    step = loaded.scenario.macro_step
    lines = {
        s: Line(s, w, signals[s].source.component, receivers(loaded, s), filter_steps(loaded, s), step)
        for s, w in ways.items()
    }
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
