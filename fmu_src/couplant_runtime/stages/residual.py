"""The residual detector: a jump is a value that misses the parabola through the six received before it.

r is the distance to the least-squares parabola, with the true send times, so that holes do not matter. A jump if |r|
exceeds 1.2 times the sensitivity times the larger of 1.4826 times the median of the last 21 |r| and 0.004 of the range
of the last 32 values, fewer than 6 of the 21 were half as large (the median of a sine at a quarter of the sampling rate
is 0 in some phases), and it is no mere growth: of the sign of the residual before it, it must be 6 times the largest of
the last three, after a rest 6 times the square of the macro steps since the value before; a bank heeds jumps of a fifth
of the range only; where it foresees well those of two fifths, and smaller ones of 10 medians, as kinks. On a jump the
six values are moved by r, so that a jump is flagged once. If the signal then moves on
1.5 times as fast as by r since the value before, or faster, the flag is taken back: it was the start of a movement; a
bank does so only where there was less than a tenth of that rate before.
"""

from ..algorithms import ROWS
from ..generated.constants import (
    CLEAR,
    COMMON,
    GROWTH,
    LAST,
    LEAST_FITS,
    LEAST_GAP,
    LEAST_RESIDUAL,
    MOVEMENT,
    RANGE,
    RELATIVE_FLOOR,
    REST,
    SHARE_IF_SURE,
    SHARE_IN_BANK,
    SHARE_OF_RANGE,
    SHARPNESS,
    SPREAD,
)
from ..generated.numbers import FIT, RESIDUALS
from ..guard import UNLIMITED, bounded
from ..state import State


def residual_break(s: State, newest: int) -> bool:
    """Take the value in slot number `newest` before the newest into the test; return whether it is a jump."""
    if s.history.marked[newest]:
        return False
    own, value, at = s.residual, s.history.past[newest], s.history.stamps[newest]
    before = own.miss
    gap = at - own.fitted_at[0]
    gap = gap if gap > LEAST_GAP else LEAST_GAP
    rate = (value - own.fitted[0]) / gap
    miss = bounded(value - _predict(s, at), 0.0)
    own.miss = miss
    own.fits = own.fits + 1 if own.fits < LEAST_FITS else LEAST_FITS
    jump = own.fits == LEAST_FITS and _exceeds(s, newest, abs(miss)) and _sudden(own.residuals, miss, before, gap)
    if own.break_rate != 0.0 and _moves_on(rate, own.break_rate):
        anchor, origin = s.discontinuity.anchor_before, s.history.origin
        s.switching.anchor = anchor if anchor > origin else origin
        s.discontinuity.flagged = 0
        jump = False
    jumps = jump and _in_bank(s) and _moved(s, miss / gap)
    own.break_rate = miss / gap if jump and not jumps else 0.0
    if jump:
        large = _is_large(s, abs(miss), _range(s, newest))
        s.bank.bent = 0 if large else s.history.newest - newest
        for i in range(FIT):
            own.fitted[i] = bounded(own.fitted[i] + miss, value)
    _push(own.fitted, FIT, value)
    _push(own.fitted_at, FIT, at)
    _push(own.residuals, RESIDUALS, abs(miss))
    return jump


def _moved(s: State, rate: float) -> bool:
    """Return whether the signal moved before, by more than a share of the `rate` of a break: none starts then."""
    own = s.residual
    late = own.fitted_at[0] - own.fitted_at[1]
    return abs(own.fitted[0] - own.fitted[1]) > REST * abs(rate) * (late if late > LEAST_GAP else LEAST_GAP)


def residual_start(s: State) -> None:
    """Begin anew with the newest value as if it had always been there."""
    own = s.residual
    for i in range(FIT):
        own.fitted[i] = s.history.past[0]
        own.fitted_at[i] = s.history.stamps[0] - i
    own.residuals[:] = [0.0] * RESIDUALS
    own.miss = own.break_rate = 0.0
    own.fits = 1


