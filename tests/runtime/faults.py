"""A sender whose clock goes wrong: what the FMU makes of it, against holding the last value accepted before."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from typing import NamedTuple

from couplant_runtime.generated.constants import STRAYS
from couplant_runtime.generated.numbers import RUNNING
from tests.drivers import PythonDriver
from tests.runtime.runs import interface

STEP = 0.01
K = 3
LATENCY = K * STEP
BEFORE = 300
LOST = 64
WITHIN = LOST + 32
OWN = {"free": 1234.5, "relative": -77.25, "round_trip": 5e4}
"""Lead of the sender's clock on the receiver's where they differ [s]."""
MODES = {
    "stamps": {"mode": "stamps"},
    "resequenced": {"mode": "resequenced", "constant_steps": 5},
    "free": {"mode": "stamps", "clock": "free", "minimum": LATENCY},
    "relative": {"mode": "stamps", "clock": "free"},
    "round_trip": {"mode": "round_trip"},
}


def signal(name: str, seed: int) -> Callable[[float], float]:
    """Return a signal over time [s], in macro steps of 10 ms: smooth, telegraph or noisy."""
    chance = random.Random(seed)
    phase = chance.uniform(0.0, 6.0)
    if name == "smooth":
        return lambda t: math.sin(5.0 * t + phase) + 0.3 * math.cos(11.0 * t)
    if name == "noisy":
        noise = [chance.gauss(0.0, 0.05) for _ in range(4096)]
        return lambda t: math.sin(5.0 * t + phase) + noise[round(t / STEP) % 4096]
    level, flips = 1.0, []
    for _ in range(4096):
        level = -level if chance.random() < 0.03 else level
        flips.append(level)
    return lambda t: flips[round(t / STEP) % 4096]


class Outcome(NamedTuple):
    """What a run with a fault came to."""

    steps: int  # good stamps from the fault until the FMU runs for good; more than `WITHIN`: it never does
    error: float  # rms error from the fault to recovery [signal unit]
    held: float  # the same of holding the last value accepted before
    origins: int  # times that the origin moved


class Scene:
    """A sender `K` steps away, one message a macro step; `clock(n)` is what the fault adds to its stamps [s].

    `stamp(n, right)` may replace single stamps.
    """

    def __init__(self, mode, timing, algorithm="eros3", driver=PythonDriver, of="smooth", seed=1, **latency):
        self.mode, self.event = mode, timing == "event"
        settings = MODES[mode] | latency
        self.host = driver(interface=interface(algorithm, 0, timing, STEP, latency=settings))
        self.value = signal(of, seed)
        self.own = OWN.get(mode, 0.0)
        self.n, self.y_hat, self.origins, self.origin = 0, 0.0, 0, None

    def run(self, steps: int) -> Scene:
        """Do macro steps without a fault."""
        for _ in range(steps):
            self.step()
        return self

    def step(self, added=0.0, replaced=None, value=None) -> float:
        """Do one macro step with the message of `K` steps ago; return the error of the estimate."""
        host, n = self.host, self.n
        now, sent = n * STEP, (n - K) * STEP
        arrived = n >= K
        host.set("y_valid", arrived)
        if arrived:
            host.set("y", self.value(sent) if value is None else value)
            host.set("y_time", sent + self.own + added if replaced is None else replaced)
            if self.mode == "round_trip":
                host.set("y_echo", (n - 2 * K) * STEP)
        ahead = 0 if self.event else 1
        if self.event:
            self.y_hat = host.get("y_hat")
        assert host.step(now, STEP)
        if not self.event:
            self.y_hat = host.get("y_hat")
        self.n += 1
        filled, origin = host.state.history.filled, host.state.history.origin
        if filled and self.origin is not None and origin != self.origin:
            self.origins += 1
        if filled:
            self.origin = origin
        return self.y_hat - self.value((n + ahead) * STEP)

    @property
    def runs(self) -> bool:
        state = self.host.state
        return state.switching.mode == RUNNING and state.grid.n - state.history.news == 0


def outcome(scene: Scene, clock: Callable[[int], float]) -> Outcome:
    """Let `clock(i)` [s] be added to the stamp of message `i` from now on, and see what comes of it.

    A window has `STRAYS` steps at least: an FMU that goes on has recovered at once.
    """
    held, before = scene.host.state.history.past[0], scene.origins
    errors, holds, last = [], [], 0
    for i in range(WITHIN + STRAYS):
        errors.append(scene.step(clock(i)))
        holds.append(held - scene.value((scene.n - 1 + (not scene.event)) * STEP))
        last = last if scene.runs else i + 1
    window = min(max(last, STRAYS), WITHIN)
    return Outcome(last, rms(errors[:window]), rms(holds[:window]), scene.origins - before)


def rms(errors: list[float]) -> float:
    """Return the root mean square."""
    return math.sqrt(sum(error * error for error in errors) / len(errors))


def disturbed(seed: int, driver: type, jump: float) -> tuple[int, float]:
    """Return good stamps until the FMU runs for good, and the mean latency after them [macro steps].

    A clock is set by `jump` [s] while messages take `K` to `K` + 2 steps, some are lost, and those that arrive
    together are seen as one.
    """
    chance = random.Random(seed)
    mode = ("stamps", "free", "round_trip")[seed % 3]
    latency = MODES[mode] | {"coast_steps": 10}
    host = driver(interface=interface("foh", 0, ("step", "event")[seed // 3 % 2], STEP, latency=latency))
    state, under_way, good, last, leads = host.state, [], 0, 0, []
    for n in range(900):
        if chance.random() >= 0.05:
            under_way.append((n + K + chance.randint(0, 2), n))
        here = [sent for arrival, sent in under_way if arrival <= n]
        under_way = [message for message in under_way if message[0] > n]
        host.set("y_valid", bool(here))
        if here:
            sent = max(here)
            host.set("y", math.sin(0.05 * sent))
            host.set("y_time", sent * STEP + OWN.get(mode, 0.0) + (jump if sent >= BEFORE else 0.0))
            if mode == "round_trip":
                host.set("y_echo", (sent - K) * STEP)
            good += sent >= BEFORE
        host.step(n * STEP, STEP)
        if state.switching.mode != RUNNING or n - state.history.news > 10:
            last = good
        leads.append(state.latency.seconds / STEP)
    return last, sum(leads[-200:]) / 200
