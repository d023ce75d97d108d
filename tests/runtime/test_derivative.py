"""The derivative of y in `linear`: polynomials, lost and incomplete messages, jumps, weights of one's own."""

import math

import numpy as np
import pytest

from couplant.analysis.algorithms import FAR, FARTHEST_NEAR, NEAR, Prior, hermite
from couplant.base.errors import UsageError
from tests.runtime.runs import ACTIVE, STEP, coupling, give

STEPS = 60
CUBIC = np.poly1d([0.7, -1.3, 0.4, 2.0])


def wave(t):
    return math.sin(0.2 * t / STEP), 0.2 / STEP * math.cos(0.2 * t / STEP)


def cubic(t):
    return CUBIC(t / STEP / STEPS), CUBIC.deriv()(t / STEP / STEPS) / STEP / STEPS


def run(driver, signal, k, lost=(), silent=(), timing="event", count=STEPS, stamped=False, burst=1):
    """Return estimates and active algorithms; `lost` are messages, `silent` those without the derivative.

    A message repeats `burst` - 1 values with their derivatives.
    """
    found, active = [], []
    for n in range(count):
        sent = max(n - k, 0)
        value, rate = signal(sent * STEP)
        give(driver, value, sent * STEP if stamped else None, valid=n >= k and sent not in lost)
        if "companion[1]" in driver.references:
            driver.set("companion[1]", math.nan if sent in silent else rate)
        for back in range(1, burst):
            before = max(sent - back, 0) * STEP
            told = {"y": signal(before)[0], "y_time": before, "y_valid": sent >= back}
            for name, told_value in told.items():
                driver.set(f"{name}[{back + 1}]", told_value)
            driver.set(f"earlier_companion[{back}]", signal(before)[1])
        if timing == "event":
            found.append(driver.get("y_hat"))
            active.append(ACTIVE[driver.get("algorithm.active")])
        driver.step(n * STEP, STEP)
        if timing == "step":
            found.append(driver.get("y_hat"))
            active.append(ACTIVE[driver.get("algorithm.active")])
    return np.array(found), active


def truth(signal, timing="event", count=STEPS):
    return np.array([signal((n + (timing == "step")) * STEP)[0] for n in range(count)])


def derived(k, timing="event", **sections):
    return coupling("linear", k, timing, derivative="v", **sections)


@pytest.mark.parametrize("timing", ["event", "step"])
@pytest.mark.parametrize("k", [0, 1, FARTHEST_NEAR])
def test_a_cubic_goes_on_exactly(k, timing):
    found, active = run(derived(k, timing, latency={"hold_lead": 0.0}), cubic, k, timing=timing)
    assert set(active[k + NEAR.m :]) == {"linear"}
    assert found[k + NEAR.m :] == pytest.approx(truth(cubic, timing)[k + NEAR.m :], abs=1e-9)


@pytest.mark.parametrize("k", [FARTHEST_NEAR + 1, 20, 64])
def test_at_long_latencies_parabolas_do(k):
    assert hermite(k).degree == FAR.degree
    assert hermite(k, Prior(3, 1)).degree == 1


def test_values_and_derivatives_that_were_lost_lie_on_a_cubic():
    """Two in a row are lost, others, and derivatives alone."""
    driver = derived(1, latency={"mode": "stamps", "coast_steps": 5})
    found, active = run(driver, cubic, 1, lost={20, 30, 31, 37}, silent={24, 43}, stamped=True)
    runs = [n for n in range(12, STEPS) if active[n] == "linear"]
    assert found[runs] == pytest.approx(truth(cubic)[runs], abs=1e-9)
    assert [n for n in range(12, STEPS) if active[n] != "linear"] == [25, 44]


def test_repeated_values_come_with_their_derivatives():
    lost, stamps = {20, 30, 31, 37}, {"mode": "stamps", "coast_steps": 5}
    whole, _ = run(derived(1, latency=stamps), wave, 1, stamped=True)
    repeated, active = run(derived(1, latency=stamps, burst=3), wave, 1, lost=lost, stamped=True, burst=3)
    alone, _ = run(derived(1, latency=stamps), wave, 1, lost=lost, stamped=True)
    news = [n for n in range(12, STEPS) if n - 1 not in lost]
    assert {active[n] for n in news} == {"linear"}
    assert repeated[news] == pytest.approx(whole[news], abs=1e-12)
    assert np.abs(alone - whole)[news].max() > 1e-6


