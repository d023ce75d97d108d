"""Messages that repeat their last values, and a buffer that turns variable latency into a constant one."""

import random

import pytest

from tests.runtime.runs import STEP, coupling, give, names, shown


def repeat(driver, values):
    """Set the earlier values of a message: (value, stamp), newest first."""
    for i, (value, stamp) in enumerate(values, start=2):
        driver.set(f"y[{i}]", value)
        driver.set(f"y_time[{i}]", stamp)
        driver.set(f"y_valid[{i}]", True)


def test_repeated_values_fill_the_holes():
    driver = coupling("foh", latency={"mode": "stamps"}, burst=3)
    state = driver.slave.state
    for n in range(0, 30, 1):
        lost = n % 3 != 0
        give(driver, float(n * n), n * STEP, valid=not lost)
        if not lost and n >= 2:
            repeat(driver, [(float((n - i) ** 2), (n - i) * STEP) for i in (1, 2)])
        driver.step(n * STEP, STEP)
    assert state.history.past[:20] == [float((27 - i) ** 2) for i in range(20)]
    assert state.history.marked[:20] == [0] * 20


def test_what_has_arrived_already_is_not_stored_again():
    driver = coupling("foh", latency={"mode": "stamps"}, burst=3)
    for n in range(20):
        give(driver, float(n), n * STEP)
        repeat(driver, [(1e9, (n - i) * STEP) for i in (0, 1)])
        driver.step(n * STEP, STEP)
    assert driver.state.history.past[:20] == [float(19 - i) for i in range(20)]


def test_what_is_no_number_or_out_of_reach_is_left_out():
    driver = coupling("foh", latency={"mode": "stamps"}, burst=4)
    state = driver.slave.state
    for n in (0, 1, 2, 3, 9):
        give(driver, 1.0, n * STEP)
        repeat(driver, [(float("nan"), 8 * STEP), (5.0, float("inf")), (7.0, -3.0 * STEP)] if n == 9 else [])
        driver.step(state.grid.time, STEP if n < 3 else 6 * STEP)
    assert state.history.past == [1.0] * len(state.history.past)
    assert sum(state.history.marked) == 5


def test_the_lists_appear_only_where_they_are_configured():
    assert [name for name in shown(coupling("foh")) if "[" in name] == []
    repeating = shown(coupling("foh", latency={"mode": "stamps"}, burst=2))
    assert [name for name in repeating if "[" in name] == ["y[2]", "y_time[2]", "y_valid[2]"]


@pytest.mark.parametrize("steps", [4, 6])
def test_a_buffer_makes_the_latency_constant(steps):
    """Weights for one latency may run where messages take 1 to 4 steps; the constant latency is the price."""
    weights = {"selected": "linear", "a": [1.0 + steps, -float(steps)], "A": [1.0, -1.0]}
    latency = {"mode": "resequenced", "constant_steps": steps}
    driver = coupling(weights, latency=latency)
    chance, under_way = random.Random(3), []
    for n in range(200):
        under_way.append((n + chance.randint(1, 4), n))
        here = [sent for arrival, sent in under_way if arrival == n]
        under_way = [message for message in under_way if message[0] > n]
        give(driver, 3.0 * max(here, default=0), max(here, default=0) * STEP, valid=bool(here))
        driver.step(n * STEP, STEP)
        if n > 20:
            assert driver.get("latency.steps") == steps
            assert names(driver) == ("linear", "running")
            assert driver.get("y_hat") == pytest.approx(3.0 * (n + 1), abs=1e-9)
