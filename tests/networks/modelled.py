"""The two-mass oscillator with the algorithm `model` on all signals, in this process; plants and networks vary.

What the models say stays that of example 14: a plant that differs makes them wrong.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np
from scipy.linalg import expm

from couplant.config import parse_interface
from couplant.pack.settings import runtime_settings
from couplant_runtime.generated.numbers import BURST, EARLIER_COMPANIONS, EARLIER_INPUTS
from tests.kernel.library import Kernel
from tests.networks.loop import COUNT, STEP, OnKernel

NAMES = ("x1", "v1", "f")
X1, V1, F = range(3)
NOMINAL = 1.0, 0.1, 1.0, 2.0, 10.0, 0.01, 0.001, 0.001
"""Masses [kg], springs of mass 1, between and of mass 2 [N/m], dampers likewise [N.s/m]."""
NO_STAMP = -1.7976931348623157e308


@dataclass(frozen=True)
class Run:
    """A run: latency `k`, up to `jitter` steps more, `loss`; `bursts`: chances that one begins and that it ends."""

    k: int
    timing: str = "event"
    jitter: int = 0
    loss: float = 0.0
    bursts: tuple[float, float] = (0.0, 1.0)
    forces: str = "one"
    host: str = "reads_again"
    seed: int = 1
    noise: float = 0.0
    count: int = COUNT
    plant: tuple[float, ...] = NOMINAL
    algorithm: str = "model"
    model: tuple[tuple[str, Any], ...] = ()
    bond: tuple[tuple[str, Any], ...] = ()
    more: tuple[tuple[str, Any], ...] = ()
    values: int = 1  # in a message


@dataclass
class Outcome:
    """What came of a run; shapes (count, 3): signals as estimated, without delay, active algorithm, skill over ZOH."""

    given: np.ndarray
    reference: np.ndarray
    active: np.ndarray
    skill: np.ndarray
    energy: np.ndarray
    ideal: np.ndarray
    states: list[Any] = field(default_factory=list)

    @property
    def mae(self) -> float:
        """Return the mean absolute error, summed over the signals."""
        return float(np.abs(self.given - self.reference).mean(axis=0).sum())

    @property
    def growth(self) -> float:
        """Return rms of the estimates in the last 5 s over that in the 5 s before, by that without delay."""
        last, before = slice(-250, None), slice(-500, -250)

        def rms(values: np.ndarray, part: slice) -> float:
            return float(np.sqrt((values[part] ** 2).mean()))

        ours = rms(self.given, last) / rms(self.given, before)
        return ours / (rms(self.reference, last) / rms(self.reference, before))

    @property
    def largest(self) -> float:
        """Return the largest mechanical energy over that without delay."""
        return float(self.energy.max() / self.ideal.max())


def drawn(seed: int, spread: float) -> tuple[float, ...]:
    """Return a plant whose numbers are uniform within `spread` of the nominal ones."""
    chance = random.Random(seed)
    return tuple(value * (1.0 + spread * chance.uniform(-1.0, 1.0)) for value in NOMINAL)


def tables(**more: Any) -> dict[str, Any]:
    """Return what each side knows of the other one: example 14."""
    m1, m2, c1, cc, c2, d1, dc, d2 = NOMINAL
    common = {"order": 2, "drive": 10.0, "noise": [0.01], **more}
    one = {"A": [[0.0, 1.0], [-c1 / m1, -d1 / m1]], "B": [[0.0], [1.0 / m1]], "C": [[1.0, 0.0], [0.0, 1.0]]}
    one |= {"inputs": ["f"], "outputs": ["x1", "v1"], **common}
    two = {"A": [[0.0, 1.0], [-(c2 + cc) / m2, -(d2 + dc) / m2]], "B": [[0.0, 0.0], [cc / m2, dc / m2]]}
    two |= {"C": [[cc, dc]], "D": [[-cc, -dc]], "disturbance": [0.0, 1.0 / m2]}
    return {"mass_1": one, "mass_2": {**two, "inputs": ["x1", "v1"], "outputs": ["f"], **common}}


@lru_cache
def settings(run: Run, signal: int):
    """Return the runtime settings of a signal."""
    varies = run.jitter or run.loss or run.bursts[0]
    latency: dict[str, Any] = {"mode": "stamps", "coast_steps": 24} if varies else {"constant_steps": run.k}
    latency |= {"host_lead": 1.0} if run.host == "jacobi" and signal != F and run.algorithm != "model" else {}
    models = tables(**dict(run.model)) if run.algorithm in ("model", "auto") else {}
    if models and run.timing == "event":
        models["mass_1"]["late"] = True
    one = {"algorithm": run.algorithm, "latency": latency, "quality": {"action": "warn"}, **dict(run.more)}
    one |= {"burst": run.values} if run.values > 1 else {}
    bonds = {"bonds": {"spring": {"effort": "f", "flow": "x1", **dict(run.bond)}}} if run.bond else {}
    head = {"name": "i", "macro_step": STEP, "timing": run.timing, "host": run.host}
    document = {"interface": head, "signals": dict.fromkeys(NAMES, one), "models": models, **bonds}
    return runtime_settings(parse_interface(document, "test"), NAMES[signal])


class Coupling(OnKernel):
    """The C kernel on one signal; tests/twin holds that the Python runtime gives the same bits."""

    def __init__(self, run: Run, signal: int) -> None:
        chosen = settings(run, signal)
        self.signal, self.kernel, self.bonded = signal, Kernel(chosen), chosen.bonded
        self.echo = chosen.plant is not None
        self.kernel.init(0.0)

    def hear(self, arrived: list[tuple[int, dict[str, Any]]]) -> None:
        """Set what has arrived: the newest value, then those that are repeated."""
        s = self.kernel.state
        s.input.y_valid = int(bool(arrived))
        s.input.burst_valid[:] = [int(i < len(arrived)) for i in range(1, BURST + 1)]
        for place, (sent, message) in enumerate(arrived[1:]):
            s.input.burst[place], s.input.burst_time[place] = message["y"][self.signal], sent * STEP
            self._repeat(place, message)
        if not arrived:
            return
        sent, message = arrived[0]
        s.input.y_time = sent * STEP
        s.input.y = message["y"][self.signal]
        if self.bonded:
            s.bond.far_given, s.bond.far_passed, s.bond.far_time = message["energy"]
        if not self.echo:
            return
        for i, other in enumerate(self.others):
            s.plant.companion[i] = message["y"][other]
        for i, (level, slope) in enumerate(message["given"]):
            s.plant.given[i], s.plant.given_slope[i] = level, slope / STEP

    @property
    def others(self) -> tuple[int, ...]:
        return (V1,) if self.signal == X1 else (X1,) if self.signal == V1 else ()

    def _repeat(self, place: int, message: dict[str, Any]) -> None:
        s, m = self.kernel.state, len(message["given"])
        for i, other in enumerate(self.others, start=place * len(self.others)):
            if i < EARLIER_COMPANIONS:
                s.plant.earlier_companion[i] = message["y"][other]
        for i, (level, slope) in enumerate(message["given"], start=place * m):
            if (place + 1) * m <= EARLIER_INPUTS:
                s.plant.earlier_given[i], s.plant.earlier_slope[i] = level, slope / STEP

    def sense(self, *u: float) -> None:
        """Set what goes from here to the sender."""
        s = self.kernel.state
        for i, value in enumerate(u if self.echo else ()):
            s.plant.u[i] = value
        if self.bonded:
            s.bond.conjugate = u[0]

    def told(self) -> tuple[float, ...]:
        """Return what this end of a bond tells the other one."""
        e = self.kernel.state.energy if self.bonded else None
        return (e.given, e.passed, e.booked) if e else (0.0, 0.0, 0.0)


class Link:
    """Messages on their way: at every macro step the newest that has arrived, if it is news."""

    def __init__(self, run: Run, seed: int) -> None:
        self.run, self.chance, self.bad = run, random.Random(seed), False
        self.under_way: list[tuple[int, int, dict[str, Any]]] = []
        self.sent: list[tuple[int, dict[str, Any]]] = []

    def pass_on(self, n: int, message: dict[str, Any]) -> list[tuple[int, dict[str, Any]]]:
        """Send a message at macro step n and return what arrives: when it was sent, and what it says, newest first."""
        run, chance = self.run, self.chance
        self.sent.append((n, message))
        arrival = n + run.k + (chance.randint(0, run.jitter) if run.jitter else 0)
        begins, ends = run.bursts
        self.bad = chance.random() >= ends if self.bad else chance.random() < begins
        if not (self.bad or chance.random() < run.loss):
            self.under_way.append((arrival, n, message))
        here = [one for one in self.under_way if one[0] <= n]
        self.under_way = [one for one in self.under_way if one[0] > n]
        first = max((sent for _, sent, _ in here), default=-1)
        return self.sent[max(first - run.values + 1, 0) : first + 1][::-1]


def held_map(A: Any, B: Any) -> np.ndarray:
    """Return the exact map of a step for inputs that are linear in it: of states, inputs, changes of inputs."""
    n, m = np.shape(B)
    whole = np.zeros((n + 2 * m,) * 2)
    whole[:n, :n], whole[:n, n : n + m], whole[n : n + m, n + m :] = A, B, np.eye(m) / STEP
    return expm(whole * STEP)[:n]


@lru_cache
def forces(kind: str, count: int, seed: int = 0) -> np.ndarray:
    """Return the forces on both masses, shape (count + 1, 2): one, both, random, jump."""
    t = np.arange(count + 1) * STEP
    w = np.zeros((count + 1, 2))

    def pulse(start: float) -> np.ndarray:
        return np.where((t >= start) & (t <= start + 0.5), 0.5 * (1.0 - np.cos(4.0 * math.pi * (t - start))), 0.0)

    if kind == "random":
        noise = np.random.default_rng(seed).standard_normal((count + 1, 2))
        low = math.exp(-10.0 * STEP)
        for _ in range(2):
            for n in range(1, count + 1):
                noise[n] = low * noise[n - 1] + (1.0 - low) * noise[n]
        return noise / noise.std(axis=0) * (0.3, 0.1)
    if kind == "jump":
        w[:, 0] = np.where(t >= 1.0, 0.5, 0.0) - np.where(t >= 6.0, 0.8, 0.0)
        w[:, 1] = np.where(t >= 3.0, 0.2, 0.0)
        return w
    w[:, 0] = pulse(1.0)
    w[:, 1] = -0.5 * pulse(2.0) if kind == "both" else 0.0
    return w


@lru_cache
def undelayed(plant: tuple[float, ...], kind: str, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Return x1, v1, f without delay, shape (count, 3), and the mechanical energy, J."""
    m1, m2, c1, cc, c2, d1, dc, d2 = plant
    A = np.zeros((4, 4))
    A[0, 1] = A[2, 3] = 1.0
    A[1] = np.array([-(c1 + cc), -(d1 + dc), cc, dc]) / m1
    A[3] = np.array([cc, dc, -(c2 + cc), -(d2 + dc)]) / m2
    whole = held_map(A, [[0, 0], [1 / m1, 0], [0, 0], [0, 1 / m2]])
    w, x, rows, energies = forces(kind, count), np.zeros(4), [], []
    for n in range(count):
        rows.append([x[0], x[1], cc * (x[2] - x[0]) + dc * (x[3] - x[1])])
        energies.append(energy_of(plant, x[:2], x[2:]))
        x = whole @ np.concatenate([x, w[n], w[n + 1] - w[n]])
    return np.array(rows), np.array(energies)


