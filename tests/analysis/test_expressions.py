"""Formulas in files: arithmetic and nothing else."""

import math

import pytest

from couplant.analysis.system_file import evaluate
from couplant.base.errors import UsageError

NAMES = {"c2": 10.0, "cc": 2.0, "m2": 0.1}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (3, 3.0),
        (-0.5, -0.5),
        ("-(c2 + cc)/m2", -120.0),
        ("2**3 - 1", 7.0),
        ("sqrt(c2/m2)*pi", 10 * math.pi),
        (" +cc ", 2.0),
    ],
)
def test_values(text, value):
    assert evaluate(text, NAMES) == pytest.approx(value, rel=1e-15)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("c3", "'c3' is not a parameter, allowed c2, cc, m2, pi"),
        ("1/0", "no finite value"),
        ("2**5000.0", "no finite value"),
        ("(-1)**0.5", "no finite value"),
        ("sqrt(-1)", "no finite value"),
        ("1 +", "not a formula"),
        ("", "not a formula"),
        ("__import__('os')", "not allowed in a formula"),
        ("cc.real", "not allowed in a formula"),
        ("[1]", "not allowed in a formula"),
        ("True", "not allowed in a formula"),
        ("1" * 501, "not a formula"),
        (True, "not a formula"),
        (float("inf"), "no finite value"),
    ],
)
def test_refusals(text, message):
    with pytest.raises(UsageError) as found:
        evaluate(text, NAMES)
    assert message in str(found.value)
