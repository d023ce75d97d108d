"""Sliding-mode observer (Baumann 2024, 3-36 with its misplaced index corrected): an algorithm that carries a state."""

HALF_PI = 1.5707963267948966


def taps(k: int) -> int:
    """Return how many slots must have arrived before the observer runs at a latency of `k` macro steps."""
    return k + 2


def gain_per_step(gain: float, macro_step: float, k: int) -> float:
    """Return lambda * dT of the observer.

    Parameters
    ----------
    gain : float
        lambda [1/s]; 0 stands for 0.85 of the stability limit pi / (2 k dT).
    macro_step : float
        dT [s].
    k : int
        Latency in macro steps, at least 1.
    """
    if gain > 0.0:
        return gain * macro_step
    return 0.85 * HALF_PI / k


def bracket(past: list[float], then: float, gain: float) -> float:
    """Return the change of the estimate over one macro step.

    y_{n-k} - y_{n-k-1} - lambda dT (y_hat_{n-k} - y_{n-k})

    Parameters
    ----------
    past : list of float
        Received values, newest first [signal unit].
    then : float
        The estimate that was made for the time of the newest value [signal unit].
    gain : float
        lambda dT [-].
    """
    return past[0] - past[1] - gain * (then - past[0])
