"""First-order hold, the PD predictor of the literature: the line through the two newest values."""

from .pure import pure


def taps(k: int) -> int:
    """Return the number of past values used at a latency of `k` macro steps."""
    return 2


def estimate(past: list[float], k: int) -> tuple[float, float]:
    """Return level and slope of the estimate from `past` [signal unit, newest first] at latency `k` [macro steps]."""
    slope = past[0] - past[1]
    return past[0] + k * slope, slope


needed, line = pure(taps, estimate)
