"""The linear algorithms by themselves (docs/reference.md 1)."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from couplant_runtime.algorithms import ROWS, eros3, eros4, foh, smb, zoh
from couplant_runtime.algorithms.rows import PURE, weights

from .runs import DEGREE
from .runs import GENERIC as NAMES

PUBLISHED = ("zoh", "foh", "smb", "eros3", "eros4", "linear", "irregular", "auto", "network", "recursive_fir")
VALUES = st.lists(st.integers(-1000, 1000).map(lambda i: i / 64), min_size=24, max_size=24)


def past_of(polynomial, k, m):
    """Values of a polynomial of the macro step, newest first; the newest was sent at -k, the estimate is for 0."""
    return [polynomial(-k - i) for i in range(m)]


def test_published_numbers_do_not_move():
    assert [ROWS[number].name for number in range(1, 12)] == [*PUBLISHED, "coupling_element"]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("k", range(61))
def test_weights_add_up_to_one_and_to_nothing(name, k):
    a, slopes = weights(name, k)
    assert len(a) == len(slopes) == PURE[name].taps(k)
    assert math.isclose(math.fsum(a), 1.0, abs_tol=1e-12)
    assert math.isclose(math.fsum(slopes), 0.0, abs_tol=1e-12)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("k", range(17))
def test_polynomials_are_reproduced_at_the_end_of_the_macro_step(name, k):
    for degree in range(DEGREE[name] + 1):
        level, slope = PURE[name].estimate(past_of(lambda t, d=degree: float((t + 5) ** d), k, 2 * k + 5), k)
        assert level + slope == pytest.approx(6.0**degree, rel=1e-12 * (k + 1) ** 2)


@pytest.mark.parametrize("name", ["zoh", "foh"])
@pytest.mark.parametrize("k", range(17))
def test_zoh_and_foh_reproduce_their_polynomials_at_the_macro_point_too(name, k):
    level, _ = PURE[name].estimate(past_of(lambda t: 3.0 - DEGREE[name] * t, k, k + 3), k)
    assert level == 3.0


@pytest.mark.parametrize("algorithm", [eros3, eros4])
def test_at_the_macro_point_a_parabola_is_missed_by_three_at_k_3(algorithm):
    level, _ = algorithm.estimate(past_of(lambda t: float(t * t), 3, 7), 3)
    assert abs(level) == pytest.approx(3.0, abs=1e-12)


def test_eros4_has_a_fifth_of_the_error_of_eros3_on_cubics_at_k_3():
    errors = [sum(algorithm.estimate(past_of(lambda t: float(t**3), 3, 7), 3)) - 1.0 for algorithm in (eros3, eros4)]
    assert abs(errors[1]) == pytest.approx(abs(errors[0]) / 5.0, rel=1e-12)


def test_published_weights_at_k_3():
    assert weights("eros3", 3)[0] == pytest.approx([4.75, -3, 0, 0, -3.75, 3], abs=1e-14)
    assert weights("eros4", 3)[0] == pytest.approx([10.75, -15, 6, 0, -9.75, 15, -6], abs=1e-14)


@pytest.mark.parametrize("k", range(9))
def test_zoh_has_no_slope_and_foh_is_the_line_through_two_values(k):
    assert zoh.estimate([7.0, 3.0], k) == (7.0, 0.0)
    assert foh.estimate([7.0, 3.0], k) == (7.0 + 4.0 * k, 4.0)


@given(st.sampled_from(NAMES), st.integers(0, 16), VALUES, st.integers(-50, 50), st.integers(-8, 8))
def test_shifting_and_scaling_the_signal_shifts_and_scales_the_estimate(name, k, values, shift, exponent):
    level, slope = PURE[name].estimate(values, k)
    factor = 2.0**exponent
    scaled = PURE[name].estimate([factor * value for value in values], k)
    assert scaled == (factor * level, factor * slope)
    moved = PURE[name].estimate([value + shift for value in values], k)
    assert moved == pytest.approx((level + shift, slope), abs=1e-9 * (1 + k**3))


def test_gain_of_the_observer():
    assert smb.gain_per_step(0.0, 0.02, 3) == pytest.approx(0.85 * math.pi / (2 * 3), rel=1e-15)
    assert smb.gain_per_step(4.0, 0.02, 3) == 4.0 * 0.02
