"""Nodes and weights: polynomials, symmetry, and the nodes of numpy."""

import math

import numpy as np
import pytest

from couplant.analysis.exact.numerics import gauss_legendre


@pytest.mark.parametrize("count", [1, 2, 3, 8, 57, 200])
def test_polynomials_up_to_twice_the_degree_are_exact(count):
    places, weights = gauss_legendre(count, -1.0, 1.0)
    for power in range(0, 2 * count, max(1, count // 8)):
        found = math.fsum(w * x**power for x, w in zip(places, weights, strict=True))
        assert found == pytest.approx((1.0 - (-1.0) ** (power + 1)) / (power + 1), abs=1e-14)


def test_they_are_those_of_numpy():
    """Its weights near the ends are right to 2e-11 only, by their sum and in forty digits."""
    places, weights = gauss_legendre(200, -1.0, 1.0)
    nodes, shares = np.polynomial.legendre.leggauss(200)
    assert np.abs(places - nodes).max() < 3e-16
    assert weights == pytest.approx(list(shares), rel=1e-10)


def test_another_interval():
    places, weights = gauss_legendre(15, 2.0, 5.0)
    assert places == sorted(places)
    assert math.fsum(weights) == pytest.approx(3.0, rel=1e-15)
    assert math.fsum(w / x for x, w in zip(places, weights, strict=True)) == pytest.approx(math.log(2.5), rel=1e-12)
