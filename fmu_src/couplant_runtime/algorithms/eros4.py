"""EROS4: extrapolation in error space with a smaller error on cubics than EROS3 (Baumann 2024, 3.2.2)."""

from .pure import pure


def taps(k: int) -> int:
    """Return the number of past values used at a latency of `k` macro steps."""
    return k + 4


def estimate(past: list[float], k: int) -> tuple[float, float]:
    """Return level and slope of the estimate from `past` [signal unit, newest first] at latency `k` [macro steps].

    p = [c1 (y_{n-k} - y_{n-2k-1}) - c2 (y_{n-k-1} - y_{n-2k-2}) + c3 (y_{n-k-2} - y_{n-2k-3})] / (k+1)
    """
    c1 = 0.5 * k * k + 2.0 * k + 2.5
    c2 = 1.0 * k * k + 3.0 * k + 2.0
    c3 = 0.5 * k * k + k + 0.5
    slope = (c1 * (past[0] - past[k + 1]) - c2 * (past[1] - past[k + 2]) + c3 * (past[2] - past[k + 3])) / (k + 1.0)
    return past[0] + k * slope, slope


needed, line = pure(taps, estimate)
