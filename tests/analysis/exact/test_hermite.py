"""Moments of the usual band, and the equations that weights of a signal and its derivative solve."""

import numpy as np
import pytest

from couplant.analysis.exact.autocorrelation import TAIL
from couplant.analysis.exact.hermite import BAND, Prior, hermite_weights, moments
from couplant.analysis.exact.numerics import solve_equations

LAGS = 72


@pytest.fixture(scope="module")
def known():
    return moments(LAGS)


@pytest.fixture(scope="module")
def band():
    """Return frequencies and powers of the usual band in total 1."""
    node, weight = np.polynomial.legendre.leggauss(200)
    inside, above = 0.5 * (BAND - 0.01) * (node + 1) + 0.01, 0.5 * (np.pi - BAND) * (node + 1) + BAND
    power = 0.5 * np.append((BAND - 0.01) * weight, (np.pi - BAND) * weight * TAIL * (BAND / above) ** 6)
    return np.append(inside, above), power / power.sum()


def test_moments_by_numpy(known, band):
    omega, power = band
    turns = np.outer(np.arange(LAGS), omega)
    assert np.abs(known.even - np.cos(turns) @ power).max() < 1e-13
    assert np.abs(known.odd - np.sin(turns) @ (omega * power)).max() < 1e-13
    assert np.abs(known.curved - np.cos(turns) @ (omega**2 * power)).max() < 1e-13


def constraints(prior):
    """Return the rows of what weights of values, then of derivatives, do to powers 0 .. degree of the time."""
    ages = -1.0 * np.arange(prior.m)
    return np.array([[*ages**i, *(i * ages ** max(i - 1, 0))] for i in range(prior.degree + 1)])


def variance(weights, horizon, prior, band):
    """Return the variance of the error of an estimate: of the band, of what nothing predicts, of noise."""
    (omega, power), (node, share) = band, np.polynomial.legendre.leggauss(60)
    a, b = np.split(weights, 2)
    every, ages = 0.5 * np.pi * (node + 1), np.arange(prior.m)
    seen, unseen = (np.exp(-1j * np.outer(at, ages)) @ a + 1j * at * (np.exp(-1j * np.outer(at, ages)) @ b)
                    for at in (omega, every))  # fmt: skip
    noise = prior.noise * (a @ a + b @ b * (power @ omega**2))
    rough = 0.5 * prior.rough * share @ np.abs(unseen) ** 2
    return power @ np.abs(seen - np.exp(1j * omega * horizon)) ** 2 + rough + noise


@pytest.mark.parametrize("prior", [Prior(5, 3), Prior(3, 2, noise=1e-2), Prior(6, 4, rough=1e-3), Prior(2, 0)])
@pytest.mark.parametrize("k", [1, 4, 30, 64])
def test_they_continue_polynomials_and_no_others_that_do_err_less(k, prior, known, band):
    one, rows = hermite_weights(k, prior, known), constraints(prior)
    free = np.linalg.svd(rows)[2][len(rows) :]
    now = np.array([*one.a, *one.b])
    chance = np.random.default_rng(k)
    for horizon, weights in ((k, now), (k + 1, now + np.array([*one.slopes, *one.b_slopes]))):
        assert rows @ weights == pytest.approx(float(horizon) ** np.arange(prior.degree + 1), rel=1e-9)
        least = variance(weights, horizon, prior, band)
        for _ in range(10):
            move = 1e-2 * np.abs(weights).max() * chance.normal(size=len(free)) @ free
            assert variance(weights + move, horizon, prior, band) > least


def test_without_latency_the_newest_value_is_the_estimate(known):
    one = hermite_weights(0, Prior(3, 2), known)
    assert (one.a, one.b) == ((1.0, 0.0, 0.0), (0.0, 0.0, 0.0))


def test_equations_are_solved():
    chance = np.random.default_rng(5)
    for order in (1, 2, 7, 14):
        matrix, x = chance.normal(size=(order, order)), chance.normal(size=order)
        matrix[0, 0] = 0.0 if order > 1 else matrix[0, 0]
        assert solve_equations(matrix.tolist(), (matrix @ x).tolist()) == pytest.approx(x, rel=1e-9)
