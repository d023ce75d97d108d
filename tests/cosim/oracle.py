"""An independent simulation of the two-mass oscillator with numpy and scipy: the oracle for the runs through FMUs.

Nothing of couplant is imported here. The prototypes are integrated exactly by the matrix exponential for inputs that
are linear over a step and the force ½(1 - cos(2π(t - t_f)/T_f)), which is a constant plus two states of a harmonic
oscillator. In both timings f is worked out with the estimates that are valid at the same macro point.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import expm

M1, M2, C1, CC, C2, D1, DC, D2 = 1.0, 0.1, 1.0, 2.0, 10.0, 0.01, 0.001, 0.001
SIGNALS = ("x1", "v1", "f")
Array = NDArray[np.float64]


@dataclass(frozen=True)
class Case:
    """What is simulated; `force` acts on the two masses."""

    k: int = 3  # macro steps
    macro_step: float = 0.02  # s
    duration: float = 25.0  # s
    force: tuple[float, float] = (1.0, 0.0)  # N
    start: float = 1.0  # s
    period: float = 0.5  # s


@dataclass(frozen=True)
class Oracle:
    """Signals at the macro points: reference, y and ŷ, each of shape (N, 3) in the order of `SIGNALS`."""

    time: Array
    reference: Array
    sent: Array
    estimate: Array


def simulate(algorithm: str, timing: str, case: Case) -> Oracle:
    """Simulate the coupled oscillator with one algorithm on the three signals; a plain wire waits for no step."""
    count = round(case.duration / case.macro_step) + 1
    time = np.arange(count) * case.macro_step
    loop = _event if timing == "event" or algorithm == "wire" else _step
    sent, estimate = loop(algorithm, case, time)
    return Oracle(time, _reference(case, time), sent, estimate)


def _event(algorithm: str, case: Case, time: Array) -> tuple[Array, Array]:
    x, z = np.zeros(2), np.zeros(2)
    channels = [_Channel(algorithm, case) for _ in SIGNALS]
    sent, estimate = np.zeros((2, time.size, 3))
    slope = np.zeros(3)
    for n, t in enumerate(time):
        for i in (0, 1):
            sent[n, i] = x[i]
            estimate[n, i], slope[i] = channels[i].take(sent[: n + 1, i])
        sent[n, 2] = CC * (z[0] - estimate[n, 0]) + DC * (z[1] - estimate[n, 1])
        estimate[n, 2], slope[2] = channels[2].take(sent[: n + 1, 2])
        x = _mass_1(case).advance(x, estimate[n, 2:], slope[2:] / case.macro_step, t)
        z = _mass_2(case).advance(z, estimate[n, :2], slope[:2] / case.macro_step, t)
    return sent, estimate


def _step(algorithm: str, case: Case, time: Array) -> tuple[Array, Array]:
    x, z = np.zeros(2), np.zeros(2)
    channels = [_Channel(algorithm, case) for _ in SIGNALS]
    sent, estimate = np.zeros((2, time.size, 3))
    following = np.zeros(3)
    for n, t in enumerate(time):
        estimate[n] = following
        sent[n] = *x, CC * (z[0] - estimate[n, 0]) + DC * (z[1] - estimate[n, 1])
        for i, channel in enumerate(channels):
            value, slope = channel.take(sent[: n + 1, i])
            following[i] = value + slope
        x = _mass_1(case).advance(x, estimate[n, 2:], np.zeros(1), t)
        z = _mass_2(case).advance(z, estimate[n, :2], np.zeros(2), t)
    return sent, estimate


class _Channel:
    """One signal's algorithm; values before the start are zero (docs/reference.md 3)."""

    def __init__(self, algorithm: str, case: Case) -> None:
        self.algorithm, self.k, self.macro_step = algorithm, case.k, case.macro_step
        self.estimates: list[float] = []

    def take(self, sent: Array) -> tuple[float, float]:
        """Return ŷ at θ = 0 and its change over the macro step, given y_0..y_n."""
        past = np.concatenate([sent[::-1], np.zeros(2 * self.k + 8)])[self.k :]
        if self.algorithm == "smb" and self.k > 0:
            return self._observe(past)
        a, slope = WEIGHTS[self.algorithm](self.k)
        return float(a @ past[: a.size]), float(slope @ past[: a.size])

    def _observe(self, past: Array) -> tuple[float, float]:
        gain = 0.85 * np.pi / (2 * self.k)
        old = self.estimates[-self.k] if len(self.estimates) >= self.k else 0.0
        bracket = past[0] - past[1] - gain * (old - past[0])
        self.estimates.append((self.estimates[-1] if self.estimates else 0.0) + bracket)
        return self.estimates[-1], bracket


def _zoh(k: int) -> tuple[Array, Array]:
    return np.array([1.0]), np.array([0.0])


def _foh(k: int) -> tuple[Array, Array]:
    return _from_slope(k, {0: [1.0], 1: [-1.0]})


def _eros3(k: int) -> tuple[Array, Array]:
    r = (k + 2) / (k + 1)
    return _from_slope(k, {0: [r, -1.0], k + 1: [-r, 1.0]})


def _eros4(k: int) -> tuple[Array, Array]:
    c = np.array([k * k / 2 + 2 * k + 2.5, -(k * k + 3 * k + 2), k * k / 2 + k + 0.5]) / (k + 1)
    return _from_slope(k, {0: [*c], k + 1: [*-c]})


