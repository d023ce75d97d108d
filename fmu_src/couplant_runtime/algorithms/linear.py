"""Linear algorithm with given weights: free, designed or learnt, one pair (a, A) for each latency k."""

from ..config import Settings
from ..stages.history import view
from ..state import State
from . import NEVER


def needed(c: Settings, s: State) -> int:
    """Return the number of weights at this latency [slots]."""
    return len(c.by_steps[s.latency.steps].a) if s.latency.steps in c.by_steps else NEVER


def line(c: Settings, s: State) -> tuple[float, float, float]:
    """Return the sums of a_l y_l and of A_l y_l; the weights are parameters of the FMU where it shows them."""
    past = view(s)
    entry = c.by_steps[s.latency.steps]
    shown = c.shown_taps
    a, slopes, m = (s.parameter.a, s.parameter.slopes, shown) if shown else (entry.a, entry.slopes, len(entry.a))
    level = 0.0
    slope = 0.0
    for tap in range(m):
        level = level + a[tap] * past[tap]
        slope = slope + slopes[tap] * past[tap]
    return level, slope, s.latency.fraction
