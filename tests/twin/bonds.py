"""Ends of power bonds, with conjugates, messages of the far end and budgets of any size."""

from __future__ import annotations

import math
import random
from dataclasses import replace

from couplant_runtime.guard import NO_STAMP
from couplant_runtime.variables import choose

from .pair import Pair
from .scenario import plain_settings

STEP = 0.02


def run_bond(seed: int, count: int = 300) -> Pair:
    """Run one end of a bond with random settings over `count` communication points."""
    chance = random.Random(seed)
    settings = replace(plain_settings(choose({"energy": 1}), fingerprint=seed), event=seed % 2 == 1)
    pair = Pair(settings)
    for name, value in _parameters(chance).items():
        pair.set(name, value)
    if not pair.init(0.0):
        return pair
    parts = chance.choice((1, 1, 2, 4))
    passed = 0.0
    for i in range(count):
        if chance.random() < 0.02:
            pair.set("energy.budget", chance.choice((0.0, 1e-3, 1.0)))
        if chance.random() < 0.01:
            pair.set("bypass", chance.randint(0, 1))
        passed += chance.random() * 1e-3
        _inputs(pair, chance, passed)
        if chance.random() < 0.3:
            pair.preview()
        pair.step(pair.time, STEP / parts * (3 if i % 97 == 96 else 1))
    pair.restore(pair.save())
    return pair


def _parameters(chance: random.Random) -> dict[str, float]:
    return {
        "macro_step": STEP,
        "latency.mode": chance.choice((1, 1, 2)),
        "latency.constant_steps": chance.randint(0, 5),
        "latency.coast_steps": 2,
        "latency.lost_steps": 8,
        "quality.action": chance.randint(1, 4),
        "output.on_loss": chance.randint(1, 2),
        "output.max": chance.choice((1.7976931348623157e308, 0.8)),
        "algorithm.selected": chance.choice((1, 2, 4, 5)),
        "energy.kind": chance.randint(0, 3),
        "energy.conjugate_is": chance.randint(1, 2),
        "energy.reversed": chance.randint(0, 1),
        "energy.stale": chance.randint(0, 1),
        "energy.source": chance.randint(1, 2),
        "energy.stiffness": chance.choice((0.0, 0.0, 2.0)),
        "energy.take_back": chance.choice((0.0, 0.02, 1.0)),
        "energy.give_back": chance.randint(0, 1),
        "energy.cap": chance.choice((0.0, 1.0, 10.0)),
        "energy.budget": chance.choice((0.0, 1e-6, 1e-2, 1e300)),
        "energy.alert": chance.choice((0.0, 0.9, 1.0)),
    }


def _inputs(pair: Pair, chance: random.Random, passed: float) -> None:
    time, size = pair.time, chance.choice((1.0, 1.0, 1.0, 1e160))
    late = chance.randint(0, 5) * STEP
    pair.set("y", size * math.sin(3.0 * (time - late)) + 0.01 * chance.random())
    pair.set("y_time", time - late)
    pair.set("y_valid", int(chance.random() > 0.05))
    odd = chance.choice((math.nan, math.inf, 1e200, 0.0))
    pair.set("conjugate", odd if chance.random() < 0.03 else math.cos(3.0 * time))
    pair.set("energy.far_given", odd if chance.random() < 0.03 else 0.01 * math.sin(time))
    passed = chance.choice((math.nan, 0.0, 1e9, -1e9)) if chance.random() < 0.05 else passed - (passed > 0.1) * 0.09
    pair.set("energy.far_passed", passed)
    anew = 100.0 if time > 2.0 else 0.0
    pair.set("energy.far_time", NO_STAMP if chance.random() < 0.1 else time - late - anew)
