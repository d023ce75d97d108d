"""Seeded random runs of a coupling: settings, parameters, signals, hosts and accidents of every kind."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator, Sequence
from copy import copy
from dataclasses import replace

import numpy as np

from couplant.analysis.exact.autocorrelation import spectrum_of_band
from couplant.analysis.exact.tables import detector_rows
from couplant.analysis.morphism import Shape, morphism
from couplant_runtime.algorithms import BY_NAME, GENERIC, NAMES, ROWS
from couplant_runtime.config import Settings, Spectrum, Weights
from couplant_runtime.generated.numbers import ENUMERATIONS, HORIZONS
from couplant_runtime.generated.variables import ALL
from couplant_runtime.learning.neural import Neural
from couplant_runtime.variable import Variable
from couplant_runtime.variables import choose

from .pair import Pair, any_number

Row = tuple[float, ...]

STAMPS = 2
LINEAR = 6
INTEGERS = ("integer", "enumeration")
WITH_SETTINGS = {"", "debug", "auto", "network", "identification", "element"}
SINGLE = [name for name in dict.fromkeys(v.feature for v in ALL if v.index < 0) if name not in WITH_SETTINGS]
"""Features of an FMU that are no lists and need nothing else of its settings."""


def plain_settings(
    positions: tuple[int, ...] = choose(), start: dict[str, float] | None = None, fingerprint: int = 1
) -> Settings:
    """Return settings in step timing without weights, with the start values of the table but for those given."""
    real, imaginary = detector_rows()
    values = start or {}
    return Settings(
        event=False,
        chosen=positions,
        start=tuple(float(values.get(ALL[i - 1].name, ALL[i - 1].start or 0.0)) for i in positions),
        weights=(),
        zeta={name: (1.0,) * HORIZONS for name in (*NAMES, "phasor")},
        delta={name: (0.1,) * HORIZONS for name in (*NAMES, "phasor")},
        real=real,
        imaginary=imaginary,
        fingerprint=fingerprint,
    )


def with_weights(settings: Settings, event: bool, rows: Sequence[tuple[int, Row, Row]] = ()) -> Settings:
    """Return `settings` with a timing and weights (k, a, A) by latency; those of a single latency are parameters."""
    weights = tuple(Weights(*row) for row in rows)
    shown = weights[0].a + weights[0].slopes if len(weights) == 1 else ()
    positions = choose({"weights": len(shown) // 2})
    start = (*settings.start[: len(settings.start) - 1], *shown, 0.0)
    return replace(settings, event=event, weights=weights, chosen=positions, start=start)


def some_settings(chance: random.Random) -> Settings:
    """Return settings as a builder could make them, with random numbers in the tables."""
    weights = tuple(_weights(chance, k) for k in sorted(chance.sample(range(13), chance.choice((0, 0, 1, 5)))))
    shown = {"weights": len(weights[0].a) if len(weights) == 1 else 0, "debug": chance.random() < 0.5}
    positions = choose(shown | some_features(chance))
    real, imaginary = detector_rows()
    return Settings(
        event=chance.random() < 0.5,
        chosen=positions,
        start=tuple(_start(position, weights) for position in positions),
        weights=weights,
        zeta={name: tuple(chance.uniform(0.0, 3.0) for _ in range(HORIZONS)) for name in (*NAMES, "phasor")},
        delta={name: tuple(chance.uniform(0.0, 1.0) for _ in range(HORIZONS)) for name in (*NAMES, "phasor")},
        real=real,
        imaginary=imaginary,
        fingerprint=chance.getrandbits(64),
        spectrum=some_spectrum(chance),
    )


def some_features(chance: random.Random) -> dict[str, int]:
    """Return what an FMU may be configured with, each at random."""
    lists = {"burst": chance.randint(0, 7), "auto": 6 * chance.randint(0, 1)}
    return lists | {name: chance.randint(0, 1) for name in SINGLE}


def some_spectrum(chance: random.Random) -> Spectrum | None:
    """Return what `irregular` knows about a signal, or nothing."""
    if chance.random() < 0.3:
        return None
    low = chance.choice((0.0, 0.01, 0.3))
    degree, noise = chance.randint(0, 3), 10.0 ** chance.uniform(-9.0, 0.0)
    return spectrum_of_band(low, low + chance.choice((0.01, 0.24, 2.0)), chance.randint(2, 10), degree, noise)


def _weights(chance: random.Random, k: int) -> Weights:
    m = chance.choice((1, 2, 3, 7, 64))
    a, slopes = ([chance.uniform(-5.0, 5.0) for _ in range(m)] for _ in range(2))
    return Weights(k, tuple(a), tuple(slopes))


def _start(position: int, weights: tuple[Weights, ...]) -> float:
    variable = ALL[position - 1]
    if variable.field in ("a", "slopes"):
        return (weights[0].a if variable.field == "a" else weights[0].slopes)[variable.index]
    return float(variable.start or 0.0)


def neural_settings(chance: random.Random) -> Settings:
    """Return settings with a neural network of any shape."""
    plain = some_settings(chance)
    first, second, leak = chance.choice(((4, 2, 0.01), (2, 4, 0.3), (1, 1, 1.0), (3, 3, 1.0)))
    m = chance.randint(2, 8)
    a, slopes = ([chance.uniform(-2.0, 2.0) for _ in range(m)] for _ in range(2))
    k, offsets = chance.choice((0, 1, 3, 6)), chance.random() < 0.5
    neural = Neural(k, first, second, leak, False, 4, tuple(a), tuple(slopes), offsets)
    taps = len(plain.weights[0].a) if len(plain.weights) == 1 else 0
    positions = choose({"weights": taps, "debug": chance.random() < 0.5, "network": neural.size})
    weights = morphism(np.array(a), Shape(first, second, leak, offsets), chance.randint(0, 99))
    start = tuple(
        float(weights[ALL[i - 1].index]) if ALL[i - 1].field == "base" else _start(i, plain.weights) for i in positions
    )
    return replace(plain, chosen=positions, start=start, neural=neural)


def with_neural(settings: Settings) -> Settings:
    """Return the settings with a small neural network."""
    return replace(settings, neural=Neural(3, 4, 2, 0.01, False, 2, (4.0, -3.0), (1.0, -1.0)))


def set_up_neural(pair: Pair, chance: random.Random) -> None:
    """Select the neural network, mostly at its latency, and let it learn in short cycles."""
    pair.set("latency.mode", 1)
    pair.set("latency.offset", 0.0)
    pair.set("latency.constant_steps", pair.settings.neural.steps if chance.random() < 0.9 else 5)
    pair.set("algorithm.selected", 9)
    pair.set("learning.cycle_steps", chance.choice((10, 20, 50)))
    pair.set("learning.judge_steps", chance.choice((5, 10)))
    pair.set("learning.prior", 10.0 ** chance.uniform(-3.0, 1.0))
    pair.set("learning.safe", int(chance.random() < 0.8))
    pair.set("learning.gain_max", chance.choice((1.0, 1.25, 1.25, 10.0)))
    pair.set("learning.enabled", int(chance.random() < 0.95))


def _any_algorithm(chance: random.Random) -> int:
    """Return the number of any algorithm, of one that no such FMU has, or of none."""
    return chance.randint(0, 1 + max(ENUMERATIONS["Algorithm"].values()))


def set_up(pair: Pair, chance: random.Random) -> None:
    """Set all parameters at random so that initialisation accepts them."""
    settings = pair.settings
    step = 10.0 ** chance.uniform(-4.0, 1.0)
    pair.set("macro_step", 0.0 if not settings.event and chance.random() < 0.1 else step)
    pair.set("latency.mode", chance.choice((1, STAMPS, STAMPS, 3, 4 if "y_echo" in pair.variables else 3)))
    set_up_features(pair, chance, step)
    pair.set("latency.constant_steps", chance.choice((0, 1, 2, 3, 6, 6, 12, 30, 60, 64)))
    less = -1.0 if pair.state.parameter.macro_step > 0.0 else 0.0
    offsets = (0.0, 0.0, step * chance.uniform(less, 3.0), 1e-6 * step, 100.0 * step)
    pair.set("latency.offset", chance.choice(offsets))
    pair.set("latency.coast_steps", chance.choice((0, 1, 3, 3, 20)))
    pair.set("latency.lost_steps", chance.choice((20, 64, 70, 1000000)))
    pair.set("reconstruction", chance.choice((1, 1, 2)))
    pair.set("output.on_loss", chance.choice((1, 2)))
    pair.set("output.safe_value", chance.uniform(-2.0, 2.0))
    pair.set("discontinuity.hold", chance.choice((0, 1)))
    pair.set("discontinuity.floor", chance.choice((0.0, 0.0, 0.5)))
    pair.set("algorithm.selected", _allowed_algorithm(settings, chance))
    row = ROWS[pair.state.parameter.selected]
    pair.set("discontinuity.enabled", int(not row.carries_state and chance.random() < 0.7))
    for _ in range(3):
        tune(pair, chance)


def _allowed_algorithm(settings: Settings, chance: random.Random) -> int:
    allowed = [BY_NAME[name].number for name in GENERIC]
    allowed += [LINEAR] * bool(settings.weights) + [7, 7, 8, 8, 8] * bool(settings.spectrum)
    return chance.choice(allowed)


def set_up_features(pair: Pair, chance: random.Random, step: float) -> None:
    """Set the parameters that only some FMUs have."""
    values = {
        "latency.clock": chance.choice((1, 2)),
        "latency.minimum": chance.choice((0.0, 2.0 * step)),
        "latency.host_lead": chance.choice((*[0.0] * 5, 1.0, -1.0, chance.uniform(-1.0, 3.0))),
        "latency.hold_lead": chance.choice((*[0.0] * 5, 0.25, -1.0, chance.uniform(-1.0, 60.0))),
        "latency.follow": chance.choice((1, 2, 3)),
        "latency.offset_min": chance.choice((0.0, 0.5 * step)),
        "latency.offset_max": step * chance.choice((0.0, 3.0, 20.0, 100.0)),
        "discontinuity.detector": chance.choice((1, 2, 2)),
        "signal.period": chance.choice((0.0, 1.0, 0.37)),
        "output.guard": chance.choice((0.0, 0.5, 0.5, 0.1)),
        "signal.noise": copy(chance).choice((0.0, 0.0, 1e-3, 0.1)),
    }
    for name, value in values.items():
        if name in pair.variables:
            pair.set(name, value)


def tune(pair: Pair, chance: random.Random) -> None:
    """Change one tunable parameter to a sensible value."""
    values: dict[str, Callable[[], float]] = {
        "bypass": lambda: chance.choice((0, 0, 1)),
        "algorithm.selected": lambda: chance.randint(1, 9) if chance.random() < 0.9 else _any_algorithm(chance),
        "algorithm.observer_gain": lambda: chance.choice((0.0, chance.uniform(0.0, 100.0))),
        "discontinuity.sensitivity": lambda: chance.uniform(1.0, 8.0),
        "quality.action": lambda: chance.randint(1, 4),
        "quality.zeta": lambda: chance.choice((-1.0, chance.uniform(0.0, 2.0))),
        "quality.delta": lambda: chance.choice((-1.0, chance.uniform(0.0, 1.0))),
        "output.min": lambda: chance.choice((-1.7976931348623157e308, chance.uniform(-3.0, 0.5))),
        "output.max": lambda: chance.choice((1.7976931348623157e308, chance.uniform(-0.5, 3.0))),
        "output.rate_max": lambda: chance.choice((1.7976931348623157e308, 10.0 ** chance.uniform(-2.0, 4.0))),
    }
    others = [v for v in pair.variables.values() if v.role == "tunable" and v.name not in values]
    values |= {v.name: lambda v=v: _sensible(v, chance) for v in others}
    name = chance.choice(list(values))
    pair.set(name, values[name]())


def _sensible(variable: Variable, chance: random.Random) -> float:
    """Return the start value, or another that is allowed."""
    if variable.kind == "boolean":
        return chance.randint(0, 1)
    if variable.kind in INTEGERS:
        return chance.randint(int(variable.minimum), int(variable.maximum))
    low, high = max(variable.minimum, -1.0), min(variable.maximum, 1.0)
    return chance.choice((variable.start, chance.uniform(low, high)))


def signal(chance: random.Random) -> Iterator[float]:
    """Yield the values of a random signal, one a macro step."""
    kind = chance.choice(("sine", "walk", "levels", "noise", "huge", "tiny", "line"))
    scale = {"huge": 1e308, "tiny": 1e-310}.get(kind, 1.0)
    turn, value, n = chance.uniform(0.01, 1.5), 0.0, 0
    while True:
        n += 1
        if kind in ("sine", "tiny"):
            value = math.sin(turn * n)
        elif kind == "walk":
            value += chance.gauss(0.0, 1.0)
        elif kind in ("noise", "huge"):
            value = chance.uniform(-1.0, 1.0)
        elif kind == "line":
            value = 0.5 * n
        elif chance.random() < 0.04:
            value = float(chance.randint(-3, 3))
        yield value * scale if chance.random() < 0.999 else any_number(chance)


class Sender:
    """Values with send stamps that arrive late, in disorder, twice or not at all."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.values = signal(chance)
        self.delay = chance.uniform(0.0, 8.0)
        self.jitter = chance.choice((0.0, 0.0, 0.5, 5.0))
        self.loss = chance.choice((0.0, 0.0, 0.05, 0.5))
        self.whole = chance.random() < 0.5
        self.under_way: list[tuple[float, float, float]] = []
        self.at = 0.0
        self.gap = 0

    def send(self, time: float, period: float) -> None:
        """Put on the way what was sent up to `time`."""
        chance = self.chance
        self.at = max(self.at, time - 100.0 * period)
        while self.at <= time:
            arrival = self.at + period * (self.delay + chance.uniform(0.0, self.jitter))
            if chance.random() >= self.loss:
                self.under_way.append((arrival, self.at, next(self.values)))
            if chance.random() < 0.002:
                self.at += period * chance.choice((30.0, 60.0, 100.0))
            following = self.at + period * (1.0 if self.whole else chance.uniform(0.4, 2.5))
            if not following > self.at:
                return
            self.at = following

    def receive(self, time: float) -> tuple[float, float] | None:
        """Return stamp and value of something that has arrived."""
        arrived = [entry for entry in self.under_way if entry[0] <= time]
        if not arrived:
            return None
        entry = self.chance.choice(arrived) if self.chance.random() < 0.1 else max(arrived)
        self.under_way = [other for other in self.under_way if other[0] > time or other[1] > entry[1]]
        return entry[1], entry[2]


