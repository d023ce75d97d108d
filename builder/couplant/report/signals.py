"""Parts of every picture of signals: axis limits, the level of the error, thinning of long runs."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from couplant.base.arrays import Vector

if TYPE_CHECKING:
    from couplant.cosim.result import Run
    from couplant.cosim.traces import Trace

PERIODS = 3  # periods of a signal that a chart shows first, the whole below it


def limits(trace: Trace, others: tuple[Vector, ...] = ()) -> tuple[float, float]:
    """Return lower and upper limit of an axis [unit], a little outside of what a trace's reference needs.

    A run that blows up cannot ruin them: each of the `others`, estimates that should be seen too, may widen the range
    by half the range of the reference on each side.
    """
    low, high = _extent(trace.reference)
    span = (high - low) or abs(high) or 1.0
    for values in others:
        below, above = _extent(values)
        low, high = min(low, max(below, low - 0.5 * span)), max(high, min(above, high + 0.5 * span))
    margin = 0.06 * ((high - low) or span)
    return low - margin, high + margin


def _extent(values: Vector) -> tuple[float, float]:
    finite = values[np.isfinite(values)]
    return (float(finite.min()), float(finite.max())) if finite.size else (0.0, 0.0)


def error_level(run: Run) -> tuple[Vector, Vector]:
    """Return the level of the error of all signals over time, in at most 240 points.

    The error of each signal is divided by the rms of its reference; the level is the rms over the signals and over a
    window of a 25th of the run. Times, the middles of the windows [s], and level [-] have the shape (P,); the level is
    NaN where a window holds no finite value.
    """
    with np.errstate(invalid="ignore", over="ignore"):
        return _level(run, [trace.estimate - trace.reference for trace in run.traces.values()], 50, 240)


def signal_level(run: Run) -> tuple[Vector, Vector]:
    """Return the level of the estimates over time as `error_level` does, over a window of a fifth of the run.

    Where a coupling is unstable it grows although the reference does not. There are at most 60 points.
    """
    return _level(run, [trace.estimate for trace in run.traces.values()], 10, 60)


def _level(run: Run, signals: list[Vector], part: int, points: int) -> tuple[Vector, Vector]:
    if not run.traces:
        return np.empty(0), np.empty(0)
    time = max((trace.time for trace in run.traces.values()), key=len)
    power = np.full((len(signals), len(time)), np.nan)
    for row, trace, values in zip(power, run.traces.values(), signals, strict=True):
        row[: len(values)] = (np.clip(values, -1e100, 1e100) / (_rms(trace.reference) or 1.0)) ** 2
    valid = np.isfinite(power)
    mean = np.where(valid, power, 0.0).sum(axis=0) / np.maximum(valid.sum(axis=0), 1)
    centre = np.unique(np.linspace(0, len(time) - 1, min(points, len(time))).round().astype(int))
    half = max(len(time) // part, 1)
    total, count = (_window(values, centre, half) for values in (mean, valid.any(axis=0).astype(float)))
    with np.errstate(invalid="ignore", divide="ignore"):
        return time[centre], np.sqrt(np.where(count > 0, total / count, np.nan))


def _rms(values: Vector) -> float:
    finite = values[np.isfinite(values)]
    return float(np.sqrt(np.mean(finite**2))) if finite.size else 0.0


def _window(values: Vector, centre: NDArray[np.int64], half: int) -> Vector:
    # sums of each window by itself: a running sum would drown early values in those of a run that blows up
    return np.array([values[max(index - half, 0) : index + half + 1].sum() for index in centre])


def period(values: Vector) -> float:
    """Return the mean period of `values` of a signal, shape (N,), in rows: by the size of changes (Rice), 0 without."""
    changes = float(np.std(np.diff(values))) if values.size > 2 else 0.0
    return 2.0 * np.pi * float(np.std(values)) / changes if changes > 0.0 else 0.0


def thin(values: Vector, size: int) -> Vector:
    """Keep the smallest and the largest of every `size` of `values`, shape (N,), in the order in which they came.

    Returned is the signal for drawing, shape (2 ceil(N / size),): nothing that was seen before is lost at this width.
    It is NaN only where all are NaN.
    """
    padded = np.pad(values.astype(float), (0, -len(values) % size), mode="edge").reshape(-1, size)
    gap = np.isnan(padded)
    low, high = np.where(gap, np.inf, padded).argmin(axis=1), np.where(gap, -np.inf, padded).argmax(axis=1)
    order = np.stack([np.minimum(low, high), np.maximum(low, high)], axis=1)
    kept = np.take_along_axis(padded, order, axis=1)
    return np.where(gap.all(axis=1, keepdims=True), np.nan, kept).reshape(-1)


def thin_trace(trace: Trace, values: Vector, points: int) -> tuple[Vector, Vector]:
    """Return times [s] and `values` of a trace, shape (N,), in at most `points` points; gaps where not finite."""
    size = math.ceil(2 * len(values) / points)
    time, shown = (trace.time, values) if size <= 2 else (np.repeat(trace.time[::size], 2), thin(values, size))
    return time, np.where(np.isfinite(shown), np.clip(shown, -1e30, 1e30), np.nan)


def intervals(time: Vector, codes: NDArray[Any], group: int = 1, chosen: np.ufunc = np.maximum) -> list[list[float]]:
    """Return the times between which a code stays the same: from, to and code [s, s, -], in the order of time.

    Each of the `codes`, numbers or flags of shape (N,), counts from its macro point in `time`, shape (N,) [s], to the
    next. Of `group` rows that are joined the `chosen` code counts: the largest state (lost), the smallest algorithm (a
    fallback).
    """
    if not len(time):
        return []
    starts = np.arange(0, len(time), group)
    values = chosen.reduceat(codes.astype(int), starts)
    first = np.flatnonzero(np.diff(values, prepend=values[0] - 1))
    step = time[1] - time[0] if len(time) > 1 else 1.0
    edges = np.append(time[starts[first]], time[-1] + step)
    return [
        [float(f"{left:.9g}"), float(f"{right:.9g}"), int(values[index])]
        for left, right, index in zip(edges[:-1], edges[1:], first, strict=True)
    ]
