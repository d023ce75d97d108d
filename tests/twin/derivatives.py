"""A receiver that is sent the derivative too, with messages that come late, twice, incomplete or never."""

from __future__ import annotations

import math
import random
from dataclasses import replace

from couplant_runtime.config import Weights
from couplant_runtime.variables import choose

from .pair import Pair, any_number
from .plants import STEP, parameters, send
from .scenario import plain_settings

LINEAR = 6


def some_weights(chance: random.Random, steps: int) -> Weights:
    """Return weights for a latency; some do without the derivative."""

    def row(count: int) -> tuple[float, ...]:
        return tuple(chance.uniform(-2.0, 2.0) for _ in range(count))

    m, n = chance.randint(1, 9), chance.choice((0, 1, 3, 12))
    return Weights(steps, row(m), row(m), row(n), row(n))


def run_derivatives(seed: int, count: int = 300) -> Pair:
    """Estimate a signal from its values and derivatives, `count` communication points long."""
    chance = random.Random(seed)
    burst, single = chance.choice((0, 0, 3)), chance.random() < 0.2
    weights = tuple(some_weights(chance, steps) for steps in ((3,) if single else range(12)))
    if not any(entry.b for entry in weights):
        weights = (replace(weights[0], b=(1.5,), b_slopes=(0.5,)), *weights[1:])
    features = {"companions": 1, "burst": burst, "weights": len(weights[0].a) if single else 0}
    plain = plain_settings(choose(features), fingerprint=seed)
    pair = Pair(replace(plain, event=seed % 2 == 1, weights=weights))
    stamped = chance.random() < 0.7
    for name, value in (parameters(chance, stamped) | {"algorithm.selected": LINEAR}).items():
        pair.set(name, value)
    if single:
        pair.set("latency.offset", 0.0)
        pair.set("latency.constant_steps", 3)
    pair.init(chance.choice((0.0, 1e3)))
    accidents = chance.choice((0.0, 0.02, 0.1))
    for i in range(count):
        send(pair, chance, i, stamped, burst)
        wrong = chance.random() < accidents
        pair.set("companion[1]", any_number(chance) if wrong else 50.0 * math.cos(0.05 * i))
        if chance.random() < 2.0 * accidents:
            pair.set("y_valid", 0)
        if chance.random() < 0.05:
            pair.preview()
        pair.step(pair.time, STEP * (chance.choice((3, 100)) if chance.random() < 0.02 * accidents else 1))
        pair.reached.add(("active", pair.state.switching.active))
        pair.reached.add(("lost", any(pair.state.history.marked[:9])))
    assert pair.restore(pair.save())
    return pair
