"""Stage 4: does the newest value break with the past? (docs/reference.md 6)"""

import math
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from .runs import STEP, coupling, give

NYQUIST = math.pi


def flags(values, drop=(), **discontinuity):
    """Return the macro steps at which a jump was detected, and the ratios of the spectrum."""
    driver = coupling("zoh", 0, discontinuity={"enabled": True, "detector": "spectral", **discontinuity})
    state = driver.slave.state
    found, ratios = [], []
    for n, y in enumerate(values):
        give(driver, y, valid=n not in drop)
        driver.step(n * STEP, STEP)
        if state.discontinuity.detected:
            found.append(n)
        if n >= 8 and state.discontinuity.spectrum_before > 0.0:
            ratios.append(state.discontinuity.spectrum / state.discontinuity.spectrum_before)
    return found, ratios


@pytest.mark.parametrize("share", [0.02, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.86, 0.9, 0.95, 0.99])
def test_no_tone_is_a_discontinuity(share):
    found, ratios = flags([math.sin(share * NYQUIST * n + 0.3) for n in range(600)])
    assert found == []
    assert max(ratios) <= (1.51 if share <= 0.86 else 1.72)


def test_the_largest_ratio_of_a_tone_is_reached():
    ratios = [max(flags([math.sin(share * NYQUIST * n) for n in range(300)])[1]) for share in (0.3, 0.6, 0.86)]
    assert max(ratios) > 1.3


@pytest.mark.parametrize("slope", [1.0, -0.25, 1e-300, 1e300])
def test_a_ramp_has_ratio_one(slope):
    found, ratios = flags([slope * n for n in range(8, 60)])
    assert found == []
    assert ratios == pytest.approx([1.0] * len(ratios), abs=1e-12)


@pytest.mark.parametrize("constant", [0.0, 1.0, -1e-300, 1e300])
def test_a_constant_is_no_discontinuity(constant):
    assert flags([constant] * 60, sensitivity=1.0) == ([], [])


@pytest.mark.parametrize("constant", [1.0, 0.1, 1e300])
def test_one_unit_in_the_last_place_is_none(constant):
    noisy = [math.nextafter(constant, math.inf) if n % 7 == 3 or n == 40 else constant for n in range(60)]
    assert flags(noisy)[0] == []


@pytest.mark.parametrize("first", range(1, 7))
def test_fewer_than_eight_values_are_not_judged(first):
    assert flags([0.0] * first + [1.0] * 30)[0] == []


def test_the_first_move_from_rest_is_flagged():
    assert flags([0.0] * 20 + [math.sin(0.1 * n) for n in range(1, 40)])[0][0] == 20


def test_white_noise_is_hardly_ever_flagged():
    source = random.Random(5)
    steps = 40000
    found, _ = flags([source.gauss(0.0, 1.0) for _ in range(steps)])
    assert 4e-4 < len(found) / steps < 1.1e-3


@settings(max_examples=80, deadline=None)
@given(
    st.lists(st.integers(-64, 64).map(lambda i: i / 64), min_size=12, max_size=30).filter(lambda s: any(s)),
    st.sampled_from([-1.0, 1.0]),
)
def test_ten_times_the_largest_change_is_a_sure_hit(changes, sign):
    values = [0.0]
    for change in changes:
        values.append(values[-1] + change)
    values.append(values[-1] + sign * 10.0 * max(map(abs, changes)))
    assert len(values) - 1 in flags(values)[0]


def test_a_step_of_three_times_the_change_is_missed_by_design():
    values = [float(n) for n in range(20)] + [float(n + 3) for n in range(20, 40)]
    assert flags(values)[0] == []


@pytest.mark.parametrize("exponent", [-300, -20, 20, 300])
def test_scaling_the_signal_changes_no_flag(exponent):
    values = [math.sin(0.2 * n) + 3.0 * (n > 30) for n in range(60)]
    assert flags([value * 2.0**exponent for value in values])[0] == flags(values)[0] == [31]


def test_the_floor_is_an_amount_of_the_signal():
    values = [0.0] * 20 + [1.0] * 20
    assert flags(values, floor=0.1)[0] == [20]
    assert flags(values, floor=3.0)[0] == []


def test_the_sensitivity_is_tunable():
    values = [math.sin(0.3 * n) + 1.0 * (n > 30) for n in range(60)]
    driver = coupling("zoh", 0, discontinuity={"enabled": True, "detector": "spectral", "sensitivity": 50.0})
    hits = []
    for n, y in enumerate(values * 2):
        if n == 60:
            driver.set("discontinuity.sensitivity", 2.0)
        give(driver, y)
        driver.step(n * STEP, STEP)
        hits += [n] * driver.get("discontinuity.detected")
    assert min(hits) >= 60
    assert 91 in hits


def test_no_news_no_test():
    values = [0.0] * 20 + [5.0] * 20
    found, _ = flags(values, drop={20, 21})
    assert found
    assert 20 not in found
    assert 21 not in found


@pytest.mark.parametrize("gap", [*range(55, 66), 100])
@pytest.mark.parametrize("mode", ["constant", "stamps"])
def test_no_length_of_a_drop_out_breaks_the_detector(gap, mode):
    driver = coupling("eros3", 3, discontinuity={"enabled": True}, latency={"mode": mode})
    for n in range(220):
        give(driver, math.sin(0.05 * n), max(n - 3, 0) * STEP, valid=not 100 <= n < 100 + gap)
        assert driver.step(n * STEP, STEP)


def test_without_detection_nothing_is_flagged():
    driver = coupling("zoh", 0)
    for n in range(40):
        give(driver, float(n > 20))
        driver.step(n * STEP, STEP)
        assert not driver.get("discontinuity.detected")


@pytest.mark.parametrize("detector", ["spectral", "residual"])
def test_given_noise_is_no_break(detector):
    """At a low sensitivity some values of white noise look like breaks."""
    chance = random.Random(4)
    values = [chance.gauss(0.0, 1.0) + 40.0 * (n >= 400) for n in range(500)]
    found = {}
    for noise in (0.0, 1.0):
        sections = {"signal": {"noise": noise}} if noise else {}
        check = {"enabled": True, "detector": detector, "sensitivity": 1.5}
        driver, found[noise] = coupling("foh", 0, discontinuity=check, **sections), []
        for n, y in enumerate(values):
            give(driver, y)
            driver.step(n * STEP, STEP)
            if driver.get("discontinuity.detected"):
                found[noise].append(n)
    assert min(found[0.0]) < 400
    assert min(found[1.0]) == 400
