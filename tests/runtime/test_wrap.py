"""Signals that wrap round: unwrapped in the history, wrapped at the output."""

import pytest

from tests.runtime.runs import STEP, coupling, give, shown


def turn(algorithm, speed, steps=200, low=None, k=2):
    """Return the errors of the estimate of a crank angle, the short way round, and the estimates."""
    limits = {} if low is None else {"output": {"min": low, "max": low + 720.0}}
    driver = coupling(algorithm, k, signal={"period": 720.0}, **limits)
    first = low or 0.0
    errors, out = [], []
    for n in range(steps):
        angle = 10.0 + speed * (n - k)
        give(driver, (angle - first) % 720.0 + first)
        driver.step(n * STEP, STEP)
        estimate = driver.get("y_hat")
        out.append(estimate)
        errors.append((estimate - (10.0 + speed * (n + 1)) + 360.0) % 720.0 - 360.0)
    return errors, out


@pytest.mark.parametrize("algorithm", ["foh", "eros3", "eros4", "irregular", "auto"])
@pytest.mark.parametrize("speed", [37.0, -37.0, 300.0])
def test_a_steady_turn_is_continued_across_the_wrap(algorithm, speed):
    errors, out = turn(algorithm, speed)
    assert max(map(abs, errors[120:])) < 1e-6
    assert all(0.0 <= y < 720.0 for y in out)


def test_the_range_may_begin_anywhere():
    _, out = turn("foh", 37.0, low=-360.0)
    assert all(-360.0 <= y < 360.0 for y in out)
    assert min(out) < -300.0
    assert max(out) > 300.0


def test_a_signal_without_a_period_has_no_such_parameter():
    assert "signal.period" not in shown(coupling("foh"))