def test_without_its_derivative_the_newest_value_is_continued_by_a_line():
    found, active = run(derived(3), wave, 3, silent={20, 21})
    line, _ = run(coupling("foh", 3, "event"), wave, 3)
    assert active[22:26] == ["linear", "foh", "foh", "linear"]
    assert found[23:25] == pytest.approx(line[23:25], abs=1e-12)


def test_where_no_derivative_is_connected_foh_runs():
    driver = derived(3)
    for n in range(STEPS):
        give(driver, wave(n * STEP)[0], valid=n >= 3)
        driver.step(n * STEP, STEP)
    assert ACTIVE[driver.get("algorithm.active")] == "foh"


@pytest.mark.parametrize("k", [1, 3, 5, 7])
def test_noise_costs_far_less_than_without_the_derivative(k):
    """Noise of 1 % on either; at most half the error of `eros3`, which has the values alone."""
    chance = np.random.default_rng(k)

    def noisy(t):
        value, rate = wave(t)
        return value + 0.01 * chance.standard_normal(), rate + 0.01 * 20.0 * chance.standard_normal()

    both, _ = run(derived(k), noisy, k, count=300)
    driver, alone = coupling("eros3", k, "event"), []
    for n in range(300):
        give(driver, noisy(max(n - k, 0) * STEP)[0], valid=n >= k)
        alone.append(driver.get("y_hat"))
        driver.step(n * STEP, STEP)
    errors = [np.sqrt(np.mean((found - truth(wave, count=300))[30:] ** 2)) for found in (both, np.array(alone))]
    assert errors[0] < 0.5 * errors[1]


def test_no_estimate_has_values_or_derivatives_from_both_sides_of_a_jump():
    def jumps(t):
        value, rate = wave(t)
        return (value, rate) if t < 29.5 * STEP else (5.0 - value, -rate)

    found, active = run(derived(3, discontinuity={"enabled": True, "detector": "residual", "floor": 1.0}), jumps, 3)
    after = active[33 : 33 + NEAR.m]
    assert after == ["zoh", *["foh"] * (NEAR.m - 2), "linear"]
    assert np.all(np.abs(found[33:] - 5.0) < 1.5)


def test_weights_of_ones_own():
    """Taylor's series of first order, by hand: the value, three steps and four steps of the newest derivative."""
    weights = {"selected": "linear", "a": [1.0], "A": [0.0], "b": [3.0], "B": [1.0]}
    driver = coupling(weights, 3, "event", derivative="v")
    found, _ = run(driver, wave, 3)
    expected = [wave(n * STEP)[0] + 3.0 * STEP * wave(n * STEP)[1] for n in range(STEPS - 3)]
    assert found[3:] == pytest.approx(expected, abs=1e-12)
    assert driver.get("algorithm.a[1]") == 1.0


@pytest.mark.parametrize(
    ("algorithm", "more", "text"),
    [
        ({"a": [1.0], "A": [0.0], "b": [1.0]}, {"derivative": "v"}, r"b has length 1 and .*B has length 0"),
        ({"a": [1.0], "A": [0.0], "b": [1.0], "B": [0.0]}, {}, r"allowed together with signals\.s\.derivative"),
        ({"b": [1.0], "B": [0.0]}, {"derivative": "v"}, r"allowed together with signals\.s\.algorithm\.a"),
        ({"table": [{"steps": 3, "a": [1.0], "A": [0.0], "b": [1.0]}]}, {"derivative": "v"}, r"table\[1\]\.b has"),
        ({}, {}, "needs weights"),
    ],
)
def test_what_does_not_fit_is_refused(algorithm, more, text):
    with pytest.raises(UsageError, match=text):
        coupling({"selected": "linear", **algorithm}, 3, "event", **more)


def test_auto_has_it_as_a_member():
    chance = np.random.default_rng(1)

    def noisy(t):
        value, rate = wave(t)
        return value + 0.01 * chance.standard_normal(), rate + 0.2 * chance.standard_normal()

    driver = coupling("auto", 3, "event", derivative="v")
    run(driver, noisy, 3, count=200)
    assert driver.get("auto.linear") > 0.5
