"""The sound design: predictors for the ends of the macro step, and the rules for what is left open."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from couplant.analysis.algorithms import LinearAlgorithm
from couplant.base.grid import latency_in_steps
from couplant.design.predictor import Predictor, design_predictor
from couplant.design.task import DesignTask

MOST_TAPS = 16
GOOD_ENOUGH = 0.03  # error that the limit frequencies tolerate too, -
_WORTH = 0.9
_AHEAD, _STALLED = 3, 0.85


@dataclass(frozen=True, eq=False)
class Design:
    """A designed coupling algorithm."""

    task: DesignTask  # what it was designed for, complete
    predictors: tuple[Predictor, ...]  # one for each horizon of the task

    @property
    def algorithm(self) -> LinearAlgorithm:
        """The weights at latency k of the task, for analysis: a = h0, A = h1 - h0; in step timing A = 0."""
        # ŷ = h0 at θ = 0 and h1 at θ = 1: level and slope of the line between
        first, last = self.predictors[0].h, self.predictors[-1].h
        return LinearAlgorithm(self.task.k, tuple(first), tuple(last - first), "designed")

    @property
    def offset(self) -> float:
        """The lead as a time, s."""
        return self.task.lead * self.task.macro_step

    @property
    def fmu_steps(self) -> int:
        """Steps of the weight table in the FMU: with a lead the FMU counts from one step further on."""
        return self.task.k + latency_in_steps(self.task.lead)

    @property
    def rms_error(self) -> float:
        """Root mean square error over the band and both ends, relative to the rms of the signal, -."""
        return math.sqrt(sum(p.objective for p in self.predictors) / len(self.predictors))

    @property
    def violation(self) -> float:
        """Largest |P|/b - 1 above the band; above 0.002 the bound cannot be met, -."""
        return max(p.violation for p in self.predictors)

    @property
    def peak_gain(self) -> float:
        """Largest gain of a predictor up to Nyquist, -."""
        return max(p.peak_gain for p in self.predictors)

    @property
    def noise_gain(self) -> float:
        """Σh² of the worse predictor: variance of white noise after over before, -."""
        return max(p.noise_gain for p in self.predictors)


def design(task: DesignTask) -> Design:
    """Return the optimal linear algorithm of a task."""
    problem = task.predictor_task()
    return Design(task, tuple(design_predictor(problem, horizon) for horizon in task.horizons))


def choose_taps(
    task: DesignTask,
    most: int = MOST_TAPS,
    judge: Callable[[Design], float] = lambda one: one.rms_error,
    floor: float = GOOD_ENOUGH,
) -> Design:
    """Return the design with the smallest m, up to `most`, after which nothing improves.

    More values count as an improvement if the error, by `judge`, falls by a tenth and is not below `floor` [-] already;
    designs that break their bound do not count if one of them keeps it.
    """
    # below degree + 2 exactness leaves no value free
    tried = [design(replace(task, m=m)) for m in range(task.degree + 2, most + 1)]
    # a bound that cannot be met rules out, unless all break it
    kept = [one for one in tried if one.violation <= 0.01] or [min(tried, key=lambda one: one.violation)]
    errors = np.array([judge(one) for one in kept])
    # within a tenth of the best, or good enough anyhow: the fewest values do
    target = max(errors.min() / _WORTH, floor)
    return kept[int(np.argmax(errors <= target))]


def saturated_taps(task: DesignTask, floor: float = GOOD_ENOUGH) -> Design:
    """Return the design with the smallest m from which three more values improve its error by less than 15 %.

    At most `MOST_TAPS` values are tried; an error below `floor` [-] is good enough. The error over the band alone keeps
    falling slowly with m, by weights that use up the bound on the gain further up; a loop does not gain by that.
    """
    tried: list[Design] = []
    # upwards, and no further than needed: large m takes long
    for m in range(task.degree + 2, MOST_TAPS + 1):
        tried.append(design(replace(task, m=m)))
        before = tried[-1 - _AHEAD] if len(tried) > _AHEAD else None
        if before and (before.rms_error <= floor or tried[-1].rms_error > _STALLED * before.rms_error):
            return before
    return tried[-1]
