"""From a scenario to connected components: directly for the reference, through network and coupling for the runs."""

import logging
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from couplant.base.errors import UsageError
from couplant.base.style import WIRE
from couplant.config import Interface
from couplant.config.components import NOISE
from couplant.config.hosts import READS_AGAIN, HostLead, Way, host_leads, left_late
from couplant.config.ref import Ref
from couplant.config.rules.steps import BondTable
from couplant.config.scenario import CONFIGURED, Loaded
from couplant.cosim.fmu.component import Clock, Component, RecordingComponent, read_series, spans_of
from couplant.cosim.fmu.in_process import InProcessCoupling
from couplant.cosim.fmu.load import Builder, FmuLibrary
from couplant.cosim.run.master import Grid, Wiring, first_values, part_for
from couplant.cosim.wiring.bonds import Place, energy_parameters, join
from couplant.cosim.wiring.coupling import (
    InProcess,
    Prebuilt,
    Settings,
    Wire,
    build_options,
    coupling_of,
    knows_age,
    start_value,
)
from couplant.cosim.wiring.links import (
    answer_links,
    arrival,
    check_coupling_fmu,
    count_outputs,
    coupling_name,
    estimate_links,
    follows_at_once,
    logged_ports,
    model_links,
    network_name,
    other_way,
    repeat_links,
    way_back,
    weight_outputs,
)
from couplant.cosim.wiring.network import VALUES, least_latency, listed_latencies, network_parameters
from couplant.cosim.wiring.order import Link, Value, check_connections, check_coupled, check_ref
from couplant.pack import needs_python
from couplant.tables import Series
from couplant_runtime.generated.numbers import MAX_BURST

if TYPE_CHECKING:
    from couplant.cosim.fmu.prototype import Scene, Systems

STATUS = ("algorithm.active", "state", "discontinuity.detected", "output.limited")
"""Outputs of a coupling FMU that the report shows."""

LEADING = "auto.leading"  # the one that tells which algorithm has the largest share, where an FMU blends several

_CLOCK = "clock"

_HOST_LEAD = "latency.host_lead"

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Coupled(Wiring):
    """Prototypes that are connected through network and coupling FMUs."""

    algorithm: str = CONFIGURED
    timing: str = "step"
    # what stands between network and receiver of each signal
    settings: dict[str, Settings] = field(default_factory=dict)


