"""The procedure in error space: published algorithms for every k, and the procedure carried out by hand with scipy."""

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy.optimize import least_squares

from couplant.analysis.algorithms import MAX_STEPS
from couplant.analysis.arima import arima
from couplant.base.errors import UsageError
from couplant.design.error_space import ErrorSpace

VARIANTS = {
    "eros3": {},
    "eros4": {"order": 2},
    "mean slope": {"order": 0},
    "cubics": {"order": 2, "extrapolation": "fit"},
    "smooth": {"extrapolation": "fit", "errors": 6},
    "sine": {"order": 2, "family": "sine", "frequency": 0.2},
    "both ends": {"order": 2, "ends": "both"},
    "parabola": {"family": "parabola", "ends": "both"},
    "tone": {"family": "tone", "ends": "both", "frequency": 0.3, "extrapolation": "fit", "errors": 5},
    "own": {"family": [lambda x: math.expm1(-0.1 * x)]},
}


def slope_eros3(k):
    """Table of docs/reference.md 1, as exact fractions by the age of the value."""
    r = Fraction(k + 2, k + 1)
    return [(0, r), (1, -1), (k + 1, -r), (k + 2, 1)]


def slope_eros4(k):
    k = Fraction(k)
    c = (k * k / 2 + 2 * k + Fraction(5, 2), -(k * k + 3 * k + 2), k * k / 2 + k + Fraction(1, 2))
    return [(age, sign * w / (k + 1)) for sign, first in ((1, 0), (-1, int(k) + 1)) for age, w in enumerate(c, first)]


@pytest.mark.parametrize(("order", "slope"), [(1, slope_eros3), (2, slope_eros4)])
def test_eros3_and_eros4_for_all_latencies(order, slope):
    for k in range(MAX_STEPS + 1):
        found = ErrorSpace(order).algorithm(k)
        assert found.name == f"eros{order + 2}" and found.m == k + order + 2
        exact = [sum(w for at, w in slope(k) if at == age) for age in range(found.m)]
        level = [float((age == 0) + k * w) for age, w in enumerate(exact)]
        assert found.A == pytest.approx([float(w) for w in exact], rel=1e-12, abs=1e-12)
        assert found.a == pytest.approx(level, rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("name", VARIANTS)
@pytest.mark.parametrize("k", [1, 4])
def test_the_procedure_carried_out(name, k):
    """Its four steps on numbers: errors of past curves, continued, the least of them, the curve."""
    variant = ErrorSpace(**VARIANTS[name])
    one, y = variant.algorithm(k), np.random.default_rng(k).normal(size=20)  # y[i]: i steps older than the newest
    horizons = [k + 1] if variant.ends == "last" else [k, k + 1]

    def curve(parameters, x, newest):
        return newest + sum(p * g(x) for p, g in zip(parameters, variant.curves, strict=True))

    def coming(parameters):
        return [continued(variant, [curve(parameters, h, y[i + h]) - y[i] for i in range(variant.count)], h)
                for h in horizons]  # fmt: skip

    best = least_squares(coming, np.zeros(len(variant.curves)), xtol=1e-15, ftol=1e-15, gtol=1e-15).x
    start, end = (curve(best, k + late, y[0]) for late in (0, 1))
    assert np.dot(one.a, y[: one.m]) == pytest.approx(start, rel=1e-6)
    assert np.dot(np.add(one.a, one.A), y[: one.m]) == pytest.approx(end, rel=1e-6)
    assert sum(one.a) == pytest.approx(1.0) and sum(one.A) == pytest.approx(0.0, abs=1e-9)


def continued(variant, errors, ahead):
    """Return the error `ahead` steps after the newest of some, by numpy's fit or by the series (3-11)."""
    if variant.extrapolation == "fit":
        return np.polyval(np.polyfit(-np.arange(len(errors)), errors, variant.order), ahead)
    newest = [np.diff(errors[::-1], term)[-1] for term in range(variant.order + 1)]
    return sum(ahead**term / math.factorial(term) * d for term, d in enumerate(newest))


@pytest.mark.parametrize("order", range(5))
def test_a_fit_of_errors_continues_polynomials_of_one_degree_more(order):
    """As the error of a line on a polynomial is a polynomial of one degree less. EROS4's series stops at parabolas."""
    for k in (0, 1, 3, 6):
        assert ErrorSpace(order, extrapolation="fit").algorithm(k).degree == order + 1
        assert ErrorSpace(order).algorithm(k).degree == min(order, 1) + 1
    assert arima(ErrorSpace(order, extrapolation="fit").algorithm(0)).name == f"ARIMA(0,{order + 2},0)"


def test_cubics_against_eros3():
    """Published: a fifth of EROS3's error on cubics at k = 3."""
    t = -3.0 - np.arange(7)
    made = [ErrorSpace(order).algorithm(3) for order in (1, 2)]
    errors = [np.dot(np.add(one.a, one.A), t[: one.m] ** 3) - 1.0 for one in made]
    assert errors[1] / errors[0] == pytest.approx(0.2, abs=0.001)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"order": -1}, "order = -1, allowed 0 to 6"),
        ({"family": "spline"}, "family = 'spline', allowed line, parabola, sine, tone"),
        ({"family": "sine"}, "frequency belongs to"),
        ({"frequency": 1.0}, "frequency belongs to"),
        ({"ends": "first"}, "ends = 'first', allowed last, both"),
        ({"extrapolation": "spline"}, "allowed taylor, fit"),
        ({"errors": 5}, "errors = 5, allowed 2 with a Taylor series"),
        ({"errors": 1, "extrapolation": "fit"}, "errors = 1, allowed 2 and more"),
    ],
)
def test_settings_out_of_range(settings, message):
    with pytest.raises(UsageError, match=message):
        ErrorSpace(**settings)


def test_parameters_that_the_errors_do_not_tell():
    with pytest.raises(UsageError, match="2 parameters, allowed at k = 3 with ends = 'last': 1"):
        ErrorSpace(family="parabola").algorithm(3)
    with pytest.raises(UsageError, match="at k = 0 with ends = 'both': 1"):
        ErrorSpace(family="parabola", ends="both").algorithm(0)
    with pytest.raises(UsageError, match="allowed 0 to 64"):
        ErrorSpace().algorithm(65)