class Host:
    """A master that steps with its own habits and makes mistakes now and then."""

    def __init__(self, pair: Pair, chance: random.Random, start_time: float) -> None:
        self.pair = pair
        self.chance = chance
        self.sender = Sender(chance)
        self.sender.at = start_time
        self.part = chance.choice((1.0, 1.0, 1.0, 0.5, 1.0 / 3.0, 0.25, 0.1, 0.7, 1.5, 2.5, 0.0))
        self.part *= chance.choice((1.0, 1.0, 1.0, 1.0 - 5e-4, 1.0 + 1e-4, 1.0 - 1e-6))
        self.accidents = chance.choice((0.0, 0.01, 0.1))
        self.drop_out = 0
        self.saved: list[bytes] = []

    def advance(self) -> None:
        """Do what a host does around one communication step."""
        chance, pair = self.chance, self.pair
        period = pair.period or 0.01
        self.feed(period)
        if chance.random() < 0.02:
            pair.preview()
        if chance.random() < self.accidents:
            self.accident(period)
        pair.step(pair.time, period * self.size())

    def size(self) -> float:
        if self.chance.random() < 0.003:
            return self.chance.choice((2.0, 3.0, 5.0, 20.0, 58.0, 70.0, 200.0))
        return self.part or self.chance.uniform(0.05, 3.0)

    def feed(self, period: float) -> None:
        chance, pair = self.chance, self.pair
        if chance.random() < 0.003:
            self.drop_out = chance.choice((1, 3, 10, 40, 61, 63, 64, 80))
        self.drop_out = max(0, self.drop_out - 1)
        if self.drop_out or chance.random() < 0.01:
            pair.set("y_valid", 0)
            return
        pair.set("y_valid", 1)
        self.sender.send(pair.time, period)
        news = self.sender.receive(pair.time)
        if news is not None:
            pair.set("y_time", news[0])
            pair.set("y", news[1])
        self.repeat(period)

    def repeat(self, period: float) -> None:
        """Let the message carry earlier values and the receiver's own stamp, where the FMU takes them."""
        chance, pair = self.chance, self.pair
        stamp = pair.state.input.y_time
        for i in range(2, 9):
            if f"y[{i}]" in pair.variables and chance.random() < 0.8:
                stamp = stamp - period * chance.choice((1.0, 1.0, 2.0, 0.7))
                pair.set(f"y[{i}]", chance.uniform(-1.0, 1.0))
                pair.set(f"y_time[{i}]", stamp if chance.random() < 0.98 else any_number(chance))
                pair.set(f"y_valid[{i}]", int(chance.random() < 0.9))
        if "applied" in pair.variables:
            pair.set("applied", pair.state.reconstruction.y_hat + 0.01 * chance.gauss(0.0, 1.0))
        if "y_echo" in pair.variables:
            pair.set("y_echo", pair.time - period * chance.uniform(1.0, 9.0))

    def accident(self, period: float) -> None:
        """Do something that a good host would not do, or does rarely."""
        chance, pair = self.chance, self.pair
        kind = chance.randrange(9)
        if kind == 0:
            pair.set("y", any_number(chance))
        elif kind == 1:
            ahead = chance.choice((2.0, -90.0))
            pair.set("y_time", chance.choice((any_number(chance), pair.time + chance.uniform(0.0, ahead) * period)))
        elif kind == 2:
            tune(pair, chance)
        elif kind == 3:
            wrong_value(pair, chance)
        elif kind == 4:
            wrong_step(pair, chance, period)
        elif kind == 5:
            self.saved.append(pair.save())
        elif kind == 6 and self.saved:
            pair.restore(chance.choice(self.saved))
            self.sender.at = min(self.sender.at, pair.time)
        elif kind == 7:
            pair.step(pair.time + chance.uniform(-1e-6, 1e-6) * period, period * chance.choice((1.0, 1e-7, 1e-3)))
        elif kind == 8:
            pair.preview()


