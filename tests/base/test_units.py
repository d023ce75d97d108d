"""Unit expressions against the SI brochure, worked by hand."""

import pytest

from couplant.base.errors import UsageError
from couplant.base.units import check_scale, doubt, known_symbol, scale, unit_of


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


@pytest.mark.parametrize("expression", ["furlong", "N.x", "", "m^2", "m2147483648", "nm99.nm99", "m" + ".m" * 40])
def test_unknown_units_stay_opaque(expression):
    unit = unit_of(expression)
    assert unit is None or unit.exponents == ()


@pytest.mark.parametrize(
    ("written", "found"),
    [
        ("Nm", "N.m"),
        ("N·m", "N.m"),
        ("kN*m", "kN.m"),
        ("°C", "degC"),
        ("m/s^2", "m/s2"),
        ("m/s²", "m/s2"),
        ("U/min", "rpm"),
        ("sec", "s"),
        ("[kNm]", "kN.m"),
        ("dm", None),
        ("furlong", None),
        ("", None),
    ],
)
def test_what_tools_write_is_understood(written, found):
    assert known_symbol(written) == found


@pytest.mark.parametrize(
    ("one", "other", "factor"),
    [
        ("m", "km", 1e-3),
        ("km", "m", 1e3),
        ("Nm", "N.m", 1.0),
        ("kN.m", "Nm", 1e3),
        ("m/s", "km/h", 3.6),
        ("J", "N.m", 1.0),
        ("m", "s", None),
        ("m", "furlong", None),
        ("1", "%", None),
        ("", "m", None),
    ],
)
def test_units_of_one_quantity_have_a_scale(one, other, factor):
    assert scale(one, other) == (factor if factor is None else pytest.approx(factor, rel=1e-12))


def test_units_that_differ_in_scale_are_refused_in_one_sentence():
    check_scale("a.x", "Nm", "b.x", "N.m")
    with pytest.raises(UsageError, match=r'^a.x is in "km", allowed "m" as b.x: 1000 times as large\.$'):
        check_scale("a.x", "km", "b.x", "m")
    with pytest.raises(UsageError, match=r'^a.x is in "degC", allowed "K" as b.x: another zero\.$'):
        check_scale("a.x", "degC", "b.x", "K")


def test_unknown_units_are_doubted():
    assert doubt("Nm") == '"Nm" is no known unit, did you mean "N.m"?'
    assert doubt("furlong") == '"furlong" is no known unit, and is taken as it is.'
    assert doubt("N.m") == doubt("1") == ""
