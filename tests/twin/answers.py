"""A receiver that lags, whose answers the coupling learns from, with accidents of every kind."""

from __future__ import annotations

import math
import random
from dataclasses import replace

from couplant_runtime.variables import choose

from .pair import Pair, any_number
from .scenario import plain_settings

STEP = 0.001


def run_answers(seed: int, count: int = 700) -> Pair:
    """Let a receiver do what the estimate says, `count` communication points long; its lag jumps half-way."""
    chance = random.Random(seed)
    features = choose({"latency.follow": 1, "wrap": seed // 2 % 2})
    pair = Pair(replace(plain_settings(features, fingerprint=seed), event=seed % 2 == 1))
    for name, value in _parameters(chance).items():
        if name in pair.variables:
            pair.set(name, value)
    pair.init(chance.choice((0.0, 1e3)))
    parts, steps = chance.choice((1, 1, 2)), chance.uniform(0.0, 12.0)
    size, accidents = chance.choice((1.0, 1.0, 1e99, 1e-160)), chance.choice((0.0, 0.0, 0.02))
    given: list[float] = []
    for i in range(count):
        lag = int(steps if i < count // 2 else steps + 3) * parts
        given.append(pair.state.reconstruction.y_hat)
        noise = 0.003 * size * chance.gauss(0.0, 1.0)
        pair.set("applied", 0.97 * given[max(0, i - lag)] + noise)
        pair.set("y", size * (math.sin(0.05 * i / parts) + math.sin(0.013 * i / parts)))
        if chance.random() < accidents:
            pair.set("applied", any_number(chance))
        if chance.random() < 0.1 * accidents:
            pair.set("y", any_number(chance))
        if chance.random() < 0.02:
            pair.preview()
        far = chance.random() < 0.05 * accidents
        pair.step(pair.time, STEP / parts * (chance.choice((3, 100)) if far else 1))
        pair.reached.add(("followed", pair.state.follow.followed))
    assert pair.restore(pair.save())
    return pair


def _parameters(chance: random.Random) -> dict[str, float]:
    return {
        "macro_step": STEP,
        "latency.constant_steps": chance.randint(0, 3),
        "latency.offset": STEP * chance.uniform(0.0, 12.0),
        "latency.offset_min": chance.choice((0.0, STEP)),
        "latency.offset_max": STEP * chance.choice((15.0, 15.0, 200.0, 1e-9, 0.0)),
        "latency.follow": chance.choice((2, 3, 3)),
        "algorithm.selected": chance.choice((1, 2, 4, 5)),
        "signal.period": chance.choice((0.0, 1.0)),
        "output.max": chance.choice((1.7976931348623157e308, 0.9)),
    }
