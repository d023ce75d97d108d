"""Sine and cosine, places and weights of an integral, linear equations: with + - × ÷ only, in one order."""

import math

PI = 3.141592653589793  # π, rounded

_HIGH, _MIDDLE, _LOW = 1.5707963267341256, 6.077100506303966e-11, 2.0222662487959506e-21
"""π/2 in three parts, the first two of 33 bits: whole multiples up to 2^20 of these have no rounding."""

_NEWTON_STEPS = 3


def sine_cosine(x: float) -> tuple[float, float]:
    """Return the sine and the cosine of `x` [rad], exact up to a size of 1e6; far beyond it those of any angle.

    The angle is reduced to an eighth of a turn, the series of Taylor are right there within 2e-16.
    """
    turns = math.floor(x / (0.5 * PI) + 0.5)
    r = ((x - turns * _HIGH) - turns * _MIDDLE) - turns * _LOW
    if not -1.0 < r < 1.0:
        r = 0.0
    z = r * r
    sine = 1.0 / 362880.0 - z * (1.0 / 39916800.0 - z * (1.0 / 6227020800.0 - z / 1307674368000.0))
    sine = r - r * (z * (1.0 / 6.0 - z * (1.0 / 120.0 - z * (1.0 / 5040.0 - z * sine))))
    cosine = 1.0 / 3628800.0 - z * (1.0 / 479001600.0 - z * (1.0 / 87178291200.0 - z / 20922789888000.0))
    cosine = 1.0 - (0.5 * z - z * z * (1.0 / 24.0 - z * (1.0 / 720.0 - z * (1.0 / 40320.0 - z * cosine))))
    quarter = turns % 4
    if quarter == 0:
        return sine, cosine
    if quarter == 1:
        return cosine, -sine
    if quarter == 2:
        return -sine, -cosine
    return -cosine, sine


def gauss_legendre(count: int, low: float, high: float) -> tuple[list[float], list[float]]:
    """Return places, ascending, and weights of the integral from `low` to `high`, `count` of each, a whole number.

    The zeros of the polynomial are found by Newton's steps from Tricomi's estimate, which is right within 1e-5.
    """
    half = 0.5 * (high - low)
    places, weights = [0.0] * count, [0.0] * count
    for i in range((count + 1) // 2):
        x = sine_cosine(PI * (i + 0.75) / (count + 0.5))[1]
        x = x * (1.0 - (count - 1.0) / (8.0 * count * count * count))
        for _ in range(_NEWTON_STEPS):
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


def solve_equations(matrix: list[list[float]], sides: list[float]) -> list[float]:
    """Return the solution of as many equations, rows of a `matrix` and right `sides`: the largest pivot first."""
    rows = [[*row, side] for row, side in zip(matrix, sides, strict=True)]
    order = len(rows)
    for k in range(order):
        best = k
        for i in range(k + 1, order):
            if abs(rows[i][k]) > abs(rows[best][k]):
                best = i
        rows[k], rows[best] = rows[best], rows[k]
        for i in range(k + 1, order):
            factor = rows[i][k] / rows[k][k]
            for j in range(k + 1, order + 1):
                rows[i][j] = rows[i][j] - factor * rows[k][j]
    x = [0.0] * order
    for i in range(order - 1, -1, -1):
        value = rows[i][order]
        for j in range(i + 1, order):
            value = value - rows[i][j] * x[j]
        x[i] = value / rows[i][i]
    return x