def energy_of(plant: tuple[float, ...], x: Any, z: Any) -> float:
    """Return the mechanical energy of both masses, J."""
    m1, m2, c1, cc, c2, *_ = plant
    return float(0.5 * (m1 * x[1] ** 2 + c1 * x[0] ** 2 + m2 * z[1] ** 2 + c2 * z[0] ** 2 + cc * (z[0] - x[0]) ** 2))


class Oscillator:
    """Both masses with their couplings."""

    def __init__(self, run: Run) -> None:
        self.run, (m1, m2, c1, cc, c2, d1, dc, d2) = run, run.plant
        self.cc, self.dc = cc, dc
        self.first = held_map([[0, 1], [-c1 / m1, -d1 / m1]], [[1 / m1, 1 / m1], [0, 0]][::-1])
        second = [[0, 1], [-(c2 + cc) / m2, -(d2 + dc) / m2]]
        self.second = held_map(second, [[0, 0, 0], [cc / m2, dc / m2, 1 / m2]])
        self.x, self.z, self.w = np.zeros(2), np.zeros(2), forces(run.forces, run.count)
        self.couplings = [Coupling(run, i) for i in range(3)]
        self.links = [Link(run, 100 * run.seed + i) for i in range(3)]
        self.given, self.slope = np.zeros(3), np.zeros(3)
        sizes = np.sqrt((undelayed(run.plant, run.forces, run.count)[0] ** 2).mean(axis=0))
        self.noise = run.noise * sizes * np.random.default_rng(run.seed).standard_normal((run.count, 3))

    def force(self, given: Any) -> float:
        """Return the force of the spring with what mass 2 is given."""
        return float(self.cc * (self.z[0] - given[X1]) + self.dc * (self.z[1] - given[V1]))

    def move(self, n: int, given: Any, slope: Any) -> None:
        """Let both masses take a step."""
        w, dw = self.w[n], self.w[n + 1] - self.w[n]
        self.x = self.first @ np.array([*self.x, given[F], w[0], slope[F], dw[0]])
        self.z = self.second @ np.array([*self.z, given[X1], given[V1], w[1], slope[X1], slope[V1], dw[1]])


