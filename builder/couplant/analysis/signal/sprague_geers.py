"""How far an estimate is from its signal in magnitude and phase.

M. A. Sprague, T. L. Geers, Shock and Vibration 10, 2003, from the sums of squares and products of both.
"""

import math
from typing import NamedTuple

import numpy as np

from couplant.base.arrays import Vector

_LANES = 1 << 12


class SpragueGeers(NamedTuple):
    """The figures of Sprague and Geers, times 100; None where they are not defined."""

    # C, M, P: both together, error of the magnitude and of the phase, at least 0, -
    C: float | None
    M: float | None
    P: float | None


def sprague_geers(y: Vector, y_hat: Vector) -> SpragueGeers:
    """Return C, M and P: M = |sqrt(Σŷ²/Σy²) - 1|, P = arccos(Σyŷ / sqrt(Σy² Σŷ²)) / π, C = sqrt(M² + P²).

    Where M is printed as sqrt(Σy²/Σŷ² - 1), it is not real for estimates that are too large.

    The signal `y` and its estimate `y_hat`, shape (N,), may be of any size: both are scaled before they are squared.
    Where one of the two is zero throughout, the figures are None; where a value is not finite, C and M are infinite, P
    is not a number.
    """
    scale = float(np.max(np.abs([y, y_hat])))
    if not math.isfinite(scale):
        return SpragueGeers(math.inf, math.inf, math.nan)
    if scale == 0.0:
        return SpragueGeers(None, None, None)
    # scaled by the largest value, so that squares neither overflow nor vanish
    y, y_hat = y / scale, y_hat / scale
    energy, estimated, product = _total(y * y), _total(y_hat * y_hat), _total(y * y_hat)
    if energy == 0.0 or estimated == 0.0:
        return SpragueGeers(None, None, None)
    m = abs(math.sqrt(estimated / energy) - 1.0)
    # rounding can push a cosine beyond 1
    p = math.acos(min(1.0, max(-1.0, product / math.sqrt(energy * estimated)))) / math.pi
    return SpragueGeers(100.0 * math.hypot(m, p), 100.0 * m, 100.0 * p)


def _total(values: Vector) -> float:
    """Return the rounded sum: many running sums side by side, each with what rounding took from it (Knuth's TwoSum)."""
    high, lost = np.zeros(_LANES), np.zeros(_LANES)
    # every lane keeps a sum of its own, so that numpy does the loop
    for row in np.append(values, np.zeros(-values.size % _LANES)).reshape(-1, _LANES):
        total = high + row
        taken = total - high
        # Knuth: what the addition rounded away, exactly
        lost += (high - (total - taken)) + (row - taken)
        high = total
    return math.fsum([*high, *lost])
