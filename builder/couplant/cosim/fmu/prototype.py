"""Linear prototypes of a SYSTEM.toml as components, stepped exactly, and what they do when nothing delays them.

What excites a prototype is noise that is linear between macro points; noise of sensors is on what it sends and changes
at macro points. Both come from the seed of the component and its name: each run has the same.
"""

import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from couplant.analysis.loop_error import follow_undelayed
from couplant.analysis.macro_map import discretise
from couplant.analysis.system import Prototype, System
from couplant.analysis.system_file import read_system
from couplant.base.arrays import Matrix, Vector
from couplant.base.errors import UsageError
from couplant.config.components import NOISE, SEED
from couplant.config.scenario import Loaded
from couplant.cosim.fmu.component import Component, LocalComponent, Port, Reader

_SLOPE = ".slope"


@dataclass(frozen=True, eq=False)
class Scene:
    """Prototypes that are coupled, and what moves them in a run of some macro steps."""

    system: System  # the prototypes, their connections, excitation and noise
    count: int  # macro steps of the run
    seed: int = 0  # of what is random

    def excitation(self, name: str) -> Vector:
        """Return the excitation of the prototype `name` at the macro points, shape (count + 1,)."""
        if name not in self.system.excitation:
            return np.zeros(self.count + 1)
        return self.system.excitation[name].course(self.system.macro_step, self.count, self._random("w", name))

    @property
    def excitations(self) -> Matrix:
        """Return the excitations of the system at the macro points, shape (count + 1, excitations)."""
        return np.array([self.excitation(name) for name in self.system.excitation]).reshape(-1, self.count + 1).T

    def noise(self, name: str) -> Matrix:
        """Return the noise of what the prototype `name` sends at the macro points, shape (count + 1, outputs)."""
        outputs = [one for one in self.system.output_names if one.partition(".")[0] == name]
        sizes = np.array([self.system.noise_of(one) * self.sizes.get(one, 0.0) for one in outputs])
        return sizes * self._random("v", name).standard_normal((self.count + 1, len(outputs)))

    def _random(self, kind: str, name: str) -> np.random.Generator:
        return np.random.default_rng([self.seed, zlib.crc32(f"{kind} {name}".encode())])

    @cached_property
    def sizes(self) -> dict[str, float]:
        """Return the rms of each output that is sent, without delay and noise."""
        values = self.reference(1)
        return {name: float(np.sqrt(np.mean(values[name] ** 2))) for name in values}

    def reference(self, micro_steps: int) -> dict[str, Vector]:
        """Return the signals without delay and noise at the communication points, shape (count · micro_steps + 1,).

        There are `micro_steps` communication points in a macro step. Raises CouplantError if direct feedthrough closes
        an algebraic loop that has no unique solution.
        """
        rows = follow_undelayed(self.system, self.excitations, micro_steps)
        return {c.source: rows[:, i] for i, c in enumerate(self.system.connections)}


