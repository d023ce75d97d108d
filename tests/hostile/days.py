"""Operating scenes: a day at a bench, then movement; what an FMU remembers of the day must not count against it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from tests.hostile.scenes import STEP, Chance, Vector

MOTION = 800
"""Macro steps of the motion at the end."""
JUDGED = 200
"""Macro steps of it, the first ones, that do not count."""
CLOCK = 0.1
"""Macro steps that the estimate of a clock may be off without counting; docs/clocks.md has half a step."""
Sections = dict[str, Any]


@dataclass(frozen=True, eq=False)
class Day:
    """What a sender sends in a day, what becomes of it on the way, and what receives it.

    Attributes
    ----------
    algorithm, timing : str
        Of the FMU.
    sections : dict
        Of its configuration, without the latency in constant mode.
    scenes : tuple of str
        In their order; the last one is the motion.
    k, jitter : int
        A message takes k to k + jitter macro steps.
    stamps : bool
        Whether messages carry them; without, the latency is constant.
    true : ndarray of float, shape (N + 1,)
        The signal at the macro points, with noise.
    sent : ndarray of int, shape (N,)
        Macro step at which the value was sent that is new at each macro step, -1 where nothing is.
    clock : ndarray of float, shape (N,)
        What the sender's clock is ahead where a message is sent, s.
    start : int
        Macro step at which the motion begins.
    noise : float
        Standard deviation of the noise, or a step of the converter, signal unit.
    lag : float
        Of the receiver, macro steps; below 0: nothing is told of it.
    flow : ndarray of float, shape (N + 1,), optional
        Of the power bond.
    drift : float
        Of the sender's clock, -.
    """

    algorithm: str
    timing: str
    sections: Sections
    scenes: tuple[str, ...]
    k: int
    jitter: int
    stamps: bool
    true: Vector
    sent: Vector
    clock: Vector
    start: int
    noise: float
    lag: float = -1.0
    flow: Vector | None = None
    drift: float = 0.0


def tones(chance: Chance, n: int) -> Vector:
    """Return one to four tones of 26 to 400 values a period, from 0 on, with a largest value of 1."""
    turns = 2.0 * np.pi / np.exp(chance.uniform(np.log(26.0), np.log(400.0), chance.randint(1, 5)))
    sizes, phases = chance.uniform(0.2, 1.0, turns.size), chance.uniform(0.0, 6.3, turns.size)
    wave = (sizes * (np.sin(np.outer(np.arange(n), turns) + phases) - np.sin(phases))).sum(axis=1)
    return wave / max(np.abs(wave).max(), 1e-9)


def rest(chance: Chance, n: int) -> Vector:
    """Return no movement."""
    return np.zeros(n)


def creep(chance: Chance, n: int) -> Vector:
    """Return a slow way there."""
    return np.linspace(0.0, chance.uniform(-0.2, 0.2), n)


def stop(chance: Chance, n: int) -> Vector:
    """Return tones that die out."""
    return tones(chance, n) * np.clip(1.5 - 2.0 * np.arange(n) / n, 0.0, 1.0)


def overload(chance: Chance, n: int) -> Vector:
    """Return tones far above what is usual, cut off where a sensor ends, or hits."""
    size = np.exp(chance.uniform(np.log(2.0), np.log(30.0)))
    if chance.random_sample() < 0.5:
        return np.clip(size * tones(chance, n), -0.6 * size, 0.6 * size)
    return size * (chance.random_sample(n) < 0.02) * chance.uniform(-1.0, 1.0, n)


SCENES: dict[str, Callable[[Chance, int], Vector]] = {
    "rest": rest,
    "creep": creep,
    "go": tones,
    "stop": stop,
    "overload": overload,
    "off": rest,
    "restart": rest,
    "clock": tones,
    "idle": rest,
}
"""Of a day; in `off` nothing is sent, after `restart` the sender's clock begins anew, at `clock` it is set."""
STAMPED = ("restart", "clock")
LONG = ("off", "idle")
APART = 150.0
"""Macro steps by which a clock is set at least: less may be a network that is slower or faster than before."""