def _from_slope(k: int, runs: dict[int, list[float]]) -> tuple[Array, Array]:
    """Return a = e_0 + k p and A = p, p given as runs of weights by the index of their first; runs may overlap."""
    p = np.zeros(max(first + len(values) for first, values in runs.items()))
    for first, values in runs.items():
        p[first : first + len(values)] += values
    a = k * p
    a[0] += 1.0
    return a, p


WEIGHTS = {"wire": _zoh, "zoh": _zoh, "foh": _foh, "smb": _foh, "eros3": _eros3, "eros4": _eros4}


class _Linear:
    """x' = A x + B u + b p(t) with u linear over a step and p the force, integrated exactly."""

    def __init__(self, a: Array, b: Array, force: Array, case: Case) -> None:
        self.a, self.b, self.force, self.case = a, b, force, case
        self._maps: dict[tuple[float, bool], Array] = {}

    def advance(self, x: Array, u: Array, slope: Array, t: float) -> Array:
        """Return x one macro step later; the step is split where the force begins and ends."""
        end = t + self.case.macro_step
        edges = [e for e in (self.case.start, self.case.start + self.case.period) if t + 1e-9 < e < end - 1e-9]
        for begin, stop in zip([t, *edges], [*edges, end], strict=True):
            x = self._advance(x, u + slope * (begin - t), slope, begin, stop)
        return x

    def _advance(self, x: Array, u: Array, slope: Array, t: float, stop: float) -> Array:
        active = self.case.start < (t + stop) / 2 < self.case.start + self.case.period
        phase = 2 * np.pi * (t - self.case.start) / self.case.period
        driver = [0.5, -0.5 * np.cos(phase), 0.5 * np.sin(phase)] if active else [0.0] * 3
        z = np.concatenate([x, u, slope, driver])
        return (self._map(stop - t) @ z)[: x.size]

    def _map(self, length: float) -> Array:
        key = round(length, 12)
        if key not in self._maps:
            self._maps[key] = expm(self._generator() * length)
        return self._maps[key]

    def _generator(self) -> Array:
        n, m = self.b.shape
        omega = 2 * np.pi / self.case.period
        g = np.zeros((n + 2 * m + 3, n + 2 * m + 3))
        g[:n, :n], g[:n, n : n + m] = self.a, self.b
        g[n : n + m, n + m : n + 2 * m] = np.eye(m)
        g[:n, -3] = g[:n, -2] = self.force
        g[-2, -1], g[-1, -2] = omega, -omega
        return g


@cache
def _mass_1(case: Case) -> _Linear:
    a = np.array([[0.0, 1.0], [-C1 / M1, -D1 / M1]])
    return _Linear(a, np.array([[0.0], [1 / M1]]), np.array([0.0, case.force[0] / M1]), case)


@cache
def _mass_2(case: Case) -> _Linear:
    a = np.array([[0.0, 1.0], [-(C2 + CC) / M2, -(D2 + DC) / M2]])
    b = np.array([[0.0, 0.0], [CC / M2, DC / M2]])
    return _Linear(a, b, np.array([0.0, case.force[1] / M2]), case)


@cache
def _whole(case: Case) -> _Linear:
    a = np.array(
        [
            [0, 1, 0, 0],
            [-(C1 + CC) / M1, -(D1 + DC) / M1, CC / M1, DC / M1],
            [0, 0, 0, 1],
            [CC / M2, DC / M2, -(CC + C2) / M2, -(DC + D2) / M2],
        ]
    )
    force = np.array([0.0, case.force[0] / M1, 0.0, case.force[1] / M2])
    return _Linear(a, np.zeros((4, 0)), force, case)


def _reference(case: Case, time: Array) -> Array:
    """Return the monolithic solution: no coupling at all."""
    x = np.zeros(4)
    out = np.zeros((time.size, 3))
    for n, t in enumerate(time):
        out[n] = x[0], x[1], CC * (x[2] - x[0]) + DC * (x[3] - x[1])
        x = _whole(case).advance(x, np.zeros(0), np.zeros(0), t)
    return out


def mae(oracle: Oracle) -> float:
    """Return the mean absolute error of ŷ against the reference, summed over the signals."""
    return float(np.abs(oracle.estimate - oracle.reference).mean(axis=0).sum())


def sprague_geers(oracle: Oracle) -> Array:
    """Return C, M, P x 100 of y against ŷ, summed over the signals."""
    total = np.zeros(3)
    for y, y_hat in zip(oracle.sent.T, oracle.estimate.T, strict=True):
        m = abs(np.sqrt((y_hat @ y_hat) / (y @ y)) - 1)
        p = np.arccos(np.clip((y @ y_hat) / np.sqrt((y @ y) * (y_hat @ y_hat)), -1, 1)) / np.pi
        total += 100 * np.array([np.hypot(m, p), m, p])
    return total


def open_loop(algorithm: str, k: int, sent: Array, weights: tuple[Array, Array] | None = None) -> Array:
    """Return ŷ at the end of the macro steps of a recorded signal sent through a latency of k macro steps, from 0 on.

    Nothing has arrived at first: the first value sent. Then come ZOH, FOH and, with enough values, the algorithm
    (docs/switching.md), or `weights` (a, A). A plain wire gives what has arrived.
    """
    if algorithm == "wire":
        return np.concatenate([np.full(k, sent[0]), sent[: sent.size - k]])
    ends = [sum(pair) for pair in (weights or WEIGHTS[algorithm](k), _foh(k))]
    estimate = np.full(sent.size, sent[0])
    for n in range(k, sent.size - 1):
        count = n - k + 1
        chosen = ends[0] if count >= ends[0].size else ends[1] if count > 1 else np.array([1.0])
        estimate[n + 1] = chosen @ sent[count - 1 :: -1][: chosen.size]
    return estimate
