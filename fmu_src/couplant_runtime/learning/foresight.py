"""Answers of a network to the pipeline: whether it has foreseen a jump, and whether its weights do harm."""

from ..algorithms import BY_NAME
from ..generated.constants import FORESEEN, HARM_PATIENCE
from ..state import State


def foreseen(s: State) -> bool:
    """Return whether the network's estimate for the newest value, just judged, had most of its change.

    A network that predicts a jump needs no detector there (Baumann 2024, 5.3.2); it is judged while the newest value is
    given out in its place, too.
    """
    change = abs(s.history.past[0] - s.history.past[1])
    ran = s.switching.active == BY_NAME["network"].number or is_harmful(s)
    return ran and s.quality.error <= FORESEEN * change


def is_harmful(s: State) -> bool:
    """Return whether the newest value is given out, because the weights in use have lost against it for long."""
    network = s.parameter.selected == BY_NAME["network"].number
    return s.neural is not None and network and s.neural.harmful >= HARM_PATIENCE
