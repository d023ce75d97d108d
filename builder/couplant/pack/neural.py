"""Weights that a neural network starts with."""

from __future__ import annotations

import numpy as np

from couplant.analysis.morphism import Shape, morphism
from couplant.config.interface import Signal
from couplant_runtime.learning.neural import Neural


def neural_weights(signal: Signal, neural: Neural, timing: str) -> tuple[float, ...]:
    """Return the weights that a neural network starts with: those of the configuration, else as its start algorithm.

    With the `timing` event the network stands for the start of the macro step, with step for its end.
    """
    if signal.network.weights is not None:
        return signal.network.weights
    near = np.array(neural.a) + (np.array(neural.slopes) if timing == "step" else 0.0)
    shape = Shape(neural.first, neural.second, neural.leak, neural.offsets)
    return tuple(float(w) for w in morphism(near, shape, signal.network.seed))
