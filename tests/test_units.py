"""Unit expressions against the SI brochure, worked by hand."""

import pytest

from couplant.units import unit_of


@pytest.mark.parametrize(
    ("expression", "exponents", "factor"),
    [
        ("N.m", {"kg": 1, "m": 2, "s": -2}, 1.0),
        ("N/(m/s)", {"kg": 1, "s": -1}, 1.0),
        ("m/s2", {"m": 1, "s": -2}, 1.0),
        ("kN", {"kg": 1, "m": 1, "s": -2}, 1e3),
        ("km/h", {"m": 1, "s": -1}, 1000 / 3600),
        ("1/min", {"s": -1}, 1 / 60),
        ("rad/s", {"s": -1, "rad": 1}, 1.0),
        ("mm2", {"m": 2}, 1e-6),
        ("kg.m2", {"kg": 1, "m": 2}, 1.0),
        ("%", {}, 0.01),
        ("s-1", {"s": -1}, 1.0),
        ("V/m", {"kg": 1, "m": 1, "s": -3, "A": -1}, 1.0),
    ],
)
def test_known_units(expression, exponents, factor):
    unit = unit_of(expression)
    assert dict(unit.exponents) == exponents
    assert unit.factor == pytest.approx(factor, rel=1e-15)


def test_celsius_has_an_offset():
    assert unit_of("degC").offset == 273.15


@pytest.mark.parametrize("expression", ["furlong", "N.x", "", "m^2"])
def test_unknown_units_stay_opaque(expression):
    unit = unit_of(expression)
    assert unit is None or unit.exponents == ()
