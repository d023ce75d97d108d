"""The first crossing of functions whose crossings are known."""

import math

import pytest

from couplant.analysis.exact.crossing import first_crossing


@pytest.mark.parametrize("place", [1e-9, 0.0123, 0.25, 0.7071, 0.99999])
def test_a_line(place):
    assert first_crossing(lambda x: 3.0 * (x - place), 50) == pytest.approx(place, rel=1e-15)


@pytest.mark.parametrize("points", [20, 21, 64])
def test_the_first_of_several(points):
    found = first_crossing(lambda x: math.sin(20.0 * x) - 0.5, points)
    assert found == pytest.approx(math.pi / 6 / 20, rel=1e-14)


def test_flat_crossings_and_kinks():
    assert first_crossing(lambda x: (x - 0.3) ** 3, 17) == pytest.approx(0.3, abs=1e-5)
    assert first_crossing(lambda x: max(x - 0.6, 10 * (x - 0.62)), 10) == pytest.approx(0.6, rel=1e-14)


@pytest.mark.parametrize("depth", [1e-3, 1e-6, 1e-9])
def test_a_top_between_the_points_counts(depth):
    """A parabola that is above 0 on a short way only, from 0.33 - sqrt(depth) on."""
    found = first_crossing(lambda x: depth - (x - 0.33) ** 2, 10)
    assert found == pytest.approx(0.33 - math.sqrt(depth), rel=1e-9)


def test_a_top_below_zero_does_not():
    assert first_crossing(lambda x: -1e-9 - (x - 0.33) ** 2, 10) is None


def test_above_from_the_start_and_never():
    assert first_crossing(lambda x: 1.0 - x, 5) == 0.0
    assert first_crossing(lambda x: x - 2.0, 5) is None
    assert first_crossing(lambda x: 0.0, 5) is None
