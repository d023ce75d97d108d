"""How far an estimate is from its signal in magnitude and phase.

M. A. Sprague, T. L. Geers, Shock and Vibration 10, 2003, from the sums of squares and products of both.
"""

import math
from typing import NamedTuple

import numpy as np

from couplant.base.arrays import Vector, blocks, read_rows

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
    Where one of the two is zero throughout, or there are no values, the figures are None; where a value is not finite,
    C and M are infinite, P is not a number.
    """
    if not y.size:
        return SpragueGeers(None, None, None)
    scale = float(np.max([np.abs(read_rows(one, rows)).max() for rows in blocks(y.size) for one in (y, y_hat)]))
    if not math.isfinite(scale):
        return SpragueGeers(math.inf, math.inf, math.nan)
    if scale == 0.0:
        return SpragueGeers(None, None, None)
    energy, estimated, product = _totals(y, y_hat, scale)
    if energy == 0.0 or estimated == 0.0:
        return SpragueGeers(None, None, None)
    m = abs(math.sqrt(estimated / energy) - 1.0)
    # rounding can push a cosine beyond 1
    p = math.acos(min(1.0, max(-1.0, product / math.sqrt(energy * estimated)))) / math.pi
    return SpragueGeers(100.0 * math.hypot(m, p), 100.0 * m, 100.0 * p)


def _totals(y: Vector, y_hat: Vector, scale: float = 1.0) -> list[float]:
    """Return Σy², Σŷ², Σyŷ over `scale`², rounded once.

    Many running sums stand side by side, each with what rounding took from it (Knuth's TwoSum).
    """
    high, lost = np.zeros((2, 3, _LANES))
    for block in blocks(y.size):
        # scaled by the largest value, so that squares neither overflow nor vanish
        a, b = (read_rows(one, block) / scale for one in (y, y_hat))
        padded = np.pad([a * a, b * b, a * b], ((0, 0), (0, -a.size % _LANES)))
        # every lane keeps a sum of its own, so that numpy does the loop
        for row in padded.reshape(3, -1, _LANES).swapaxes(0, 1):
            total = high + row
            taken = total - high
            # Knuth: what the addition rounded away, exactly
            lost += (high - (total - taken)) + (row - taken)
            high = total
    return [math.fsum([*sums, *rests]) for sums, rests in zip(high, lost, strict=True)]
