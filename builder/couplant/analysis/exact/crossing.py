"""The first place where a function passes zero, by scan and false position, with fixed rules."""

from collections.abc import Callable

Excess = Callable[[float], float]

_GOLDEN = 0.6180339887498949
_TOP_STEPS = 60
_FALSE_STEPS = 20
_ROOT_STEPS = 90
_ROUNDING = 2.220446049250313e-16


def first_crossing(excess: Excess, points: int) -> float | None:
    """Return the first x in [0, 1] from which `excess` is above 0, None if there is none.

    It is looked at `points` equal steps, a whole number, and at tops between them that may pass 0.
    """
    earlier = before = excess(0.0)
    if before > 0.0:
        return 0.0
    for i in range(1, points + 1):
        x = i / points
        now = excess(x)
        if i > 1 and _near_miss(earlier, before, now):
            top, height = _top(excess, (i - 2) / points, x)
            if height > 0.0:
                return _root(excess, (i - 2) / points, earlier, top, height)
        if now > 0.0:
            return _root(excess, (i - 1) / points, before, x, now)
        earlier, before = before, now
    return None


def _near_miss(earlier: float, middle: float, later: float) -> bool:
    """Return whether the middle one of three values is a top that may pass 0 between the points of the scan."""
    rise = middle - (earlier if earlier < later else later)
    return middle >= earlier and middle >= later and middle + rise > 0.0


def _top(excess: Excess, low: float, high: float) -> tuple[float, float]:
    """Return a place above 0 between `low` and `high`, else the top, and its height: by golden section."""
    width = high - low
    left, right = high - _GOLDEN * width, low + _GOLDEN * width
    at_left, at_right = excess(left), excess(right)
    for _ in range(_TOP_STEPS):
        if at_left > 0.0 or at_right > 0.0 or not left < right:
            break
        if at_left >= at_right:
            high, right, at_right = right, left, at_left
            left = high - _GOLDEN * (high - low)
            at_left = excess(left)
        else:
            low, left, at_left = left, right, at_right
            right = low + _GOLDEN * (high - low)
            at_right = excess(right)
    return (left, at_left) if at_left > 0.0 or at_left >= at_right else (right, at_right)


def _root(excess: Excess, low: float, below: float, high: float, above: float) -> float:
    """Return where `excess` leaves 0 between two places: by false position after Illinois, later by halves."""
    side = 0
    for step in range(_ROOT_STEPS):
        if high - low <= _ROUNDING * high:
            break
        x = low + (high - low) * (below / (below - above)) if step < _FALSE_STEPS else 0.5 * (low + high)
        if not low < x < high:
            x = 0.5 * (low + high)
        value = excess(x)
        if value > 0.0:
            below = 0.5 * below if side > 0 else below
            high, above, side = x, value, 1
        else:
            above = 0.5 * above if side < 0 else above
            low, below, side = x, value, -1
    return high
