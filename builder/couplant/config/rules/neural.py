"""Rules for the settings of a neural network, and the neural network that they describe."""

from collections.abc import Iterator

from couplant.config.frame.sentences import Problem
from couplant.config.interface import Signal
from couplant.config.latency import Pair, own_weights
from couplant_runtime.algorithms import BY_NAME
from couplant_runtime.algorithms.rows import PURE, weights
from couplant_runtime.generated.numbers import MOST_WEIGHTS
from couplant_runtime.learning.neural import Neural


def start_weights(signal: Signal, k: int) -> Pair:
    """Return the weights (a, A) of the algorithm that a signal's neural network starts as, at `k` macro steps."""
    if signal.network.start == "linear":
        return own_weights(signal, k)[k]
    return generic_start(signal.network.start, k)


def generic_start(name: str, k: int) -> Pair:
    """Return the weights (a, A) of the generic algorithm `name` at `k` macro steps; zoh has the values of eros3."""
    a, slopes = weights(name, k)
    rest = [0.0] * (PURE["eros3"].taps(k) - 1 if len(a) == 1 else 0)
    return tuple(a + rest), tuple(slopes + rest)


def neural_of(signal: Signal, k: int) -> Neural | None:
    """Return the neural network of a signal at the latency `k` [macro steps], or None without one."""
    if BY_NAME[signal.algorithm.selected].needs != "neural":
        return None
    shape, (a, slopes) = signal.network, start_weights(signal, k)
    server = signal.learning.mode == "server"
    origin = BY_NAME[shape.start].number
    return Neural(k, shape.first, shape.second, shape.leak, server, origin, a, slopes, shape.offsets)


def neural_problems(signal: Signal, k: int, timing: str, path: str) -> Iterator[Problem]:
    """Yield problems of the neural network of a signal at the latency `k` [macro steps]."""
    if BY_NAME[signal.algorithm.selected].needs != "neural":
        return
    keys = (f"{path}.algorithm", f"{path}.network", f"{path}.latency")
    if signal.latency.mode != "constant":
        yield Problem(f'{path}.latency.mode = "{signal.latency.mode}", allowed "constant" with a network', keys)
    if signal.learning.method == "adam" and signal.learning.mode != "server":
        text = f'{path}.learning.method = "adam", allowed with {path}.learning.mode = "server"'
        yield Problem(text, (f"{path}.learning.method", f"{path}.learning.mode"))
    if signal.network.start == "linear" and k not in own_weights(signal, k):
        text = f'{path}.network.start = "linear" needs weights for {k} macro steps: {path}.algorithm.a and .A'
        yield Problem(text, keys)
    elif k <= 64:
        shape, inputs = signal.network, len(start_weights(signal, k)[0]) - 1
        size = shape.first * (inputs + shape.second) + shape.second * (1 + shape.offsets)
        if shape.second % 2 and shape.leak != 1.0:
            yield Problem(f"{path}.network.second = {shape.second}, allowed an even number with leak below 1", keys)
        if inputs < 1 or size > MOST_WEIGHTS:
            text = f"{path}.network has {size} weights for {inputs + 1} past values, allowed 3 to {MOST_WEIGHTS}"
            yield Problem(text, keys)
        elif shape.weights is not None and len(shape.weights) != size:
            yield Problem(f"{path}.network.weights has length {len(shape.weights)}, allowed {size}", keys)
