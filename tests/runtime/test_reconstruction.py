"""Stage 8: continue the estimate between macro steps, limit it, give it out."""

import math
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from .runs import ALL, STEP, coupling, estimates, give

SIGNAL = [math.sin(0.2 * n) + 0.1 * math.cos(1.1 * n) for n in range(60)]


def split(algorithm, parts, timing="step", **sections):
    """Return the estimates at the ends of macro steps that are divided at `parts` (positions between 0 and 1)."""
    driver = coupling(algorithm, 2, timing, macro_step=0.25, **sections)
    marks = [0.0, *sorted(set(parts)), 1.0]
    out = []
    for n, y in enumerate(SIGNAL):
        give(driver, y)
        for begin, end in pairwise(marks):
            assert driver.step((n + begin) * 0.25, (n + end) * 0.25 - (n + begin) * 0.25)
        out.append(driver.get("y_hat"))
    return out


@pytest.mark.parametrize("timing", ["step", "event"])
@pytest.mark.parametrize("algorithm", ALL)
def test_a_step_split_in_two_equals_one(algorithm, timing):
    assert split(algorithm, [0.5], timing) == split(algorithm, [], timing)


@settings(max_examples=25, deadline=None)
@given(st.lists(st.integers(1, 63).map(lambda i: i / 64), max_size=6), st.sampled_from(["linear", "hold"]))
def test_any_division_of_the_macro_step_ends_at_the_same_estimate(parts, reconstruction):
    sections = {"reconstruction": reconstruction, "output": {"min": -0.9, "max": 0.8}}
    assert split("eros3", parts, **sections) == split("eros3", [], **sections)


@pytest.mark.parametrize("reconstruction", ["linear", "hold"])
def test_inside_the_macro_step(reconstruction):
    driver = coupling("foh", 1, macro_step=0.25, reconstruction=reconstruction)
    for n in range(6):
        for part in range(4):
            give(driver, float(n))
            driver.step((n + part / 4) * 0.25, 0.0625)
            if n < 2:
                continue
            theta = (part + 1) / 4
            expected = theta if reconstruction == "linear" or theta == 1.0 else 0.0
            assert driver.get("y_hat") == n + 1 + expected


@pytest.mark.parametrize("ratio", [0.3, 0.7, 0.998, 1.1, 1.5])
def test_a_step_size_that_does_not_divide_the_macro_step(ratio):
    """On a line FOH without latency is exact for any end of a step that theta <= 2 reaches."""
    driver = coupling("foh", 0)
    t = 0.0
    for i in range(60):
        give(driver, 5.0 * math.floor(t / STEP + 1e-6) * STEP)
        driver.step(t, ratio * STEP)
        t = t + ratio * STEP
        if i > 8:
            assert driver.get("y_hat") == pytest.approx(5.0 * t, abs=1e-9)
    assert sum("divide" in message.msg for message in driver.slave.log_queue) == 1


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.floats(-1e6, 1e6), min_size=12, max_size=20),
    st.floats(-10.0, 0.0),
    st.floats(0.1, 10.0),
    st.floats(1.0, 1e3),
    st.sampled_from(["step", "event"]),
)
def test_limits_and_rate_always_hold(values, low, high, rate, timing):
    driver = coupling("eros3", 1, timing, output={"min": low, "max": high, "rate_max": rate})
    before = driver.get("y_hat")
    for n, y in enumerate(values):
        give(driver, y)
        if timing == "event":
            now = driver.get("y_hat")
            assert abs(now - before) <= rate * STEP * (1.0 + 1e-9) + 1e-12 or n == 0
            before = now
        driver.step(n * STEP, STEP)
        given_out = driver.get("y_hat")
        assert low <= given_out <= high
        assert driver.get("output.limited") == (given_out != driver.get("debug.unlimited"))
        if timing == "step":
            assert abs(given_out - before) <= rate * STEP * (1.0 + 1e-9) + 1e-12
            before = given_out


def test_limits_change_nothing_but_the_output():
    plain, limited = coupling("smb", 2), coupling("smb", 2, output={"min": -0.1, "max": 0.1})
    for n, y in enumerate(SIGNAL):
        for driver in (plain, limited):
            give(driver, y)
            driver.step(n * STEP, STEP)
        assert limited.get("debug.unlimited") == plain.get("y_hat")
        assert limited.get("quality.error") == plain.get("quality.error")


def test_limits_are_tunable():
    driver = coupling("zoh", 0)
    assert estimates(driver, [5.0, 5.0]) == [5.0, 5.0]
    driver.set("output.max", 3.0)
    assert estimates(driver, [5.0], first=2) == [3.0]
    driver.set("output.min", 4.0)
    assert estimates(driver, [0.0], first=3) == [0.0]


def test_bypass_gives_y_and_keeps_the_rest_running():
    plain, bypassed = coupling("eros4", 2), coupling("eros4", 2, bypass=True)
    for n, y in enumerate(SIGNAL):
        for driver in (plain, bypassed):
            give(driver, y)
            driver.step(n * STEP, STEP)
        assert bypassed.get("y_hat") == y
        for name in ("quality.error", "algorithm.active", "debug.level", "debug.slope", "quality.skill"):
            assert bypassed.get(name) == plain.get(name)
    bypassed.set("bypass", False)
    assert estimates(bypassed, [0.5], first=60) == estimates(plain, [0.5], first=60)


@pytest.mark.parametrize("rate", [1.0, 50.0])
def test_a_lost_signal_goes_to_the_safe_value_no_faster_than_allowed(rate):
    output = {"on_loss": "safe", "safe_value": -2.0, "rate_max": rate}
    driver = coupling("zoh", 0, latency={"coast_steps": 2, "lost_steps": 5}, output=output)
    estimates(driver, [0.0] * 10)
    given_out = estimates(driver, [0.0] * 300, drop=range(400), first=10)
    assert given_out[:5] == [0.0] * 5
    assert given_out[-1] == -2.0
    assert all(before - now <= rate * STEP * (1.0 + 1e-9) for before, now in pairwise(given_out))


def test_the_start_value_is_given_out_before_any_value():
    driver = coupling("foh", 0, start=4.0, latency={"mode": "stamps"}, output={"max": 3.0})
    assert driver.get("y_hat") == 3.0
    assert estimates(driver, [9.0, 9.0]) == [3.0, 3.0]
