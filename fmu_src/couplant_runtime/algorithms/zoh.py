"""Zero-order hold: the newest value stays; what a coupling without compensation does."""

from .pure import pure


def taps(k: int) -> int:
    """Return the number of past values used at a latency of `k` macro steps."""
    return 1


def estimate(past: list[float], k: int) -> tuple[float, float]:
    """Return level and slope of the estimate from `past` [signal unit, newest first] at latency `k` [macro steps]."""
    return past[0], 0.0


needed, line = pure(taps, estimate)