class LinearComponent(LocalComponent):
    """A linear prototype, ẋ = Ax + Bu + b w, y = Cx + Du + v, at rest at the start.

    Inputs are held in a communication step, or go on along ``NAME.slope``.
    """

    def __init__(self, one: Prototype, make_scene: Callable[[int], Scene]) -> None:
        slopes = [Port(name + _SLOPE, causality="input") for name in one.inputs]
        outputs = [Port(name, dependencies=names) for name, names in one.acting().items()]
        parameters = [Port(name, causality="parameter") for name in (NOISE, SEED)]
        super().__init__(one.name, [*(Port(i, causality="input") for i in one.inputs), *slopes, *outputs, *parameters])
        self._one, self._make_scene = one, make_scene
        self._slots = {name: i for i, name in enumerate([*one.inputs, *(n + _SLOPE for n in one.inputs)])}
        self._steps: dict[float, tuple[Matrix, ...]] = {}

    def start(self, t_0: float, parameters: Mapping[str, Any]) -> None:
        """Go to rest at `t_0` [s].

        Raises UsageError if there is another parameter than `noise` and `seed`, or one is out of range.
        """
        settings = {NOISE: 1.0, SEED: 0} | dict(parameters)
        for name, value in settings.items():
            right = isinstance(value, (int, float)) and value >= 0 and (name != SEED or value == int(value))
            if name not in (NOISE, SEED) or not right:
                allowed = "allowed noise and seed, 0 and more"
                raise UsageError(f"{self.name} is linear: parameter {name} = {value}, {allowed}")
        scene, one = self._make_scene(int(settings[SEED])), self._one
        self._t_0, self._macro_step = t_0, scene.system.macro_step
        self._w, self._v = scene.excitation(one.name), settings[NOISE] * scene.noise(one.name)
        states = scene.system.excitation[one.name].states if one.name in scene.system.excitation else None
        self._b = np.zeros(len(one.A)) if states is None else np.array(states)
        self._x, self._u, self._now = np.zeros(len(one.A)), np.zeros(2 * len(one.inputs)), t_0

    def reader(self, names: Sequence[str]) -> Reader:
        """Return a function that works out outputs, and looks other values up."""
        places = [self._one.outputs.index(name) if name in self._one.outputs else -1 for name in names]
        if -1 in places:
            return lambda: [self._u[self._slots[name]] if name in self._slots else 0.0 for name in names]
        C, D, inputs = self._one.C[places], self._one.D[places], len(self._one.inputs)

        def read() -> list[float]:
            noise = self._v[min(self._point(self._now), len(self._v) - 1), places]
            found: list[float] = (C @ self._x + D @ self._u[:inputs] + noise).tolist()
            return found

        return read

    def writer(self, names: Sequence[str]) -> Callable[[Sequence[float]], None]:
        """Return a function that stores inputs."""
        slots = [self._slots[name] for name in names]

        def write(values: Sequence[float]) -> None:
            self._u[slots] = values

        return write

    def step(self, t: float, h: float) -> None:
        """Go from `t` to `t` + `h` [s]."""
        if h not in self._steps:
            acting = np.hstack([self._one.B, self._b[:, None]])
            self._steps[h] = discretise(self._one.A, acting, h)
        phi, level, change = self._steps[h]
        m, (now, then) = len(self._one.inputs), (self._excitation(t), self._excitation(t + h))
        start, rise = np.append(self._u[:m], now), np.append(h * self._u[m:], then - now)
        self._x = phi @ self._x + level @ start + change @ rise
        # what is read before inputs are set again follows those of now
        self._u[:m] += rise[:m]
        self._now = t + h

    def save(self) -> None:
        """Copy states and inputs."""
        self._saved = self._x, self._u.copy(), self._now

    def restore(self) -> None:
        """Take the copy back."""
        self._x, self._u, self._now = self._saved[0], self._saved[1].copy(), self._saved[2]

    def _excitation(self, t: float) -> float:
        at = (t - self._t_0) / self._macro_step
        n = min(max(int(at + 1e-9), 0), len(self._w) - 2)
        return float(self._w[n] + (at - n) * (self._w[n + 1] - self._w[n]))

    def _point(self, t: float) -> int:
        """Return the macro step in which `t` [s] lies."""
        return max(int((t - self._t_0) / self._macro_step + 1e-6), 0)


class Systems:
    """System files of a scenario that runs `count` macro steps; each is read once."""

    def __init__(self, loaded: Loaded, count: int) -> None:
        self._loaded, self._count = loaded, count
        self._read: dict[Path, System] = {}
        self._scenes: dict[tuple[str, int], Scene] = {}

    def scene(self) -> Scene | None:
        """Return the system that the scenario couples by the same connections as its file, None if there is none."""
        scenario = self._loaded.scenario
        files = {table.system for table in scenario.components.values()}
        if len(files) != 1 or None in files or scenario.connections:
            return None
        file = str(files.pop())
        coupled = {(str(table.source), str(to)) for table in scenario.signals.values() for to in table.to}
        same = coupled == {(c.source, c.target) for c in self._system(file).connections}
        return self._scene(file, 0) if same else None

    def driven_system(self) -> System | None:
        """Return the system that the scenario couples as its file does while recordings drive inputs, and nothing else.

        None if it is none.
        """
        scenario = self._loaded.scenario
        tables = scenario.components.items()
        files = {table.system for _, table in tables if table.recording is None}
        recorded = {name for name, table in tables if table.recording is not None}
        links = scenario.connections.values()
        if len(files) != 1 or None in files or any(one.component not in recorded for one in links):
            return None
        found = self._system(str(files.pop()))
        coupled = {(str(table.source), str(to)) for table in scenario.signals.values() for to in table.to}
        same = coupled == {(c.source, c.target) for c in found.connections}
        return found if same and not found.excitation else None

    def component(self, name: str, file: str) -> Component:
        """Return the prototype `name` of a `file` as a component.

        Raises UsageError if the file is wrong or has no such prototype.
        """
        system = self._system(file)
        one = next((one for one in system.prototypes if one.name == name), None)
        if one is None:
            names = ", ".join(p.name for p in system.prototypes)
            raise UsageError(f"{self._loaded.path}: components.{name}: {file} has no such prototype, allowed {names}")
        return LinearComponent(one, lambda seed: self._scene(file, seed))

    def _scene(self, file: str, seed: int) -> Scene:
        """Return the scene of a file, made once: the sizes of its signals cost a run."""
        if (file, seed) not in self._scenes:
            self._scenes[file, seed] = Scene(self._system(file), self._count, seed)
        return self._scenes[file, seed]

    def _system(self, file: str) -> System:
        path = self._loaded.file(file)
        if path not in self._read:
            self._read[path] = replace(read_system(path), macro_step=self._loaded.scenario.macro_step)
        return self._read[path]
