"""Responses and errors of the estimate against the complex arithmetic of the analysis."""

import numpy as np
import pytest

from couplant.analysis import LinearAlgorithm, Shifted, SlidingModeObserver, estimate_error, frequency_response, generic
from couplant.analysis.exact.response import (
    error_of_observer,
    error_of_weights,
    observer_gain,
    plain_observer,
    response_of_observer,
    response_of_transfer,
    response_of_weights,
)
from couplant.analysis.limits import observer_of
from couplant_runtime.config import Weights

SHARES = np.concatenate([np.geomspace(1e-7, 0.1, 40), np.linspace(0.1, 1.0, 60)])


def drawn(seed):
    """Return random weights, some of the derivative, some 0, of all latencies."""
    chance = np.random.default_rng(seed)
    m, n = chance.integers(1, 12), chance.integers(0, 6)
    rows = [chance.normal(size=size) * (chance.random(size) < 0.7) for size in (m, m, n, n)]
    a, A, b, B = (tuple(map(float, row)) for row in rows)
    return LinearAlgorithm(int(chance.integers(0, 65)), a, A, b=b, B=B), float(chance.random())


def at(function, share):
    return np.array([complex(*function(float(np.pi * x))) for x in share])


@pytest.mark.parametrize("timing", ["event", "step"])
@pytest.mark.parametrize("seed", range(20))
def test_weights(seed, timing):
    one, fraction = drawn(seed)
    weights = Weights(one.k, one.a, one.A, one.b, one.B)
    size = np.abs([*one.a, *one.A, *one.b, *one.B, 1.0]).sum()
    found = at(response_of_weights(weights, fraction, timing == "step"), SHARES)
    assert np.abs(found - frequency_response(Shifted(one, fraction), SHARES, timing)).max() < 2e-13 * size
    found = at(error_of_weights(weights, fraction, timing == "step"), SHARES)
    assert np.abs(found - estimate_error(Shifted(one, fraction), SHARES, timing)).max() < 2e-13 * size


@pytest.mark.parametrize("timing", ["event", "step"])
@pytest.mark.parametrize("one", [SlidingModeObserver(k, lead=lead) for k in (0, 1, 5, 64) for lead in (0.0, 0.3)][1:])
def test_the_observer(one, timing):
    found = at(response_of_observer(observer_of(one), timing == "step"), SHARES)
    assert found == pytest.approx(frequency_response(one, SHARES, timing), abs=3e-13)
    found = at(error_of_observer(observer_of(one), timing == "step"), SHARES)
    assert found == pytest.approx(estimate_error(one, SHARES, timing), abs=3e-13)


@pytest.mark.parametrize("k", [1, 2, 17, 64])
def test_the_published_transfer_function_of_the_observer(k):
    found = at(response_of_transfer(k, observer_gain(k, 0.85)), SHARES)
    assert found == pytest.approx(frequency_response(SlidingModeObserver(k, "transfer"), SHARES), rel=1e-12)
    assert plain_observer(k, observer_gain(k, 0.85)) == observer_of(SlidingModeObserver(k))


def test_at_rest_nothing_is_divided_by_zero():
    foh = generic("foh", 3)
    assert response_of_weights(Weights(3, foh.a, foh.A), 0.0, False)(0.0) == (1.0, 0.0)
    assert response_of_observer(plain_observer(3, 0.4), True)(0.0) == pytest.approx((1.0, 0.0), abs=1e-15)
    assert response_of_transfer(3, 0.4)(0.0) == pytest.approx((1.0, 0.0), abs=1e-15)
