"""Example 04 in this process: the oscillator with the stop, event timing, couplings in the C kernel, exact prototypes.

Motions are those of the matrix exponential for inputs that are linear over a macro step; hits are found by halving it.
Nothing of the prototypes' FMUs is used: an independent check of the example, and fast enough for many variations.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np

from tests.kernel.library import Kernel
from tests.learning.coupling import STEP, settings_of

COUNT = 1251
DELAY = 3
FORCE = range(50, 75)
TURN = 2.0 * math.pi / 0.5
STOP = -1.0
COARSEST, FINEST = 3, 40
C1, CC, C2, D1, DC, D2 = 1.0, 2.0, 10.0, 0.01, 0.001, 0.001


@dataclass(frozen=True)
class Plant:
    """Forces [N] and masses [kg] of the two halves."""

    force_1: float = 12.0
    force_2: float = 1.2
    m1: float = 1.0
    m2: float = 0.1

    @classmethod
    def varied(cls, seed: int) -> Plant:
        """Return the plant with its force and both masses changed by up to 20 %."""
        chance = random.Random(seed)
        force, m1, m2 = (chance.uniform(0.8, 1.2) for _ in range(3))
        return cls(12.0 * force, 1.2 * force, m1, 0.1 * m2)

    @cached_property
    def first(self) -> Flow:
        """Mass 1: x, v; coupling force."""
        return Flow([[0, 1], [-C1 / self.m1, -D1 / self.m1]], [[0], [1 / self.m1]], [0, self.force_1 / self.m1])

    @cached_property
    def second(self) -> Flow:
        """Mass 2: x, v; position and velocity of mass 1."""
        own = [[0, 1], [-(C2 + CC) / self.m2, -(D2 + DC) / self.m2]]
        return Flow(own, [[0, 0], [CC / self.m2, DC / self.m2]], [0, self.force_2 / self.m2])

    @cached_property
    def whole(self) -> Flow:
        """Both, connected without delay."""
        m1, m2 = self.m1, self.m2
        one = [-(C1 + CC) / m1, -(D1 + DC) / m1, CC / m1, DC / m1]
        two = [CC / m2, DC / m2, -(C2 + CC) / m2, -(D2 + DC) / m2]
        own = [[0, 1, 0, 0], one, [0, 0, 0, 1], two]
        return Flow(own, np.zeros((4, 0)), [0, self.force_1 / m1, 0, self.force_2 / m2])

    @cached_property
    def reference(self):
        """x1, v1 and f without delay, shape (COUNT, 3)."""
        x, rows = np.zeros(4), []
        for n in range(COUNT):
            rows.append([x[0], x[1], CC * (x[2] - x[0]) + DC * (x[3] - x[1])])
            x = self.whole.advance(x, [], [], n, stop=True)
        return np.array(rows)


class Flow:
    """Linear motion under inputs that are linear in time and the force 1/2 (1 - cos)."""

    def __init__(self, own, inputs, force) -> None:
        own, inputs = np.array(own, float), np.array(inputs, float)
        self.nx, self.nu = inputs.shape
        at = self.nx + 2 * self.nu
        self.rate = np.zeros((at + 3, at + 3))
        self.rate[: self.nx, : self.nx] = own
        self.rate[: self.nx, self.nx : self.nx + self.nu] = inputs
        self.rate[self.nx : self.nx + self.nu, self.nx + self.nu : at] = np.eye(self.nu)
        self.rate[: self.nx, at], self.rate[: self.nx, at + 1] = np.array(force) / 2.0, -np.array(force) / 2.0
        self.rate[at + 1, at + 2], self.rate[at + 2, at + 1] = -TURN, TURN
        self.parts = exponentials(self.rate, [STEP / 2.0**i for i in range(FINEST + 1)])

    def advance(self, x, u, du, n: int, stop: bool = False):
        """Return the state a macro step after step n, for inputs `u` with the slopes `du` per macro step."""
        turn = TURN * (n * STEP - 1.0)
        force = [1.0, math.cos(turn), math.sin(turn)] if n in FORCE else [0.0, 0.0, 0.0]
        z = np.concatenate([x, u, np.array(du) / STEP, force])
        return (self._bounce(z) if stop else self.parts[0] @ z)[: self.nx]

    def _bounce(self, z):
        """Go on by the largest part of a macro step, from an eighth on, that does not end below the stop."""
        part, left = COARSEST, 2**FINEST
        while left:
            while 2 ** (FINEST - part) > left:
                part += 1
            there = self.parts[part] @ z
            if there[0] >= STOP:
                z, left = there, left - 2 ** (FINEST - part)
            elif part < FINEST:
                part += 1
            else:
                z[0], z[1], part = STOP, abs(z[1]), COARSEST
        return z


def exponentials(rate, times):
    """Return exp(rate t) for short times: Taylor's series, without the threads that BLAS starts below scipy's expm."""
    steps = np.multiply.outer(np.array(times), rate)
    total = term = np.broadcast_to(np.eye(len(rate)), steps.shape)
    for k in range(1, 40):
        term = term @ steps / k
        total = total + term
    return total


@cache
def settings(algorithm: str, safe: bool = True):
    """Return the settings of a signal of the example with default learning."""
    return settings_of("event", DELAY, algorithm, learning={"safe": safe})


class Channel:
    """One signal: `DELAY` macro steps, then the coupling in C."""

    def __init__(self, algorithm: str, safe: bool = True) -> None:
        self.kernel = Kernel(settings(algorithm, safe))
        self.kernel.init(0.0)
        self.sent: list[float] = []

    def learn(self) -> None:
        """Do what a server does for it; here nothing."""

    def pass_on(self, value: float) -> tuple[float, float]:
        """Send a value; return the estimate of now and its change over the macro step."""
        n, state = len(self.sent), self.kernel.state
        self.sent.append(value)
        state.input.y = self.sent[n - DELAY] if n >= DELAY else 0.0
        self.kernel.step(n * STEP, STEP)
        self.learn()
        return state.algorithm.level, state.algorithm.slope


def error(plant: Plant, algorithm: str, safe: bool = True) -> float:
    """Return the sum over the signals of the mean absolute error of the estimates."""
    return mean_error(plant, run(plant, [Channel(algorithm, safe) for _ in range(3)])[0])


def mean_error(plant: Plant, given) -> float:
    """Return the sum over the signals of the mean absolute error of estimates, shape (COUNT, 3)."""
    return float(np.abs(given - plant.reference).mean(axis=0).sum())


def run(plant: Plant, channels):
    """Return the estimates of x1, v1 and f in closed loop, and what was sent, shape (COUNT, 3) each."""
    x1, v1, f = channels
    x, z = np.zeros(2), np.zeros(2)
    given, sent = np.zeros((COUNT, 3)), np.zeros((COUNT, 3))
    for n in range(COUNT):
        (a, da), (b, db) = x1.pass_on(x[0]), v1.pass_on(x[1])
        force = CC * (z[0] - a) + DC * (z[1] - b)
        c, dc = f.pass_on(force)
        given[n], sent[n] = (a, b, c), (*x, force)
        x = plant.first.advance(x, [c], [dc], n, stop=True)
        z = plant.second.advance(z, [a, b], [da, db], n)
    return given, sent
