"""Neural network as an algorithm: it gives the value at one end of the macro step, the slope is that of its start."""

from ..config import Settings
from ..history import view
from ..learning.embedded import learn, span
from ..learning.neural import continued, differences, forward
from ..state import State
from . import NEVER

__all__ = ["learn", "line", "needed"]


def needed(c: Settings, s: State) -> int:
    """Return the number of inputs and one [slots]."""
    return c.neural.inputs + 1 if c.neural and s.latency_steps == c.neural.steps else NEVER


def line(c: Settings, s: State) -> tuple[float, float, float]:
    """Return the line through what the network gives: the value at the end of the macro step, in event timing t_n."""
    net, past, width = c.neural, view(s), span(s.neural)
    slope = continued(net, past, 0)
    change = 0.0
    if width > 0.0:
        change = width * forward(net, s.neural.use, differences(past, 0, net.inputs, width))
    level = past[0] + change
    return level if c.event else level - slope, slope, s.fraction
