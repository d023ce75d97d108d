"""Neural network as an algorithm: it gives the value at one end of the macro step, the slope is that of its start."""

from ..config import Settings
from ..history import view
from ..learning.embedded import learn, span
from ..learning.network import continued, differences, forward
from ..state import State
from . import NEVER

__all__ = ["learn", "line", "needed"]


def needed(c: Settings, s: State) -> int:
    """Return the number of inputs and one [slots]."""
    return c.network.inputs + 1 if c.network and s.latency_steps == c.network.steps else NEVER


def line(c: Settings, s: State) -> tuple[float, float, float]:
    """Return the line through the network's value: that of the end of the macro step, in event timing of its start."""
    net, past, width = c.network, view(s), span(s.network)
    slope = continued(net, past, 0)
    change = 0.0
    if width > 0.0:
        change = width * forward(net, s.network.use, differences(past, 0, net.inputs, width))
    level = past[0] + change
    return level if c.event else level - slope, slope, s.fraction
