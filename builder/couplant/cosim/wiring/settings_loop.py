"""The loop that a settings file is for, where the file knows both sides: by models, or by the FMUs at the ends.

Nothing is safe without asking the loop: an algorithm that suits a signal may make the coupled system unstable.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np

from couplant.analysis.algorithms import generic
from couplant.analysis.by_model import ByModel, Sender
from couplant.analysis.stability import stability
from couplant.analysis.system import Connection, Prototype, System
from couplant.base.errors import CouplantError
from couplant.config.frame.read import Content
from couplant.config.hosts import JACOBI
from couplant.config.interface import Interface, Signal
from couplant.config.latency import added_steps, proposal
from couplant.config.models import MODEL
from couplant.config.rules.hold_lead import PROPOSED
from couplant.cosim.fmu.linear import Point, linearise_fmu
from couplant.cosim.judgement.stability import algorithm_of, is_linear
from couplant.pack.plants import plant_of


@dataclass(frozen=True, eq=False)
class SettingsLoop:
    """A settings file and the prototypes at both ends of its signals.

    Parameters
    ----------
    interface : Interface
        The settings.
    prototypes : tuple of Prototype
        Both sides.
    ends : mapping of str to tuple
        Source and targets of each signal, as ``prototype.port``.
    """

    interface: Interface
    prototypes: tuple[Prototype, ...]
    ends: Mapping[str, tuple[str, tuple[str, ...]]]

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
            latency = changed[name].latency.model_copy(update={"hold_lead": PROPOSED})
            changed[name] = changed[name].model_copy(update={"latency": latency})
        return replace(self, interface=self.interface.model_copy(update={"signals": changed})).radius

    def warning(self) -> str:
        """Return a warning of settings that make this loop unstable; empty where they do not, or nobody knows."""
        one, wire = self.radius, self.wire_radius
        if one is None or one < 1.0:
            return ""
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
        found: list[Connection] = []
        for name, signal in self.interface.signals.items():
            one = make(name, signal)
            if one is None:
                return None
            found += [replace(one, target=target) for target in self.ends[name][1]]
        driven = {c.target for c in found}
        stale = tuple(self._through(driven)) if self.interface.host == JACOBI and self._timing == "step" else ()
        common = self.interface.macro_step, self._timing
        try:
            system = System(self.prototypes, tuple(found), *common, stale=stale, micro_steps=self._micro)
            return stability(system).radius
        except CouplantError:  # an algebraic loop: nothing is known
            return None

    @property
    def _timing(self) -> str:
        return self.interface.timing

    @property
    def _micro(self) -> int:
        step = self.interface.communication_step
        return max(1, round(self.interface.macro_step / step)) if step and self._timing == "step" else 1

    def _through(self, driven: set[str]) -> Iterator[str]:
        for one in self.prototypes:
            for output, row in zip(one.outputs, one.D, strict=True):
                if any(d and f"{one.name}.{i}" in driven for i, d in zip(one.inputs, row, strict=True)):
                    yield f"{one.name}.{output}"

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

    @cached_property
    def _senders(self) -> dict[tuple[str, ...], Sender]:
        return {}

    def _wire(self, name: str, signal: Signal) -> Connection | None:
        k = signal.latency.constant_steps
        if signal.latency.mode != "constant" or k < 1:
            return None
        return Connection(self.ends[name][0], "", generic("zoh", k), wired=True)


def loop_of_settings(interface: Interface, components: Content, folder: Path) -> SettingsLoop | None:
    """Return the loop that settings are for, None where they do not tell both sides.

    Parameters
    ----------
    interface : Interface
        The settings.
    components : mapping
        Their table ``components``, whose FMUs are relative to the `folder`.
    """
    if not interface.macro_step > 0.0:
        return None
    return _of_models(interface) or _of_fmus(interface, components, folder)


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


def _of_fmus(interface: Interface, components: Content, folder: Path) -> SettingsLoop | None:
    """Return the loop of the FMUs at the ends, linearised at their start."""
    ends: dict[str, tuple[str, tuple[str, ...]]] = {}
    for name, signal in interface.signals.items():
        if signal.source is None or not signal.to:
            return None
        ends[name] = (str(signal.source), tuple(map(str, signal.to)))
    ports = [ref for source, targets in ends.values() for ref in (source, *targets)]
    names = list(dict.fromkeys(ref.partition(".")[0] for ref in ports))
    if any(not components.get(name, {}).get("fmu") for name in names):
        return None
    prototypes = []
    for name in names:
        sources, targets = ([r.partition(".")[2] for r in refs if r.partition(".")[0] == name] for refs in (
            [source for source, _ in ends.values()], [t for _, to in ends.values() for t in to]))  # fmt: skip
        if not (sources and targets):
            return None
        outputs, inputs = list(dict.fromkeys(sources)), list(dict.fromkeys(targets))
        path = folder / components[name]["fmu"]
        try:
            one = linearise_fmu(Point(path, inputs, outputs, step=interface.macro_step)).prototype
        except CouplantError:  # nothing is known of what cannot be linearised
            return None
        prototypes.append(Prototype(name, one.A, one.B, one.C, one.D, tuple(inputs), tuple(outputs)))
    return SettingsLoop(interface, tuple(prototypes), ends)
