"""The two-mass oscillator in event timing through random networks, all in this process (docs/reference.md 3)."""

from __future__ import annotations

import json
import math
import random
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from scipy.linalg import expm

from couplant.pack.settings import runtime_settings
from tests.kernel.library import Kernel
from tests.runtime.runs import interface

STEP = 0.02
COUNT = 1251
TURN = 2.0 * math.pi / 0.5


@dataclass(frozen=True)
class Network:
    """Latency of `low` to `high` macro steps at random, a share of messages lost, `values` in a message.

    With `bursts` losses come in them: the chance that one begins at a message, and that it ends (Gilbert, Elliott).
    """

    low: int
    high: int
    loss: float = 0.0
    values: int = 1
    bursts: tuple[float, float] = (0.0, 1.0)


class OnKernel:
    """A coupling in the C `kernel`: what it gives out."""

    kernel: Kernel

    def look(self) -> tuple[float, float]:
        """Return the estimate at this macro step, and its change per macro step, without a step."""
        seen = self.kernel.preview(True)
        return seen.reconstruction.y_hat, seen.algorithm.slope

    def step(self, n: int) -> float:
        """Step over macro step n and return the estimate where it ends."""
        self.kernel.step(n * STEP, STEP)
        return self.kernel.state.reconstruction.y_hat


class Link:
    """One signal on its way: at every macro step the newest message that has arrived."""

    def __init__(self, network: Network, seed: int) -> None:
        self.network, self.chance = network, random.Random(seed)
        self.sent: list[float] = []
        self.under_way: list[tuple[int, int]] = []
        self.broken = False

    def pass_on(self, n: int, value: float) -> list[tuple[int, float]]:
        """Send `value` at macro step n; return step of sending and value of what arrives, newest first."""
        self.sent.append(value)
        arrival = n + self.chance.randint(self.network.low, self.network.high)
        if self.network.bursts[0] > 0.0:
            begins, ends = self.network.bursts
            self.broken = self.chance.random() >= ends if self.broken else self.chance.random() < begins
        if self.chance.random() >= self.network.loss and not self.broken:
            self.under_way.append((arrival, n))
        here = [sent for arrival, sent in self.under_way if arrival <= n]
        self.under_way = [message for message in self.under_way if message[0] > n]
        first = max(here, default=-1)
        return [(i, self.sent[i]) for i in range(first, max(first - self.network.values, -1), -1)]


@lru_cache
def settings(algorithm: str, sections: tuple = ()):
    """Return the runtime settings of a signal with stamps in event timing; the algorithm is a name, or JSON."""
    algorithm = json.loads(algorithm) if algorithm.startswith("{") else algorithm
    sections = tuple((k, dict(v) if isinstance(v, tuple) else v) for k, v in sections)
    return runtime_settings(
        interface(algorithm, timing="event", macro_step=STEP, latency={"mode": "stamps"}, **dict(sections)), "s"
    )


class Coupling:
    """The C kernel on one signal; tests/twin holds that the Python runtime gives the same bits."""

    def __init__(self, algorithm: str, drift: float = 0.0, **sections) -> None:
        self.step = STEP * (1.0 + drift)
        self.kernel = Kernel(settings(algorithm, tuple(sections.items())))
        self.kernel.init(0.0)

    def estimate(self, n: int, messages: list[tuple[int, float]]) -> tuple[float, float]:
        """Return the estimate at macro step n and its change per macro step."""
        s = self.kernel.state
        s.input.y_valid = int(bool(messages))
        for i, (sent, value) in enumerate(messages):
            if i == 0:
                s.input.y, s.input.y_time = value, sent * self.step
            else:
                s.input.burst[i - 1], s.input.burst_time[i - 1] = value, sent * self.step
        for i in range(len(s.input.burst_valid)):
            s.input.burst_valid[i] = i + 1 < len(messages)
        self.kernel.step(n * STEP, STEP)
        return s.algorithm.level - s.algorithm.slope * s.algorithm.shift, s.algorithm.slope


class PlainWire:
    """No FMU at the end of a link: what comes out of the network, also an older message that comes later."""

    value = 0.0

    def estimate(self, n: int, messages: list[tuple[int, float]]) -> tuple[float, float]:
        """Return what the receiver has at macro step n, and that it is held."""
        if messages:
            _, self.value = messages[0]
        return self.value, 0.0


