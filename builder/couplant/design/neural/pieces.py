"""The linear pieces of a neural network: which ones a recording visits, how often, and what each of them is.

With leaky ReLU a network is linear, with offsets up to a constant, as long as no neuron changes its side: one coupling
algorithm for each pattern of sides, with a response of its own (dissertation 4.1.1).
"""

from dataclasses import dataclass

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from couplant.analysis.algorithms import LinearAlgorithm
from couplant.base.arrays import Vector
from couplant.base.errors import UsageError
from couplant.design.neural.trainer import layers
from couplant_runtime.learning.neural import Neural


@dataclass(frozen=True)
class Piece:
    """A neural network while its neurons stay on their sides."""

    active: tuple[bool, ...]  # which neurons with leaky ReLU are at or above 0
    share: float  # share of the macro steps at which they are, of those before which the signal has changed, 0 to 1
    algorithm: LinearAlgorithm  # what the network is then


def pieces(net: Neural, weights: Vector, value: Vector, timing: str) -> list[Piece]:
    """Return the pieces of a neural network that a signal visits, the most frequent first.

    `weights` are all of its weights, shape (P,) [-], `value` the true values, one a macro step [signal unit]. In event
    timing the network stands for the start of the macro step, in step timing for its end; the slope is that of the
    algorithm that it came from. Raises UsageError if the signal is too short or does not change.
    """
    m, k, slopes = net.inputs + 1, net.steps, np.array(net.slopes)
    if value.size < m:
        # newest first
        raise UsageError(f"{value.size} values are too few for a network that takes {m}")
    past = sliding_window_view(value, m)[:, ::-1]
    # over the range so far, as the FMU scales its inputs
    seen, span = past[:, 1:] - past[:, :1], np.maximum.accumulate(value) - np.minimum.accumulate(value)
    # where nothing moves the network gives 0, whatever its sides
    moves = np.any(seen != 0.0, axis=1)
    seen = seen[moves] / span[m - 1 :][moves, None]
    if not seen.size:
        raise UsageError("the signal does not change: it visits no piece of the network")
    first, second, output, offsets = layers(net, weights)
    # which neurons are on which side: each combination is a linear map
    sides, counts = np.unique(seen @ first.T @ second.T + offsets >= 0.0, axis=0, return_counts=True)
    found = []
    for active, count in zip(sides, counts, strict=True):
        # units in their slope: the product of three matrices is the piece
        w = (np.where(active, 1.0, net.leak) * output) @ second @ first
        # in step timing weights are those of the end: the slope comes off for the start
        near = np.append(1.0 - w.sum(), w) - slopes * int(timing == "step")
        share = float(count / counts.sum())
        one = LinearAlgorithm(k, tuple(near), tuple(slopes), f"network {100 * share:.3g} %")
        found.append(Piece(tuple(bool(side) for side in active), share, one))
    return sorted(found, key=lambda piece: -piece.share)
