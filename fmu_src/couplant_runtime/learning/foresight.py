"""A network that predicts a jump needs no detector there (Baumann 2024, 5.3.2)."""

from ..algorithms import BY_NAME
from ..generated.constants import FORESEEN
from ..state import State


def foreseen(s: State) -> bool:
    """Return whether the network's estimate for the newest value, just judged, had most of its change."""
    change = abs(s.history.past[0] - s.history.past[1])
    return s.switching.active == BY_NAME["network"].number and s.quality.error <= FORESEEN * change
