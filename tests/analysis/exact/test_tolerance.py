"""ζ and δ in closed form, by numpy, and rounded to 32 bits."""

import math

import numpy as np
import pytest

from couplant.analysis import LinearAlgorithm, Shifted, tolerance_parameters
from couplant.analysis.exact.tolerance import shorten, tolerance_of_observer, tolerance_of_weights
from couplant_runtime.config import Weights
from tests.analysis.exact import oracle


@pytest.mark.parametrize("k", [1, 2, 6, 37, 64])
def test_of_what_holds_in_closed_form(k):
    """The limit is at 3 degrees of phase, the error at a tone is exp(-j ω k) - 1."""
    omega = math.pi / 60 / (k + 0.5)
    expected = math.tan(0.5 * k * omega) / omega, math.sin(k * omega) / (k * omega)
    assert tolerance_of_weights(Weights(k, (1.0,), (0.0,)), 0.0, False) == pytest.approx(expected, rel=1e-13)


@pytest.mark.sample(16)
@pytest.mark.parametrize("timing", ["event", "step"])
@pytest.mark.parametrize("seed", range(25))
def test_of_any_weights_by_numpy(seed, timing):
    chance = np.random.default_rng(seed)
    m, n = chance.integers(1, 12), chance.integers(0, 4)
    a, A, b, B = (chance.normal(size=size) for size in (m, m, n, n))
    a[0] += 1.0 - a.sum()
    A[0] -= A.sum()
    parts = [tuple(map(float, part)) for part in (a, A, b, B)]
    one = LinearAlgorithm(int(chance.integers(0, 65)), *parts[:2], "linear", *parts[2:])
    fraction = float(chance.choice([0.0, chance.random()]))
    found = tolerance_of_weights(Weights(one.k, *parts), fraction, timing == "step")
    assert found == pytest.approx(oracle.tolerance(Shifted(one, fraction), timing), rel=1e-10)
    assert found == tolerance_parameters(Shifted(one, fraction), timing) or fraction == 0.0


def test_weights_that_lose_constants_and_those_without_a_horizon():
    assert tolerance_of_weights(Weights(3, (0.5,), (0.0,)), 0.0, False) == (0.0, 0.1)
    assert tolerance_of_weights(Weights(0, (1.0,), (0.0,)), 0.0, False) == (0.0, 0.0)
    assert tolerance_of_observer(0, 0.85, False) == (0.0, 0.0)


def test_without_latency_the_observer_is_the_line_through_two_values():
    line = tolerance_of_weights(Weights(0, (1.0, 0.0), (1.0, -1.0)), 0.0, True)
    assert tolerance_of_observer(0, 0.85, True) == line


def test_thirty_two_bits():
    chance = np.random.default_rng(3)
    for value in [*np.exp(chance.uniform(-40, 40, 2000)), *range(1, 200), 2.0**33 + 1.0, 2.0**33 + 3.0, 2.0**32 - 0.5]:
        mantissa, exponent = math.frexp(value)
        assert shorten(float(value)) == math.ldexp(round(math.ldexp(mantissa, 32)), exponent - 32)
    assert shorten(0.0) == 0.0