def _predict(s: State, at: float) -> float:
    """Return the value of the least-squares parabola at the send time `at` [macro steps]."""
    values, times = s.residual.fitted, s.residual.fitted_at
    centre = 0.0
    for i in range(FIT):
        centre = centre + (times[i] - at)
    centre = centre / FIT
    offsets = [time - at - centre for time in times]
    square = cube = 0.0
    for x in offsets:
        square = square + x * x
        cube = cube + x * x * x
    if not square > 0.0:
        return values[0]
    return bounded(values[0] + _parabola(values, offsets, -centre, square, cube / square), values[0])


def _parabola(values: list[float], offsets: list[float], at: float, square: float, skew: float) -> float:
    """Return the prediction relative to the newest of the six values, by orthogonal polynomials."""
    mean = line = bend = norm = 0.0
    for i in range(FIT):
        x = offsets[i]
        curve = x * x - skew * x - square / FIT
        value = values[i] - values[0]
        mean = mean + value
        line = line + value * x
        bend = bend + value * curve
        norm = norm + curve * curve
    curve = at * at - skew * at - square / FIT
    result = mean / FIT + line / square * at
    return result + bend / norm * curve if norm > 0.0 else result


def _exceeds(s: State, newest: int, size: float) -> bool:
    factor = SHARPNESS * s.parameter.sensitivity
    if not (size > RELATIVE_FLOOR * abs(s.history.past[newest]) and size > s.parameter.floor):
        return False
    if not size > LEAST_RESIDUAL * s.parameter.noise:
        return False
    if not _unusual(s.residual.residuals, size, factor * SPREAD) or _is_common(s.residual.residuals, size):
        return False
    width = _range(s, newest)
    if not size > factor * SHARE_OF_RANGE * width:
        return False
    if not _in_bank(s) or _is_large(s, size, width):
        return True
    return bool(s.bank.sure) and _unusual(s.residual.residuals, size, CLEAR)


def _is_large(s: State, size: float, width: float) -> bool:
    """Return whether a bank takes it for a jump and not for a kink."""
    return size >= (SHARE_IF_SURE if s.bank.sure else SHARE_IN_BANK) * width


def _in_bank(s: State) -> bool:
    return ROWS[s.parameter.selected].blends


def _sudden(residuals: list[float], miss: float, before: float, gap: float) -> bool:
    """Return whether the residual breaks with the ones before it, rather than growing out of them.

    At the beginning of a movement they grow with the time since the value before, `gap` [macro steps].
    """
    if (miss > 0.0 and before < 0.0) or (miss < 0.0 and before > 0.0):
        return True
    largest = 0.0
    for residual in residuals[:LAST]:
        if residual > largest:
            largest = residual
    growth = GROWTH * gap * gap if _unusual(residuals, largest, GROWTH) else GROWTH
    return abs(miss) > growth * largest


def _moves_on(rate: float, before: float) -> bool:
    return rate >= MOVEMENT * before if before > 0.0 else rate <= MOVEMENT * before


def _unusual(residuals: list[float], size: float, factor: float) -> bool:
    """Return whether `size` exceeds `factor` times the median of the `residuals`."""
    below = 0
    for residual in residuals:
        below = below + (factor * residual < size)
    return below > RESIDUALS // 2


def _is_common(residuals: list[float], size: float) -> bool:
    """Return whether many of the `residuals` are at least half of `size`."""
    large = 0
    for residual in residuals:
        large = large + (residual >= 0.5 * size)
    return large >= COMMON


def _range(s: State, newest: int) -> float:
    low = high = s.history.past[newest]
    for value in s.history.past[newest + 1 : newest + RANGE]:
        if value < low:
            low = value
        if value > high:
            high = value
    return bounded(high - low, UNLIMITED)


def _push(values: list[float], count: int, value: float) -> None:
    values.insert(0, value)
    del values[count:]
