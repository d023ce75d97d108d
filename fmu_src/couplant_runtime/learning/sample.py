"""One training sample a macro step: what was known, and the value that has just arrived.

The network is responsible for one end of the macro step, the near one: its start in event timing, where the receiver
takes the value, its end in step timing. The other end follows from the slope of the start algorithm.
"""

from typing import NamedTuple

from ..generated.constants import LARGEST_CHANGE
from .neural import Neural, differences, forward, start_slope


class Sample(NamedTuple):
    """Inputs and true changes at both ends of the macro step, over the running range."""

    near: list[float]  # inputs of the network, at the newest value of then
    change: float  # true change since that value
    far: list[float]  # the same at the far end
    change_far: float  # the same at the far end
    slope_far: float  # what the slope of the start algorithm adds at the far end


def sample(net: Neural, past: list[float], span: float, event: bool) -> Sample:
    """Return the sample that ends with the newest value.

    The `past` values are the newest first, `span` is the running range of the signal, above 0 [signal unit]; `event` is
    event timing instead of step timing.
    """
    k = net.steps
    near, far, sign = (k, k + 1, 1.0) if event else (k + 1, k, -1.0)
    return Sample(
        differences(past, near, net.inputs, span),
        (past[0] - past[near]) / span,
        differences(past, far, net.inputs, span),
        (past[0] - past[far]) / span,
        sign * start_slope(net, past, far) / span,
    )


def usable(one: Sample) -> bool:
    """Return whether no value of a sample, `one`, is beyond `LARGEST_CHANGE`."""
    values = (*one.near, *one.far, one.change, one.change_far, one.slope_far)
    return all(-LARGEST_CHANGE <= value <= LARGEST_CHANGE for value in values)


def slots(net: Neural) -> int:
    """Return how many received values a sample of `net` needs."""
    return net.steps + 2 + net.inputs


def error_near(net: Neural, weights: list[float], one: Sample) -> float:
    """Return the error of `net` with these `weights` at the near end of `one` sample."""
    return one.change - forward(net, weights, one.near)


def error_far(net: Neural, weights: list[float], one: Sample) -> float:
    """Return the error of `net` with these `weights` at the far end of `one` sample."""
    return one.change_far - one.slope_far - forward(net, weights, one.far)
