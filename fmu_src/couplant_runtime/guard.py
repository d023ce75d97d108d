"""Keep overflow out of the state, and numbers within bounds: what is not finite gives way to a finite number."""

UNLIMITED = 1.7976931348623157e308
"""Largest finite number: no limit."""

NO_STAMP = -UNLIMITED
"""Send time of no value: none yet. [s]"""


def bounded(value: float, fallback: float) -> float:
    """Return `value` if it is finite, else `fallback`."""
    if -UNLIMITED <= value <= UNLIMITED:
        return value
    return fallback


def larger(one: float, other: float) -> float:
    """Return the larger of two numbers, `one` and `other`."""
    return one if one > other else other


def between(value: float, low: float, high: float) -> float:
    """Return `value` within `low` and `high`."""
    if value < low:
        return low
    return high if value > high else value
