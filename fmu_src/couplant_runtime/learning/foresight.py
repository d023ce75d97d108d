"""A neural network that predicts a jump needs no detector there (Baumann 2024, 5.3.2)."""

from ..generated.algorithms import NETWORK
from ..state import State

PART = 0.5


def foreseen(s: State) -> bool:
    """Return whether the neural network's estimate for the newest value, just judged, had most of its change."""
    return s.active == NETWORK and s.quality_error <= PART * abs(s.past[0] - s.past[1])
