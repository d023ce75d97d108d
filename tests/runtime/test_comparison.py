"""The adaptive algorithms of the literature: identification, its bounds, and prediction."""

import math
import random

import pytest

from couplant_runtime.comparison.coupling_element import CouplingElement
from couplant_runtime.comparison.least_squares import LeastSquares
from couplant_runtime.comparison.recursive_fir import SETTLING, RecursiveFir


def test_parameters_are_found():
    chance = random.Random(1)
    model = LeastSquares(3, 1.0)
    for _ in range(200):
        phi = [chance.gauss(0.0, 1.0) for _ in range(3)]
        model.step(phi, 2.0 * phi[0] - 0.5 * phi[1] + 3.0 * phi[2])
    assert model.parameters == pytest.approx([2.0, -0.5, 3.0], abs=1e-4)


def test_covariance_stays_symmetric_and_bounded_without_excitation():
    model = LeastSquares(4, 0.9)
    chance = random.Random(2)
    for n in range(20000):
        phi = [chance.gauss(0.0, 1.0)] * 4 if n < 50 else [0.0] * 4
        model.step(phi, phi[0])
    assert all(model.covariance[i][j] == model.covariance[j][i] for i in range(4) for j in range(4))
    assert 0.0 <= max(model.covariance[i][i] for i in range(4)) <= 4 * model.confidence


def test_a_constant_for_hours_does_not_end_in_a_burst():
    fir = RecursiveFir(3)
    for n in range(300):
        fir.step(math.sin(0.1 * n))
    for _ in range(50000):
        fir.step(1.0)
    assert abs(fir.step(1.01)[0] - 1.01) < 0.2


@pytest.mark.parametrize("k", [0, 1, 3, 6])
def test_two_tones_are_continued_exactly_after_identification(k):
    fir = RecursiveFir(k)
    value = lambda n: math.sin(0.1 * n) + 0.3 * math.cos(0.37 * n)  # noqa: E731
    for n in range(1500):
        level, slope = fir.step(value(n))
        if n < SETTLING:
            assert (level, slope) == (value(n), 0.0)
    assert level == pytest.approx(value(1499 + k), abs=1e-5)
    assert level + slope == pytest.approx(value(1500 + k), abs=1e-5)


@pytest.mark.parametrize("bad", [float("nan"), float("inf"), 1e308])
def test_a_value_of_any_size_leaves_a_finite_estimate_behind(bad):
    fir = RecursiveFir(3)
    for n in range(100):
        fir.step(math.sin(0.1 * n))
    fir.step(bad)
    for n in range(100):
        assert all(map(math.isfinite, fir.step(math.sin(0.1 * n)))) or n < 5


@pytest.mark.parametrize("k", [0, 2, 5])
def test_the_element_predicts_what_the_input_will_do(k):
    """The output of a known second-order plant under random input, k steps before it arrives."""
    chance = random.Random(3)
    element = CouplingElement(k)
    y, u = [0.0, 0.0], [0.0, 0.0]
    for n in range(400):
        y.append(1.6 * y[-1] - 0.8 * y[-2] + 0.1 * u[-1] + 0.05 * u[-2])
        u.append(chance.uniform(-1.0, 1.0))
        if n >= k:
            level, slope = element.step(y[-1 - k], u[-1])
    assert level == pytest.approx(y[-1], abs=1e-3)
    assert level + slope == pytest.approx(1.6 * y[-1] - 0.8 * y[-2] + 0.1 * u[-1] + 0.05 * u[-2], abs=1e-3)
