"""Hostile scenes: signals that no algorithm was made for, through networks that do what they can."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

STEP = 0.01
COUNT = 800
BURST = 7
SEED = 20261122
FRESH = (271828, 314159)
"""Seeds that nothing was tuned on."""

Vector = np.ndarray
Chance = np.random.RandomState


@dataclass(frozen=True, eq=False)
class Scene:
    """What a sender sends, and what becomes of it on the way.

    Attributes
    ----------
    kind : str
        Of the signal.
    k, jitter : int
        A message takes k to k + jitter macro steps.
    loss : float
        Share of messages that never arrive.
    values : int
        In a message: the newest and its predecessors.
    timing : str
        ``step`` or ``event``.
    stamps : bool
        Whether messages carry them; without, the latency is constant.
    true : ndarray of float, shape (COUNT + 1,)
        The signal at the macro points.
    newest : ndarray of int, shape (COUNT,)
        Macro step at which the value was sent that is new at each macro step, -1 where nothing is.
    """

    kind: str
    k: int
    jitter: int
    loss: float
    values: int
    timing: str
    stamps: bool
    true: Vector
    newest: Vector


def sines(chance: Chance, n: Vector) -> Vector:
    """Return one to three tones, the fastest with 4 to 300 values a period."""
    turns = 2.0 * np.pi / np.exp(chance.uniform(np.log(4.0), np.log(300.0), chance.randint(1, 4)))
    sizes, phases = chance.uniform(0.1, 1.0, turns.size), chance.uniform(0.0, 6.3, turns.size)
    return (sizes * np.sin(np.outer(n, turns) + phases)).sum(axis=1)


def telegraph(chance: Chance, n: Vector) -> Vector:
    """Return two or more levels that change at random."""
    changes = chance.random_sample(n.size) < 1.0 / np.exp(chance.uniform(np.log(25.0), np.log(400.0)))
    levels = chance.choice([-1.0, 1.0], n.size) if chance.random_sample() < 0.5 else chance.uniform(-1.0, 1.0, n.size)
    return levels[np.maximum.accumulate(np.where(changes, n, 0))]


def pulses(chance: Chance, n: Vector) -> Vector:
    """Return pulses out of rest, one to some macro steps long."""
    width, share = chance.randint(2, 60), 1.0 / np.exp(chance.uniform(np.log(5.0), np.log(60.0)))
    starts = (chance.random_sample(n.size) < share) * chance.uniform(0.3, 1.0, n.size)
    starts[n.size // 2] = 1.0
    shape = (np.ones, np.hanning, np.hanning)[chance.randint(3)](width + 2)[1:-1]
    return np.convolve(starts, shape)[: n.size]


def saw(chance: Chance, n: Vector) -> Vector:
    """Return ramps that fall back, or triangles."""
    period = np.exp(chance.uniform(np.log(5.0), np.log(200.0)))
    ramp = (n / period + chance.random_sample()) % 1.0
    return np.abs(2.0 * ramp - 1.0) if chance.random_sample() < 0.3 else ramp


def quantised(chance: Chance, n: Vector) -> Vector:
    """Return slow tones in 4 to 100 steps."""
    levels = np.exp(chance.uniform(np.log(2.0), np.log(50.0)))
    turn = 2.0 * np.pi / np.exp(chance.uniform(np.log(30.0), np.log(600.0)))
    return np.round(levels * np.sin(turn * n + chance.uniform(0.0, 6.3))) / levels


def slow(chance: Chance, n: Vector) -> Vector:
    """Return tones of a sender that has a new value in every second to tenth macro step only."""
    held = n // chance.randint(2, 11)
    turn = 2.0 * np.pi / np.exp(chance.uniform(np.log(30.0), np.log(400.0)))
    return np.sin(turn * held * (n.size / (held[-1] + 1)) + chance.uniform(0.0, 6.3))


def jumps(chance: Chance, n: Vector) -> Vector:
    """Return a tone with jumps of up to its range."""
    turn = 2.0 * np.pi / np.exp(chance.uniform(np.log(15.0), np.log(300.0)))
    happen = chance.random_sample(n.size) < chance.uniform(0.002, 0.02)
    steps = np.where(happen, chance.uniform(-1.0, 1.0, n.size), 0.0)
    return np.sin(turn * n + chance.uniform(0.0, 6.3)) + np.cumsum(steps)


SIGNALS: tuple[Callable[[Chance, Vector], Vector], ...] = (sines, telegraph, pulses, saw, quantised, slow, jumps)


def scene(seed: int, number: int) -> Scene:
    """Return the scene with that number; kinds of signals take turns, everything else is drawn."""
    chance = Chance([seed, number])
    n = np.arange(COUNT + 1)
    make = SIGNALS[number % len(SIGNALS)]
    size, offset = np.exp(chance.uniform(-7.0, 7.0)), chance.choice([0.0, 0.0, 1.0, 30.0])
    shape = make(chance, n)
    if np.ptp(shape) == 0.0:
        shape[COUNT // 2 :] += 1.0
    true = size * (shape + offset)
    k, jitter = int(chance.choice([1, 3, 6])), int(chance.randint(0, 4))
    loss = float(chance.choice([0.0, chance.uniform(0.0, 0.1)]))
    stamps = bool(jitter > 0 or chance.random_sample() < 0.5)
    values = int(chance.choice([1, 1, 3])) if stamps else 1
    arrival = n[:-1] + k + chance.randint(0, jitter + 1, COUNT)
    kept = (chance.random_sample(COUNT) >= loss) & (arrival < COUNT)
    newest = np.full(COUNT, -1)
    np.maximum.at(newest, arrival[kept], n[:-1][kept])
    timing = ("step", "event")[chance.randint(2)]
    return Scene(make.__name__, k, jitter, loss, values, timing, stamps, true, newest)
