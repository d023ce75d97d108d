"""Stage 6 in the pipeline: estimate the value at this macro step from the history."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.drivers import PythonDriver
from tests.vectors.reader import Setup

from .runs import ALL, DEGREE, GENERIC, STEP, coupling, delayed, estimates, give, interface, names


@pytest.mark.parametrize("algorithm", ALL)
@pytest.mark.parametrize("k", range(17))
def test_polynomials_are_reproduced_at_the_end_of_the_step(algorithm, k):
    def signal(n):
        return sum((n / 16) ** i for i in range(DEGREE[algorithm] + 1))

    steps = 3 * k + 60
    given_out = estimates(coupling(algorithm, k), delayed(signal, k, steps))
    assert given_out[-10:] == pytest.approx([signal(n + 1) for n in range(steps - 10, steps)], rel=1e-11)


@pytest.mark.parametrize("timing", ["step", "event"])
@pytest.mark.parametrize("algorithm", ALL)
@pytest.mark.parametrize("k", [0, 1, 6, 16, 60])
def test_constants_are_kept(algorithm, k, timing):
    for constant in (0.0, 7.0, -0.1, 1e300, 5e-324):
        given_out = estimates(coupling(algorithm, k, timing), [constant] * (2 * k + 12))
        assert given_out == [constant] * (2 * k + 12)


@pytest.mark.parametrize("algorithm", ALL)
@settings(max_examples=10, deadline=None)
@given(values=st.lists(st.integers(-4096, 4096).map(lambda i: i / 64), min_size=40, max_size=40))
def test_shifting_and_scaling_the_signal_shifts_and_scales_the_estimate(algorithm, values):
    sections = {} if algorithm == "smb" else {"discontinuity": {"enabled": True}}
    plain = estimates(coupling(algorithm, 3, **sections), values)
    scaled = estimates(coupling(algorithm, 3, **sections), [-8.0 * value for value in values])
    assert scaled == [-8.0 * value for value in plain]
    moved = estimates(coupling(algorithm, 3), [value + 1024.0 for value in values])
    assert moved == pytest.approx([value + 1024.0 for value in estimates(coupling(algorithm, 3), values)], abs=1e-8)


@pytest.mark.parametrize("algorithm", ALL)
def test_huge_values_give_finite_estimates(algorithm):
    values = [1.7e308 * (-1) ** (n // 2) for n in range(40)]
    driver = coupling(algorithm, 3, quality={"action": "warn"})
    for n, y in enumerate(values):
        give(driver, y)
        driver.step(n * STEP, STEP)
        for name in ("y_hat", "quality.error", "quality.tolerance", "quality.skill", "debug.level", "debug.slope"):
            assert math.isfinite(driver.get(name))


def test_weights_can_be_changed_before_the_run_where_they_are_parameters():
    weights = {"selected": "linear", "a": [1.0, 0.0], "A": [0.0, 0.0]}
    shown = PythonDriver(Setup(values={"algorithm.a[1]": 0.0, "algorithm.a[2]": 1.0}), interface(weights, 0))
    assert estimates(shown, [3.0, 5.0, 8.0, 4.0]) == [3.0, 3.0, 5.0, 8.0]


def test_a_table_has_weights_for_every_latency():
    table = [{"steps": k, "a": [float(10**k)], "A": [0.0]} for k in range(4)]
    driver = coupling({"selected": "linear", "table": table}, 0)
    assert estimates(driver, [1.0] * 6, drop={2, 3, 4}) == [1.0, 1.0, 10.0, 100.0, 1000.0, 1.0]


def test_more_than_sixty_four_values_are_never_used():
    driver = coupling("eros4", 61)
    estimates(driver, [float(n * n % 7) for n in range(300)])
    assert names(driver) == ("foh", "running")


@pytest.mark.parametrize("algorithm", GENERIC)
def test_the_longest_history_fits(algorithm):
    driver = coupling(algorithm, 60)
    estimates(driver, [float(n) for n in range(300)])
    assert names(driver) == (algorithm, "running")
