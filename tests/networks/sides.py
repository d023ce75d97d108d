"""Two coupled sides of a system in event timing with the algorithm `model` on all signals, in this process.

The models are those of one system, the plant is another: one that differs makes them wrong.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from couplant.analysis.macro_map import discretise
from couplant.analysis.senders import Weights, with_models
from couplant.analysis.system import Prototype, System
from couplant.config import parse_interface
from couplant.config.frame.read import Content
from couplant.cosim.fmu.prototype import Scene
from couplant.cosim.wiring.loops import bare_loop, signal_names
from couplant.design.models import model_tables
from couplant.design.observers import Tables
from couplant.pack.settings import runtime_settings
from couplant_runtime.algorithms import BY_NAME
from couplant_runtime.generated.numbers import BURST, EARLIER_COMPANIONS, EARLIER_INPUTS
from tests.kernel.library import Kernel
from tests.networks.loop import Link, Network

MODEL = BY_NAME["model"].number


def settings(
    believed: System, observers: Tables, algorithm: str = "model", fallback: str = "auto", **told: Any
) -> Content:
    """Return the settings of the FMUs of both sides; models are those of the prototypes that are `believed`.

    `told` is what else all signals have, in place of their latency too.
    """
    names, models = signal_names(believed), {}
    if algorithm == "model":
        rows = {
            name: {key: tuple(value) if isinstance(value, list) else value for key, value in table.items()}
            for name, table in observers.items()
        }
        weights = {name: Weights(**row) for name, row in rows.items()}
        models = model_tables(with_models(bare_loop(believed), weights), weights, names)
    head = {"name": "i", "macro_step": believed.macro_step, "timing": "event"}
    signals = {
        names[c.source]: {"algorithm": algorithm, "latency": {"constant_steps": c.algorithm.k}, **told}
        for c in believed.connections
    }
    tables = {name: table | {"fallback": fallback} for name, table in models.items()}
    return {"interface": head, "signals": signals, "models": tables}


@dataclass(frozen=True)
class Outcome:
    """What came of a run; shapes (count, signals): estimates and signals without delay, active algorithms."""

    given: np.ndarray
    reference: np.ndarray
    active: np.ndarray

    def error(self, part: slice = slice(None)) -> float:
        """Return the largest rms error of the signals in a part of the run, over their size."""
        if not np.isfinite(self.given).all():
            return np.inf
        error, size = self.given - self.reference, self.reference.std(axis=0)
        return float((np.sqrt((error[part] ** 2).mean(axis=0)) / size).max())

    def leaves(self, times: float) -> int | None:
        """Return the first step at which an estimate is so many times the largest signal without delay."""
        far = (np.abs(self.given) / np.abs(self.reference).max(axis=0)).max(axis=1) > times
        return int(far.argmax()) if far.any() else None

    @property
    def fell(self) -> int | None:
        """Return the step at which the first model left for what it falls back to."""
        ran = np.maximum.accumulate(self.active == MODEL, axis=0)
        left = (ran & (self.active != MODEL)).any(axis=1)
        return int(left.argmax()) if left.any() else None


class _Side:
    def __init__(self, one: Prototype, scene: Scene) -> None:
        self.one = one
        acting = np.hstack([one.B, np.array(scene.system.excitation[one.name].states)[:, None]])
        self.maps = discretise(one.A, acting, scene.system.macro_step)
        self.x, self.w, self.v = np.zeros(len(one.A)), scene.excitation(one.name), scene.noise(one.name)
        self.given = self.slope = np.zeros(len(one.inputs))
        self.y = np.zeros(len(one.outputs))
        self.at_once = bool(one.D.any())

    def send(self, n: int) -> None:
        self.y = self.one.C @ self.x + self.one.D @ self.given + self.v[n]

    def move(self, n: int) -> None:
        phi, level, change = self.maps
        start, rise = np.append(self.given, self.w[n]), np.append(self.slope, self.w[n + 1] - self.w[n])
        self.x = phi @ self.x + level @ start + change @ rise


class _Loop:
    def __init__(self, truth: System, document: Content, scene: Scene, network: Network | None) -> None:
        names, parsed = signal_names(truth), parse_interface(document, "test")
        self.step, self.connections = truth.macro_step, truth.connections
        self.sides = {one.name: _Side(one, scene) for one in truth.prototypes}
        self.kernels = {c.target: Kernel(runtime_settings(parsed, names[c.source])) for c in truth.connections}
        self.sources = {c.target: c.source for c in truth.connections}
        self.modelled = bool(document["models"])
        self.sent: list[Mapping[str, Any]] = []
        seeds = enumerate(self.sources, start=1000 * scene.seed)
        self.links = {target: Link(network, seed) for seed, target in seeds} if network else {}
        for kernel in self.kernels.values():
            kernel.init(0.0)

    def hear(self, n: int) -> None:
        """Set what has arrived at macro step n."""
        for c in self.connections:
            s, newest = self.kernels[c.target].state, [n - c.algorithm.k] if n >= c.algorithm.k else []
            sent = [one for one, _ in self.links[c.target].pass_on(n, 0.0)] if self.links else newest
            s.input.y_valid = int(bool(sent))
            s.input.burst_valid[:] = [int(i < len(sent)) for i in range(1, BURST + 1)]
            for place, back in enumerate(sent):
                self.take(c, s, place, back)

    def take(self, c: Any, s: Any, place: int, back: int) -> None:
        """Set what was sent at the macro step `back`: the newest value where `place` is 0, else a repeated one."""
        sender, _, output = c.source.partition(".")
        y, given, slopes = self.sent[back][sender]
        outputs, m = self.sides[sender].one.outputs, len(given)
        others = [v for v, name in zip(y, outputs, strict=True) if name != output]
        if place == 0:
            s.input.y, s.input.y_time = y[outputs.index(output)], back * self.step
        else:
            s.input.burst[place - 1], s.input.burst_time[place - 1] = y[outputs.index(output)], back * self.step
        if self.modelled and place == 0:
            s.plant.companion[: len(others)] = others
            s.plant.given[:m], s.plant.given_slope[:m] = list(given), list(slopes / self.step)
        elif self.modelled:
            begin, end = (place - 1) * m, place * m
            if place * len(others) <= EARLIER_COMPANIONS:
                s.plant.earlier_companion[(place - 1) * len(others) : place * len(others)] = others
            if end <= EARLIER_INPUTS:
                s.plant.earlier_given[begin:end] = list(given)
                s.plant.earlier_slope[begin:end] = list(slopes / self.step)

    def look(self, side: _Side) -> None:
        """Give a side the estimates for its inputs."""
        seen = [self.kernels[f"{side.one.name}.{name}"].preview(True) for name in side.one.inputs]
        side.given = np.array([one.reconstruction.y_hat for one in seen])
        side.slope = np.array([one.algorithm.slope for one in seen])

    def sense(self, side: _Side) -> None:
        """Show the FMUs at a side what goes from there to the sender of their signal."""
        for name in side.one.inputs if self.modelled else ():
            target = f"{side.one.name}.{name}"
            sender = self.sources[target].partition(".")[0]
            for i, one in enumerate(self.sides[sender].one.inputs):
                mine = self.sources[f"{sender}.{one}"].partition(".")[2]
                self.kernels[target].state.plant.u[i] = side.y[side.one.outputs.index(mine)]

    def advance(self, n: int) -> list[tuple[float, int]]:
        """Take macro step n; return estimates and active algorithms of the connections."""
        order = sorted(self.sides.values(), key=lambda side: side.at_once)  # what follows inputs at once comes later
        self.hear(n)
        for side in order:
            if side.at_once:
                self.look(side)
            side.send(n)
            self.sense(side)
        for side in order:
            if not side.at_once:
                self.look(side)
        for kernel in self.kernels.values():
            kernel.step(n * self.step, self.step)
        self.sent.append({name: (side.y, side.given, side.slope) for name, side in self.sides.items()})
        for side in order:
            side.move(n)
        found = {f"{side.one.name}.{i}": v for side in order for i, v in zip(side.one.inputs, side.given, strict=True)}
        return [(found[c.target], self.kernels[c.target].state.switching.active) for c in self.connections]


def simulate(
    truth: System, document: Content, count: int = 1000, seed: int = 0, network: Network | None = None
) -> Outcome:
    """Return what comes of `count` macro steps of the plant `truth` with the settings in a `document`.

    A `network` takes the place of the latencies of the system, for each connection by itself.
    """
    scene = Scene(truth, count, seed)
    loop, shape = _Loop(truth, document, scene, network), (count, len(truth.connections))
    given, active = np.full(shape, np.inf), np.full(shape, MODEL)
    for n in range(count):
        given[n], active[n] = zip(*loop.advance(n), strict=True)
        if not np.abs(given[n]).max() < 1e100:
            break
    reference = scene.reference(1)
    return Outcome(given, np.column_stack([reference[c.source][:count] for c in truth.connections]), active)
