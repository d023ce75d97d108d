"""The predictor against a conic solver, its constraints, and what it reports when the bound cannot be met."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from couplant.base.errors import UsageError
from couplant.design.predictor import Task, design_predictor


def task(m=7, degree=2, peak=6.0, slope=2.0, low=0.01, high=0.24, count=80, noise=0.0):
    band = np.linspace(low, high, count)
    above = np.linspace(high, np.pi, 161)[1:]
    bound = np.maximum(1.0, peak * (above / high) ** (slope / 2))
    return Task(band, np.full(count, 1 / count), above, bound, m, degree, noise)


def gain(h, omega):
    return np.abs(np.exp(-1j * np.outer(omega, np.arange(h.size))) @ h)


CASES = [
    (task(), 3.0),
    (task(), 4.0),
    (task(), 4.25),
    (task(m=4, peak=4.0), 3.0),
    (task(m=14, degree=0, peak=1.5, slope=0.0, low=0.001, high=0.1), 6.0),
    (task(m=10, degree=1, peak=4.0), 4.0),
    (task(m=3, degree=-1, peak=2.0), 2.0),
    (task(noise=0.01), 3.0),
    (task(m=16, degree=0, noise=0.1), 4.0),
]


@pytest.mark.parametrize(("problem", "horizon"), CASES)
def test_against_a_conic_solver(problem, horizon):
    cvxpy = pytest.importorskip("cvxpy")
    h = cvxpy.Variable(problem.m)
    lags = np.arange(problem.m)
    wave = np.exp(-1j * np.outer(problem.band, lags))
    error = np.vstack([wave.real, wave.imag]) @ h - np.concatenate(
        [np.cos(problem.band * horizon), np.sin(problem.band * horizon)]
    )
    root = np.sqrt(np.tile(problem.weight, 2))
    above = np.exp(-1j * np.outer(problem.bound_at, lags))
    constraints = [cvxpy.norm(cvxpy.vstack([above.real @ h, above.imag @ h]), 2, axis=0) <= problem.bound]
    constraints += [(-lags.astype(float)) ** i @ h == horizon**i for i in range(problem.degree + 1)]
    cost = cvxpy.sum_squares(cvxpy.multiply(root, error)) + problem.noise**2 * cvxpy.sum_squares(h)
    conic = cvxpy.Problem(cvxpy.Minimize(cost), constraints)
    conic.solve(solver="CLARABEL")
    found = design_predictor(problem, horizon)
    assert found.violation <= 0.0021
    assert found.objective <= 1.01 * conic.value
    assert found.objective >= 0.98 * conic.value


@pytest.mark.parametrize(("problem", "horizon"), CASES)
def test_exactness_and_bound(problem, horizon):
    found = design_predictor(problem, horizon)
    for i in range(problem.degree + 1):
        assert (-np.arange(problem.m, dtype=float)) ** i @ found.h == pytest.approx(horizon**i, rel=1e-10)
    assert np.all(gain(found.h, problem.bound_at) <= problem.bound * (1.0001 + found.violation))
    between = np.linspace(problem.bound_at[0], np.pi, 5000)
    bound = np.interp(between, problem.bound_at, problem.bound)
    assert np.max(gain(found.h, between) / bound) < 1.01


def test_loose_bound_gives_least_squares():
    """Without an active bound the answer is that of ordinary least squares."""
    problem = task(m=5, degree=-1, peak=1e4)
    wave = np.exp(-1j * np.outer(problem.band, np.arange(5)))
    matrix = np.vstack([wave.real, wave.imag])
    right = np.concatenate([np.cos(problem.band * 2), np.sin(problem.band * 2)])
    expected = np.linalg.lstsq(matrix, right, rcond=None)[0]
    found = design_predictor(problem, 2.0)
    assert matrix @ found.h == pytest.approx(matrix @ expected, abs=1e-6)
    assert found.violation < 0


def exact_least_squares(problem, horizon):
    """Weights that no bound holds, from the normal equations in fractions: without any rounding."""
    lags, ages = range(problem.m), np.append(-np.arange(problem.m, dtype=float), horizon)
    angle = np.outer(problem.band, ages)
    rows = [list(map(Fraction, row)) for row in np.vstack([np.cos(angle), np.sin(angle)])]
    system = [[sum(row[i] * row[j] for row in rows) / problem.band.size for j in range(problem.m + 1)] for i in lags]
    for i in lags:
        system[i][i] += Fraction(10) ** -13
    for i in lags:
        pivot = [x / system[i][i] for x in system[i]]
        system = [[x - row[i] * y for x, y in zip(row, pivot, strict=True)] for row in system]
        system[i] = pivot
    return np.array([float(row[-1]) for row in system])


@pytest.mark.parametrize(("m", "high", "horizon"), [(5, 0.24, 2.0), (8, 0.1, 3.0), (9, 0.05, 1.0)])
def test_weights_of_flat_optima_are_those_without_rounding(m, high, horizon):
    """Normal equations in doubles miss the last two by more than 1e-4."""
    problem = task(m=m, degree=-1, peak=1e6, high=high, low=0.0, count=40)
    expected = exact_least_squares(problem, horizon)
    found = design_predictor(problem, horizon)
    assert np.abs(found.h - expected).max() <= 1e-9 * np.abs(expected).max()


@pytest.mark.parametrize(("m", "degree", "peak", "high"), [(14, 0, 6.0, 0.1), (30, 1, 100.0, 0.05), (12, 2, 1.5, 0.07)])
def test_rounding_does_not_decide(m, degree, peak, high):
    """The last place of what a flat design is made from moves its weights by 1e-10 of the largest at most."""
    rng, problem = np.random.default_rng(1), task(m=m, degree=degree, peak=peak, high=high)
    weight, bound = (x * (1.0 + 2.0**-52 * rng.integers(-1, 2, x.size)) for x in (problem.weight, problem.bound))
    one, other = (design_predictor(p, 3.0).h for p in (problem, replace(problem, weight=weight, bound=bound)))
    assert np.abs(one - other).max() <= 1e-10 * np.abs(one).max()


def test_horizon_zero_keeps_the_newest_value():
    found = design_predictor(task(), 0.0)
    assert found.h == pytest.approx(np.eye(7)[0], abs=1e-3)
    assert found.objective < 1e-9


def test_gains_are_those_of_the_weights():
    found = design_predictor(task(), 3.0)
    assert found.noise_gain == pytest.approx(np.sum(found.h**2))
    assert found.peak_gain == pytest.approx(gain(found.h, np.linspace(0, np.pi, 20_000)).max(), rel=1e-4)


def test_noise_makes_weights_small():
    quiet, noisy, loud = (design_predictor(task(m=16, noise=size), 3.0).noise_gain for size in (0.0, 0.01, 0.1))
    assert loud < 0.5 * noisy < 0.25 * quiet


def test_impossible_bound_is_reported():
    """A line cannot be continued by six steps while no frequency above the band may grow."""
    found = design_predictor(task(m=14, degree=2, peak=1.0, slope=0.0), 6.0)
    assert found.violation > 0.1
    assert np.all(np.isfinite(found.h)) and found.h.sum() == pytest.approx(1.0, abs=1e-9)


@pytest.mark.parametrize(("m", "degree", "message"), [(0, 0, "m = 0"), (65, 2, "m = 65"), (3, 3, "degree = 3")])
def test_refusals(m, degree, message):
    with pytest.raises(UsageError, match=message):
        task(m=m, degree=degree)
