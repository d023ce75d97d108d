"""A receiver that knows a model of its sender, with messages that come late, twice, incomplete or never."""

from __future__ import annotations

import math
import random
from dataclasses import replace

from couplant_runtime.generated.numbers import EARLIER_COMPANIONS, EARLIER_INPUTS, HORIZONS
from couplant_runtime.plant import BETWEEN, FALLBACKS, Matrix, Plant
from couplant_runtime.variables import choose

from .pair import Pair, any_number
from .scenario import STAMPS, plain_settings

STEP = 0.001
MODEL = 12


def some_plant(chance: random.Random) -> Plant:
    """Return a model of any size; its numbers need not belong to a prototype."""
    n, m, p = chance.randint(1, 8), chance.randint(1, 4), chance.randint(1, 4)

    def rows(count: int, width: int, size: float) -> Matrix:
        return tuple(tuple(chance.uniform(-size, size) for _ in range(width)) for _ in range(count))

    shapes = ((n, n, 1.2 / math.sqrt(n)), (n, m, 0.3), (n, m, 0.1), (p, n, 1.0), (p, m, 0.2), (n, p, 0.3))
    shapes = (*shapes, (n, p + m, 1.0))
    flags = chance.random() < 0.5, chance.choice((0, 1, BETWEEN)), chance.random() < 0.5
    matrices = [rows(*shape) for shape in shapes]
    variance = 10.0 ** chance.uniform(-6.0, 0.0)
    own, share, fallback = chance.randrange(p), chance.choice((1.0, 0.1, 0.5)), chance.choice(list(FALLBACKS.values()))
    return Plant(own, *flags, fallback, share, variance, *matrices)


def run_plants(seed: int, count: int = 500) -> Pair:
    """Let a sender be followed `count` communication points long."""
    chance = random.Random(seed)
    plant = some_plant(chance)
    _, m, p = plant.sizes
    burst = chance.choice((0, 0, 3))
    features = {"plant": m, "companions": p - 1, "given": m * (plant.echo > 0), "burst": burst}
    repeats = chance.choice((burst, burst, 0))
    features |= {"earlier companions": (p - 1) * min(repeats, EARLIER_COMPANIONS // max(p - 1, 1))}
    features |= {"earlier given": m * (plant.echo > 0) * min(repeats, EARLIER_INPUTS // m)}
    plain = plain_settings(choose(features), fingerprint=seed)
    tables = {key: getattr(plain, key) | {"model": (0.1,) * HORIZONS} for key in ("zeta", "delta")}
    pair = Pair(replace(plain, event=seed % 2 == 1, plant=plant, **tables))
    stamped = chance.random() < 0.7
    for name, value in parameters(chance, stamped).items():
        pair.set(name, value)
    pair.init(chance.choice((0.0, 1e3)))
    parts, accidents = chance.choice((1, 1, 2)), chance.choice((0.0, 0.02, 0.1))
    for i in range(count):
        send(pair, chance, i, stamped, burst)
        for name in pair.variables:
            if name.startswith(("u[", "companion[", "given", "earlier")):
                bad = chance.random() < 0.1 * accidents
                pair.set(name, any_number(chance) if bad else math.sin(0.05 * i / parts + len(name) + ord(name[-2])))
        if chance.random() < accidents:
            pair.set("y_valid", 0)
        if chance.random() < 0.1 * accidents:
            pair.set("algorithm.selected", chance.choice((1, 4, MODEL)))
        if chance.random() < 0.05:
            pair.preview()
        far = chance.random() < 0.02 * accidents
        before = pair.state.plant.wrong
        pair.step(pair.time, STEP / parts * (chance.choice((3, 100, 300)) if far else 1))
        pair.reached.add(("active", pair.state.switching.active))
        pair.reached.add(("wrong", before, pair.state.plant.wrong))
        pair.reached.add(("grown", pair.state.plant.grown))
        pair.reached.add(("moved", pair.state.plant.moved > 0))
        pair.reached.add(("falls to", plant.fallback if pair.state.plant.wrong else None))
        pair.reached.add(("again", pair.state.plant.next < pair.state.history.newest))
    assert pair.restore(pair.save())
    return pair


def send(pair: Pair, chance: random.Random, i: int, stamped: bool, burst: int) -> None:
    pair.set("y_valid", 1)
    pair.set("y", math.sin(0.05 * i) + 0.01 * chance.random())
    late = chance.choice((0, 0, 0, 1, 2, 5, 70)) if chance.random() < 0.5 else 0
    if stamped:
        pair.set("y_time", pair.time - STEP * (3 + late))
        for j in range(2, burst + 2):
            pair.set(f"y[{j}]", math.sin(0.05 * (i - j)))
            pair.set(f"y_time[{j}]", pair.time - STEP * (2 + late + j))
            pair.set(f"y_valid[{j}]", 1)


def parameters(chance: random.Random, stamped: bool) -> dict[str, float]:
    return {
        "macro_step": STEP,
        "latency.mode": STAMPS if stamped else 1,
        "latency.constant_steps": chance.choice((0, 1, 3, 40)),
        "latency.offset": STEP * chance.choice((0.0, 0.3, 2.5, -0.7)),
        "latency.coast_steps": chance.choice((3, 20)),
        "algorithm.selected": MODEL,
        "discontinuity.enabled": chance.randint(0, 1),
    }
