"""EROS3: extrapolation in error space, exact on parabolas at the end of the macro step (Baumann 2024, 3.2.2)."""

from .pure import pure


def taps(k: int) -> int:
    """Return the number of past values used at a latency of `k` macro steps."""
    return k + 3


def estimate(past: list[float], k: int) -> tuple[float, float]:
    """Return level and slope of the estimate from `past` [signal unit, newest first] at latency `k` [macro steps].

    p = r (y_{n-k} - y_{n-2k-1}) - (y_{n-k-1} - y_{n-2k-2}),  r = (k+2)/(k+1)
    """
    r = (k + 2.0) / (k + 1.0)
    slope = r * (past[0] - past[k + 1]) - (past[1] - past[k + 2])
    return past[0] + k * slope, slope


needed, line = pure(taps, estimate)
