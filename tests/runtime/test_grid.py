"""Hosts that add up their time, times far from zero: what is estimated stays what it is at time 0."""

import math
import random

import pytest

from couplant_runtime.errors import ParameterRefused
from couplant_runtime.grid import nearness, same_time

from .runs import coupling, delayed, estimates, give

UNIX = 1.7e9
K = 3


def added_up(driver, values, start, size, parts=1):
    """Return what is given out at the end of each macro step by a host that adds `size` up, `parts` times in each."""
    t, out = start, []
    for y in values:
        give(driver, y)
        for _ in range(parts):
            assert driver.step(t, size), driver.slave.log_queue[-1].msg
            t = t + size
        out.append(driver.get("y_hat"))
    return out


@pytest.mark.sample(2)
@pytest.mark.parametrize("start", [12345.6, 1e8, UNIX])
@pytest.mark.parametrize("parts", [1, 4])
def test_constant_latency_is_that_of_time_zero(start, parts):
    """Each value is taken once, at its macro step: bit for bit where a macro step is one step."""
    values = delayed(lambda n: math.sin(0.05 * n), K, 6000)
    driver = coupling("eros3", K, start_time=start)
    out = added_up(driver, values, start, 0.01 / parts, parts)
    expected = estimates(coupling("eros3", K), values)
    assert out == (expected if parts == 1 else pytest.approx(expected, abs=1e-4))
    assert driver.state.grid.n == 5999
    assert driver.slave.log_queue == []


@pytest.mark.parametrize("start", [12345.6, UNIX])
def test_latency_by_stamps_is_that_of_time_zero(start):
    driver = coupling("eros3", macro_step=1e-3, start_time=start, latency={"mode": "stamps"})
    t, sent = start, []
    for n in range(4000):
        sent.append(t)
        if n >= K:
            give(driver, math.sin(0.05 * (n - K)), sent[n - K])
        assert driver.step(t, 1e-3)
        t = t + 1e-3
        if n > 3 * K:
            assert driver.get("latency.steps") == K
            assert driver.get("y_hat") == pytest.approx(math.sin(0.05 * (n + 1)), abs=0.02)
    assert driver.slave.log_queue == []


def test_saved_states_remember_the_grid():
    one, other = coupling("eros3", K), coupling("eros3", K)
    source, t = random.Random(5), 0.0
    for n in range(400):
        size = 0.01 * source.choice((1.0 - 5e-4, 1.0 + 3e-4, 1.0))
        if n % 7 == 3:
            saved = other.save()
            give(other, 99.0)
            assert other.step(t, 0.5 * size)
            other.restore(saved)
        for driver in (one, other):
            give(driver, math.sin(0.05 * n))
            assert driver.step(t, size)
        t = t + size
        assert one.save() == other.save()
    assert one.state.grid.n == 399


def test_a_read_between_steps_counts_as_the_step_does():
    driver, t = coupling("eros3", K, "event"), 0.0
    for n in range(300):
        give(driver, math.sin(0.05 * n))
        seen = driver.get("y_hat"), driver.get("debug.slot")
        assert driver.step(t, 0.01 * (1.0 - 5e-4))
        t = t + 0.01 * (1.0 - 5e-4)
        assert seen[1] == max(n - K, 0)
    assert driver.state.grid.n == 299


def test_hold_reaches_the_end_of_the_macro_step():
    """In the middle of it the estimate for its start is held, at its end that for its end is given out."""
    driver = coupling("foh", 1, start_time=UNIX, macro_step=1e-3, reconstruction="hold")
    assert added_up(driver, [float(n - 1) for n in range(2000)], UNIX, 1e-3)[10:] == [n + 1.0 for n in range(10, 2000)]


def test_late_hosts_leave_out_what_they_left_out():
    driver, t = coupling("foh", 1, start_time=UNIX), UNIX
    for n, size in ((0, 1), (1, 1), (2, 5), (7, 1), (8, 3), (11, 1)):
        give(driver, 1.0)
        assert driver.step(t, size * 0.01)
        t = t + size * 0.01
        assert driver.state.grid.n == n


def test_the_first_step_as_macro_step():
    driver = coupling("foh", 1, macro_step=0.0)
    added_up(driver, [0.0] * 1000, 0.0, 1.0 / 240.0)
    assert driver.state.grid.n == 999


@pytest.mark.parametrize("start", [1e8, UNIX])
def test_another_time_is_refused_and_seen_to_differ(start):
    driver = coupling("foh", 1, start_time=start, macro_step=1e-3)
    assert driver.step(start, 1e-3)
    wrong = driver.state.grid.time + 3.0 * same_time(start, 1e-3)
    assert not driver.step(wrong, 1e-3)
    message = driver.slave.log_queue[-1].msg
    assert f"{wrong} s" in message and f"{driver.state.grid.time} s" in message


def test_what_time_does_not_resolve_is_refused():
    with pytest.raises(ParameterRefused, match=r"macro_step = 1e-06 s, allowed \S+ s or more with the start time"):
        coupling("foh", 1, start_time=UNIX, macro_step=1e-6)
    driver = coupling("foh", 1, start_time=UNIX)
    assert not driver.step(UNIX, 1e-8)
    assert "step size = 1e-08 s, allowed what moves the time 1700000000.0 s on" in driver.slave.log_queue[-1].msg


def test_nearness_worked_by_hand():
    """A thousandth for steps that divide the macro step, a quarter of shorter ones, a millionth for others."""
    assert nearness(0.0, 1.0, 1.0) == nearness(0.0, 0.25, 1.0) == nearness(0.0, 3.0, 1.0) == 1e-3
    assert nearness(0.0, 0.3, 1.0) == nearness(0.0, 1.002, 1.0) == nearness(0.0, 2.0**-0.5, 1.0) == 1e-6
    assert nearness(0.0, 2.0**-10, 1.0) == 2.0**-12
    assert nearness(0.0, 2.0**-30, 1.0) == 2.0**-32
    assert nearness(2.0**31, 2.0**-10, 2.0**-10) == 2.0**-19
    assert nearness(-(2.0**31), 2.0**-20, 2.0**-20) == 2.0**-22
