"""Keep overflow out of the state: a result that is not finite gives way to a finite one."""

UNLIMITED = 1.7976931348623157e308
"""Largest finite number: no limit."""

NO_STAMP = -UNLIMITED
"""Send time of no value: none yet. [s]"""


def bounded(value: float, fallback: float) -> float:
    """Return `value` if it is finite, else `fallback`."""
    if -UNLIMITED <= value <= UNLIMITED:
        return value
    return fallback
