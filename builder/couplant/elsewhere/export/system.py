"""From a scenario to the system that another tool runs: parts, each an FMU of its own, and connections."""

import logging
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from couplant.base.errors import CouplantError, UsageError
from couplant.base.filenames import is_device, same_files
from couplant.base.files import write_atomic
from couplant.base.style import WIRE
from couplant.config import Interface
from couplant.config.hosts import HostLead
from couplant.config.own import in_python
from couplant.config.ref import Ref
from couplant.config.rules.steps import DIRECT
from couplant.config.scenario import CONFIGURED, Loaded
from couplant.cosim.fmu.component import Clock, Component, Kept, Port, RecordingComponent
from couplant.cosim.fmu.foreign import sender_starts
from couplant.cosim.fmu.instance import FmuComponent
from couplant.cosim.fmu.load import Builder, FmuLibrary
from couplant.cosim.wiring.components import Coupled, Workshop
from couplant.cosim.wiring.coupling import identifier
from couplant.cosim.wiring.links import network_name
from couplant.cosim.wiring.order import Link
from couplant.pack import build_model_fmu

_log = logging.getLogger(__name__)
_UNKNOWN = "Signals are 0 until the first value arrives, for what they begin with is not known: %s"
_KEPT = "bonds cannot be exported for a sequential host: what an end sends must reach its FMU a step later there"

KINDS = {"real": "Real", "integer": "Integer", "boolean": "Boolean"}
"""Kinds of variables that every tool can connect, with their names in files."""

SETTABLE = KINDS | {"string": "String"}  # kinds of parameters that every tool can set: no enumerations


class Variable(NamedTuple):
    """A variable of a part."""

    part: str
    name: str


class Connection(NamedTuple):
    """The input `target` is set to the output `source`."""

    source: Variable
    target: Variable


@dataclass(frozen=True)
class Part:
    """One FMU of a system."""

    name: str
    fmu: Path
    inputs: tuple[Port, ...]  # that are connected
    outputs: tuple[Port, ...]
    # values that the FMU does not start with by itself, each with its variable
    parameters: tuple[tuple[Port, Any], ...] = ()


@dataclass(frozen=True)
class System:
    """All that a tool must know to run a scenario."""

    name: str
    title: str
    host: str  # kind of tool that the coupling FMUs are made for
    step: float  # communication step [s]
    duration: float  # [s]
    parts: tuple[Part, ...]  # in the order in which they step
    connections: tuple[Connection, ...]


class _Notes(Builder):
    """Notes which model each FMU is, with its measured latencies if any."""

    def __init__(self, folder: Path, platform: str) -> None:
        super().__init__(folder, platform)
        self.models: dict[Path, tuple[str | Path, Sequence[float] | None]] = {}

    def model(
        self, name: str | Path, file_name: str, macro_step: float, latencies: Sequence[float] | None = None
    ) -> Path:
        path = super().model(name, file_name, macro_step, latencies)
        self.models[path] = name, latencies
        return path


class _Paths(FmuLibrary):
    """Remembers the file of each component."""

    def __init__(self) -> None:
        super().__init__()
        self.paths: dict[str, Path] = {}

    def open(self, path: Path, name: str) -> FmuComponent:
        self.paths[name] = path
        return super().open(path, name)


@dataclass(frozen=True)
class Gathered:
    """The FMUs of a scenario, or of a part of it, and how all of the scenario is connected."""

    coupled: Coupled
    links: tuple[Link, ...]  # without those of the clock
    names: Mapping[str, str]  # of the parts by component
    parts: tuple[Part, ...]  # in the order in which they step
    added: Mapping[str, HostLead]  # what the host adds to the latency, by signal
    step: float  # communication step [s]
    duration: float  # [s]

    def connections(self, links: Sequence[Link]) -> tuple[Connection, ...]:
        """Return `links` between parts as connections."""
        pairs = ((link.source.ref, link.target) for link in links)
        ends = ([Variable(self.names[ref.component], ref.variable) for ref in pair] for pair in pairs)
        return tuple(Connection(*pair) for pair in ends)


def system_of(loaded: Loaded, algorithm: str, folder: Path, platform: str) -> System:
    """Build the FMUs of a scenario into `folder`, one for each part, and return the system that they form.

    Prototypes and networks that come with couplant start with the parameters of the scenario by themselves. Raise
    `UsageError` if the scenario has what other tools cannot run: a recording, a signal without network that needs
    stamps, bonds where components take turns.
    """
    found = gather(loaded, algorithm, folder, platform)
    title, host = loaded.scenario.name, loaded.scenario.host
    connections = found.connections(found.links)
    return System(identifier(title), title, host, found.step, found.duration, found.parts, connections)


