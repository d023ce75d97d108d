"""Nothing that remembers is punished: after a day at a bench errors are those of a fresh FMU, 200 macro steps on."""

import os
from functools import lru_cache

import numpy as np
import pytest

from tests.drivers import PythonDriver
from tests.hostile.days import JUDGED, SCENES, Day, day, measured
from tests.hostile.native import after, punished
from tests.hostile.scenes import STEP
from tests.kernel.driver import KernelDriver
from tests.kernel.library import needs_compiler
from tests.runtime.runs import give, interface
from tests.vectors.reader import Setup

pytestmark = needs_compiler
MOST = 1.1
SEED = 20261128
FRESH = int(os.environ.get("COUPLANT_DAYS", np.random.SeedSequence().entropy % 2**31))
"""Of the days of this night; set COUPLANT_DAYS to have those of another."""
HOUR = 360_000


def settings(chance, *algorithms):
    """Return an algorithm with clock, detector and guard at random."""
    sections = {"algorithm": str(chance.choice(algorithms))}
    clock = ({}, {"mode": "stamps"}, {"mode": "stamps", "clock": "free"})[chance.randint(3)]
    detector = (None, "residual", "spectral")[chance.randint(3)]
    guard = float(chance.choice([0.0, 0.25, 0.5]))
    if sections["algorithm"] != "smb":
        sections["discontinuity"] = {"enabled": True, "detector": detector} if detector else {"enabled": False}
    return sections | {"latency": clock, "output": {"guard": guard}}


def plain(chance):
    return settings(chance, "zoh", "foh", "eros3", "eros4", "smb")


def irregular(chance):
    return settings(chance, "irregular")


def auto(chance):
    return settings(chance, "auto")


def network(chance):
    start = {"start": str(chance.choice(["foh", "eros3"]))}
    return {"algorithm": "network", "network": start, "learning": {"cycle_steps": 100, "judge_steps": 50}}


def follow(chance):
    """Return what follows a lag, at first up to 30 % off."""
    sections, lag = settings(chance, "zoh", "foh", "eros3"), float(chance.uniform(1.0, 8.0))
    limits = {"follow": "lag", "offset": lag * STEP * float(chance.uniform(0.7, 1.3)), "offset_max": 12.0 * STEP}
    return sections | {"lag": lag, "latency": sections["latency"] | limits}


def energy(chance):
    """Return the end of a bond that takes back and has a budget; an overload may leave a debt, which is no penalty."""
    rate, source = float(chance.choice([0.02, 0.1])), str(chance.choice(["own", "bond"]))
    bond = {"effort": "s", "take_back": rate, "source": source}
    return settings(chance, "zoh", "foh", "eros3") | {"latency": {"mode": "stamps"}, "bond": bond}


@lru_cache
def ratios(make, seed, count, hours=3000, without=()):
    return np.array([punished(day(seed, number, make, hours, without)) for number in range(count)])


LIMITS = {plain: 0.0, follow: 0.01, irregular: 0.02, energy: 0.05}
"""Share of days that may cost more than a tenth, without overload; docs/irregular.md and others tell of the rest."""
OVERLOADED = {plain: 0.0, follow: 0.02, irregular: 0.06}
NO_OVERLOAD = ("overload",)


def share(make, seed, count, without=(), hours=3000):
    return np.mean(ratios(make, seed, count, hours, without) > MOST)


@pytest.mark.parametrize(("make", "count"), [(plain, 40), (follow, 20), (irregular, 20)])
def test_a_day_costs_nothing(make, count):
    assert share(make, SEED, count, NO_OVERLOAD) <= LIMITS[make]


@pytest.mark.landing("hundreds of days: 3 s of CPU each")
@pytest.mark.parametrize("make", LIMITS)
def test_many_days_cost_nothing(make):
    assert share(make, SEED, 300, NO_OVERLOAD) <= LIMITS[make]


@pytest.mark.landing("hundreds of days: 3 s of CPU each")
@pytest.mark.parametrize("make", OVERLOADED)
def test_days_with_an_overload_cost_next_to_nothing(make):
    assert share(make, SEED, 300) <= OVERLOADED[make]


