"""Coupling algorithms: from the values received so far to a straight line that continues them.

Every algorithm module offers `taps(k)`, the number m of past values it uses at a latency of k macro steps, and
`line(past, k)`, which returns `(level, slope)`: the estimate k macro steps after the newest value and its
change per macro step. Between macro steps the estimate is `level + slope * theta`.
"""

from . import eros3, eros4, foh, zoh

NAMES = ("zoh", "foh", "smb", "eros3", "eros4", "linear", "irregular", "auto")
TABLED = NAMES[:6]
COMPARISON = ("recursive_fir", "coupling_element")
ALL = (*NAMES, "network", *COMPARISON)
NONE, ZOH, FOH, SMB, EROS3, EROS4, LINEAR, IRREGULAR, AUTO, NETWORK, RECURSIVE_FIR, COUPLING_ELEMENT = range(12)
GENERIC = {"zoh": zoh, "foh": foh, "eros3": eros3, "eros4": eros4}


def taps(name: str, k: int) -> int:
    """Return the number m of past values that the algorithm `name` uses.

    Parameters
    ----------
    name : str
        One of zoh, foh, eros3, eros4.
    k : int
        Latency in macro steps.

    Raises
    ------
    KeyError
        If `name` is not a generic linear algorithm.
    """
    return GENERIC[name].taps(k)


def weights(name: str, k: int) -> tuple[list[float], list[float]]:
    """Return the weights (a, A) of a generic linear algorithm as its response to unit impulses.

    Parameters
    ----------
    name : str
        One of zoh, foh, eros3, eros4.
    k : int
        Latency in macro steps.

    Returns
    -------
    tuple of list of float
        a and A, m values each, newest first, such that
        y_hat = sum a_l y_{n-k-l} + theta sum A_l y_{n-k-l} (docs/reference.md 1).

    Raises
    ------
    KeyError
        If `name` is not a generic linear algorithm.
    """
    m = taps(name, k)
    lines = [GENERIC[name].line([1.0 if i == tap else 0.0 for i in range(m)], k) for tap in range(m)]
    return [level for level, _ in lines], [slope for _, slope in lines]
