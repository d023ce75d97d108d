"""Statistics of measured latencies: jitter, loss, reordering, drift, and the macro step that keeps k constant."""

import math
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from couplant.analysis.algorithms import MAX_STEPS, generic
from couplant.analysis.coupling_process import frequency_response
from couplant.base.arrays import IndexArray
from couplant.base.errors import UsageError
from couplant.base.grid import TOLERANCE, latency_in_steps
from couplant.config.keys import LatencyKeys
from couplant.tables import Latencies
from couplant_runtime.generated.numbers import MAX_BURST

MANY_STEPS = 10  # from this k on a larger macro step is worth a thought (dissertation 5.1.1)

STAMPED_STEPS = 5
"""Largest k of a macro step that works from stamps: what `irregular` and `auto` bear in the loops that were tried."""

COVERED = 0.999  # share of the messages that a proposed macro step has to cover; later ones count as lost [-]
USABLE_ERROR = 0.1  # error of a tone below which a coupling is usable, relative to the tone [-]

_FREQUENCIES = 20000


@dataclass(frozen=True)
class LatencyStatistics:
    """Figures of measured latencies; times in s, shares 0 to 1, drift in s/s, NaN where no send times are known."""

    messages: int
    lost: int
    loss: float
    reordered: int
    minimum: float
    median: float
    mean: float
    percentile_99: float
    maximum: float
    jitter: float
    drift: float


@dataclass(frozen=True)
class StepChoice:
    """A macro step and the latencies in macro steps that follow from it."""

    macro_step: float  # ΔT, s
    # smallest, largest: range of k = ceil(τ/ΔT) when both sides start at the same time, macro steps
    smallest: int
    largest: int
    # the constant k when the time grids are shifted against each other by `shift`, the latency is then k ΔT + shift;
    # None if no shift makes k constant
    aligned: int | None
    shift: float  # how much later the receiver's grid lies, 0 to ΔT, s
    coverage: float = 1.0  # share of the messages that this holds for, above 0 to 1; later ones count as lost

    @property
    def constant(self) -> bool:
        """True if k is the same for all messages without aligning the grids."""
        return self.smallest == self.largest

    @property
    def gain(self) -> float:
        """Latency that aligning the grids saves, s; 0 if it cannot make k constant."""
        if self.aligned is None:
            return 0.0
        return max(0.0, (self.largest - self.aligned) * self.macro_step - self.shift)

    @property
    def usable(self) -> float:
        """Up to which frequency EROS3 at the largest k has an error below `USABLE_ERROR` in event timing, rad/s."""
        # from low frequencies up: the first share whose error is too large ends the usable band
        share = np.arange(1, _FREQUENCIES + 1) / _FREQUENCIES
        error = np.abs(frequency_response(generic("eros3", min(self.largest, MAX_STEPS)), share) - 1.0)
        return float(share[np.argmax(error > USABLE_ERROR)]) * math.pi / self.macro_step

    def to_dict(self) -> dict[str, Any]:
        """Return the figures for JSON."""
        return asdict(self) | {"constant": self.constant, "alignment_gain": self.gain, "usable": self.usable}


@dataclass(frozen=True, eq=False)
class News:
    """When something new comes in that was sent once in a macro step."""

    silent: IndexArray  # shape (N,): macro steps between two of them that bring nothing new
    values: IndexArray  # shape (N,): values sent meanwhile, the newest included

    @property
    def coast_steps(self) -> int:
        """Return `latency.coast_steps` for all but one of a thousand gaps, and a step more; the usual one at least."""
        return min(max(1 + self._most(self.silent), LatencyKeys().coast_steps), MAX_STEPS)

    @property
    def burst(self) -> int:
        """Return how many values a message should have, so that those before the newest come in too."""
        return min(max(1, self._most(self.values)), MAX_BURST)

    def beyond(self, coast_steps: int) -> float:
        """Return the share of the macro steps in which a coupling FMU with these `coast_steps` holds its output [-]."""
        steps = int((self.silent + 1).sum())
        return float(np.maximum(self.silent - coast_steps, 0).sum()) / steps if steps else 0.0

    def _most(self, counts: IndexArray) -> int:
        return int(np.quantile(counts, COVERED, method="higher")) if counts.size else 0


def news(latencies: Latencies, macro_step: float) -> News:
    """Return when something new comes in with a `macro_step` ΔT [s], which is above 0.

    Of messages sent more often those count that were sent once in a macro step; where send times are not known, each
    one counts as sent in the next macro step.
    """
    sent, late = latencies.sent, latencies.latency
    if latencies.timed and sent.size > 1:
        number = np.rint((sent - sent[0]) / macro_step).astype(np.intp)
        number, first = np.unique(number, return_index=True)
        late = late[first]
    else:
        number = np.arange(late.size)
    there = np.isfinite(late)
    number, late = number[there], late[there]
    step = number + np.ceil(late / macro_step - TOLERANCE).astype(np.intp)
    order = np.lexsort((number, step))
    step, newest = step[order], np.maximum.accumulate(number[order])
    last = np.append(step[1:] != step[:-1], True)  # of those that come in together
    step, newest = step[last], newest[last]
    new = np.append(True, newest[1:] > newest[:-1])
    step, newest = step[new], newest[new]
    return News(np.diff(step) - 1, np.diff(newest))