def exact_map(A, B, force):
    """Return the exact map of a step for inputs linear in it and the force 1/2 (1 - cos)."""
    return expm(with_inputs(A, B, force) * STEP)[: len(A)]


def with_inputs(A, B, force):
    """Return the matrix of the state with inputs, their changes per step and the force: constant, cosine, sine."""
    nx, nu = B.shape
    whole = np.zeros((nx + 2 * nu + 3,) * 2)
    whole[:nx, :nx], whole[:nx, nx : nx + nu] = A, B
    whole[nx : nx + nu, nx + nu : nx + 2 * nu] = np.eye(nu) / STEP
    at = nx + 2 * nu
    whole[:nx, at], whole[:nx, at + 1] = 0.5 * force, -0.5 * force
    whole[at + 1, at + 2], whole[at + 2, at + 1] = -TURN, TURN
    return whole


M1, M2, C1, CC, C2, D1, DC, D2 = 1.0, 0.1, 1.0, 2.0, 10.0, 0.01, 0.001, 0.001
OF_MASS_1 = np.array([[0, 1], [-C1 / M1, -D1 / M1]]), np.array([[0], [1 / M1]]), np.array([0, 1 / M1])
MASS_1 = exact_map(*OF_MASS_1)
MASS_2 = exact_map(
    np.array([[0, 1], [-(C2 + CC) / M2, -(D2 + DC) / M2]]),
    np.array([[0, 0], [CC / M2, DC / M2]]),
    np.array([0, 1 / M2]),
)


def force_at(n: int) -> list[float]:
    turn = TURN * (n * STEP - 1.0)
    return [1.0, math.cos(turn), math.sin(turn)] if 50 <= n < 75 else [0.0, 0.0, 0.0]


@lru_cache
def reference(both: bool, count: int = COUNT):
    """Return x1, v1 and f of the oscillator in one piece, shape (count, 3)."""
    A = np.zeros((4, 4))
    A[0, 1] = A[2, 3] = 1.0
    A[1] = np.array([-(C1 + CC), -(D1 + DC), CC, DC]) / M1
    A[3] = np.array([CC, DC, -(C2 + CC), -(D2 + DC)]) / M2
    whole = exact_map(A, np.zeros((4, 1)), np.array([0, 1 / M1, 0, both / M2]))
    x, rows = np.zeros(4), []
    for n in range(count):
        rows.append([x[0], x[1], CC * (x[2] - x[0]) + DC * (x[3] - x[1])])
        x = whole @ np.concatenate([x, [0.0, 0.0], force_at(n)])
    return np.array(rows)


def closed_loop(algorithm: str, network: Network, both: bool, seed: int, drift: float = 0.0, **sections):
    """Return C, MAE against the reference and growth of a run; the senders' stamps gain `drift` [-]."""
    wired = algorithm == "wire"
    couplings = [PlainWire() if wired else Coupling(algorithm, drift, **sections) for _ in range(3)]
    links = [Link(network, 100 * seed + i) for i in range(3)]
    x, z = np.zeros(2), np.zeros(2)
    sent, given = np.zeros((2, COUNT, 3))
    slope = np.zeros(3)
    for n in range(COUNT):
        sent[n, :2] = x
        for i in (0, 1, 2):
            if i == 2:
                sent[n, 2] = CC * (z[0] - given[n, 0]) + DC * (z[1] - given[n, 1])
            given[n, i], slope[i] = couplings[i].estimate(n, links[i].pass_on(n, sent[n, i]))
        force = force_at(n)
        x = MASS_1 @ np.concatenate([x, given[n, 2:], slope[2:], force])
        z = MASS_2 @ np.concatenate([z, given[n, :2], slope[:2], force if both else [0.0] * 3])
    mae = float(np.abs(given - reference(both)).mean(axis=0).sum())
    return combined(sent, given), mae, _rms(given[-251:]) / _rms(given[-501:-250])


def combined(sent, given) -> float:
    """Return the sum over the signals of C of Sprague and Geers, times 100."""
    total = 0.0
    for y, e in zip(sent.T, given.T, strict=True):
        magnitude = abs(math.sqrt((e @ e) / (y @ y)) - 1.0)
        phase = math.acos(min(1.0, (y @ e) / math.sqrt((y @ y) * (e @ e)))) / math.pi
        total += 100.0 * math.hypot(magnitude, phase)
    return total


def _rms(values) -> float:
    return float(np.sqrt((values**2).mean()))
