"""The residual detector: a jump is a value that misses the parabola through the six received before it.

r is the distance to the least-squares parabola, with the true send times, so that holes do not matter. A jump if |r|
exceeds 1.2 times the sensitivity times the larger of 1.4826 times the median of the last 21 |r| and 0.004 of the range
of the last 32 values, and is no mere growth: of the sign of the residual before it, it must be 6 times the largest of
the last three, after a rest 6 times the square of the macro steps since the value before; a bank heeds jumps of a fifth
of the range only. On a jump the six values are moved by r, so that a jump is flagged once. If the signal then moves on
1.5 times as fast as by r since the value before, or faster, the flag is taken back: it was the start of a movement.
"""

from ..algorithms import ROWS
from ..generated.constants import (
    GROWTH,
    LAST,
    LEAST_FITS,
    LEAST_GAP,
    MOVEMENT,
    RANGE,
    RELATIVE_FLOOR,
    SHARE_IN_BANK,
    SHARE_OF_RANGE,
    SHARPNESS,
    SPREAD,
)
from ..generated.numbers import FIT, RESIDUALS, SLOTS
from ..guard import UNLIMITED, bounded
from ..state import State


def residual_break(s: State, newest: int) -> bool:
    """Take the value in slot number `newest` before the newest into the test; return whether it is a jump."""
    if s.history.marked[newest]:
        return False
    value = s.history.past[newest]
    before = s.residual.miss
    gap = s.history.stamps[newest] - s.residual.fitted_at[0]
    gap = gap if gap > LEAST_GAP else LEAST_GAP
    rate = (value - s.residual.fitted[0]) / gap
    miss = bounded(value - _predicted(s, s.history.stamps[newest]), 0.0)
    s.residual.miss = miss
    s.residual.fits = s.residual.fits + 1 if s.residual.fits < LEAST_FITS else LEAST_FITS
    jump = s.residual.fits == LEAST_FITS and _exceeds(s, newest, abs(miss)) and _sudden(s, miss, before, gap)
    if s.residual.break_rate != 0.0 and _moves_on(rate, s.residual.break_rate):
        s.switching.anchor = s.discontinuity.anchor_before
        s.discontinuity.flagged = 0
        jump = False
    s.residual.break_rate = miss / gap if jump else 0.0
    if jump:
        for i in range(FIT):
            s.residual.fitted[i] = bounded(s.residual.fitted[i] + miss, value)
    _push(s.residual.fitted, FIT, value)
    _push(s.residual.fitted_at, FIT, s.history.stamps[newest])
    _push(s.residual.residuals, RESIDUALS, abs(miss))
    return jump


def residual_start(s: State) -> None:
    """Begin anew with the newest value as if it had always been there."""
    for i in range(FIT):
        s.residual.fitted[i] = s.history.past[0]
        s.residual.fitted_at[i] = s.history.stamps[0] - i
    s.residual.residuals[:] = [0.0] * RESIDUALS
    s.residual.miss = s.residual.break_rate = 0.0
    s.residual.fits = 1


def _predicted(s: State, at: float) -> float:
    """Return the value of the least-squares parabola at the send time `at` [macro steps]."""
    centre = 0.0
    for i in range(FIT):
        centre = centre + (s.residual.fitted_at[i] - at)
    centre = centre / FIT
    square = cube = 0.0
    for i in range(FIT):
        x = s.residual.fitted_at[i] - at - centre
        square = square + x * x
        cube = cube + x * x * x
    if not square > 0.0:
        return s.residual.fitted[0]
    return bounded(s.residual.fitted[0] + _parabola(s, at, centre, square, cube / square), s.residual.fitted[0])


def _parabola(s: State, at: float, centre: float, square: float, skew: float) -> float:
    """Return the prediction relative to the newest of the six values, by orthogonal polynomials."""
    mean = line = bend = norm = 0.0
    for i in range(FIT):
        x = s.residual.fitted_at[i] - at - centre
        curve = x * x - skew * x - square / FIT
        value = s.residual.fitted[i] - s.residual.fitted[0]
        mean = mean + value
        line = line + value * x
        bend = bend + value * curve
        norm = norm + curve * curve
    x = -centre
    curve = x * x - skew * x - square / FIT
    result = mean / FIT + line / square * x
    return result + bend / norm * curve if norm > 0.0 else result


def _exceeds(s: State, newest: int, size: float) -> bool:
    factor = SHARPNESS * s.parameter.sensitivity
    if not (size > RELATIVE_FLOOR * abs(s.history.past[newest]) and size > s.parameter.floor):
        return False
    if not _unusual(s, size, factor * SPREAD):
        return False
    width = _range(s, newest)
    return size > factor * SHARE_OF_RANGE * width and (not _in_bank(s) or size >= SHARE_IN_BANK * width)


def _in_bank(s: State) -> bool:
    return ROWS[s.parameter.selected].blends


def _sudden(s: State, miss: float, before: float, gap: float) -> bool:
    """Return whether the residual breaks with the ones before it, rather than growing out of them.

    At the beginning of a movement they grow with the time since the value before, `gap` [macro steps].
    """
    if (miss > 0.0 and before < 0.0) or (miss < 0.0 and before > 0.0):
        return True
    largest = 0.0
    for i in range(LAST):
        if s.residual.residuals[i] > largest:
            largest = s.residual.residuals[i]
    growth = GROWTH * gap * gap if _unusual(s, largest, GROWTH) else GROWTH
    return abs(miss) > growth * largest


def _moves_on(rate: float, before: float) -> bool:
    return rate >= MOVEMENT * before if before > 0.0 else rate <= MOVEMENT * before


def _unusual(s: State, size: float, factor: float) -> bool:
    """Return whether `size` exceeds `factor` times the median of the residuals."""
    below = 0
    for residual in s.residual.residuals:
        below = below + (factor * residual < size)
    return below > RESIDUALS // 2


def _range(s: State, newest: int) -> float:
    low = high = s.history.past[newest]
    end = newest + RANGE if newest + RANGE < SLOTS else SLOTS
    for slot in range(newest + 1, end):
        if s.history.past[slot] < low:
            low = s.history.past[slot]
        if s.history.past[slot] > high:
            high = s.history.past[slot]
    return bounded(high - low, UNLIMITED)


def _push(values: list[float], count: int, value: float) -> None:
    for i in range(count - 1, 0, -1):
        values[i] = values[i - 1]
    values[0] = value
