"""Learning from recordings: what `couplant learn` does, judged on recordings that were not used."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from couplant.analysis.algorithms import Algorithm, LinearAlgorithm, generic
from couplant.analysis.recording import OpenLoop, Recording, compare
from couplant.design.from_recording import design_for
from couplant.errors import UsageError
from couplant.learning.morphism import SHAPE, Shape, morphism
from couplant.learning.ridge import Choice, learn_linear
from couplant.learning.trainer import choose_prior, train
from couplant_runtime.algorithms.network import Network
from couplant_runtime.learning.fields import MOST_WEIGHTS
from couplant_runtime.variables import ALGORITHM

GENERIC = ("zoh", "foh", "smb", "eros3", "eros4")


@dataclass(frozen=True, eq=False)
class NetworkWeights:
    """A network that was trained on recordings.

    Parameters
    ----------
    start : str
        Algorithm that it came from.
    shape : Shape
        Size of its hidden layers.
    weights : ndarray of float, shape (P,)
        All weights, -.
    prior : float
        Expected change of a weight, as chosen, -.
    """

    start: str
    shape: Shape
    weights: NDArray
    prior: float


@dataclass(frozen=True, eq=False)
class Lesson:
    """What was learnt, and what it is worth.

    Parameters
    ----------
    steps : int
        Latency k, macro steps.
    timing : str
        event or step.
    algorithm : LinearAlgorithm
        The learnt linear algorithm, or the effective weights of the network around rest.
    choice : Choice or None
        How number of values and penalty were chosen; None for a network.
    network : NetworkWeights or None
        The trained network.
    tables : list of (str, list of OpenLoop)
        For each recording, used or not: its name and how all algorithms do on it.
    """

    steps: int
    timing: str
    algorithm: LinearAlgorithm
    choice: Choice | None
    network: NetworkWeights | None
    tables: list[tuple[str, list[OpenLoop]]]


def learn(
    recordings: Sequence[Recording], judged: Sequence[tuple[str, Recording]], k: int, timing: str, start: str | None
) -> Lesson:
    """Learn from recordings and judge on others.

    Parameters
    ----------
    recordings : sequence of Recording
        To learn from, of one macro step.
    judged : sequence of (str, Recording)
        To judge on, with names.
    k : int
        Latency, macro steps.
    timing : str
        event or step.
    start : str or None
        Algorithm that a network starts as; None: a linear algorithm is learnt.

    Raises
    ------
    UsageError
        If the recordings differ in their macro step, or are too short.
    """
    steps = {f"{one.macro_step:.9g}" for one in (*recordings, *(r for _, r in judged))}
    if len(steps) > 1:
        raise UsageError(f"recordings with macro steps of {', '.join(sorted(steps))} s: give --macro-step")
    signals = [one.value for one in recordings]
    if start is None:
        learnt = learn_linear(signals, k)
        algorithm = LinearAlgorithm(k, tuple(learnt.a), tuple(learnt.slopes), "learnt")
        choice, network = learnt.choice, None
    else:
        network = learn_network(signals, k, timing, start)
        algorithm, choice = effective(network, k, timing), None
    rivals: list[Algorithm] = [generic(name, k) for name in GENERIC]
    rivals += [design_for(recordings[0], k, timing).algorithm, algorithm]
    tables = [(name, compare(one, rivals, timing)) for name, one in judged]
    return Lesson(k, timing, algorithm, choice, network, tables)


def learn_network(signals: Sequence[NDArray], k: int, timing: str, start: str) -> NetworkWeights:
    """Return a network trained on recordings.

    Parameters
    ----------
    signals : sequence of ndarray of float, shape (N,)
        Recordings, one value a macro step, signal unit.
    k : int
        Latency, macro steps.
    timing : str
        event: the network stands for the start of the macro step; step: for its end.
    start : str
        foh, eros3 or eros4.

    Raises
    ------
    UsageError
        If the network would be too large or the recordings are too short.
    """
    origin = generic(start, k)
    if not isinstance(origin, LinearAlgorithm):
        raise UsageError(f"start = {start}, allowed foh, eros3, eros4")
    inputs = origin.m - 1
    shape = SHAPE if SHAPE.first * (inputs + SHAPE.second) + SHAPE.second <= MOST_WEIGHTS else Shape(first=1)
    net = Network(k, shape.first, shape.second, shape.leak, False, ALGORITHM[start], origin.a, origin.A)
    late = int(timing == "step")
    base = morphism(np.array(origin.a) + late * np.array(origin.A), shape)
    prior = choose_prior(net, base, signals, k + late)
    return NetworkWeights(start, shape, train(net, base, signals, k + late, prior), prior)


def effective(network: NetworkWeights, k: int, timing: str) -> LinearAlgorithm:
    """Return the linear algorithm that a network is for rising signals: all its neurons with slope 1 or all with leak.

    Parameters
    ----------
    network : NetworkWeights
        A network.
    k : int
        Latency, macro steps.
    timing : str
        event or step.
    """
    origin = generic(network.start, k)
    assert isinstance(origin, LinearAlgorithm)
    shape, inputs = network.shape, origin.m - 1
    middle, last = shape.first * inputs, shape.first * (inputs + shape.second)
    first = network.weights[:middle].reshape(shape.first, inputs)
    second = network.weights[middle:last].reshape(shape.second, shape.first)
    mean = (1.0 + shape.leak) / 2.0
    w = mean * network.weights[last:] @ second @ first
    slope = np.array(origin.A)
    near = np.concatenate([[1.0 - w.sum()], w])
    return LinearAlgorithm(k, tuple(near - slope * int(timing == "step")), origin.A, "learnt")
