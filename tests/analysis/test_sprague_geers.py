"""C, M and P of Sprague and Geers: by hand, and defined for zeros, constants and signals of any size."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from couplant.analysis.signal.sprague_geers import _LANES, _totals, sprague_geers


def test_magnitude_is_the_ratio_of_rms_values():
    c, m, p = sprague_geers(np.array([3.0, -4.0]), np.array([6.0, -8.0]))
    assert (c, m, p) == pytest.approx((100.0, 100.0, 0.0), abs=1e-5)


def test_phase_is_the_angle_between_the_signals():
    c, m, p = sprague_geers(np.array([1.0, 0.0]), np.array([0.0, 1.0]))
    assert (c, m, p) == pytest.approx((50.0, 0.0, 50.0))


def test_c_is_the_hypotenuse_of_m_and_p():
    c, m, p = sprague_geers(np.array([2.0, 0.0]), np.array([1.0, 1.0]))
    assert m == pytest.approx(100 * abs(math.sqrt(0.5) - 1))
    assert p == pytest.approx(25.0)
    assert c == pytest.approx(math.hypot(m, p))


@pytest.mark.parametrize("scale", [1e-200, 1e200, 1e307])
def test_scaling_both_signals_changes_no_ratio(scale):
    y, y_hat = np.array([1.0, 2.0, -1.0]), np.array([1.5, 1.0, -1.0])
    assert sprague_geers(scale * y, scale * y_hat) == pytest.approx(sprague_geers(y, y_hat), rel=1e-12)


@pytest.mark.parametrize("signals", [([0, 0], [1, 2]), ([1, 2], [0, 0]), ([0, 0], [0, 0])])
def test_a_zero_signal_has_no_figures(signals):
    assert sprague_geers(*np.array(signals, dtype=float)) == (None, None, None)


@pytest.mark.parametrize("value", [1.0, -3e-300, 7e300])
def test_constants(value):
    signal = np.full(50, value)
    assert sprague_geers(signal, signal) == pytest.approx((0.0, 0.0, 0.0), abs=1e-5)
    assert sprague_geers(signal, 0.5 * signal) == pytest.approx((50.0, 50.0, 0.0), abs=1e-5)
    assert sprague_geers(signal, -signal) == pytest.approx((100.0, 0.0, 100.0))


@pytest.mark.parametrize("value", [math.inf, math.nan])
def test_what_is_not_finite_shows(value):
    c, m, p = sprague_geers(np.array([1.0, 2.0]), np.array([1.0, value]))
    assert (c, m) == (math.inf, math.inf) and math.isnan(p)


@given(st.lists(st.floats(-1.0, 1.0), max_size=50), st.integers(1, 2 * _LANES))
def test_sums_are_rounded_once(values, repeated):
    values = np.resize(np.array([0.1, *values]), repeated)
    assert _totals(values, np.ones_like(values))[1:] == [repeated, math.fsum(values)]
