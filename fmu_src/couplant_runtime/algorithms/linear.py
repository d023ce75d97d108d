"""Linear algorithm with given weights: free, designed or learnt, one pair (a, A) for each latency k."""


def line(past: list[float], a: list[float], slopes: list[float], m: int) -> tuple[float, float]:
    """Return level and slope of the estimate.

    Parameters
    ----------
    past : list of float
        Received values, newest first [signal unit], at least m.
    a, slopes : list of float
        Weights a and A, newest first, at least m.
    m : int
        Number of past values used.

    Returns
    -------
    tuple of float
        sum a_l y_l [signal unit] and sum A_l y_l [signal unit per macro step].
    """
    level = 0.0
    slope = 0.0
    for tap in range(m):
        level = level + a[tap] * past[tap]
        slope = slope + slopes[tap] * past[tap]
    return level, slope
