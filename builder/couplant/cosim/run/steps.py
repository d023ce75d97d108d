"""Step control: how long the communication steps of a direct run are. No step is repeated.

`first` is the first step, ``next(h, error)`` what follows a step of the length h; above 1 the indicator `error` says
that the step was too long, below 1 that it could have been longer.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from couplant.base.arrays import Vector
from couplant.config.rules.steps import CONSTANT, ECCO, StepsTable
from couplant.cosim.run.exchange import Exchange

RELATIVE = 1e-4  # ρ of (17): share of an output that is tolerated besides 1 [-]

_END = 1e-9
"""Share of a step by which the last one may be longer, lest a rest of rounding becomes a step of its own. [-]"""

Observer = Callable[[Sequence[float], Sequence[float], float], float]
"""What takes the values before and after a step and its length [s], and returns the error indicator [-]."""


@dataclass(frozen=True)
class Constant:
    """Steps of one length, `first` [s]."""

    first: float

    def next(self, h: float, error: float) -> float:
        """Return the same step again [s], whatever its length `h` and `error`."""
        return self.first


@dataclass(frozen=True)
class Limits:
    """Numbers of a PI controller of steps, by the names in a scenario."""

    first: float  # s
    min: float  # s
    max: float  # s
    safety: float  # -
    i_gain: float  # -
    p_gain: float  # -
    rate_min: float  # -
    rate_max: float  # -


class _Proportional:
    """PI control, (15) of Sadjina, Kyllingstad, Skjong and Pedersen 2016, with limits.

        h' = h clip(safety ε^-(i_gain + p_gain) ε_before^p_gain, rate_min, rate_max),   min <= h' <= max

    In the first step ε_before = ε. Without an error the step grows by rate_max; after one without it only ε counts. An
    error that is not finite shortens the step by rate_min.
    """

    def __init__(self, limits: Limits) -> None:
        self._limits, self._before = limits, 0.0

    @property
    def first(self) -> float:
        """Return the first step [s]."""
        return self._limits.first

    def next(self, h: float, error: float) -> float:
        """Return the step [s] that follows one of the length `h` [s] with an `error` ε [-]."""
        given, before = self._limits, self._before or error
        if not math.isfinite(error):
            rate = given.rate_min
        elif error == 0.0:
            rate = given.rate_max
        else:
            rate = given.safety * error ** -(given.i_gain + given.p_gain) * before**given.p_gain
        self._before = error if math.isfinite(error) else 0.0
        return min(max(h * min(max(rate, given.rate_min), given.rate_max), given.min), given.max)


class Ecco(_Proportional):
    """Control by energy residuals (ECCO): ε is the indicator (14) of `couplant.cosim.run.bonds.Bonds`."""


class PredictorCorrector(_Proportional):
    """Control by how well a line predicts outputs: ε is the indicator (17) of `Prediction`.

    Busch and Schweizer, An explicit approach for controlling the macro-step size of co-simulation methods, 2011.
    """


Control = Constant | Ecco | PredictorCorrector  # chooses steps


class Prediction:
    """Compares outputs with what a line through their last two values predicts.

    The `slots` are their places in the values of an exchange. The `tolerance` is TOL, the error that is tolerated for
    small outputs [unit of an output].
    """

    def __init__(self, slots: Sequence[int], tolerance: float) -> None:
        self._slots, self._tolerance = slots, tolerance
        self._slopes = [0.0] * len(slots)

    def note(self, before: Sequence[float], after: Sequence[float], h: float) -> float:
        """Return the error indicator (17) of a step of the length `h` [s]; in the first one values are to stay.

            ε = max |y' - p| / (TOL (1 + ρ max(|y'|, |p|))),   p = y + (y - y_before) h / h_before

        `before` are the values y at its beginning, `after` those at its end, y'.
        """
        worst = 0.0
        for i, slot in enumerate(self._slots):
            reached, predicted = after[slot], before[slot] + self._slopes[i] * h
            allowed = self._tolerance * (1.0 + RELATIVE * max(abs(reached), abs(predicted)))
            worst = max(worst, abs(reached - predicted) / allowed)
            self._slopes[i] = (reached - before[slot]) / h
        return worst


@dataclass(frozen=True)
class Controlled:
    """Course of a run whose steps are controlled: every communication point is recorded."""

    start: float  # t_0, s
    end: float  # s
    control: Control
    observe: Callable[[Exchange], Observer]  # makes the observer of a run
    reached: list[float]  # communication points, s

    def walk(self, exchange: Exchange) -> Iterator[tuple[float, float, bool]]:
        """Return time and length of each communication step [s], the last one cut to fit."""
        note, t, h = self.observe(exchange), self.start, self.control.first
        self.reached.append(t)
        while t < self.end:
            left = self.end - t
            last = left <= h * (1.0 + _END)
            h = left if last else h
            before = list(exchange.values)
            yield t, h, True
            error = note(before, list(exchange.values), h)
            t = self.end if last else t + h
            self.reached.append(t)
            h = self.control.next(h, error)

    def times(self, count: int) -> Vector:
        """Return the first `count` communication points, shape (count,) [s]."""
        return np.array(self.reached[:count])


def control_of(table: StepsTable, name: str, macro_step: float) -> Control:
    """Return the control called `name` with the numbers of a scenario, whose ΔT is `macro_step` [s]."""
    if name == CONSTANT:
        return Constant(macro_step)
    numbers = (*table.limits(macro_step), table.safety, *table.gains(name), table.rate_min, table.rate_max)
    return (Ecco if name == ECCO else PredictorCorrector)(Limits(*numbers))
