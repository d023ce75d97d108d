"""Parts of an FMU with a neural network."""

from ..config import Settings
from ..generated.state import NeuralState
from ..state import State
from .neural import Neural


def neural_of(s: State) -> NeuralState:
    """Return the record of the network in the state of an FMU that has one."""
    assert s.neural is not None
    return s.neural


def shape_of(c: Settings) -> Neural:
    """Return the shape of the network of an FMU that has one."""
    assert c.neural is not None
    return c.neural
