"""Safe learning: when new weights are taken.

On values that were not used for training they must beat the weights in use and the hold at both ends of the macro
step, and the gain of the estimate must stay within a multiple of that of the start. Errors count by
e^2 / (e^2 + (3 spread)^2), so that one jump does not decide.
"""

from collections.abc import Sequence
from functools import lru_cache

from ..generated.constants import (
    HARM_CREDIT,
    HARM_DEBT,
    HARM_MEMORY,
    HARM_PATIENCE,
    HARM_SHARE,
    LARGEST_WEIGHT,
    MADE_UP,
    WIDTH,
)
from ..generated.numbers import COLLECTING, JUDGING
from ..generated.state import NeuralState
from ..guard import between
from .neural import Neural
from .sample import Sample, error_far, error_near


def propose(net: Neural, own: NeuralState) -> bool:
    """Begin to test the candidate in `own` for the network `net`; False if it is refused at once."""
    for i in range(net.size):
        if not -LARGEST_WEIGHT <= own.candidate[i] <= LARGEST_WEIGHT:
            return False
    if not gain(net, own.candidate) <= own.gain_max * _gain_of_start(net, tuple(own.base)):
        return False
    own.loss[:] = [0.0] * 3
    own.loss_far[:] = [0.0] * 3
    own.judged = 0
    own.phase = JUDGING
    return True


def judge(net: Neural, own: NeuralState, one: Sample) -> bool:
    """Compare candidate, weights in use (`own`) and hold on `one` new value of `net`; return whether the test ends."""
    scale = WIDTH * own.spread
    own.loss[0] = own.loss[0] + bounded_loss(error_near(net, own.candidate, one), scale)
    own.loss[1] = own.loss[1] + bounded_loss(error_near(net, own.use, one), scale)
    own.loss[2] = own.loss[2] + bounded_loss(one.change, scale)
    own.loss_far[0] = own.loss_far[0] + bounded_loss(error_far(net, own.candidate, one), scale)
    own.loss_far[1] = own.loss_far[1] + bounded_loss(error_far(net, own.use, one), scale)
    own.loss_far[2] = own.loss_far[2] + bounded_loss(one.change_far, scale)
    own.judged = own.judged + 1
    return own.judged >= own.judge_steps


def better(own: NeuralState) -> bool:
    """Return whether the candidate in `own` has beaten the weights in use and the hold at both ends."""
    near, far = own.loss, own.loss_far
    return near[0] < near[1] and near[0] < near[2] and far[0] < far[1] and far[0] < far[2]


def take(own: NeuralState) -> None:
    """Use the candidate in `own` from now on."""
    own.use[:] = own.candidate
    own.accepted = own.accepted + 1
    own.phase = COLLECTING


def refuse(own: NeuralState) -> None:
    """Forget the candidate in `own`."""
    own.refused = own.refused + 1
    own.phase = COLLECTING


def weigh(own: NeuralState, error: float, change: float) -> None:
    """Count in `own` how long the weights in use lose against hold.

    Their `error` and that of hold, the true `change`, are over the running range.
    """
    scale = WIDTH * own.spread
    more = bounded_loss(error, scale) - HARM_SHARE * bounded_loss(change, scale)
    own.behind = between(HARM_MEMORY * own.behind + more, -HARM_CREDIT, HARM_DEBT)
    if not own.behind > 0.0:
        own.harmful = own.harmful - MADE_UP if own.harmful > MADE_UP else 0
    elif own.harmful < HARM_PATIENCE:
        own.harmful = own.harmful + 1


def bounded_loss(error: float, scale: float) -> float:
    """Return `error`^2 / (`error`^2 + `scale`^2), 0 to 1."""
    square = error * error
    whole = square + scale * scale
    return square / whole if whole > 0.0 else 0.0


def gain(net: Neural, weights: Sequence[float]) -> float:
    """Return the largest ratio of the estimate at the near end to the largest past value, for all `weights`.

    For each sign of the neurons of the second layer the network is linear; the sum of the absolute effective weights of
    the past values is the gain then, and no frequency is amplified more.
    """
    largest = 0.0
    rows = _second_rows(net, weights)
    for pattern in range(1 << net.second):
        total = _pattern_gain(net, weights, rows, pattern)
        if not total <= largest:
            largest = total
    return largest


@lru_cache(maxsize=16)
def _gain_of_start(net: Neural, weights: tuple[float, ...]) -> float:
    """Return the gain of `weights` that hardly ever change."""
    return gain(net, weights)


def _second_rows(net: Neural, weights: Sequence[float]) -> list[float]:
    """Return the product of the first two layers, row by row."""
    rows = []
    middle = net.first * net.inputs
    for row in range(net.second):
        for i in range(net.inputs):
            total = 0.0
            for neuron in range(net.first):
                total = total + weights[middle + row * net.first + neuron] * weights[neuron * net.inputs + i]
            rows.append(total)
    return rows


def _pattern_gain(net: Neural, weights: Sequence[float], rows: list[float], pattern: int) -> float:
    last = net.first * (net.inputs + net.second)
    newest = 1.0
    total = 0.0
    for i in range(net.inputs):
        effective = 0.0
        for row in range(net.second):
            slope = net.leak if pattern >> row & 1 else 1.0
            effective = effective + weights[last + row] * slope * rows[row * net.inputs + i]
        newest = newest - effective
        total = total + abs(effective)
    return total + abs(newest)