def wrong_value(pair: Pair, chance: random.Random) -> None:
    """Set any variable to any value."""
    name = chance.choice(list(pair.variables))
    kind = pair.variables[name].kind
    if kind == "boolean":
        pair.set(name, chance.randint(0, 1))
    elif kind in INTEGERS:
        pair.set(name, chance.choice((chance.randint(-2, 8), chance.randint(-(2**31), 2**31 - 1))))
    else:
        pair.set(name, any_number(chance))


def wrong_step(pair: Pair, chance: random.Random, period: float) -> None:
    """Ask for a step that must be refused, or for a very long one."""
    size = chance.choice((0.0, -period, any_number(chance), period * 10.0 ** chance.uniform(0.0, 3.0)))
    time = chance.choice((pair.time, pair.time, pair.time + period, pair.time - period, any_number(chance)))
    saved = pair.save()
    if pair.step(time, size) and pair.time > 1e6 * period:
        pair.restore(saved)


def run(seed: int, steps: int, make: Callable[[random.Random], Settings] = some_settings) -> Pair:
    """Drive both runtimes through `steps` communication steps, of which some are refused."""
    chance = random.Random(seed)
    pair = Pair(make(chance))
    set_up(pair, chance)
    if pair.settings.neural:
        set_up_neural(pair, chance)
    start_time = chance.choice((0.0, 0.0, 0.0, -5.0, 3.7, 1e6, 1.7e9, 1e12 * chance.random()))
    if not pair.init(start_time):
        return pair
    host = Host(pair, chance, start_time)
    for _ in range(steps):
        host.advance()
    pair.closing()
    return pair


