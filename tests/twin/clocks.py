"""A sender whose clock is not the receiver's, for long enough that its drift is estimated."""

from __future__ import annotations

import math
import random

from couplant_runtime.variables import chosen

from .pair import Pair
from .scenario import STAMPS, plain_settings

ROUND_TRIP = 4
RATES = (5e-5, -2e-3, -5e-5, 2e-3)


def run_clock(seed: int, messages: int) -> Pair:
    """Let stamps come from a clock that runs away, fast enough at times to reach the limit of what is believed."""
    chance = random.Random(seed)
    pair = Pair(plain_settings(chosen({"clock": 1, "echo": 1})))
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
