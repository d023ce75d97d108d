"""One side of a scenario: prototypes, the coupling FMUs at their inputs, and what goes in and out."""

from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from couplant.base.errors import UsageError
from couplant.config import Interface
from couplant.config.ref import Ref
from couplant.config.scenario import Loaded
from couplant.cosim.fmu.component import Port
from couplant.cosim.fmu.fmu3 import Fmu3Component
from couplant.cosim.wiring.components import STATUS
from couplant.cosim.wiring.coupling import build_options
from couplant.cosim.wiring.links import coupling_name, network_name
from couplant.cosim.wiring.network import VALUES
from couplant.elsewhere.export.system import Connection, Gathered, Part, gather
from couplant.pack import needs_python

_MESSAGE = (*VALUES, "y_echo")  # inputs of a coupling FMU that are a message


class End(NamedTuple):
    """An input or output of a side."""

    name: str
    part: str
    port: Port  # what it is of this part

    def to_dict(self) -> dict[str, str]:
        """Return all of it as plain values."""
        return {"name": self.name, "part": self.part, "variable": self.port.name, "unit": self.port.unit}


@dataclass(frozen=True)
class Received:
    """Prediction of a coupling FMU of a side, in macro steps."""

    signal: str
    network: int | None  # k; None: as the stamps or the settings of an existing FMU tell
    host: float  # what the steps of the container add
    hold: float  # lead for the receiver's hold
    reasons: tuple[str, ...] = ()  # one for each thing that adds or takes off a step

    def to_dict(self) -> dict[str, Any]:
        """Return all of it as plain values."""
        return {**vars(self), "reasons": list(self.reasons)}


@dataclass(frozen=True)
class Side:
    """All that a container must know."""

    parts: tuple[Part, ...]  # in the order in which they step
    connections: tuple[Connection, ...]
    inputs: tuple[End, ...]
    outputs: tuple[End, ...]
    received: tuple[Received, ...]
    step: float  # communication step [s]
    duration: float  # [s]


def side_of(loaded: Loaded, algorithm: str, chosen: Collection[str], folder: Path, platform: str) -> Side:
    """Build the FMUs of one side into `folder`: the components `chosen` and the coupling FMUs of what they receive.

    The network of a signal lies outside, unless both its ends are chosen. Raise `UsageError` if there is no such
    component, if a signal goes to both sides, or if a container cannot hold what is there.
    """
    inside = _inside(loaded, chosen)
    found = gather(loaded, algorithm, folder, platform, inside)
    _refuse(loaded, found)
    within = [link for link in found.links if {link.source.ref.component, link.target.component} <= inside]
    inputs, outputs = tuple(_inputs(loaded, found, inside)), tuple(_outputs(loaded, found, inside))
    twice = next((name for name, n in Counter(end.name for end in (*inputs, *outputs)).items() if n > 1), None)
    if twice is not None:
        raise UsageError(f"{loaded.path}: two variables of the container would be called {twice}; rename a signal.")
    received = tuple(_prediction(loaded, found, name) for name in _signals(loaded, inside))
    connections = found.connections(within)
    return Side(found.parts, connections, inputs, outputs, received, found.step, found.duration)


def _inside(loaded: Loaded, chosen: Collection[str]) -> set[str]:
    """Return the names of the components of a side, with its networks and coupling FMUs."""
    scenario, path = loaded.scenario, loaded.path
    if unknown := sorted({*chosen} - scenario.components.keys()):
        known = ", ".join(scenario.components)
        raise UsageError(f"{path}: there is no component {', '.join(unknown)}, allowed {known}.")
    inside, whole = {*chosen}, {*chosen} == scenario.components.keys()
    for name, table in scenario.signals.items():
        here = {target.component in chosen for target in table.to} or {whole}
        if len(here) > 1:
            text = "goes to components of both sides, and each needs a coupling FMU; give each side a signal of its own"
            raise UsageError(f"{path}: signals.{name} {text}.")
        if here == {True}:
            inside.add(coupling_name(name))
            if table.source.component in chosen and not loaded.networks[name].is_absent:
                inside.add(network_name(name))
    return inside