@pytest.mark.night("1000 days of hours, of a fresh seed: minutes")
@pytest.mark.parametrize("make", LIMITS)
def test_a_thousand_days_of_hours_cost_nothing(make):
    print(f"COUPLANT_DAYS={FRESH}")
    assert share(make, FRESH, 1000 // len(LIMITS), NO_OVERLOAD, HOUR) <= LIMITS[make] + 0.01


@pytest.mark.landing("200 days of rest: 3 s of CPU")
def test_after_rest_auto_is_nearly_a_fresh_one():
    """What its members learnt of the noise at rest is forgotten; what they learnt of movement is not."""
    found = ratios(auto, SEED, 200, 3000, tuple(name for name in SCENES if name != "rest"))
    assert np.median(found) <= 1.02 and np.mean(found > MOST) <= 0.35


@pytest.mark.parametrize("make", [auto, network, energy])
def test_no_day_ends_a_run(make):
    assert np.isfinite(ratios(make, SEED, 10)).all()


def test_days_have_all_scenes():
    seen = {name for number in range(40) for name in day(SEED, number, plain).scenes}
    assert seen == {*SCENES, "motion"}


@pytest.mark.parametrize("noise", [1.25e-4, 2.0**-23, 0.0])
@pytest.mark.parametrize("seed", range(3))
def test_noise_at_rest_is_no_evidence_against_weights(seed, noise):
    """Of 30 s of rest, by a sensor or a bit of a converter, half an hour of motion cost .5 to .58 of ZOH."""
    chance, n = np.random.RandomState(seed), np.arange(3000)
    turns, sizes = 2.0 * np.pi * chance.uniform(0.3, 2.0, 4) * STEP, chance.uniform(0.3, 1.0, 4)
    motion = (sizes * np.sin(np.outer(n, turns) + chance.uniform(0.0, 6.3, 4))).sum(axis=1)
    true = measured(chance, np.concatenate([np.full(n.size, motion[0]), motion, motion[-1:]]), noise)
    sent = np.maximum(np.arange(2 * n.size) - 3, -1)
    one = Day("irregular", "event", {}, (), 3, 0, False, true, sent, 0.0 * sent, n.size - JUDGED, noise)
    held = float(np.sqrt(np.mean((true[n.size - 3 : -4] - true[n.size : -1]) ** 2)))
    assert after(one) <= 0.13 * held


@pytest.mark.parametrize("kind", [PythonDriver, KernelDriver])
@pytest.mark.parametrize("clock", ["common", "free"])
def test_a_lost_sender_that_comes_back_with_an_older_clock_begins_anew(kind, clock):
    """Off for 3 s, its clock 1 s behind from then on: its stamps advance, and would be 103 macro steps late."""
    driver = kind(Setup(), interface("foh", 0, "event", latency={"mode": "stamps", "clock": clock, "minimum": 0.03}))
    steps = []
    for n in range(500):
        late = 100 if n >= 400 else 0
        give(driver, 0.01 * (n - 3), (n - 3 - late) * STEP, valid=3 <= n < 100 or n >= 400)
        driver.step(n * STEP, STEP)
        steps.append((driver.committed("latency.steps"), driver.committed("state"), driver.state.algorithm.level))
    assert {k for k, *_ in steps[10:100]} == {3} and {k for k, *_ in steps[420:]} == {3}
    assert {state for _, state, _ in steps[440:]} == {2}
    assert [level for *_, level in steps[440:]] == pytest.approx([0.01 * n for n in range(440, 500)], abs=1e-9)


@pytest.mark.parametrize("kind", [PythonDriver, KernelDriver])
def test_a_lost_sender_on_a_slower_way_is_believed(kind):
    driver = kind(Setup(), interface("foh", 0, "event", latency={"mode": "stamps"}))
    for n in range(500):
        late = 43 if n >= 400 else 3
        give(driver, 0.01 * (n - late), (n - late) * STEP, valid=3 <= n < 100 or n >= 400)
        driver.step(n * STEP, STEP)
    assert driver.committed("latency.steps") == 43