def day(seed: int, number: int, make: Callable[[Chance], Sections], hours: int = 3000, without: tuple = ()) -> Day:
    """Return the day with that number.

    Parameters
    ----------
    seed, number : int
        What is drawn depends on both.
    make : callable
        Draws the algorithm and its sections.
    hours : int
        Macro steps that an hour stands for: 360 000 are one at 10 ms.
    without : tuple of str
        Scenes that it does not have.
    """
    chance = Chance([seed, number])
    sections = make(chance)
    stamps = sections.get("latency", {}).get("mode") == "stamps"
    free = sections.get("latency", {}).get("clock") == "free"
    names = [name for name in SCENES if name not in without and (stamps or name not in STAMPED)]
    first = [name for name in names if name not in (*STAMPED, "off")]  # only one who has heard knows another clock
    chosen = [str(chance.choice(first)), *map(str, chance.choice(names, chance.randint(0, 7))), "motion"]
    lengths = [_length(chance, name, hours) for name in chosen]
    start = int(sum(lengths[:-1]))
    shape, ahead, on = _course(chance, chosen, lengths)
    noise = float(chance.choice([0.0, 2.0**-23, 1.25e-4, 1e-3, 1e-2]))
    true = measured(chance, shape, noise)
    size, offset = np.exp(chance.uniform(-7.0, 7.0)), chance.choice([0.0, 0.0, 1.0, 30.0])
    k, jitter = int(chance.choice([1, 2, 3, 6])), int(chance.randint(0, 3)) if stamps else 0
    loss = float(chance.choice([0.0, chance.uniform(0.0, 0.05)])) if stamps else 0.0
    sent = _arrivals(chance, on, k, jitter, loss)
    drift = chance.uniform(-5e-5, 5e-5) if free else 0.0
    clock = (ahead + drift * np.arange(true.size))[:-1] * STEP if stamps else np.zeros(true.size - 1)
    if free:
        sections["latency"] = {**sections["latency"], "minimum": k * STEP}
    lag = float(sections.pop("lag", -1.0))
    flow = np.gradient(shape) * 20.0 + 0.3 * shape if "bond" in sections else None
    timing = ("step", "event")[chance.randint(2)]
    return Day(
        sections.pop("algorithm"),
        timing,
        sections,
        tuple(chosen),
        k,
        jitter,
        stamps,
        size * (true + offset),
        sent,
        clock,
        start,
        noise * size,
        lag,
        flow,
        drift,
    )


def _length(chance: Chance, name: str, hours: int) -> int:
    if name == "motion":
        return MOTION
    if name in LONG:
        return int(hours * np.exp(chance.uniform(-2.0, 1.0)))
    return int(np.exp(chance.uniform(np.log(80.0), np.log(1500.0))))


def _course(chance: Chance, names: list[str], lengths: list[int]) -> tuple[Vector, Vector, Vector]:
    """Return the course, what the sender's clock is ahead by [macro steps], and where it sends."""
    parts, level, now, heard, clocks, sends = [], 0.0, 0.0, 0.0, [], []
    for name, length in zip(names, lengths, strict=True):
        shape = SCENES.get(name, tones)(chance, length)
        parts.append(level + shape)
        level += shape[-1] if name != "overload" else 0.0
        silent = length if name == "off" else int(chance.choice([length, min(length, 30)])) * (name == "restart")
        sends.append(np.arange(length) >= silent)
        if name == "restart":
            now = -float(sum(part.size for part in parts[:-1]) + silent)
        if name == "clock":
            now += float(chance.choice([-1.0, 1.0]) * np.exp(chance.uniform(np.log(20.0), np.log(360000.0))))
        if now != heard and abs(now - heard) < APART:
            now = heard - APART
        heard = now if silent < length else heard
        clocks.append(np.full(length, now))
    shape = np.append(np.concatenate(parts), parts[-1][-1])
    return shape, np.append(np.concatenate(clocks), now), np.concatenate(sends)


def measured(chance: Chance, shape: Vector, noise: float) -> Vector:
    """Return what a sensor with that noise, or a converter with such steps, makes of a course."""
    if noise == 2.0**-23:
        return np.round((shape + chance.normal(0.0, 0.5 * noise, shape.size)) / noise) * noise
    return shape + chance.normal(0.0, 1.0, shape.size) * noise


def _arrivals(chance: Chance, on: Vector, k: int, jitter: int, loss: float) -> Vector:
    """Return the macro step at which the value was sent that is new at each macro step, -1 where nothing is."""
    n = np.arange(on.size)
    arrival = n + k + chance.randint(0, jitter + 1, on.size)
    kept = on & (chance.random_sample(on.size) >= loss) & (arrival < on.size)
    newest = np.full(on.size, -1)
    np.maximum.at(newest, arrival[kept], n[kept])
    return newest


def floor(one: Day) -> float:
    """Return the error below which none counts: the noise, a converter's step, a tenth of a step of the clock."""
    shown = one.true[one.start + JUDGED :]
    free = one.sections.get("latency", {}).get("clock") == "free"
    late = CLOCK * float(np.sqrt(np.mean(np.diff(shown) ** 2))) if free else 0.0
    return max(one.noise, 2.0**-23 * float(np.ptp(shown)), late)
