"""Sliding-mode observer (Baumann 2024, 3-36 with its misplaced index corrected): an algorithm that carries a state.

It tracks the macro point itself, so no fraction moves it. Without a latency it is FOH.
"""

from ..config import Settings
from ..generated.constants import HALF_PI, SHARE_OF_LIMIT
from ..generated.numbers import RING
from ..stages.history import view
from ..state import State
from . import foh


def needed(c: Settings, s: State) -> int:
    """Return how many slots must have arrived before the observer runs."""
    return s.latency.steps + 2


def line(c: Settings, s: State) -> tuple[float, float, float]:
    """Advance the observer by y_{n-k} - y_{n-k-1} - lambda dT (y_hat_{n-k} - y_{n-k}).

    The newest value lies `fraction` of a step after the estimate it is compared with; the received slope bridges
    that. Bridging with the estimated slope makes the observer diverge at latencies below a macro step.

    The error of a value is subtracted once: a macro step without news knows no other one. So the gains whose effect
    is not seen yet add up to 0.85 pi / 2 at most whatever steps the sender skips and however late values come, less
    than the 3/2 up to which delayed feedback of a varying gain decays (Yorke 1970).
    """
    k = s.latency.steps
    past = view(s)
    if k == 0:
        return foh.line(c, s)
    slot = s.history.newest - s.latency.early
    if slot == s.algorithm.corrected:
        slope = past[0] - past[1]
        return s.algorithm.observed[(s.grid.n - 1) % RING] + slope, slope, 0.0
    s.algorithm.corrected = slot
    then = s.algorithm.observed[(s.grid.n - k) % RING]
    if s.latency.fraction != 0.0:
        then = then + s.latency.fraction * (past[0] - past[1])
    slope = past[0] - past[1] - gain_per_step(s.parameter.observer_gain, s.grid.period, k) * (then - past[0])
    return s.algorithm.observed[(s.grid.n - 1) % RING] + slope, slope, 0.0


def gain_per_step(gain: float, macro_step: float, k: int) -> float:
    """Return lambda dT of the observer, of its `gain` lambda [1/s] and the `macro_step` dT [s].

    A gain of 0 stands for 0.85 of the stability limit pi / (2 k dT), `k` at least 1 macro step.
    """
    if gain > 0.0:
        return gain * macro_step
    return SHARE_OF_LIMIT * HALF_PI / k
