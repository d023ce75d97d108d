"""The loop that a settings file is for, where it knows both sides: by models, or by FMUs or a SYSTEM.toml at the ends.

Nothing is safe without asking the loop: an algorithm that suits a signal may make the coupled system unstable.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

import numpy as np

from couplant.analysis.by_model import ByModel, Sender
from couplant.analysis.loop_error import loop_errors, noise_of_sent
from couplant.analysis.model_map import sent_of
from couplant.analysis.stability import stability
from couplant.analysis.system import Connection, Prototype, System, driven_outputs
from couplant.analysis.system_file import read_system
from couplant.base.errors import CouplantError
from couplant.config.frame.read import Content
from couplant.config.hosts import JACOBI
from couplant.config.interface import Interface, Signal
from couplant.config.latency import PROPOSED, added_steps, proposal
from couplant.config.models import MODEL
from couplant.cosim.fmu.linear import Point, linearise_fmu
from couplant.cosim.fmu.prototype import Scene
from couplant.cosim.judgement.stability import algorithm_of, is_linear
from couplant.pack.plants import plant_of

_STEPS = 1000  # macro steps of the run by which errors are judged


@dataclass(frozen=True, eq=False)
class SettingsLoop:
    """A settings file and the prototypes at both ends of its signals."""

    interface: Interface  # the settings
    prototypes: tuple[Prototype, ...]  # both sides
    ends: Mapping[str, tuple[str, tuple[str, ...]]]  # source and targets of each signal, as ``prototype.port``
    moved: System | None = None  # what excites the prototypes, and the noise of what they send, where that is known
    _senders: dict[tuple[str, ...], Sender] = field(default_factory=dict, init=False)

    @cached_property
    def radius(self) -> float | None:
        """Return the spectral radius with these settings, None where no theory covers them [-]."""
        return self._radius(self._connect)

    @cached_property
    def wire_radius(self) -> float | None:
        """Return the spectral radius without FMUs [-]."""
        return self._radius(self._wire)

    def radius_with_lead(self, signals: list[str]) -> float | None:
        """Return the spectral radius when `signals` have the lead for the hold that is proposed [-]."""
        changed = dict(self.interface.signals)
        for name in signals:
            lead = PROPOSED * self.interface.held
            latency = changed[name].latency.model_copy(update={"hold_lead": lead})
            changed[name] = changed[name].model_copy(update={"latency": latency})
        return replace(self, interface=self.interface.model_copy(update={"signals": changed})).radius

    @cached_property
    def errors(self) -> tuple[float, float] | None:
        """Return mean errors over the size of signals, with these settings and of the wire, None if unknown [-]."""
        own, wire = self._system(self._connect), self._system(self._wire)
        if self.moved is None or not self.moved.excitation or own is None or wire is None:
            return None
        scene = Scene(replace(self.moved, macro_step=self.interface.macro_step), _STEPS)
        try:
            return _error(own, scene), _error(wire, scene)
        except CouplantError:  # without delay an algebraic loop: there is nothing to compare with
            return None

    def warning(self) -> str:
        """Return a warning of settings that harm this loop; empty where they do not, or nobody knows."""
        one, wire = self.radius, self.wire_radius
        if one is None:
            return ""
        if one < 1.0:
            if self.errors is None or self.errors[0] <= self.errors[1]:
                return ""
            text = f"the plain wire errs less in this loop, {self.errors[1]:.4g} of a signal, with these settings"
            advice = "leave the FMUs out, or ask couplant advise, which tries every algorithm in it"
            return f"{text} {self.errors[0]:.4g}: {advice}"
        verdict = "stable" if wire is not None and wire < 1.0 else "unstable too"
        without = "" if wire is None else f"; the plain wire is {verdict} ({wire:.6g})"
        advice = "couplant advise tries every algorithm in it"
        return f"the loop is unstable with these settings, spectral radius {one:.6g}{without}: {advice}"

    def stable_leads(self) -> list[str]:
        """Return the signals whose proposed lead for the hold keeps the loop stable and is no worse than none."""
        given = self.interface.signals.items()
        names = [name for name, signal in given if proposal(signal.latency, signal.algorithm.selected)]
        with_lead = self.radius_with_lead(names) if names else None
        if with_lead is None or self.radius is None:
            return []
        return names if with_lead < 1.0 and with_lead <= self.radius else []

    def _radius(self, make: Callable[[str, Signal], Connection | None]) -> float | None:
        try:
            one = self._system(make)
            return None if one is None else stability(one).radius
        except CouplantError:  # an algebraic loop: nothing is known
            return None

    def _system(self, make: Callable[[str, Signal], Connection | None]) -> System | None:
        found: list[Connection] = []
        for name, signal in self.interface.signals.items():
            one = make(name, signal)
            if one is None:
                return None
            found += [replace(one, target=target) for target in self.ends[name][1]]
        common, step = (self.interface.macro_step, self.interface.timing), self.interface.communication_step
        late = self.interface.host == JACOBI and self.interface.timing == "step"
        stale = driven_outputs(self.prototypes, found) if late else ()
        micro = max(1, round(self.interface.macro_step / step)) if step and self.interface.timing == "step" else 1
        return System(self.prototypes, tuple(found), *common, stale=stale, micro_steps=micro)

    def _connect(self, name: str, signal: Signal) -> Connection | None:
        k, source = signal.latency.constant_steps, self.ends[name][0]
        hold = signal.reconstruction == "hold"
        if not is_linear(signal):
            return None
        if signal.algorithm.selected == MODEL:
            found = self._by_model(name, signal)
            return None if found is None else Connection(source, "", found, hold)
        algorithm = algorithm_of(signal, k, self.interface.macro_step)
        return None if algorithm is None else Connection(source, "", algorithm, hold)

    def _by_model(self, name: str, signal: Signal) -> ByModel | None:
        plant, k = plant_of(self.interface, name), signal.latency.constant_steps
        model = next(one for one in self.interface.models.values() if name in one.outputs)
        if plant is None or k < 1 or any(back not in self.ends for back in model.inputs):
            return None
        sent = tuple(self.ends[one][0] for one in model.outputs)
        given = tuple(self.ends[back][1][0] for back in model.inputs)
        sender = self._senders.setdefault(sent, Sender(replace(plant, own=0), sent, given))
        return ByModel(k, sender, plant.own, added_steps(signal.latency, self.interface.macro_step))

    def _wire(self, name: str, signal: Signal) -> Connection | None:
        k = signal.latency.constant_steps
        if signal.latency.mode != "constant" or k < 1:
            return None
        return Connection.wire(self.ends[name][0], "", k)


def loop_of_settings(interface: Interface, components: Content, folder: Path) -> SettingsLoop | None:
    """Return the loop that settings are for, None where they do not tell both sides.

    The `components` are their table of this name, whose FMUs are relative to the `folder`.
    """
    if not interface.macro_step > 0.0:
        return None
    return _of_ends(interface, components, folder) or _of_models(interface)


def _of_models(interface: Interface) -> SettingsLoop | None:
    """Return the loop of models that send to each other all that there is."""
    models, ends = interface.models, {}
    for name in interface.signals:
        source = next((m for m, one in models.items() if name in one.outputs), None)
        targets = tuple(f"{m}.{name}" for m, one in models.items() if name in one.inputs)
        if source is None or not targets:
            return None
        ends[name] = (f"{source}.{name}", targets)
    if any(name not in ends for one in models.values() for name in (*one.inputs, *one.outputs)):
        return None
    prototypes = []
    for name, one in models.items():
        A, B, C = (np.array(part, dtype=float) for part in (one.A, one.B, one.C))
        D = np.zeros((len(C), B.shape[1])) if one.D is None else np.array(one.D, dtype=float)
        prototypes.append(Prototype(name, A, B, C, D, one.inputs, one.outputs))
    return SettingsLoop(interface, tuple(prototypes), ends)


def _of_ends(interface: Interface, components: Content, folder: Path) -> SettingsLoop | None:
    """Return the loop of the prototypes at the ends: those of a SYSTEM.toml, or FMUs linearised at their start."""
    ends: dict[str, tuple[str, tuple[str, ...]]] = {}
    for name, signal in interface.signals.items():
        if signal.source is None or not signal.to:
            return None
        ends[name] = (str(signal.source), tuple(map(str, signal.to)))
    ports = [ref for source, targets in ends.values() for ref in (source, *targets)]
    names = list(dict.fromkeys(ref.partition(".")[0] for ref in ports))
    files = {components.get(name, {}).get("system") for name in names}
    if len(files) == 1 and (file := files.pop()):
        system = read_system(folder / file)
        return SettingsLoop(interface, system.prototypes, ends, system)
    if any(not components.get(name, {}).get("fmu") for name in names):
        return None
    prototypes = [_linearise(name, folder / components[name]["fmu"], ends, interface.macro_step) for name in names]
    found = tuple(one for one in prototypes if one is not None)
    return SettingsLoop(interface, found, ends) if len(found) == len(names) else None


def _linearise(
    name: str, path: Path, ends: Mapping[str, tuple[str, tuple[str, ...]]], macro_step: float
) -> Prototype | None:
    """Return the FMU at the end `name` as a prototype, None if that is unknown."""
    sources, targets = ([r.partition(".")[2] for r in refs if r.partition(".")[0] == name] for refs in (
        [source for source, _ in ends.values()], [t for _, to in ends.values() for t in to]))  # fmt: skip
    if not (sources and targets):
        return None
    outputs, inputs = list(dict.fromkeys(sources)), list(dict.fromkeys(targets))
    try:
        one = linearise_fmu(Point(path, inputs, outputs, step=macro_step)).prototype
    except CouplantError:  # nothing is known of what cannot be linearised
        return None
    return Prototype(name, one.A, one.B, one.C, one.D, tuple(inputs), tuple(outputs))


def _error(bare: System, scene: Scene) -> float:
    """Return the mean error of a system over the size of each signal, moved as in a `scene` [-]."""
    system = replace(bare, excitation=scene.system.excitation, noise=scene.system.noise)
    sizes = [scene.sizes[c.source] for c in system.connections]
    white = np.random.default_rng(0).standard_normal((scene.count, len(sent_of(system))))
    return float(loop_errors([system], scene.excitations[None], noise_of_sent(system, sizes, white)[None]).mean())