def statistics(latencies: Latencies) -> LatencyStatistics:
    """Return the figures of measured latencies."""
    arrived = latencies.arrived
    messages = arrived.size + latencies.lost
    return LatencyStatistics(
        messages,
        latencies.lost,
        latencies.lost / messages,
        latencies.reordered,
        float(arrived.min()),
        float(np.median(arrived)),
        float(arrived.mean()),
        float(np.percentile(arrived, 99)),
        float(arrived.max()),
        float(np.ptp(arrived)),
        _drift(latencies),
    )


def _drift(latencies: Latencies) -> float:
    """Return the trend of the latency over send time: clocks that run apart, s/s."""
    if not latencies.timed:
        return math.nan
    good = np.isfinite(latencies.latency)
    t, y = latencies.sent[good], latencies.latency[good]
    t = t - t.mean()
    # slope of the regression line of latency over send time
    return float(t @ (y - y.mean()) / (t @ t)) if t @ t > 0 else 0.0


def step_choice(latencies: Latencies, macro_step: float, coverage: float = 1.0) -> StepChoice:
    """Return the latencies in macro steps for a `macro_step` ΔT [s], with and without aligned time grids.

    `coverage` is the share of the messages that k has to cover, above 0 to 1; later ones count as lost. Raises
    UsageError if macro step or coverage are out of range.
    """
    if not (macro_step > 0 and 0 < coverage <= 1):
        raise UsageError(f"macro_step = {macro_step} s, coverage = {coverage}; allowed above 0, above 0 to 1")
    low, high = _range(latencies, coverage)
    aligned, shift = _align(low, high, macro_step)
    return StepChoice(macro_step, _steps(low, macro_step), _steps(high, macro_step), aligned, shift, coverage)


def _align(low: float, high: float, macro_step: float) -> tuple[int | None, float]:
    """Return k and shift such that the receiver's grid comes just after the latest message.

    k = ceil((τ - shift)/ΔT) is constant if all τ lie within one macro step; a twentieth of the room left is margin.
    """
    # messages spread over less than a step can all meet the same one if the grid is moved
    room = macro_step - (high - low)
    if room <= 1e-9 * macro_step:
        return None, 0.0
    # the receiver's step lies 5 % of the room behind the latest message
    after = high + 0.05 * room
    k = math.floor(after / macro_step)
    return k, after - k * macro_step


def choose_macro_step(latencies: Latencies, micro_step: float) -> StepChoice:
    """Return the smallest multiple of the micro step that keeps k constant and below ten (dissertation 5.1.1).

    If there is none, it is the smallest that brings k below ten: then the FMUs work from time stamps. `micro_step` is
    the smallest step of the prototypes, above 0 [s]; `COVERED` of the messages count. Raises UsageError if the micro
    step is out of range.
    """
    step_choice(latencies, micro_step, COVERED)
    low, high = _range(latencies, COVERED)
    # from large k down: the smallest macro step first
    multiples = [_first_multiple(high, micro_step, k) for k in range(MANY_STEPS - 1, 0, -1)]
    for multiple in multiples:
        if _steps(low, multiple * micro_step) == _steps(high, multiple * micro_step):
            return step_choice(latencies, multiple * micro_step, COVERED)
    return step_choice(latencies, multiples[0] * micro_step, COVERED)


def stamped_choice(latencies: Latencies, micro_step: float) -> StepChoice:
    """Return the smallest multiple of the micro step with k at most `STAMPED_STEPS`, for FMUs that work from stamps.

    `micro_step` and what is raised are those of `choose_macro_step`.
    """
    step_choice(latencies, micro_step, COVERED)
    high = _range(latencies, COVERED)[1]
    return step_choice(latencies, _first_multiple(high, micro_step, STAMPED_STEPS) * micro_step, COVERED)


def _first_multiple(latency: float, micro_step: float, k: int) -> int:
    """Return the smallest multiple of the micro step [s] of which a latency [s] takes at most `k`."""
    # ceil(latency/(multiple ΔT)) <= k; rounding may need one more
    multiple = max(1, latency_in_steps(latency / micro_step / k))
    return multiple if _steps(latency, multiple * micro_step) <= k else multiple + 1


def round_trip_steps(there: StepChoice, back: Latencies | None = None) -> int:
    """Return k where one side starts when the start message of the other arrives (dissertation 5.1.3, variant 2).

    Data then seem to come without latency in the direction of the start message, `there`, and with the round trip in
    the other, `back`, which is taken to be like the first if not given.
    """
    # there and back: the answer waits for both
    largest = there.largest if back is None else step_choice(back, there.macro_step, COVERED).largest
    return min(there.largest + largest, MAX_STEPS)


def _range(latencies: Latencies, coverage: float) -> tuple[float, float]:
    arrived = latencies.arrived
    # method higher: the quantile is a latency that was measured, not one between two
    return float(arrived.min()), float(np.quantile(arrived, coverage, method="higher"))


def _steps(latency: float, macro_step: float) -> int:
    return latency_in_steps(latency / macro_step)
