"""The algorithm `irregular`: weights for any ages against an independent solution, and what they must keep."""

import math
import random
from functools import lru_cache

import numpy as np
import pytest
from scipy.integrate import quad

from couplant.analysis.exact.autocorrelation import spectrum_of_band
from couplant_runtime.algorithms import irregular, least_squares
from couplant_runtime.generated.constants import CAREFUL, CAREFUL_TOTAL, LARGEST_TOTAL, LEAST_TOTAL, PAUSE
from couplant_runtime.generated.numbers import KNOTS, PATTERNS, TERMS
from tests.runtime.runs import STEP, coupling, give, names, rms

LOW, HIGH, NOISE = 0.01, 0.24, 2e-6
POWER = HIGH - LOW + 3e-3 * HIGH**6 / 5.0 * (HIGH**-5 - math.pi**-5)
KNOWN = spectrum_of_band(LOW, HIGH, 8, 2, NOISE)
TICKS = irregular.TICKS


def weights(ages, lead, degree=2):
    now, change = least_squares.weights(ages, len(ages), lead, degree, NOISE, KNOWN.correlation, KNOWN.gradient)
    return np.array([1.0 - sum(now), *now]), np.array([-sum(change), *change])


def density(omega):
    """Return the power of a signal in the band and of the tail above it."""
    return 1.0 if omega <= HIGH else 3e-3 * (HIGH / omega) ** 6


@lru_cache
def wave(x):
    """Return the autocorrelation at a distance of x macro steps by adaptive integration."""
    precise = {"weight": "cos", "wvar": x, "epsabs": 1e-14, "limit": 400}
    parts = [quad(density, *ends, **precise)[0] for ends in ((LOW, HIGH), (HIGH, math.pi))]
    return sum(parts) / POWER


def correlation(x):
    return np.vectorize(lambda one: wave(abs(float(one))))(x)


def solved(times, at, degree):
    """Return the weights by a general solver: least squares over the band with Lagrange multipliers."""
    m = len(times)
    powers = times[:, None] ** np.arange(degree + 1)
    system = np.zeros((m + degree + 1,) * 2)
    system[:m, :m] = correlation(times[:, None] - times) + NOISE * np.eye(m)
    system[:m, m:], system[m:, :m] = powers, powers.T
    right = np.concatenate([correlation(at - times), float(at) ** np.arange(degree + 1)])
    return np.linalg.solve(system, right)[:m]


