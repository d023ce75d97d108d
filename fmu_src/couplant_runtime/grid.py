"""Macro points for hosts that add up their time: it lags, and the points have to follow.

With t += h the time of macro step n is n h less what was rounded off, after minutes by more than times that are the
same may differ. So a communication point that is meant to be a macro point becomes the one that the next are counted
from.
"""

from .generated.constants import COUNTED, MOST_STEPS, RESOLVED, SINGLE, TINY, UPPER
from .generated.state import Grid


def same_time(time: float, period: float) -> float:
    """Return how far times may be apart [s] that are the same: TINY of a `period` [s], or what `time` [s] resolves."""
    rounding = RESOLVED * (time if time > 0.0 else -time)
    return rounding if rounding > TINY * period else TINY * period


def stray(time: float, size: float, period: float) -> float:
    """Return how far a step of `size` [s] at `time` [s] may be off the end of the last one [s].

    A host that counts time in single precision rounds it far more coarsely; sizes and times with so few bits tell it.
    At most a quarter of the step then, else as for `same_time` with a `period` [s].
    """
    same = same_time(time, period)
    if not (_has_single_precision(time) and _has_single_precision(size)):
        return same
    most = SINGLE * (time if time > 0.0 else -time)
    if most > 0.25 * size:
        most = 0.25 * size
    return most if most > same else same


def nearness(time: float, size: float, period: float) -> float:
    """Return how close to a macro point [s] the end of a step of `size` [s] at `time` [s] is on it.

    Where the step divides the `period` [s], or is a multiple of it, COUNTED periods or what single precision resolves,
    else TINY; at most a quarter of the step, so that no other micro step is meant; at least what `time` resolves, up to
    a quarter of the period.
    """
    whole = _is_whole(size, period)
    counted = stray(time - size, size, period) if whole else 0.0
    near = (COUNTED if whole else TINY) * period
    if counted > near:
        near = counted
    if 0.25 * size < near:
        near = 0.25 * size
    rounding = RESOLVED * (time if time > 0.0 else -time)
    if rounding > 0.25 * period:
        return 0.25 * period
    return rounding if rounding > near else near


def arrive(grid: Grid) -> None:
    """Work out the macro step of `grid` that its time belongs to; a point too far off is counted from anew."""
    since = grid.time - grid.anchor_time
    passed = since / grid.period
    point = int(passed + 0.5)
    off = since - point * grid.period
    here = int(passed)
    if -grid.near <= off <= grid.near:
        here = point
        same = same_time(grid.time, grid.period)
        keep = 0.5 * (same if same < grid.near else grid.near)
        if point > 0 and not -keep <= off <= keep:
            grid.anchor_time = grid.time
            grid.anchor = grid.anchor + point
            here = 0
    here = grid.anchor + here
    if here > grid.here:
        grid.here = here


def point_time(grid: Grid, n: int) -> float:
    """Return the time of macro step `n` of `grid` [s]."""
    return grid.anchor_time + (n - grid.anchor) * grid.period


def _has_single_precision(value: float) -> bool:
    scaled = value * UPPER
    return scaled - (scaled - value) == value


def _is_whole(size: float, period: float) -> bool:
    """Return whether a period is so many steps, or a step so many periods, to a thousandth of the smaller one.

    Points that other steps come close to by chance must not be followed: the chance is the same each time, and the
    grid would run away.
    """
    if size == period:
        return True
    ratio = period / size if size < period else size / period
    if not 0.0 < ratio < MOST_STEPS:
        return False
    part = ratio - int(ratio + 0.5)
    return -COUNTED <= part <= COUNTED
