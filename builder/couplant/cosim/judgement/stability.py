"""Exact stability of a scenario whose prototypes are linear models that come with couplant."""

import math
from collections.abc import Collection, Sequence
from dataclasses import replace

from couplant.analysis.algorithms import LinearAlgorithm, Recursive, SlidingModeObserver, generic, lead_by
from couplant.analysis.by_model import ByModel, Sender
from couplant.analysis.phasor import Phasor
from couplant.analysis.stability import Stability, stability
from couplant.analysis.system import Connection, Prototype, System
from couplant.analysis.system_file import prototype, read_system
from couplant.base.grid import latency_in_steps
from couplant.config.hosts import READS_AGAIN, SEQUENTIAL
from couplant.config.interface import Interface, Signal
from couplant.config.latency import added_steps
from couplant.config.models import MODEL, PHASOR, model_of
from couplant.config.scenario import Loaded, Scenario
from couplant.cosim.wiring.coupling import Couplings, Settings, Wire
from couplant.pack.describe.model_sheet import SHEET, Sheet, read_sheet
from couplant.pack.plants import plant_of
from couplant.pack.settings import weights_of
from couplant_runtime.algorithms import BY_NAME, GENERIC


def stability_of(loaded: Loaded, couplings: Couplings, timing: str) -> Stability | None:
    """Return the dominating mode of a run, None where theory does not cover it."""
    system = coupled_system(loaded, couplings, timing)
    return None if system is None else stability(system)


def coupled_system(loaded: Loaded, couplings: Couplings, timing: str) -> System | None:
    """Return a run as linear prototypes and connections.

    Limits of the estimate do not matter as long as they enclose zero: the system at rest is what is judged. None with
    components that are no linear models, direct connections, latencies that vary, loss, detection of discontinuities, a
    bypass, power bonds that take energy back or have a budget, coupling FMUs from elsewhere, components that take
    turns, or direct feedthrough that the scenario declares in part or in event timing.
    """
    scenario = loaded.scenario
    acting = any(bond.take_back > 0.0 or bond.budget > 0.0 for bond in scenario.bonds.values())
    if acting or scenario.connections or scenario.host == SEQUENTIAL:
        return None
    prototypes = []
    for name in scenario.components:
        one = linear_prototype(loaded, name)
        if one is None:
            return None
        prototypes.append(one)
    connections: list[Connection] = []
    senders: dict[Sender, Sender] = {}
    for name, table in scenario.signals.items():
        coupling = couplings[name]
        wired = isinstance(coupling, Wire)
        made = _wires(loaded, name, timing) if wired else _connections(loaded, name, coupling, senders)
        found = made if table.to else []
        if found is None:
            return None
        connections += found
    if not connections:
        return None
    stale = stale_outputs(scenario, prototypes, {c.target for c in connections})
    if stale is None or (stale and timing == "event"):
        return None
    micro_steps = scenario.micro_steps if timing == "step" else 1
    return System(
        tuple(prototypes), tuple(connections), scenario.macro_step, timing, stale=stale, micro_steps=micro_steps
    )


def linear_prototype(loaded: Loaded, name: str) -> Prototype | None:
    """Return a component as a linear prototype, None if it is no linear model."""
    file = loaded.scenario.components[name].system
    if file is not None:
        return next(one for one in read_system(loaded.file(file)).prototypes if one.name == name)
    plant = loaded.plant(name)
    if plant is not None:
        found: Prototype | None = plant.prototype(name)
        return found
    sheet = sheet_of(loaded, name)
    if sheet is None or sheet.linear is None:
        return None
    return prototype(name, sheet.linear, sheet.parameters() | loaded.parameters[name])


def sheet_of(loaded: Loaded, name: str) -> Sheet | None:
    """Return the sheet of a component that is built from a model, None of FMUs and recordings."""
    table = loaded.scenario.components[name]
    if table.source is not None:
        return read_sheet(loaded.file(f"{table.source}/{SHEET}"))
    return None if table.model is None else read_sheet(table.model)


def stale_outputs(
    scenario: Scenario, prototypes: Sequence[Prototype], driven: Collection[str]
) -> tuple[str, ...] | None:
    """Return the outputs that are read before the inputs are set that act on them at once, None if only some are."""
    found = []
    for one in prototypes:
        declared = scenario.components[one.name].feedthrough
        for output, inputs in one.acting().items():
            acting = {i for i in inputs if f"{one.name}.{i}" in driven}
            missed = acting - set(declared.get(output, acting)) if scenario.host == READS_AGAIN else acting
            if missed and missed != acting:
                return None
            found += [f"{one.name}.{output}"] if missed else []
    return tuple(found)


