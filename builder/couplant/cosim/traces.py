"""The courses of a run, also as columns of a table: coupling signals, what is kept besides, power bonds, latencies."""

import math
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from couplant.base.arrays import make_course, read_rows
from couplant.base.grid import latency_in_steps
from couplant.base.style import macro_steps, number

_COLUMNS = ("reference", "sent", "received", "estimate", "active", "state", "detected", "limited")
_WATCHED = (("", "values"), (".reference", "reference"))


@dataclass(frozen=True, eq=False)
class Trace:
    """One coupling signal of one run at the N macro points t_n."""

    name: str
    unit: str
    time: NDArray[np.float64]  # shape (N,): macro points [s]
    # shape (N,): the signal in the delay-free reference run [unit]; in open loop the column to judge against
    reference: NDArray[np.float64]
    sent: NDArray[np.float64]  # shape (N,): y, the true signal of this coupled run [unit]
    # shape (N,): newest value that came out of the network [unit]; NaN before the first arrival
    received: NDArray[np.float64]
    estimate: NDArray[np.float64]  # shape (N,): ŷ, valid at the macro point [unit]
    # shape (N,): algorithm that made the estimate, the numbers of `algorithm.active`; of a blend the leading one; 0
    # none
    active: NDArray[np.integer]
    state: NDArray[np.integer]  # shape (N,): 1 starting, 2 running, 3 holding, 4 lost; 0 when there is no coupling FMU
    # detected, limited: shape (N,): a discontinuity was flagged; the output was limited
    detected: NDArray[np.bool_]
    limited: NDArray[np.bool_]
    offset: float = 0.0  # lag of the signal itself, `latency.offset`, that estimates make up for [s]
    # macro point from which on figures count; of a recording the first that a received value has part in
    since: int = 0
    recorded: bool = False  # the signal comes from a recording: that it grows says nothing about the coupling

    def judged(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return reference and estimate where figures count, shape (M,)."""
        return self.reference[self.since :], self.estimate[self.since :]

    def caught_up(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the sent values `offset` later, linear between macro points, and the estimates for it, shape (M,)."""
        if self.offset == 0.0:
            return self.sent[self.since :], self.estimate[self.since :]
        time, sent, offset = self.time, self.sent, self.offset
        slack, points = 1e-6 * (time[-1] - time[0]), range(time.size)
        first = max(bisect_left(points, time[0] - slack, key=lambda n: time[n] + offset), self.since)
        end = max(bisect_right(points, time[-1] + slack, key=lambda n: time[n] + offset), first)

        def later(rows: slice) -> NDArray[np.float64]:
            return np.interp(read_rows(time, slice(first + rows.start, first + rows.stop)) + offset, time, sent)

        return make_course(end - first, later), self.estimate[first:end]


@dataclass(frozen=True, eq=False)
class Watched:
    """An output that is kept besides the signals, at the N macro points."""

    time: NDArray[np.float64]  # shape (N,): macro points [s]
    # values, reference: shape (N,): of the run and of the delay-free reference [unit]
    values: NDArray[np.float64]
    reference: NDArray[np.float64]
    unit: str = ""  # that which the FMU gives; empty: none


@dataclass(frozen=True)
class Figure:
    """A figure of the scenario's own, NaN where it is not known."""

    unit: str  # of the values; empty: not known
    value: float  # of the run [unit]
    time: float  # when it was so, of a largest or smallest value [s]
    reference: float  # of the run without delay [unit]
    reference_time: float  # when it was so there [s]

    @property
    def change(self) -> float:
        """Return by how much the run is above the one without delay, relative to that [-]."""
        return self.value / self.reference - 1.0 if self.reference else math.nan


@dataclass(frozen=True, eq=False)
class BondTrace:
    """One power bond of one run, in its N communication steps, those through coupling FMUs in macro steps."""

    name: str
    time: NDArray[np.float64]  # shape (N,): end of the step [s]
    step: NDArray[np.float64]  # shape (N,): its length h [s]
    power: NDArray[np.float64]  # shape (N,): power into the receiver of the effort at the end of the step [W]
    # given_effort, given_flow: shape (N,): energy that the coupling gave to the receivers of effort and flow in the
    # step; their sum was created [J]
    given_effort: NDArray[np.float64]
    given_flow: NDArray[np.float64]
    # left_effort, left_flow: shape (N,), or None: what is left of the budget at the ends that receive effort and flow
    # [J]; None without coupling FMU that tells
    left_effort: NDArray[np.float64] | None = None
    left_flow: NDArray[np.float64] | None = None
    # shape (N,), or None: energy that corrections of the effort have taken out since the start [J]
    taken: NDArray[np.float64] | None = None
    limited: NDArray[np.bool_] | None = None  # shape (N,), or None: an estimate is kept within the budget

    @property
    def created(self) -> NDArray[np.float64]:
        """Return the residual energy of each step, shape (N,) [J]."""
        return self.given_effort + self.given_flow

    @property
    def residual(self) -> NDArray[np.float64]:
        """Return the residual energy since the start, shape (N,) [J]."""
        return np.cumsum(self.created)

    @property
    def transmitted(self) -> float:
        """Return the energy that went to and fro, mean of both ends [J]."""
        return 0.5 * float(np.abs(self.given_effort).sum() + np.abs(self.given_flow).sum())

    def figures(self) -> dict[str, float]:
        """Return the figures of `energy_figures`, energies and powers of the bond.

        The others are sent into the network by the sender of the effort, received by its receiver [J], mean and largest
        size of the residual power, mean power [W].
        """
        created, whole = np.abs(self.created), float(self.step.sum())
        return energy_figures([self]) | {
            "sent": 0.0 - float(self.given_flow.sum()),
            "received": float(self.given_effort.sum()),
            "residual_power": float(created.sum()) / whole if whole else math.nan,
            "residual_power_max": float((created / self.step).max(initial=0.0)),
            "power": float(self.power @ self.step) / whole if whole else math.nan,
        }


def energy_figures(bonds: Sequence[BondTrace]) -> dict[str, float]:
    """Return the figures of all `bonds` together, NaN where it is not known.

    These are created [J], created_share of what was transmitted [-], taken out by corrections [J], limited_share of the
    steps in which an estimate was kept within the budget [-].
    """
    created, transmitted = (sum(one) for one in zip(*((b.created.sum(), b.transmitted) for b in bonds), strict=True))
    taken = [float(one.taken[-1]) for one in bonds if one.taken is not None and one.taken.size]
    limited = [one.limited for one in bonds if one.limited is not None and one.limited.size]
    return {
        "created": float(created),
        "created_share": float(created) / float(transmitted) if transmitted else math.nan,
        "taken": sum(taken) if taken else math.nan,
        "limited_share": float(np.any(limited, axis=0).mean()) if limited else math.nan,
    }


def run_columns(traces: Mapping[str, Any], watched: Mapping[str, Any]) -> dict[str, NDArray[Any]]:
    """Return time [s], signals and what is watched besides at the N macro points, each of shape (N,), by heading.

    `traces` are of the type `couplant.cosim.traces.Trace`, `watched` of the type `Watched`, by name.
    """
    columns: dict[str, NDArray[Any]] = {}
    for name, trace in traces.items():
        columns.setdefault("time", trace.time)
        columns |= {f"{name}.{part}": getattr(trace, part) for part in _COLUMNS}
    for name, one in watched.items():
        columns.setdefault("time", one.time)
        columns |= {name + part: getattr(one, kind) for part, kind in _WATCHED}
    return columns


@dataclass(frozen=True)
class Replayed:
    """Latencies of the messages of a signal whose network replays measured ones."""

    shortest: float  # s
    median: float  # s
    longest: float  # s

    def words(self, macro_step: float) -> str:
        """Say them in ms and in macro steps ΔT = `macro_step` [s]."""
        low, high = (max(latency_in_steps(one / macro_step), 0) for one in (self.shortest, self.longest))
        span, middle = (f"{number(1e3 * one)}" for one in (self.shortest, self.median))
        if self.shortest == self.longest:
            return f"{span} ms ({macro_steps(high)})"
        steps = f"{low} to {macro_steps(high)}" if low != high else macro_steps(high)
        return f"{span} to {number(1e3 * self.longest)} ms, median {middle} ms ({steps})"
