"""Periodic signals whose phasors the coupling follows, with jumps of phase and accidents of every kind."""

from __future__ import annotations

import math
import random
from dataclasses import replace

from couplant_runtime.algorithms import BY_NAME
from couplant_runtime.variables import choose

from .pair import Pair, any_number
from .scenario import plain_settings

STEP = 0.001


def run_waves(seed: int, count: int = 900) -> Pair:
    """Send a fundamental with harmonics, `count` communication points long; its phase jumps half-way."""
    chance = random.Random(seed)
    plain = plain_settings(choose({"phasor": 1, "messages": 1}), fingerprint=seed)
    pair = Pair(replace(plain, event=seed % 2 == 1))
    nominal = chance.choice((50.0, 60.0, 50.0, 16.7, 400.0, 0.01))
    for name, value in _parameters(chance, nominal).items():
        pair.set(name, value)
    pair.init(chance.choice((0.0, 1e3)))
    parts, size = chance.choice((1, 1, 2)), chance.choice((1.0, 1.0, 1e99, 1e-160, 0.0))
    rate, accidents = nominal * chance.uniform(0.98, 1.02), chance.choice((0.0, 0.0, 0.02))
    for i in range(count):
        angle = 2.0 * math.pi * rate * i * STEP / parts + (0.5 if i > count // 2 else 0.0)
        noise = 0.003 * chance.gauss(0.0, 1.0)
        pair.set("y", size * (math.sin(angle) + 0.05 * math.sin(5.0 * angle) + noise))
        pair.set("y_valid", int(chance.random() >= accidents))
        if chance.random() < 0.1 * accidents:
            pair.set("y", any_number(chance))
        if chance.random() < 0.02:
            pair.preview()
        far = chance.random() < 0.05 * accidents
        pair.step(pair.time, STEP / parts * (chance.choice((3, 100)) if far else 1))
        pair.reached.add(("followed", pair.state.phasor.followed))
        pair.reached.add(("jumped", int(pair.state.phasor.held > 0)))
    assert pair.restore(pair.save())
    return pair


def _parameters(chance: random.Random, nominal: float) -> dict[str, float]:
    return {
        "macro_step": STEP,
        "latency.constant_steps": chance.choice((0, 3, 20, 60)),
        "latency.coast_steps": chance.choice((0, 5)),
        "latency.lost_steps": 200,
        "algorithm.selected": BY_NAME["phasor"].number,
        "algorithm.frequency": nominal,
        "algorithm.harmonics": chance.choice((1, 7, 13, 25)),
        "algorithm.settling": chance.choice((0.1, 3.5)),
        "algorithm.follow": chance.choice((1, 2, 2)),
        "discontinuity.enabled": chance.randint(0, 1),
    }
