"""Knowledge of the loop that learnt weights become part of, and weights that a known loop bears."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import product

from couplant.analysis.algorithms import LinearAlgorithm
from couplant.analysis.stability import stability, stable_share
from couplant.analysis.system import System
from couplant.base.arrays import Vector
from couplant.design.neural.ridge import FEW, TAPS, Learnt, gain_bound, largest_gain, learn_linear
from couplant.tables import Recording

PEAKS = (16.0, 10.0, 6.0, 4.0, 2.0)  # largest gains that are tried where the loop is known, largest first, -


@dataclass(frozen=True)
class Loop:
    """Effects of learnt weights on a loop."""

    gain: float  # their largest gain at either end of the macro step, -
    noise_gain: float  # variance of white noise after over before, at the worse end, -
    # share of stable plants among those with scattered parameters, 0 to 1; None: no plant is known
    stable_share: float | None = None
    radius: float | None = None  # spectral radius of the nominal loop, -


def judge_loop(algorithm: LinearAlgorithm, plant: System | None = None) -> Loop:
    """Return the judgement of the loop of a learnt algorithm; a `plant` has learnt ones on its connections."""
    # both ends of the line: Σ h² is what it makes of white noise
    ends = algorithm.a, [a + slope for a, slope in zip(algorithm.a, algorithm.A, strict=True)]
    found = Loop(largest_gain(algorithm), max(sum(h * h for h in end) for end in ends))
    if plant is None:
        return found
    return replace(found, stable_share=stable_share(plant), radius=stability(plant).radius)


def with_learnt(system: System, make: Callable[[int], LinearAlgorithm], k: int, timing: str, step: float) -> System:
    """Return a `system` with learnt weights on all connections.

    `make` gives them for a latency [macro steps], that of the signals is `k`; `step` is the macro step [s].
    """
    return replace(system, timing=timing, macro_step=step).with_algorithms(make, k)


def linear(learnt: Learnt, name: str = "learnt") -> LinearAlgorithm:
    """Return learnt weights as an algorithm called `name`."""
    return LinearAlgorithm(learnt.steps, tuple(learnt.a), tuple(learnt.slopes), name)


def learn_for_loop(
    recordings: Sequence[Recording], k: int, timing: str, peak: float | None, system: System | None,
    *, most: int = TAPS[-1],
) -> tuple[Learnt, System | None]:  # fmt: skip
    """Return weights learnt on recordings, with a bound on their gain, and the plant with them.

    With a `system` the largest gain bound, out of `PEAKS` or the given `peak` [-], with which all scattered plants are
    stable, else that with the largest share of them, with few values too; the latency is `k` [macro steps]. There are
    at most `most` values.
    """
    signals = [one.value for one in recordings]
    if system is None:
        # nothing known of the loop: the gain alone is bounded
        return learn_linear(signals, k, bound=gain_bound(recordings[0], k, timing, peak), most=most), None
    tried: list[tuple[float, Learnt, System]] = []
    # the largest gain first: it learns most; the first that keeps all plants stable is taken
    for values, gain in product(dict.fromkeys((most, FEW)), PEAKS if peak is None else (peak,)):
        at = _learner(recordings[0], signals, timing, gain, values)
        learnt = at(k)
        make = partial(_algorithm_of, at)
        plant = with_learnt(system, make, k, timing, recordings[0].macro_step)
        tried.append((stable_share(plant), learnt, plant))
        if tried[-1][0] == 1.0:
            break
    _, learnt, plant = max(tried, key=lambda one: one[0])
    return learnt, plant


def _learner(
    recording: Recording, signals: Sequence[Vector], timing: str, peak: float, most: int
) -> Callable[[int], Learnt]:
    # made once per latency: connections may share one
    return cache(lambda k: learn_linear(signals, k, bound=gain_bound(recording, k, timing, peak), most=most))


def _algorithm_of(learner: Callable[[int], Learnt], k: int) -> LinearAlgorithm:
    return linear(learner(k))
