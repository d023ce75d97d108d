"""Neural network as an algorithm: it gives the value at one end of the macro step, the slope is that of its start."""

from ..config import Settings
from ..learning.embedded import learn, span
from ..learning.neural import differences, forward, start_slope
from ..learning.parts import neural_of, shape_of
from ..stages.history import view
from ..state import State
from . import NEVER

__all__ = ["learn", "line", "needed"]


def needed(c: Settings, s: State) -> int:
    """Return the number of inputs and one [slots]."""
    return shape_of(c).inputs + 1 if shape_of(c) and s.latency.steps == shape_of(c).steps else NEVER


def line(c: Settings, s: State) -> tuple[float, float, float]:
    """Return the line through the network's value: that of the end of the macro step, in event timing of its start."""
    net, own, past = shape_of(c), neural_of(s), view(s)
    width = span(own)
    slope = start_slope(net, past, 0)
    change = 0.0
    if width > 0.0:
        change = width * forward(net, own.use, differences(past, 0, net.inputs, width))
    level = past[0] + change
    return level if c.event else level - slope, slope, s.latency.fraction
