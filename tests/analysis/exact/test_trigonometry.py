"""Sine and cosine against the series in forty digits, and at the places where they are known."""

import random
from decimal import Decimal, localcontext

import pytest

from couplant.analysis.exact.numerics import PI, sine_cosine

TURN = Decimal("6.28318530717958647692528676655900576839433879875021164194989")


def sine(x):
    """Return the sine of a Decimal by its series."""
    with localcontext() as context:
        context.prec = 60
        x %= TURN
        total = term = x
        for n in range(1, 60):
            term *= -x * x / ((2 * n) * (2 * n + 1))
            total += term
        return total


@pytest.mark.parametrize("size", [1e-8, 0.1, 0.8, 3.2, 40.0, 400.0, 1e6])
def test_both_are_right_to_the_last_bits(size):
    draw = random.Random(size)
    for _ in range(300):
        x = draw.uniform(-size, size)
        found = sine_cosine(x)
        right = sine(Decimal(x)), sine(Decimal(x) + TURN / 4)
        assert max(abs(Decimal(a) - b) for a, b in zip(found, right, strict=True)) < Decimal("2e-16")


def test_multiples_of_a_quarter_turn():
    for n in range(-8, 9):
        found = sine_cosine(0.5 * PI * n)
        assert found == pytest.approx(((0, 1, 0, -1)[n % 4], (1, 0, -1, 0)[n % 4]), abs=1e-15)


def test_a_small_angle_is_its_own_sine():
    assert sine_cosine(1e-200) == (1e-200, 1.0)
    assert sine_cosine(0.0) == (0.0, 1.0)