def _wires(loaded: Loaded, name: str, timing: str) -> list[Connection] | None:
    """Return the connections of a signal without coupling FMU."""
    network, table = loaded.networks[name], loaded.scenario.signals[name]
    if not network.is_constant or (timing == "step" and network.latency_steps < 1):
        return None
    return [Connection.wire(str(table.source), str(target), network.latency_steps) for target in table.to]


def _connections(
    loaded: Loaded, name: str, coupling: Settings, senders: dict[Sender, Sender]
) -> list[Connection] | None:
    """Return one connection for each input that a signal drives; those by one model share the sender in `senders`."""
    network = loaded.networks[name]
    if not isinstance(coupling, Interface) or not network.is_constant:
        return None
    table, settings = loaded.scenario.signals[name], coupling.signals[name]
    if not is_linear(settings) or settings.latency.constant_steps != network.latency_steps:
        return None
    k, modelled = network.latency_steps, settings.algorithm.selected == MODEL
    chosen = (
        _by_model(loaded.scenario, name, coupling, k, senders)
        if modelled
        else algorithm_of(settings, k, coupling.macro_step)
    )
    if chosen is None:
        return None
    hold = settings.reconstruction == "hold"
    derivative = table.derivative and str(loaded.scenario.signals[table.derivative].source)
    return [Connection(str(table.source), str(t), chosen, hold, derivative=derivative) for t in table.to]


def _by_model(
    scenario: Scenario, name: str, coupling: Interface, k: int, senders: dict[Sender, Sender]
) -> ByModel | None:
    """Return the model of a signal's sender as an algorithm; None without latency, or if its signals go nowhere."""
    model, plant = model_of(coupling.models, name), plant_of(coupling, name)
    assert model is not None
    assert plant is not None
    signals = scenario.signals
    if k < 1 or not all(signals[back].to for back in model.inputs):
        return None
    sent = tuple(str(signals[one].source) for one in model.outputs)
    given = tuple(str(signals[back].to[0]) for back in model.inputs)
    sender = Sender(replace(plant, own=0), sent, given)
    lead = added_steps(coupling.signals[name].latency, coupling.macro_step)
    return ByModel(k, senders.setdefault(sender, sender), plant.own, lead)


def is_linear(settings: Signal) -> bool:
    """Tell whether the coupling FMU of a signal is linear and knows its latency."""
    limits = settings.output
    switching = settings.discontinuity.enabled or settings.bypass or settings.latency.mode != "constant"
    return not switching and limits.min < 0.0 < limits.max


def algorithm_of(settings: Signal, k: int, macro_step: float) -> Recursive | None:
    """Return the algorithm of a signal as theory has it, None where it is not linear; ΔT is the `macro_step` [s].

    It acts on values `k` macro steps old; `latency.offset` and the leads move what it looks at.
    """
    chosen, shift = settings.algorithm, added_steps(settings.latency, macro_step)
    ahead = max(0, k + latency_in_steps(shift))
    known: Recursive | None = generic(chosen.selected, ahead) if chosen.selected in GENERIC else None
    if chosen.selected == PHASOR and chosen.follow == "off":
        # what follows the frequency is not linear
        known = Phasor(ahead, chosen.frequency * macro_step, chosen.harmonics)
    if isinstance(known, SlidingModeObserver):
        one = _observer(ahead, chosen.observer_gain * macro_step)
        return None if one is None else lead_by(lambda ahead: one, k, shift)
    algorithm = known or _weights_of(settings, ahead)
    return None if algorithm is None else lead_by(lambda ahead: algorithm, k, shift)


def _weights_of(settings: Signal, ahead: int) -> LinearAlgorithm | None:
    chosen = settings.algorithm.selected
    found = weights_of(settings, ahead) if BY_NAME[chosen].needs == "weights" else ()
    made = (LinearAlgorithm(ahead, w.a, w.slopes, chosen, w.b, w.b_slopes) for w in found if w.steps == ahead)
    return next(made, None)


def _observer(k: int, gain: float) -> Recursive | None:
    ratio = gain * 2 * k / math.pi
    if not gain or not k:
        return generic("smb", k)
    return SlidingModeObserver(k, gain_ratio=ratio) if ratio < 1.0 else None