def gather(
    loaded: Loaded, algorithm: str, folder: Path, platform: str, inside: Collection[str] | None = None
) -> Gathered:
    """Build the FMUs of a scenario, or of its components `inside`, into `folder`; raise `UsageError` as `system_of`."""
    notes, library = _Notes(folder / "built", platform), _Paths()
    with library:
        starts, unknown = _starts(loaded)
        workshop = Workshop(loaded, library, notes, starts=starts, turns=inside)
        coupled = workshop.couple(algorithm, "step")
        if any(isinstance(component, Kept) for component in coupled.components.values()):
            raise UsageError(f"{loaded.path}: {_KEPT}.")
        links = _without_clock(loaded, coupled, inside)
        chosen = {name: one for name, one in coupled.components.items() if inside is None or name in inside}
        # files and tools want names without dots
        names = {name: name.replace(".", "_") for name in chosen}
        for other, name in same_files(names):
            text = f"{other} and {name} would both be called {names[name]}; rename one of them."
            raise UsageError(f"{loaded.path}: {text}")
        for name, own in names.items():
            if is_device(own):
                raise UsageError(f"{loaded.path}: {name}: {own}.fmu is a device for Windows, no file; rename it.")
        parts = []
        for name, component in chosen.items():
            if isinstance(component, RecordingComponent):
                raise UsageError(f"{loaded.path}: components.{name}: a recording cannot be exported, an FMU can.")
            if not isinstance(component, Clock):
                path, given = library.paths[name], coupled.parameters.get(name, {})
                file, kept = _own_file(notes, path, given, folder / "fmus" / f"{names[name]}.fmu", loaded)
                parts.append(_part(names[name], file, component, links, kept, loaded))
        grid = workshop.grid()
        if unknown:  # not before, for what is wrong with the scenario is told once
            _log.warning(_UNKNOWN, unknown)
        return Gathered(coupled, tuple(links), names, tuple(parts), workshop.added, grid.h, grid.end)


def _starts(loaded: Loaded) -> tuple[Mapping[Ref, float], str]:
    """Return the first outputs of senders, and why they are not known: of an FMU that does not run here none are."""
    if any(table.recording is not None for table in loaded.scenario.components.values()):
        return {}, ""  # refused
    try:
        return sender_starts(loaded), ""
    except CouplantError as error:
        return {}, str(error)


def _without_clock(loaded: Loaded, coupled: Coupled, inside: Collection[str] | None) -> list[Link]:
    """Return the connections without those of the clock, which a coupling FMU of constant latency ignores.

    Of a part of the scenario it has nothing to do with what comes from outside, nor with what is there.
    """
    found = []
    for link in coupled.links:
        if not isinstance(coupled.components[link.source.ref.component], Clock):
            found.append(link)
            continue
        signal = link.target.component.rpartition(".")[0]
        ends = {link.target.component, loaded.scenario.signals[signal].source.component}
        if inside is not None and not ends <= {*inside}:
            continue
        settings = coupled.settings.get(signal)
        if not isinstance(settings, Interface) or settings.signals[signal].latency.mode != "constant":
            text = "cannot be exported with stamps but without a network; give network.latency_steps"
            raise UsageError(f"{loaded.path}: signals.{signal} {text}.")
    return found


def _own_file(
    notes: _Notes, path: Path, parameters: dict[str, Any], target: Path, loaded: Loaded
) -> tuple[Path, dict[str, Any]]:
    """Return the FMU of one part as a file of its own, and the parameters that it does not start with."""
    if path not in notes.models:
        return write_atomic(target, path.read_bytes()), parameters
    model, latencies = notes.models[path]
    file = build_model_fmu(
        model,
        target.parent,
        platform=notes.platform,
        macro_step=loaded.scenario.macro_step,
        file_name=target.stem,
        latencies=latencies,
        **parameters,
    )
    return file, {}


def _part(
    name: str, file: Path, component: Component, links: Sequence[Link], parameters: dict[str, Any], loaded: Loaded
) -> Part:
    ends = {link.source.ref for link in links} | {link.target for link in links}
    silent = component.name in {network_name(signal) for signal in loaded.scenario.signals}

    def ports_of(causality: str, everything: bool) -> tuple[Port, ...]:
        ports = (port for port in component.ports.values() if port.causality == causality and port.kind in KINDS)
        return tuple(port for port in ports if everything or Ref(component.name, port.name) in ends)

    unknown = next((key for key in parameters if key not in component.ports), None)
    if unknown is not None:
        raise UsageError(f"{loaded.path}: {component.name} has no parameter {unknown}.")
    kept = tuple((component.ports[key], value) for key, value in parameters.items())
    return Part(name, file, ports_of("input", False), ports_of("output", not silent), kept)


def algorithm_of(loaded: Loaded) -> str:
    """Return the one algorithm of a scenario; raise `UsageError` if there are several, or event timing only."""
    for text in in_python(loaded.scenario):
        raise UsageError(f"{loaded.path}: {text}.")
    timings = loaded.scenario.timing
    algorithms = [name for name in loaded.scenario.algorithms if name != WIRE]
    if "step" not in timings:
        raise UsageError(f"{loaded.path}: timing = event cannot be exported, allowed step; another host has it.")
    if DIRECT in algorithms or not algorithms:
        alone = "".join(algorithms) or WIRE
        raise UsageError(f"{loaded.path}: algorithms = {alone} cannot be exported: it has no coupling FMU.")
    if len(algorithms) > 1 and CONFIGURED not in algorithms:
        text = f"algorithms = {', '.join(algorithms)}, allowed one of them, such as algorithm = {algorithms[0]}."
        raise UsageError(f"{loaded.path}: {text}")
    return CONFIGURED if CONFIGURED in algorithms else algorithms[0]
