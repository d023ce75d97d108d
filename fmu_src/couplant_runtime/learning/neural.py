"""Neural network: past differences to the newest value in, the expected change of the signal out (Baumann 2024, 3.5).

Two hidden layers, the first linear, the second with leaky ReLU and, if wanted, offsets, a linear output. What it gives
at rest is taken off: a constant signal gives exactly zero, so the effective weights of the past values add up to one
whatever has been learnt. The inputs are divided by the running range of the signal.
"""

from dataclasses import dataclass

from ..generated.algorithms import ROWS
from ..generated.numbers import MAX_STEPS, MOST_SECOND, MOST_WEIGHTS

_ORIGINS = tuple(row.number for row in ROWS if row.needs in ("", "weights"))
"""Algorithms that a network may come from: those that every FMU has tolerances for."""


@dataclass(frozen=True)
class Neural:
    """Shape of a neural network and the linear algorithm that it came from."""

    steps: int  # latency k [macro steps] for which it holds
    first: int  # neurons of the first hidden layer
    second: int  # neurons of the second hidden layer
    leak: float  # slope of the leaky ReLU for negative values; 1: linear [-]
    server: bool  # whether a server trains it instead of the step itself
    origin: int  # the algorithm that it came from, whose tolerance it is judged by
    a: tuple[float, ...]  # weights of the algorithm that it came from, newest first, m of them [-]
    slopes: tuple[float, ...]  # the same of its slope [-]
    offsets: bool = False  # whether the neurons of the second layer have offsets, the last of all weights

    @property
    def inputs(self) -> int:
        """Number of differences, m - 1."""
        return len(self.a) - 1

    @property
    def size(self) -> int:
        """Number of weights of all layers."""
        return self.first * self.inputs + self.second * self.first + self.second * (1 + self.offsets)

    def __post_init__(self) -> None:
        """Check the shape.

        Raises
        ------
        ValueError
            If a number is out of range.
        """
        ranges = (
            ("steps", self.steps, 0, MAX_STEPS, " macro steps"),
            ("first", self.first, 1, MOST_WEIGHTS, " neurons"),
            ("second", self.second, 1, MOST_SECOND, " neurons"),
            ("leak", self.leak, 0, 1, ", above 0"),
            ("start", self.inputs + 1, 2, MOST_WEIGHTS, " weights"),
            ("weights", self.size, 3, MOST_WEIGHTS, " of this shape"),
        )
        for name, value, low, high, unit in ranges:
            if not low <= value <= high or (name == "leak" and value == 0.0):
                raise ValueError(f"network.{name} = {value}, allowed {low} to {high}{unit}")
        if self.origin not in _ORIGINS:
            raise ValueError(f"network.origin = {self.origin}, allowed {', '.join(map(str, _ORIGINS))}")
        if len(self.slopes) != len(self.a):
            raise ValueError(f"network.start has {len(self.a)} weights, {len(self.slopes)} slopes, allowed as many")

    def lists(self) -> dict[str, tuple[float, ...]]:
        """Return the lists of the settings that tell about the neural network."""
        shape = (self.steps, self.first, self.second, self.leak, self.server, self.origin, self.offsets)
        return {"network": tuple(map(float, shape)), "network.start": self.a + self.slopes}

    @classmethod
    def from_lists(cls, lists: dict[str, tuple[float, ...]]) -> "Neural | None":
        """Return the neural network that the `lists` of the settings tell about, or None.

        Raises
        ------
        ValueError
            If the numbers do not fit each other.
        """
        if "network" not in lists:
            return None
        steps, first, second, leak, server, origin, offsets = lists["network"]
        start = lists["network.start"]
        m = len(start) // 2
        if len(start) != 2 * m:
            raise ValueError(f"network.start has {len(start)} numbers, allowed is an even number")
        shape = (int(steps), int(first), int(second), leak, server != 0.0, int(origin))
        return cls(*shape, start[:m], start[m:], offsets != 0.0)


def differences(past: list[float], slot: int, inputs: int, span: float) -> list[float]:
    """Return the inputs of the neural network for the value in `slot` as the newest.

    They are `inputs` differences of the `past` values, newest first [signal unit], over the running range `span`, above
    0 [signal unit].
    """
    newest = past[slot]
    return [(past[slot + 1 + i] - newest) / span for i in range(inputs)]


def hidden(net: Neural, weights: list[float], x: list[float]) -> list[float]:
    """Return the values of the first layer of `net` with these `weights` for the inputs `x`."""
    values = []
    for row in range(net.first):
        total = 0.0
        for i in range(net.inputs):
            total = total + weights[row * net.inputs + i] * x[i]
        values.append(total)
    return values


def bend(net: Neural, weights: list[float], h: list[float]) -> tuple[list[float], list[float]]:
    """Return the second layer of `net` for values `h` of the first with these `weights`, and its slopes."""
    values = []
    slopes = []
    place = net.first * net.inputs
    offsets = net.size - net.second
    for row in range(net.second):
        total = 0.0
        for i in range(net.first):
            total = total + weights[place + row * net.first + i] * h[i]
        offset = weights[offsets + row] if net.offsets else 0.0
        slope = 1.0 if total + offset >= 0.0 else net.leak
        values.append(slope * (total + offset) - at_rest(net, offset) * offset)
        slopes.append(slope)
    return values, slopes


def at_rest(net: Neural, offset: float) -> float:
    """Return the slope of a neuron of `net` with an `offset` where the signal is constant."""
    return 1.0 if offset >= 0.0 else net.leak


def forward(net: Neural, weights: list[float], x: list[float]) -> float:
    """Return the expected change of the signal over its range, for the inputs `x`, `net.inputs` of them.

    The `weights` are the first layer row by row, the second layer row by row, the output, the offsets.
    """
    values, _ = bend(net, weights, hidden(net, weights, x))
    place = net.first * (net.inputs + net.second)
    total = 0.0
    for row in range(net.second):
        total = total + weights[place + row] * values[row]
    return total


def gradient(net: Neural, weights: list[float], x: list[float]) -> list[float]:
    """Return the derivatives of the output of `forward` at `x` by the `weights`, in the order of the weights."""
    h = hidden(net, weights, x)
    values, slopes = bend(net, weights, h)
    middle = net.first * net.inputs
    last = middle + net.second * net.first
    back = [weights[last + row] * slopes[row] for row in range(net.second)]
    result = []
    for i in range(net.first):
        total = 0.0
        for row in range(net.second):
            total = total + back[row] * weights[middle + row * net.first + i]
        for value in x:
            result.append(total * value)
    for row in range(net.second):
        for value in h:
            result.append(back[row] * value)
    result = result + values
    for row in range(net.second if net.offsets else 0):
        result.append(back[row] - weights[last + row] * at_rest(net, weights[net.size - net.second + row]))
    return result


def start_slope(net: Neural, past: list[float], slot: int) -> float:
    """Return the change per macro step that the start algorithm sees after the value in `slot` [signal unit].

    The `past` values are the newest first [signal unit].
    """
    total = 0.0
    for tap in range(1, net.inputs + 1):
        total = total + net.slopes[tap] * (past[slot + tap] - past[slot])
    return total
