"""Network morphism: a neural network that behaves exactly as a linear algorithm and can learn (Baumann 2024, 3.5.1).

One linear neuron with the weights w of the differences to the newest value is deepened twice by the identity, the first
layer widened to copies with equal shares, the second replaced by pairs of leaky ReLU, x = (σ(x) - σ(-x)) / (1 + α);
with offsets both bend at the same place, KINK ranges on either side by turns. Copies get seeded noise N with Σ N_i = 0,
so they are not symmetric and still exact.
"""

from dataclasses import dataclass

import numpy as np

from couplant.base.arrays import Vector
from couplant.base.errors import UsageError
from couplant.config.interface import Signal
from couplant_runtime.learning.neural import Neural

NOISE = 0.05
LEAK = 0.01
KINK = 0.3  # where neurons with offsets bend: beyond the usual, so that what is rare has neurons of its own [ranges]


@dataclass(frozen=True)
class Shape:
    """Size of the hidden layers."""

    first: int = 4  # linear neurons, at least 1
    second: int = 2  # neurons with leaky ReLU; an even number, or any with `leak` = 1, 1 to 4
    leak: float = LEAK  # slope of the leaky ReLU for negative values, above 0, at most 1 (linear), -
    offsets: bool = False  # the second layer has offsets


SHAPE = Shape()


def morphism(near: Vector, shape: Shape = SHAPE, seed: int = 1) -> Vector:
    """Return the weights of a neural network that equals a linear predictor, shape (P,).

    `near` are its weights of the past values, newest first, shape (m,), at the end of the macro step that the neural
    network stands for; only those of the differences to the newest count, so that constants are kept whatever their sum
    [-]. `seed` is that of the noise on the copies. First comes the first layer row by row (first x (m - 1)), then the
    second layer row by row (second x first), output (second), and offsets (second) if the shape has them. Raises
    UsageError if the shape cannot represent a line.
    """
    # weights of differences to the newest value, which itself passes around the network
    w = np.asarray(near, float)[1:]
    if shape.second % 2 and shape.leak != 1.0:
        raise UsageError(f"network.second = {shape.second}, allowed an even number with network.leak below 1")
    largest = np.abs(w).max(initial=0.0) or 1.0
    # noise makes neurons different, else all would learn alike
    noise = np.random.default_rng(seed).uniform(-1.0, 1.0, (shape.first, w.size)) * NOISE * largest
    # its mean is taken off: the sum of the neurons stays the linear predictor
    first = w + (noise - noise.mean(axis=0) if shape.first > 1 else 0.0)
    # pairs of opposite sign: a leaky unit bends, two opposite ones add up to a line
    sign = np.ones(shape.second) if shape.leak == 1.0 else np.where(np.arange(shape.second) % 2 == 0, 1.0, -1.0)
    second = np.outer(sign, np.full(shape.first, 1.0 / shape.first))
    # a pair gives (1 + leak) times its input, so this undoes it
    output = sign * (1.0 / shape.second if shape.leak == 1.0 else 2.0 / shape.second / (1.0 + shape.leak))
    kinks = KINK * np.where(np.arange(shape.second) // 2 % 2 == 0, 1.0, -1.0)
    return np.concatenate([first.ravel(), second.ravel(), output, *([-sign * kinks] if shape.offsets else [])])


def neural_weights(signal: Signal, neural: Neural, timing: str) -> tuple[float, ...]:
    """Return the weights that a neural network starts with: those of the configuration, else as its start algorithm.

    With the `timing` event the network stands for the start of the macro step, with step for its end.
    """
    if signal.network.weights is not None:
        return signal.network.weights
    near = np.array(neural.a) + (np.array(neural.slopes) if timing == "step" else 0.0)
    shape = Shape(neural.first, neural.second, neural.leak, neural.offsets)
    return tuple(float(w) for w in morphism(near, shape, signal.network.seed))
