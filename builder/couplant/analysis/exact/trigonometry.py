"""Sine and cosine by reduction to an eighth of a turn and the series of Taylor, within 2e-16."""

from __future__ import annotations

import math

PI = 3.141592653589793
"""π, rounded."""

_HIGH, _MIDDLE, _LOW = 1.5707963267341256, 6.077100506303966e-11, 2.0222662487959506e-21
"""π/2 in three parts, the first two of 33 bits: whole multiples up to 2^20 of these have no rounding."""


def sine_cosine(x: float) -> tuple[float, float]:
    """Return the sine and the cosine of `x` [rad], exact up to a size of 1e6; far beyond it those of any angle."""
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