def some_ages(chance, count):
    return [0, *sorted(chance.sample(range(TICKS // 2, 20 * TICKS, TICKS // 4), count - 1))]


def test_the_weights_are_those_of_a_general_solver():
    chance = random.Random(4)
    for _ in range(60):
        ages, lead = some_ages(chance, 8), chance.randint(0, 24) * TICKS // 4
        times = -np.array(ages) / TICKS
        now, change = weights(ages, lead)
        first, second = (solved(times, (lead + late) / TICKS, 2) for late in (0, TICKS))
        assert now == pytest.approx(first, rel=1e-4, abs=1e-4 * np.abs(first).max())
        assert change == pytest.approx(second - first, rel=1e-4, abs=1e-4 * np.abs(first).max())


@pytest.mark.parametrize("count", [1, 2, 3, 5, 8, 10])
@pytest.mark.parametrize("degree", [0, 1, 2, 3])
def test_polynomials_are_continued_exactly(count, degree):
    chance = random.Random(count)
    ages, lead = some_ages(chance, count), int(3.3 * TICKS)
    times = -np.array(ages) / TICKS
    now, change = weights(ages, lead, degree)
    for power in range(min(degree, (count - 1) // 2) + 1):
        at = lead / TICKS
        assert now @ times**power == pytest.approx(at**power, rel=1e-6)
        assert change @ times**power == pytest.approx((at + 1.0) ** power - at**power, rel=1e-5, abs=1e-6)


def test_the_table_is_the_integral_over_the_band_and_its_tail():
    for x in (0.0, 0.25, 3.0, 40.0, 97.75):
        assert least_squares.covariance(int(x * TICKS), KNOWN.correlation, KNOWN.gradient) == pytest.approx(
            wave(x), abs=1e-12
        )
    between = range(0, 90 * TICKS, 123456)
    found = [least_squares.covariance(t, KNOWN.correlation, KNOWN.gradient) for t in between]
    assert np.abs(np.array(found) - correlation(np.array(between) / TICKS)).max() < 2e-8
    assert len(KNOWN.correlation) == KNOTS


@pytest.mark.parametrize("low", [0.0, 0.001, 2.0])
def test_the_table_is_that_of_a_spectrum_whatever_the_band(low):
    known = spectrum_of_band(low, low + 0.002, 9, 2, NOISE)
    distances = np.abs(np.subtract.outer(np.arange(40), np.arange(40))) * 4
    assert known.correlation[0] == pytest.approx(1.0, abs=1e-15)
    # differences of integrals over a band of 0.002 are good to 1e-13, eigenvalues sum 40 of them
    assert np.linalg.eigvalsh(np.array(known.correlation)[distances]).min() > -1e-12


def run(values, lost=(), late=0, algorithm="irregular", latency=None, timing="step"):
    """Return the estimates at the end of each macro step, with stamps and `late` steps of latency."""
    driver = coupling(algorithm, timing=timing, latency={"mode": "stamps", **(latency or {})})
    out = []
    for n in range(len(values) + late):
        if n >= late:
            give(driver, values[n - late], (n - late) * STEP, valid=n - late not in lost)
        driver.step(n * STEP, STEP)
        out.append(driver.get("y_hat"))
    return driver, out


def test_constants_are_kept_to_the_last_bit():
    _, out = run([0.1] * 50, lost={12, 13, 30}, late=3)
    assert out[4:] == [0.1] * (len(out) - 4)


def test_holes_cost_nothing_on_a_tone_in_the_band():
    chance = random.Random(2)
    lost = {n for n in range(400) if chance.random() < 0.3}
    wave = [math.sin(0.15 * n) for n in range(400)]

    def error(algorithm):
        _, out = run(wave, lost, 3, algorithm, {"coast_steps": 20}, "event")
        return rms([out[n] - math.sin(0.15 * (n + 1)) for n in range(40, 400)])

    assert error("irregular") < 0.25 * min(error("eros3"), error("foh"))


def test_it_runs_after_as_many_slots_as_it_uses():
    driver, _ = run([math.sin(0.1 * n) for n in range(9)])
    assert names(driver) == ("irregular", "running")
    driver, _ = run([math.sin(0.1 * n) for n in range(8)])
    assert names(driver) == ("foh", "starting")


def test_equal_patterns_of_ages_are_solved_once(monkeypatch):
    calls = []
    original = irregular._tame_weights
    monkeypatch.setattr(irregular, "_tame_weights", lambda *a: calls.append(a) or original(*a))
    runs = [run([math.sin(0.1 * n) for n in range(200)], lost) and len(calls) for lost in ((), {50}, {50, 100})]
    assert runs == [1, 1 + 10, 1 + 10 + 10]


@pytest.mark.parametrize(("timing", "bounded"), [("step", True), ("event", False)])
def test_weights_for_unlucky_ages_are_solved_with_more_noise_in_step_timing(timing, bounded):
    """Ages like those of a closed loop at a latency of four to six macro steps, where weights used to total 345."""
    driver, chance = coupling("irregular", timing=timing, latency={"mode": "stamps"}), random.Random(2)
    under_way, totals = [], []
    for n in range(600):
        under_way.append((n + chance.randint(4, 6), n))
        here = max((sent for arrival, sent in under_way if arrival <= n), default=None)
        under_way = [message for message in under_way if message[0] > n]
        give(driver, math.sin(0.1 * (here or 0)), (here or 0) * STEP, valid=here is not None)
        driver.step(n * STEP, STEP)
        own = driver.state.irregular
        for place in range(0, PATTERNS * TERMS, TERMS):
            ends = [now + late for now, late in zip(own.term_level, own.term_slope, strict=True)][place : place + TERMS]
            totals.append(sum(map(abs, ends)) + abs(1.0 - sum(ends)))
    assert (max(totals) <= LARGEST_TOTAL) == bounded


def total(driver):
    """Return the sizes of the weights in use at the end of the step, -."""
    c, s = driver.slave.settings, driver.state
    slots, pattern = irregular._newest_slots(c, s)
    level, slope = irregular._tame_weights(c, pattern)
    assert len(slots) == pattern[1]
    return irregular._total(level, slope)


@pytest.mark.parametrize("timing", ["event", "step"])
def test_a_ruinous_skill_makes_the_weights_small_for_longer_each_time(timing):
    """A tone far above the band, as of a loop that the gain of the estimates makes unstable."""
    driver, totals, patience = coupling("irregular", 6, timing), [], []
    for n in range(1200):
        give(driver, math.sin(0.65 * n) if n > 100 else math.sin(0.1 * n))
        driver.step(n * STEP, STEP)
        totals.append(total(driver))
        patience.append(driver.state.irregular.patience)
    first = patience.index(CAREFUL)
    assert 100 < first < 130 and min(totals[40:first]) > 2.0 * CAREFUL_TOTAL
    assert max(totals[first : first + PAUSE]) <= CAREFUL_TOTAL
    second = patience.index(4 * CAREFUL)
    assert PAUSE <= second - first <= CAREFUL + PAUSE and max(totals[second:]) <= LEAST_TOTAL
    assert driver.get("quality.skill") > -1.0


def test_larger_weights_are_tried_again():
    driver, careful = coupling("irregular", 3, "event"), []
    for n in range(800):
        give(driver, math.sin(0.1 * n) + (0.5 * math.sin(0.8 * n) if 100 < n < 130 else 0.0))
        driver.step(n * STEP, STEP)
        careful.append(driver.state.irregular.careful)
    first = careful.index(CAREFUL)
    assert careful[first + CAREFUL] == 0 and max(careful[first + 1 :]) < CAREFUL
    assert driver.get("quality.skill") > 0.9 and total(driver) > 2.0 * CAREFUL_TOTAL


def test_auto_does_not_look_at_its_own_skill_for_its_member():
    driver = coupling("auto", 6, "event")
    for n in range(400):
        give(driver, math.sin(0.8 * n))
        driver.step(n * STEP, STEP)
        assert driver.state.irregular.patience == 0
