"""Robust designs for the oscillator: figures of the issue, and the rules that choose."""

import numpy as np
import pytest

from couplant.analysis import generic
from couplant.analysis.stability import stability
from couplant.design.closed_loop import (
    ideal_modes,
    loop_slope,
    mode_error,
    robust_design,
    robustness,
    with_design,
)
from couplant.design.task import DesignTask
from tests.design.canonical import OSCILLATOR, combined, mae, run

BAND = (0.5, 12.0)


def test_event_timing_at_three_steps():
    """C at most 0.2 of EROS4's; all of 100 plants within 5 % stable."""
    one = robust_design(DesignTask(0.02, 3, BAND, slope=loop_slope(OSCILLATOR, BAND)), OSCILLATOR)
    assert combined(*run(one.algorithm)) <= 0.2 * 0.6189
    assert robustness(OSCILLATOR, one).stable_share == 1.0


def test_step_timing_at_three_steps():
    """MAE at most half of EROS3's .024437, the best generic algorithm."""
    one = robust_design(DesignTask(0.02, 3, BAND, "step", slope=loop_slope(OSCILLATOR, BAND)), OSCILLATOR)
    assert mae(run(one.algorithm, "step")[1]) <= 0.5 * 0.024437
    assert robustness(OSCILLATOR, one).stable_share == 1.0


@pytest.mark.slow
def test_stable_beyond_the_generic_algorithms():
    """EROS3 ends at k = 5."""
    for k in range(8):
        task = DesignTask(0.02, k, BAND, slope=loop_slope(OSCILLATOR, BAND))
        assert robustness(OSCILLATOR, robust_design(task, OSCILLATOR)).stable_share == 1.0


def test_unreachable_latency_says_so():
    one = robust_design(DesignTask(0.02, 12, BAND), OSCILLATOR, count=10)
    assert robustness(OSCILLATOR, one, count=10).stable_share < 1.0


def test_loop_slope_of_the_oscillator():
    """g1 falls by 2, g2 is flat: r = 2 by the definition of one signal's share."""
    assert loop_slope(OSCILLATOR, BAND) == pytest.approx(2.0, abs=0.15)


def test_ideal_modes_of_the_oscillator():
    """Characteristic polynomial of the coupled masses."""
    M, K, R = np.diag([1.0, 0.1]), np.array([[3.0, -2.0], [-2.0, 12.0]]), np.array([[0.011, -0.001], [-0.001, 0.002]])
    whole = np.block([[np.zeros((2, 2)), np.eye(2)], [-np.linalg.solve(M, K), -np.linalg.solve(M, R)]])
    expected = np.sort_complex(np.linalg.eigvals(whole))
    assert np.sort_complex(ideal_modes(OSCILLATOR)) == pytest.approx(expected, abs=1e-9)


def test_mode_error_orders_the_algorithms_as_the_canonical_run_does(subtests=None):

    error = {n: mode_error(OSCILLATOR.with_algorithm(generic(n, 3)), 18.0) for n in ("zoh", "foh", "eros3", "eros4")}
    assert error["eros4"] < error["eros3"] < error["foh"] < error["zoh"]
    one = robust_design(DesignTask(0.02, 3, BAND), OSCILLATOR, count=5)
    assert mode_error(with_design(OSCILLATOR, one), 18.0) < error["eros4"]
    assert stability(with_design(OSCILLATOR, one)).stable
