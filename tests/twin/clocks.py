"""A sender whose clock is not the receiver's, for long enough that its drift is estimated."""

from __future__ import annotations

import math
import random

from couplant_runtime.variables import choose

from .pair import Pair, any_number
from .scenario import STAMPS, plain_settings

ROUND_TRIP = 4
RATES = (5e-5, -2e-3, -5e-5, 2e-3)


def run_clock(seed: int, messages: int) -> Pair:
    """Let stamps come from a clock that runs away, fast enough at times to reach the limit of what is believed."""
    chance = random.Random(seed)
    pair = Pair(plain_settings(choose({"clock": 1, "echo": 1})))
    mode, rate = (STAMPS, ROUND_TRIP)[seed // 2 % 2], RATES[seed % 4]
    values = {"macro_step": 0.01, "latency.mode": mode, "latency.clock": 2, "algorithm.selected": 4}
    for name, value in {**values, "latency.minimum": chance.choice((0.0, 0.02))}.items():
        pair.set(name, value)
    pair.init(0.0)
    for _ in range(messages):
        late = chance.uniform(0.02, 0.05)
        pair.set("y_time", 7.0 + (1.0 + rate) * (pair.time - late))
        pair.set("y_echo", pair.time - 2.0 * late)
        pair.set("y", math.sin(3.0 * pair.time))
        pair.step(pair.time, 0.01)
    return pair


def run_faults(seed: int, steps: int) -> Pair:
    """Let the clock be set again and again, with jitter, loss, strays among the stamps and old messages once more."""
    chance = random.Random(seed)
    pair = Pair(plain_settings(choose({"clock": 1, "echo": 1, "burst": 2, "wrap": 1})))
    values = {"macro_step": 0.01, "latency.mode": (STAMPS, 3, ROUND_TRIP)[seed % 3], "latency.clock": 1 + seed // 3 % 2}
    values |= {"latency.minimum": chance.choice((0.0, 0.02)), "latency.lost_steps": chance.choice((0, 20, 64))}
    values |= {"signal.period": chance.choice((0.0, 0.4)), "algorithm.selected": chance.choice((2, 3, 4))}
    for name, value in values.items():
        pair.set(name, value)
    pair.init(0.0)
    jitter, loss, ahead = chance.choice((0.0, 0.02)), chance.choice((0.0, 0.1)), 0.0
    sent = [(0.0, 0.0)]
    for n in range(steps):
        if chance.random() < 0.02:
            ahead = chance.choice((0.0, chance.uniform(-0.3, 0.3), chance.uniform(-9.0, 9.0)))
        stamp, y = pair.time + ahead - 0.03 - chance.uniform(0.0, jitter), math.sin(0.05 * n)
        sent = [*sent[-90:], (stamp, y)]
        if chance.random() < 0.1:
            stamp, y = chance.choice((chance.choice(sent), (any_number(chance), y), (stamp + 0.5, y)))
        for name, value in (("y", y), ("y_time", stamp), ("y_time[2]", sent[-2][0]), ("y[2]", sent[-2][1])):
            pair.set(name, value)
        pair.set("y_valid", int(chance.random() >= loss))
        pair.set("y_valid[2]", 1)
        pair.set("y_echo", pair.time - 0.06)
        pair.step(pair.time, 0.01 * chance.choice((1.0, 1.0, 1.0, 0.5)))
    return pair
