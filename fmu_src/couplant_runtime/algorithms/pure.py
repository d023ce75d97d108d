"""Algorithms that are functions of the past values and of k alone."""

from collections.abc import Callable

from ..config import Settings
from ..stages.history import view
from ..state import State

Taps = Callable[[int], int]
Estimate = Callable[[list[float], int], tuple[float, float]]
Needed = Callable[[Settings, State], int]
Line = Callable[[Settings, State], tuple[float, float, float]]


def pure(taps: Taps, estimate: Estimate) -> tuple[Needed, Line]:
    """Return `needed` and `line` of the algorithm that uses `taps(k)` values and continues them by `estimate(past, k)`.

    The past values [signal unit] are the newest first, k is in macro steps; the estimate is its level [signal unit] and
    slope [signal unit per macro step].
    """

    def needed(c: Settings, s: State) -> int:
        return taps(s.latency.steps)

    def line(c: Settings, s: State) -> tuple[float, float, float]:
        return *estimate(view(s), s.latency.steps), s.latency.fraction

    return needed, line