def run_extreme(seed: int, steps: int, make: Callable[[random.Random], Settings] = some_settings) -> Pair:
    """Do the same with parameters, times and inputs of any size, and without any order of calls."""
    chance = random.Random(seed)
    pair = Pair(make(chance))
    for _ in range(chance.randint(0, 12)):
        wrong_value(pair, chance)
    pair.preview()
    if not pair.init(any_number(chance)):
        pair.reset()
        set_up(pair, chance)
        pair.set("macro_step", abs(any_number(chance)))
        pair.set("latency.offset", chance.choice((abs(any_number(chance)), any_number(chance), -pair.period)))
        pair.init(chance.choice((any_number(chance), 0.0)))
    if not pair.running:
        return pair
    for _ in range(steps):
        wrong_value(pair, chance) if chance.random() < 0.2 else tune(pair, chance)
        pair.set("y", chance.choice((any_number(chance), chance.uniform(-1.0, 1.0))))
        pair.set("y_time", chance.choice((any_number(chance), pair.time, pair.time - pair.period * chance.random())))
        if chance.random() < 0.3:
            pair.preview()
        pair.step(pair.time, chance.choice((pair.period, abs(any_number(chance)), pair.period * 1e9 * chance.random())))
    return pair


def run_into_errors(steps: int, action: int) -> Pair:
    """Let errors come and go, alone and in rows, with a `quality.action` that heeds them."""
    pair = Pair(plain_settings(choose({"latency.host_lead": 1})))
    for name, value in {"latency.constant_steps": 2, "latency.host_lead": 1, "quality.action": action}.items():
        pair.set(name, value)
    pair.init(0.0)
    for n in range(steps):
        pair.set("y", 0.01 * n + (n % 131 in (0, 1, 7)) * 3.0)
        pair.step(pair.time, pair.period)
    return pair


def run_into_noise(seed: int) -> Pair:
    """Let a neural network learn a tone, then send noise until it is held and returns to its start, then the tone."""
    chance = random.Random(seed)
    foh = with_neural(plain_settings(choose({"network": 14})))
    weights = morphism(np.array([5.0, -4.0]), Shape(), 1)
    rows = [ALL[i - 1] for i in foh.chosen]
    start = tuple(
        float(weights[v.index]) if v.field == "base" else value for v, value in zip(rows, foh.start, strict=True)
    )
    pair = Pair(replace(foh, start=start))
    for name, value in {"latency.constant_steps": 3, "algorithm.selected": 9, "learning.cycle_steps": 20}.items():
        pair.set(name, value)
    pair.init(0.0)
    for n in range(1500):
        pair.set("y", math.sin(0.11 * n) + 0.3 * math.sin(0.3 * n) if n < 400 or n > 1200 else chance.gauss(0.0, 1.0))
        pair.step(pair.time, 0.01)
    return pair
