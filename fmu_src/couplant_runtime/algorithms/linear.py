"""Linear algorithm with given weights: free, designed or learnt, one pair (a, A) for each latency k.

Where the sender sends the derivative of y too there may be a second pair (b, B):

    y_hat = sum a_l y_{n-k-l} + dT sum b_l y'_{n-k-l},    with A and B likewise its slope
"""

from ..config import Settings
from ..stages.companions import course, derivative_told
from ..stages.history import view
from ..state import State
from . import NEVER


def needed(c: Settings, s: State) -> int:
    """Return the number of weights at this latency; without the derivative that they need they never run [slots]."""
    if s.latency.steps not in c.by_steps:
        return NEVER
    entry = c.by_steps[s.latency.steps]
    if entry.b and not derivative_told(s, s.latency.early):
        return NEVER
    return len(entry.a) if len(entry.a) > len(entry.b) else len(entry.b)


def line(c: Settings, s: State) -> tuple[float, float, float]:
    """Return the sums of a_l y_l and of A_l y_l; the weights are parameters of the FMU where it shows them."""
    entry = c.by_steps[s.latency.steps]
    past, rates = course(s, needed(c, s)) if entry.b else (view(s), [])
    shown = c.shown_taps
    a, slopes, m = (s.parameter.a, s.parameter.slopes, shown) if shown else (entry.a, entry.slopes, len(entry.a))
    level = 0.0
    slope = 0.0
    for tap in range(m):
        level = level + a[tap] * past[tap]
        slope = slope + slopes[tap] * past[tap]
    for tap in range(len(entry.b)):
        level = level + entry.b[tap] * rates[tap]
        slope = slope + entry.b_slopes[tap] * rates[tap]
    return level, slope, s.latency.fraction