def _signals(loaded: Loaded, inside: Collection[str]) -> Iterator[str]:
    """Yield the signals whose coupling FMU is inside."""
    return (name for name in loaded.scenario.signals if coupling_name(name) in inside)


def _refuse(loaded: Loaded, found: Gathered) -> None:
    """Refuse parts that are in no container: FMUs of FMI 3 and of Python, values that its tool cannot set."""
    for name in found.names:
        if isinstance(found.coupled.components[name], Fmu3Component):
            raise UsageError(f"{loaded.path}: {name} is an FMU of FMI 3.0; a container has FMUs of FMI 2.0 only.")
    for signal in _signals(loaded, found.names):
        settings = found.coupled.settings[signal]
        if not isinstance(settings, Interface):
            continue
        asked = build_options(loaded, signal).get("backend") == "python"
        if asked or needs_python(settings.signals[signal]):
            algorithm = settings.signals[signal].algorithm.selected
            text = f"({algorithm}) would be an FMU of the Python backend; a container has native ones only"
            raise UsageError(f"{loaded.path}: signals.{signal} {text}.")


def _inputs(loaded: Loaded, found: Gathered, inside: Collection[str]) -> Iterator[End]:
    """Yield inputs from outside: messages, whether a network sends them here or not, and direct connections."""
    outer = {link.target for link in found.links if link.source.ref.component not in inside}
    for own, component in found.coupled.components.items():
        if own in inside:
            signal = own.rpartition(".")[0]
            table = loaded.scenario.signals.get(signal)
            received = table is not None and own == coupling_name(signal) and table.source.component not in inside
            names = [n for n in component.inputs() if Ref(own, n) in outer or (received and n in _MESSAGE)]
            yield from (End(f"{signal or own}.{n}", found.names[own], component.ports[n]) for n in names)


def _outputs(loaded: Loaded, found: Gathered, inside: Collection[str]) -> Iterator[End]:
    """Yield outputs to outside: signals, their companions, estimates and their state, direct connections, watched."""
    named: dict[str, Ref] = {}
    for name, table in loaded.scenario.signals.items():
        if table.source.component in inside and coupling_name(name) not in inside:
            named[name] = table.source
    for link in found.links:
        if link.source.ref.component in inside and link.target.component not in inside:
            named.setdefault(_output_name(loaded, link.source.ref, link.target), link.source.ref)
    for name in _signals(loaded, inside):
        ports = found.coupled.components[coupling_name(name)].ports
        named |= {f"{name}.{v}": Ref(coupling_name(name), v) for v in ("y_hat", *STATUS) if v in ports}
    named |= {str(ref): ref for ref in loaded.scenario.watch if ref.component in inside}
    for name, ref in named.items():
        yield End(name, found.names[ref.component], found.coupled.components[ref.component].ports[ref.variable])


def _output_name(loaded: Loaded, source: Ref, target: Ref) -> str:
    """Return the name of an output: that of the signal that carries it, or of the companion in the messages of one."""
    signal, _, kind = target.component.rpartition(".")
    if signal not in loaded.scenario.signals:
        return str(source)
    if loaded.scenario.signals[signal].source == source and kind in ("network", "coupling"):
        return signal
    return f"{signal}.{target.variable}"


def _prediction(loaded: Loaded, found: Gathered, signal: str) -> Received:
    added, settings = found.added[signal], found.coupled.settings[signal]
    steps = added.steps / loaded.scenario.micro_steps
    if not isinstance(settings, Interface):
        return Received(signal, None, steps, 0.0, (*added.reasons, "in an FMU that exists"))
    latency = settings.signals[signal].latency
    k = latency.constant_steps if latency.mode == "constant" else None
    told = added.reasons
    if latency.host_lead != steps:
        told = ("given",) if "host_lead" in latency.model_fields_set else ("the algorithm makes up for it by itself",)
    return Received(signal, k, latency.host_lead, latency.hold_lead, told)
