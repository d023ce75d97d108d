"""The residual detector: what it must find, and what a detector must not do."""

import math
import random

import numpy as np
import pytest

from couplant_runtime.generated.numbers import FIT
from couplant_runtime.state import State
from tests.runtime.runs import STEP, coupling, give, limit

LIMIT = limit("eros3", 3, "event")


def flags(values, drop=()):
    """Return the macro steps at which a jump was detected."""
    driver = coupling("zoh", 0, discontinuity={"enabled": True, "detector": "residual"})
    found = []
    for n, y in enumerate(values):
        give(driver, y, valid=n not in drop)
        driver.step(n * STEP, STEP)
        if driver.get("discontinuity.detected"):
            found.append(n)
    return found


def tone(chance, steps, noise=0.0, turn=LIMIT):
    phase = chance.uniform(0.0, 6.28)
    return [math.sin(turn * n + phase) + noise * chance.gauss(0.0, 1.0) for n in range(steps)]


def hits(size, noise, trials=100):
    """Return the share of steps that are flagged when they happen, and the flags in the 24 values after them."""
    chance, found, more = random.Random(5), 0, 0
    for _ in range(trials):
        at = chance.randint(60, 110)
        values = tone(chance, at + 25, noise, LIMIT * chance.choice((1.0, 0.5, 0.25)))
        jump = size * chance.choice((-1.0, 1.0))
        seen = flags([y + (jump if n >= at else 0.0) for n, y in enumerate(values)])
        found += at in seen
        more += sum(n > at for n in seen)
    return found / trials, more / trials


def test_false_flags_on_a_noisy_tone_at_the_limit_are_rare():
    values = tone(random.Random(3), 20000, 0.01)
    assert len(flags(values)) <= len(values) / 2000


@pytest.mark.sample(1)
@pytest.mark.parametrize(("size", "noise", "share"), [(0.1, 0.0, 0.95), (0.3, 0.01, 0.9), (1.0, 0.01, 0.95)])
def test_steps_are_hit_and_flagged_once(size, noise, share):
    found, more = hits(size, noise)
    assert found >= share
    assert more <= 0.05


@pytest.mark.sample(6)
@pytest.mark.parametrize("values", [3.99, 3.999, 4.0, 4.001, 4.01])
@pytest.mark.parametrize("phase", [0.0, 0.5, math.pi / 4.0, 1.2])
def test_tones_near_a_quarter_of_the_sampling_rate_are_not_flagged(values, phase):
    """Half of their residuals are near 0 at times, and with them the median."""
    turn = 2.0 * math.pi / values
    found = flags([math.sin(turn * n + phase) for n in range(900)])
    assert [n for n in found if n > 60] == []
    jump = flags([math.sin(turn * n + phase) + 30.0 * (n >= 500) for n in range(600)])
    assert [n for n in jump if n > 60] in ([500], [501])


@pytest.mark.parametrize("constant", [0.0, 1.0, -3e7, 1e-300, 1e300])
def test_a_constant_is_no_discontinuity(constant):
    assert flags([constant] * 60) == []


@pytest.mark.parametrize("constant", [1.0, 0.1, 1e300])
def test_one_unit_in_the_last_place_is_none(constant):
    assert flags([math.nextafter(constant, math.inf) if n % 7 == 3 else constant for n in range(60)]) == []


@pytest.mark.parametrize("slope", [1.0, -0.25, 1e-300])
def test_a_ramp_and_a_parabola_are_none(slope):
    assert flags([slope * n for n in range(60)]) == []
    assert flags([slope * (n - 20.0) ** 2 for n in range(60)]) == []


def test_a_start_from_rest_does_not_lock_it():
    values = [0.0] * 50 + [0.5 * (1.0 - math.cos(0.1 * n)) for n in range(200)]
    values[180:] = [y + 0.3 for y in values[180:]]
    found = flags(values)
    assert [n for n in found if n > 60] == [180]


def test_a_movement_that_goes_on_takes_its_flag_back():
    driver = coupling("eros3", 0, discontinuity={"enabled": True, "detector": "residual"})
    anchors = []
    for n, y in enumerate([0.0] * 30 + [0.001 * n**3 for n in range(1, 10)]):
        give(driver, y)
        driver.step(n * STEP, STEP)
        anchors.append(driver.slave.state.switching.anchor)
    assert anchors[30] == 30
    assert anchors[31] == 0


def test_holes_are_neither_tested_nor_in_the_way():
    chance = random.Random(8)
    drop = {n for n in range(400) if chance.random() < 0.3}
    values = tone(chance, 400)
    assert flags(values, drop) == []
    values = [y + (0.5 if n >= 300 else 0.0) for n, y in enumerate(values)]
    assert flags(values, drop) == [min(n for n in range(300, 320) if n not in drop)]


def test_steps_are_hit_where_many_values_are_lost():
    chance, found = random.Random(4), 0
    for _ in range(60):
        at = chance.randint(60, 110)
        drop = {n for n in range(at + 10) if chance.random() < 0.37}
        first = min(n for n in range(at, at + 20) if n not in drop)
        found += first in flags([y + (n >= at) for n, y in enumerate(tone(chance, at + 10, 0.01))], drop)
    assert found >= 0.95 * 60


def test_the_start_of_a_movement_is_told_from_a_jump_where_many_values_are_lost():
    chance, kept = random.Random(6), 0
    for _ in range(60):
        drop = {n for n in range(46) if chance.random() < 0.37}
        sections = {"latency": {"coast_steps": 20}, "discontinuity": {"enabled": True, "detector": "residual"}}
        driver = coupling("eros3", 0, **sections)
        for n in range(46):
            give(driver, 0.001 * max(0, n - 30) ** 3, valid=n not in drop)
            driver.step(n * STEP, STEP)
        kept += driver.slave.state.switching.anchor < 30
    assert kept >= 0.95 * 60


def test_the_prediction_is_that_of_least_squares():
    from couplant_runtime.stages.residual import _predict

    chance = np.random.default_rng(2)
    for _ in range(50):
        s = State()
        s.residual.fitted_at[:] = list(-np.cumsum(chance.uniform(0.3, 3.0, FIT)))
        s.residual.fitted[:] = list(chance.normal(size=FIT))
        expected = np.polyval(np.polyfit(s.residual.fitted_at, s.residual.fitted, 2), 0.7)
        assert _predict(s, 0.7) == pytest.approx(expected, rel=1e-9, abs=1e-9)