class Workshop:
    """Makes the components of a scenario; builds each FMU once.

    It reads the recordings, `series` by component, and starts the prototypes to see what senders give out first,
    `starts`, unless both are given. `turns` are the components, networks and coupling FMUs that take turns in a
    sequential host, all if not given; the others step beside them.
    """

    def __init__(
        self,
        loaded: Loaded,
        library: FmuLibrary,
        builder: Builder,
        series: Mapping[str, Series] | None = None,
        starts: Mapping[Ref, float] | None = None,
        turns: Collection[str] | None = None,
    ) -> None:
        self._loaded, self._library, self._builder, self._starts = loaded, library, builder, starts
        self._turns = turns
        self._models: dict[str | Path, Path] = {}
        self._networks: dict[str, Path] = {}
        self.series = read_series(loaded) if series is None else series

    @cached_property
    def starts(self) -> Mapping[Ref, float]:
        """First outputs of the senders of signals that pass a network."""
        signals = self._loaded.scenario.signals.items()
        sources = [table.source for name, table in signals if not self._loaded.networks[name].is_absent]
        if self._starts is not None or not sources:
            return self._starts or {}
        needed = part_for(self.direct(), {ref.component for ref in sources})
        return first_values(needed, list(dict.fromkeys(sources)), self.grid().start)

    @cached_property
    def added(self) -> dict[str, HostLead]:
        """Latency that the host adds to each signal."""
        scenario = self._loaded.scenario
        return host_leads(scenario.host, self._ways, self._feedthrough, scenario.connections, self._taking_turns())

    @cached_property
    def late(self) -> dict[Ref, set[Ref]]:
        """Outputs that go on by a direct connection a step late, with the inputs that nothing leads."""
        scenario = self._loaded.scenario
        return left_late(scenario.host, self._ways, self._feedthrough, scenario.connections, self._taking_turns())

    @cached_property
    def _feedthrough(self) -> dict[Ref, list[Ref]]:
        """By output the inputs that act on it at once; nothing where it does not matter."""
        return self._acting if self._loaded.scenario.host != READS_AGAIN else {}

    @cached_property
    def _acting(self) -> dict[Ref, list[Ref]]:
        """By output the inputs that act on it at once."""
        return {
            Ref(name, port.name): [Ref(name, i) for i in component.feedthrough(port.name)]
            for name, component in self._prototypes().items()
            for port in component.ports.values()
            if port.causality == "output"
        }

    def _settings(self, signal: str, algorithm: str, timing: str) -> Settings:
        late = follows_at_once(self._loaded.scenario, self._acting, signal)
        return coupling_of(self._loaded, signal, algorithm, timing, self._host_lead(signal), late)

    @property
    def _ways(self) -> dict[str, Way]:
        found = {}
        for name, table in self._loaded.scenario.signals.items():
            networked = not self._loaded.networks[name].is_absent
            through = (*([network_name(name)] if networked else []), coupling_name(name))
            found[name] = Way(table.source, through, tuple(table.to), networked and knows_age(self._loaded, name))
        return found

    def _host_lead(self, signal: str) -> float:
        """Return the latency that the host adds to a signal [macro steps]."""
        return self.added[signal].steps / self._loaded.scenario.micro_steps

    def _order(self) -> list[str]:
        """Return the names of all components in the order in which a sequential host steps them."""
        scenario = self._loaded.scenario
        between = [make(name) for name in scenario.signals for make in (network_name, coupling_name)]
        names = [*scenario.components, *between]
        return sorted(names, key=lambda name: scenario.order.index(name) if name in scenario.order else len(names))

    def _taking_turns(self) -> list[str]:
        """Return the components that take turns."""
        return [name for name in self._order() if self._turns is None or name in self._turns]

    def grid(self) -> Grid:
        """Return the times of the runs.

        Raises UsageError if the duration is longer than a recording or shorter than a macro step.
        """
        path, scenario = self._loaded.path, self._loaded.scenario
        spans = spans_of(self._loaded, self.series)
        duration = min(spans.values()) if scenario.duration is None else scenario.duration
        short = next((name for name, span in spans.items() if duration > span * (1 + 1e-9)), None)
        if short is not None:
            raise UsageError(f"{path}: duration = {duration} s, allowed up to {spans[short]} s by recording {short}")
        count = scenario.steps(duration)
        if count < 1:
            raise UsageError(f"{path}: duration = {duration} s is shorter than macro_step = {scenario.macro_step} s")
        return Grid(scenario.macro_step, count, scenario.micro_steps)

    def direct(self) -> Wiring:
        """Return the prototypes connected to each other."""
        signals = self._loaded.scenario.signals.values()
        links = [Link(Value(signal.source), target) for signal in signals for target in signal.to]
        components = self._prototypes()
        truths = (signal.judged_against for signal in signals)
        watched = list(dict.fromkeys([*truths, *self._watch_refs(components)]))
        return Wiring(components, [*links, *self._connections()], self._parameters(components), watched)

    def reference(self) -> Wiring:
        """Return the components that judged or watched signals depend on: the delay-free reference.

        They have the parameters of the reference.
        """
        scenario = self._loaded.scenario
        shown = {*scenario.watch, *(signal.judged_against for signal in scenario.signals.values() if signal.judge)}
        found = part_for(self.direct(), {ref.component for ref in shown})
        parameters = self._loaded.reference_parameters()
        exact = {name: {NOISE: 0.0} for name, one in self._loaded.scenario.components.items() if one.system is not None}
        return replace(found, parameters={name: exact.get(name, {}) | one for name, one in parameters.items()})

    @cached_property
    def systems(self) -> "Systems":
        """Return the systems whose prototypes the scenario couples."""
        from couplant.cosim.fmu.prototype import Systems  # loads scipy, which most runs do without

        return Systems(self._loaded, self.grid().count)

    def scene(self) -> "Scene | None":
        """Return the linear system that the scenario couples as its file does, None with any other component."""
        linear = all(table.system is not None for table in self._loaded.scenario.components.values())
        return self.systems.scene() if linear else None

    def couple(self, algorithm: str, timing: str) -> Coupled:
        """Return the prototypes connected through network and coupling FMUs, those of a plain wire through networks."""
        components = self._prototypes()
        parameters = self._parameters(components)
        host = self._loaded.scenario.host
        wiring = Coupled(components, self._connections(), parameters, algorithm=algorithm, timing=timing, host=host)
        wiring.watched.extend(self._watch_refs(components))
        add = self._add_wire if algorithm == WIRE else self._add_signal
        for name in self._loaded.scenario.signals:
            add(wiring, name)
        for name in (name for name in self._order() if name in components):
            components[name] = components.pop(name)
        if algorithm == WIRE:
            return wiring
        for bond in self._loaded.scenario.bonds.values():
            self._add_bond(wiring, bond)
        for name in self._loaded.scenario.signals:
            wiring.links.extend(model_links(self._loaded, wiring, name))
        if any(link.source.ref.component == _CLOCK for link in wiring.links):
            components[_CLOCK] = Clock()  # the last in its turn: a stamp is the time at which the step begins
        return wiring

    def build(self, algorithm: str, timing: str) -> None:
        """Build the networks and coupling FMUs of a run and open none of them.

        Raises UsageError if the algorithm cannot run with these settings.
        """
        for name in self._loaded.scenario.signals:
            settings = self._settings(name, algorithm, timing)
            if algorithm != WIRE and not isinstance(settings, InProcess):
                self._coupling_fmu(settings, name, f"{timing}_{algorithm}")
            if not self._loaded.networks[name].is_absent:
                self._network(name)

    def coupling(
        self, signal: str, algorithm: str, timing: str
    ) -> tuple[Component, dict[str, Any], Interface | Prebuilt | InProcess]:
        """Return the coupling FMU of a signal, the values of its parameters, and the settings that it comes from."""
        settings = self._settings(signal, algorithm, timing)
        assert not isinstance(settings, Wire)
        if isinstance(settings, InProcess):
            return InProcessCoupling(coupling_name(signal), settings.interface, signal, settings.own), {}, settings
        path, parameters = self._coupling_fmu(settings, signal, f"{timing}_{algorithm}")
        coupling = self._library.open(path, coupling_name(signal))
        check_coupling_fmu(coupling, path)
        if isinstance(settings, Prebuilt) and settings.end is not None:
            parameters = {**energy_parameters(settings.end, coupling, str(self._loaded.path)), **parameters}
        if _HOST_LEAD not in coupling.ports and parameters.get(_HOST_LEAD) == self._host_lead(signal):
            parameters = {key: value for key, value in parameters.items() if key != _HOST_LEAD}
            if added := self.added[signal].steps:
                text = "signals.%s: %s has no %s: nothing makes up for the %+d communication steps that the host adds."
                _log.warning(text, signal, path.name, _HOST_LEAD, added)
        return coupling, parameters, settings

    def _add_signal(self, wiring: Coupled, name: str) -> None:
        table = self._loaded.scenario.signals[name]
        coupling, parameters, settings = self.coupling(name, wiring.algorithm, wiring.timing)
        wiring.settings[name] = settings
        check_coupled(self._loaded, wiring.components, name, coupling)
        sender = table.source
        entries = [f"[{i}]" for i in range(2, MAX_BURST + 1) if f"y[{i}]" in coupling.ports]
        arrivals = self._add_network(wiring, name, sender, start_value(settings, name), 1 + len(entries))
        wiring.components[coupling.name], wiring.parameters[coupling.name] = coupling, parameters
        wiring.links.extend(Link(Value(v), Ref(coupling.name, k)) for k, v in arrivals.items() if k in coupling.ports)
        wiring.links.extend(repeat_links(self._loaded, coupling, name, entries))
        wiring.links.extend(self._echo(coupling, name))
        if "u" in coupling.inputs():
            wiring.links.append(Link(Value(other_way(self._loaded, name, sender.component)), Ref(coupling.name, "u")))
        wiring.links.extend(answer_links(self._loaded, coupling, name, settings))
        for target in table.to:
            wiring.links.extend(estimate_links(wiring, coupling, target, wiring.timing))
        if table.debug:
            logs = wiring.watched if wiring.timing == "event" else wiring.logged  # what the inputs mean at the point
            logs.extend(logged_ports(coupling))
        shown = [Ref(coupling.name, v) for v in ("y_hat", *STATUS, LEADING) if v in coupling.ports]
        counts = [] if self._loaded.networks[name].is_absent else count_outputs(coupling)
        wiring.watched.extend([sender, *arrivals.values(), *shown, *weight_outputs(coupling), *counts])
        wiring.signals.extend([sender, shown[0]])

    def _add_wire(self, wiring: Coupled, name: str) -> None:
        table, came = self._loaded.scenario.signals[name], arrival(self._loaded, name)
        settings = wiring.settings[name] = self._settings(name, wiring.algorithm, wiring.timing)
        arrivals = self._add_network(wiring, name, table.source, start_value(settings, name), 1)
        wiring.links.extend(Link(Value(came), target) for target in table.to)
        bonds = [bond for bond in self._loaded.scenario.bonds.values() if bond.effort == name]
        told = [] if self._loaded.networks[name].is_absent else arrivals.values()
        wiring.watched.extend([table.source, *told, *(bond.direct_flow for bond in bonds if bond.direct_flow)])
        wiring.signals.extend([table.source, came])

    def _add_bond(self, wiring: Coupled, bond: BondTable) -> None:
        if (flow := bond.direct_flow) is not None:
            wiring.watched.append(flow)
            join(wiring, Place(coupling_name(bond.effort), None, flow, None), wiring.timing)
            return
        for here, back in ((bond.effort, bond.flow), (bond.flow, bond.effort)):
            network = None if self._loaded.networks[back].is_absent else network_name(back)
            sent = self._loaded.scenario.signals[back].source
            join(wiring, Place(coupling_name(here), coupling_name(back), sent, network), wiring.timing)

    def _echo(self, coupling: Component, name: str) -> list[Link]:
        """Return the links that tell a coupling FMU which message of its own side the sender had."""
        if "y_echo" not in coupling.ports:
            return []
        networks, back = self._loaded.networks, way_back(self._loaded, name)
        newest = Ref(_CLOCK, "time") if networks[back].is_absent else Ref(network_name(back), "newest")
        if networks[name].is_absent:
            return [Link(Value(newest), Ref(coupling.name, "y_echo"))]
        echo, echoed = (Ref(network_name(name), variable) for variable in ("echo", "echoed"))
        return [Link(Value(newest), echo), Link(Value(echoed), Ref(coupling.name, "y_echo"))]

    def _add_network(self, wiring: Wiring, name: str, sender: Ref, start: float | None, burst: int) -> dict[str, Ref]:
        """Add the network of a signal unless there is none; return what arrives by input of the coupling FMU."""
        network = self._loaded.networks[name]
        if network.is_absent:
            return {"y": sender, "y_time": Ref(_CLOCK, "time")}
        path, latencies = self._network(name)
        component = self._library.open(path, network_name(name))
        macro_step = self._loaded.scenario.macro_step
        if least_latency(network, macro_step, latencies) >= macro_step * (1.0 - 1e-6):
            component.declare_feedthrough({p.name: [] for p in component.ports.values() if p.causality == "output"})
        wiring.components[component.name] = component
        start = self.starts.get(sender, 0.0) if start is None else start
        wiring.parameters[component.name] = network_parameters(network, macro_step, name, start, burst)
        wiring.links.append(Link(Value(sender), Ref(component.name, "value")))
        return {key: Ref(component.name, output) for key, output in VALUES.items()}

    def _network(self, signal: str) -> tuple[Path, Sequence[float] | None]:
        loaded = self._loaded
        network, macro_step = loaded.networks[signal], loaded.scenario.macro_step
        latencies = listed_latencies(network, macro_step, signal, loaded.file)
        if latencies is None:
            return self._model("network"), None
        if signal not in self._networks:
            self._networks[signal] = self._build("network", f"network_{signal}", latencies)
        return self._networks[signal], latencies

    def _prototypes(self) -> dict[str, Component]:
        found = {name: self.prototype(name) for name in self._loaded.scenario.components}
        check_connections(self._loaded, found)
        return found

    def prototype(self, name: str) -> Component:
        """Return the component `name` of the scenario."""
        table = self._loaded.scenario.components[name]
        if name in self.series:
            return RecordingComponent(name, self.series[name])
        if table.system is not None:
            return self.systems.component(name, table.system)
        plant, model = self._loaded.plant(name), self._loaded.model(name)
        if plant is None:
            file = self._loaded.file(str(table.fmu)) if model is None else self._model(model)
        component: Component = self._library.open(file, name) if plant is None else plant.component(name)
        component.declare_feedthrough(table.feedthrough)
        return component

    def _parameters(self, components: Mapping[str, Component]) -> dict[str, dict[str, Any]]:
        return {name: dict(self._loaded.parameters[name]) for name in components}

    def _watch_refs(self, components: Mapping[str, Component]) -> list[Ref]:
        watched = self._loaded.scenario.watch
        if wrong := [text for ref in watched if (text := check_ref(components, ref, "output"))]:
            raise UsageError("\n".join(f"{self._loaded.path}: watch: {text}" for text in wrong))
        return watched

    def _connections(self) -> list[Link]:
        return [Link(Value(source), target) for target, source in self._loaded.scenario.connections.items()]

    def _coupling_fmu(self, settings: Any, signal: str, run: str) -> tuple[Path, dict[str, Any]]:
        if isinstance(settings, Prebuilt):
            return settings.path, settings.parameters
        options = build_options(self._loaded, signal)
        if needs_python(settings.signals[signal]):
            options = {**options, "backend": "python"}
        return self._builder.coupling(settings, signal, run, options), {}

    def _model(self, name: str | Path) -> Path:
        if name not in self._models:
            self._models[name] = self._build(name, Path(name).name)
        return self._models[name]

    def _build(self, name: str | Path, file_name: str, latencies: Sequence[float] | None = None) -> Path:
        return self._builder.model(name, file_name, self._loaded.scenario.macro_step, latencies)
