"""Nodes and weights of Gauss and Legendre."""

from __future__ import annotations

from couplant.analysis.exact.trigonometry import PI, sine_cosine

_STEPS = 3


def gauss_legendre(count: int, low: float, high: float) -> tuple[list[float], list[float]]:
    """Return places, ascending, and weights of the integral from `low` to `high`, `count` of each, a whole number.

    The zeros of the polynomial are found by Newton's steps from Tricomi's estimate, which is right within 1e-5.
    """
    half = 0.5 * (high - low)
    places, weights = [0.0] * count, [0.0] * count
    for i in range((count + 1) // 2):
        x = sine_cosine(PI * (i + 0.75) / (count + 0.5))[1]
        x = x * (1.0 - (count - 1.0) / (8.0 * count * count * count))
        for _ in range(_STEPS):
            value, slope = _legendre(count, x)
            x = x - value / slope
        steepness = _legendre(count, x)[1]
        weight = half * (2.0 / ((1.0 - x * x) * (steepness * steepness)))
        places[i], places[count - 1 - i] = low + half * (1.0 - x), low + half * (1.0 + x)
        weights[i] = weights[count - 1 - i] = weight
    return places, weights


def _legendre(degree: int, x: float) -> tuple[float, float]:
    """Return the polynomial of Legendre and its derivative, `x` between -1 and 1."""
    before, value = 1.0, x
    for n in range(2, degree + 1):
        before, value = value, ((2.0 * n - 1.0) * x * value - (n - 1.0) * before) / n
    return value, degree * (before - x * value) / (1.0 - x * x)
