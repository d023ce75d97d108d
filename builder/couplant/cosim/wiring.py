"""From a scenario to connected components: directly for the reference, through network and coupling for the runs."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from couplant.cosim.building import Builder
from couplant.cosim.component import Clock, Component
from couplant.cosim.coupling import Prebuilt, build_options, coupling_of, start_value
from couplant.cosim.fmu import FmuLibrary
from couplant.cosim.loading import Loaded
from couplant.cosim.master import Wiring
from couplant.cosim.network import least_latency, network_parameters, replayed_latencies
from couplant.cosim.order import Link, Ref, Value
from couplant.cosim.recording import RecordingComponent, Series, read_recording
from couplant.cosim.scenario import NetworkTable, SignalTable
from couplant.errors import UsageError

STATUS = ("algorithm.active", "state", "discontinuity.detected", "output.limited")
"""Outputs of a coupling FMU that the report shows."""

_CLOCK = "clock"


class Workshop:
    """Makes the components of a scenario; builds each FMU once.

    Parameters
    ----------
    loaded : Loaded
        The scenario.
    library : FmuLibrary
        Unpacks the FMUs.
    builder : Builder
        Builds the FMUs.
    series : mapping of str to Series, optional
        The recordings by component; read here if not given.
    """

    def __init__(
        self, loaded: Loaded, library: FmuLibrary, builder: Builder, series: Mapping[str, Series] | None = None
    ) -> None:
        self._loaded, self._library, self._builder = loaded, library, builder
        self._models: dict[str, Path] = {}
        self._networks: dict[str, Path] = {}
        self.series = read_series(loaded) if series is None else series

    def direct(self) -> Wiring:
        """Return the prototypes connected to each other, which is the delay-free reference."""
        signals = self._loaded.scenario.signals.values()
        links = [Link(Value(Ref.parse(s.source)), Ref.parse(target)) for s in signals for target in s.to]
        components = self._prototypes()
        watched = [reference_of(table) for table in self._loaded.scenario.signals.values()]
        return Wiring(components, [*links, *self._connections()], self._parameters(components), watched)

    def coupled(self, algorithm: str, timing: str) -> Wiring:
        """Return the prototypes connected through network and coupling FMUs.

        Parameters
        ----------
        algorithm : str
            Name of an algorithm, or "configured".
        timing : str
            step or event.
        """
        components = self._prototypes()
        wiring = Wiring(components, self._connections(), self._parameters(components))
        for name in self._loaded.scenario.signals:
            self._add_signal(wiring, name, algorithm, timing)
        if any(link.source.ref.component == _CLOCK for link in wiring.links):
            components[_CLOCK] = Clock()
        return wiring

    def build(self, algorithm: str, timing: str) -> None:
        """Build the networks and coupling FMUs of a run and open none of them.

        Parameters
        ----------
        algorithm : str
            Name of an algorithm, or "configured".
        timing : str
            step or event.

        Raises
        ------
        UsageError
            If the algorithm cannot run with these settings.
        """
        for name in self._loaded.scenario.signals:
            self._coupling_fmu(coupling_of(self._loaded, name, algorithm, timing), name, f"{timing}_{algorithm}")
            if not self._loaded.networks[name].is_absent:
                self._network(self._loaded.networks[name], name)

    def _add_signal(self, wiring: Wiring, name: str, algorithm: str, timing: str) -> None:
        table = self._loaded.scenario.signals[name]
        settings = coupling_of(self._loaded, name, algorithm, timing)
        path, parameters = self._coupling_fmu(settings, name, f"{timing}_{algorithm}")
        coupling = self._library.open(path, coupling_name(name))
        _require(coupling, path)
        sender = Ref.parse(table.source)
        arrivals = self._add_network(wiring, name, sender, start_value(settings, name))
        wiring.components[coupling.name], wiring.parameters[coupling.name] = coupling, parameters
        wiring.links.extend(Link(Value(v), Ref(coupling.name, k)) for k, v in arrivals.items() if k in coupling.ports)
        for target in map(Ref.parse, table.to):
            wiring.links.extend(_estimate_links(wiring, coupling, target, timing))
        shown = [Ref(coupling.name, v) for v in ("y_hat", *STATUS) if v in coupling.ports]
        wiring.watched.extend([sender, *arrivals.values(), *shown])
        wiring.signals.extend([sender, shown[0]])
        if table.debug:
            wiring.logged.extend(_logged(coupling))

    def _add_network(self, wiring: Wiring, name: str, sender: Ref, start: float) -> dict[str, Ref]:
        """Add the network of a signal unless there is none; return what arrives by input of the coupling FMU."""
        network = self._loaded.networks[name]
        if network.is_absent:
            return {"y": sender, "y_time": Ref(_CLOCK, "time")}
        path, latencies = self._network(network, name)
        component = self._library.open(path, network_name(name))
        macro_step = self._loaded.scenario.macro_step
        if least_latency(network, macro_step, latencies) >= macro_step * (1.0 - 1e-6):
            component.declare_feedthrough({"received": [], "stamp": [], "valid": []})
        wiring.components[component.name] = component
        wiring.parameters[component.name] = network_parameters(network, macro_step, name, start)
        wiring.links.append(Link(Value(sender), Ref(component.name, "value")))
        outputs = {"y": "received", "y_time": "stamp", "y_valid": "valid"}
        return {key: Ref(component.name, output) for key, output in outputs.items()}

    def _network(self, network: NetworkTable, signal: str) -> tuple[Path, list[float] | None]:
        if network.replay is None:
            return self._model("network"), None
        latencies = replayed_latencies(self._loaded.file(network.replay), network.replay_column)
        if signal not in self._networks:
            self._networks[signal] = self._build("network", f"network_{signal}", latencies)
        return self._networks[signal], latencies

    def _prototypes(self) -> dict[str, Component]:
        return {name: self._prototype(name) for name in self._loaded.scenario.components}

    def _prototype(self, name: str) -> Component:
        table = self._loaded.scenario.components[name]
        if name in self.series:
            return RecordingComponent(name, self.series[name])
        path = self._loaded.file(table.fmu) if table.fmu is not None else self._model(str(table.model))
        component = self._library.open(path, name)
        component.declare_feedthrough(table.feedthrough)
        return component

    def _parameters(self, components: Mapping[str, Component]) -> dict[str, dict[str, Any]]:
        return {name: dict(self._loaded.parameters[name]) for name in components}

    def _connections(self) -> list[Link]:
        connections = self._loaded.scenario.connections
        return [Link(Value(Ref.parse(source)), Ref.parse(target)) for target, source in connections.items()]

    def _coupling_fmu(self, settings: Any, signal: str, run: str) -> tuple[Path, dict[str, Any]]:
        if isinstance(settings, Prebuilt):
            return settings.path, settings.parameters
        options = build_options(self._loaded, signal)
        if settings.signals[signal].learning.mode == "server":
            options = {**options, "backend": "python"}
        return self._builder.coupling(settings, signal, run, options), {}

    def _model(self, name: str) -> Path:
        if name not in self._models:
            self._models[name] = self._build(name, name)
        return self._models[name]

    def _build(self, name: str, file_name: str, latencies: list[float] | None = None) -> Path:
        return self._builder.model(name, file_name, self._loaded.scenario.macro_step, latencies)


def read_series(loaded: Loaded) -> dict[str, Series]:
    """Return the recordings of a scenario by component.

    Parameters
    ----------
    loaded : Loaded
        The scenario.

    Raises
    ------
    UsageError
        If a recording cannot be read.
    """
    tables = loaded.scenario.components.items()
    return {name: read_recording(loaded.file(t.recording), t.time) for name, t in tables if t.recording is not None}


def reference_of(table: SignalTable) -> Ref:
    """Return the output against which a signal is judged.

    Parameters
    ----------
    table : SignalTable
        The signal.
    """
    return Ref.parse(table.reference or table.source)


def coupling_name(signal: str) -> str:
    """Return the name of the coupling FMU of `signal` in its run."""
    return f"{signal}.coupling"


def network_name(signal: str) -> str:
    """Return the name of the network of `signal` in its run."""
    return f"{signal}.network"


def _require(coupling: Component, path: Path) -> None:
    if "y" not in coupling.inputs() or "y_hat" not in coupling.ports:
        raise UsageError(f"{path}: not a coupling FMU: it lacks the input y or the output y_hat.")


def _estimate_links(wiring: Wiring, coupling: Component, target: Ref, timing: str) -> list[Link]:
    """Return the link of the estimate, and in event timing that of its slope if the receiver takes one."""
    estimate, slope = Ref(coupling.name, "y_hat"), Ref(target.component, f"{target.variable}.slope")
    links = [Link(Value(estimate), target)]
    if timing == "event" and slope.variable in wiring.components[target.component].ports:
        links.append(Link(Value(estimate, slope=True), slope))
    return links


def _logged(coupling: Component) -> list[Ref]:
    ports = coupling.ports.values()
    return [Ref(coupling.name, p.name) for p in ports if p.causality in ("input", "output") and p.kind != "string"]