def simulate(run: Run) -> Outcome:
    """Return what comes of a run."""
    loop = Oscillator(run)
    given, active, skill, energies = (np.zeros((run.count, n)) for n in (3, 3, 3, 1))
    step = _event if run.timing == "event" else _step
    for n in range(run.count):
        energies[n] = energy_of(run.plant, loop.x, loop.z)
        given[n] = step(loop, n)
        for i, coupling in enumerate(loop.couplings):
            active[n, i] = coupling.kernel.state.switching.active
            skill[n, i] = coupling.kernel.state.quality.skill_zoh
    reference, ideal = undelayed(run.plant, run.forces, run.count)
    states = [one.kernel.state for one in loop.couplings]
    return Outcome(given, reference, active, skill, energies[:, 0], ideal, states)


def _message(loop: Oscillator, i: int, y: Any, given: Any, slope: Any) -> dict[str, Any]:
    """Return the message of a signal: all outputs of its sender, what that was given, the energy at its end."""
    told = [(given[F], slope[F])] if i != F else [(given[X1], slope[X1]), (given[V1], slope[V1])]
    return {"y": y, "given": told, "energy": loop.couplings[F if i != F else X1].told()}


def _event(loop: Oscillator, n: int) -> np.ndarray:
    couplings, links, noise = loop.couplings, loop.links, loop.noise[n]
    x = loop.x + noise[:2]
    given, slope = np.zeros(3), np.zeros(3)
    sent: dict[int, dict[str, Any]] = {i: {} for i in range(3)}  # what was given is known once all have looked
    for i in (X1, V1):
        couplings[i].hear(links[i].pass_on(n, sent[i]))
        given[i], slope[i] = couplings[i].look()
    f = loop.force(given) + noise[F]
    couplings[F].hear(links[F].pass_on(n, sent[F]))
    couplings[F].sense(*x)
    given[F], slope[F] = couplings[F].look()
    for i in (X1, V1):
        couplings[i].sense(f)
    for i, coupling in enumerate(couplings):
        sent[i] |= _message(loop, i, (*x, f), given, slope)
        coupling.step(n)
    loop.move(n, given, slope)
    return given


def _step(loop: Oscillator, n: int) -> np.ndarray:
    couplings, noise, none = loop.couplings, loop.noise[n], np.zeros(3)
    given = loop.given.copy()
    seen = loop.slope if loop.run.host == "jacobi" else given  # an output that follows inputs: a step old there
    x, f = loop.x + noise[:2], loop.force(seen) + noise[F]
    now = np.zeros(3)
    for i, coupling in enumerate(couplings):
        coupling.hear(loop.links[i].pass_on(n, _message(loop, i, (*x, f), given, none)))
        coupling.sense(*((f,) if i != F else x))
        now[i] = coupling.step(n)
    loop.move(n, given, none)
    loop.given, loop.slope = now, given
    return given
