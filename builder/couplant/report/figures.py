"""What every picture of signals needs: names, numbers, axis limits, the level of the error, thinning of long runs."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from couplant.cosim.result import Run, Trace

Array = NDArray[np.float64]

ABBREVIATIONS = ("zoh", "foh", "smb", "eros3", "eros4")
"""Algorithms whose names are abbreviations."""

_SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def label(algorithm: str) -> str:
    """Write the name of an algorithm as in the literature.

    Parameters
    ----------
    algorithm : str
        Name as in the configuration.

    Returns
    -------
    str
        ``EROS3`` for ``eros3``; words like ``linear`` stay.
    """
    return algorithm.upper() if algorithm in ABBREVIATIONS else algorithm


def axis_label(name: str, unit: str) -> str:
    """Write quantity and unit for an axis, ``torque / N.m``.

    Parameters
    ----------
    name, unit : str
        Signal and its unit; without unit the name alone.
    """
    return f"{name} / {unit}" if unit and unit != "1" else name


def number(value: float | None, digits: int = 4, fixed: bool = False) -> str:
    """Write a figure with a few digits.

    Parameters
    ----------
    value : float or None
        The figure; None and NaN become a dash.
    digits : int
        Significant digits.
    fixed : bool
        Keep zeros at the end, for the columns of a table.

    Returns
    -------
    str
        For instance ``0.00644``, ``1.202``, ``3.2×10⁷``, ``—``.
    """
    if value is None or math.isnan(value):
        return "—"
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    plain = value == 0.0 or 1e-4 <= abs(value) < 99999.5
    return (_plain(value, digits, fixed) if plain else _power(value, digits)).replace("-", "−")


def _plain(value: float, digits: int, fixed: bool) -> str:
    if abs(value) >= 10.0**digits:
        return f"{value:.0f}"
    return f"{value:#.{digits}g}".removesuffix(".") if fixed and value else f"{value:.{digits}g}"


def _power(value: float, digits: int) -> str:
    mantissa, exponent = f"{value:.{digits - 1}e}".split("e")
    return f"{mantissa}×10{str(int(exponent)).translate(_SUPERSCRIPT)}"


def limits(trace: Trace, others: tuple[Array, ...] = ()) -> tuple[float, float]:
    """Axis limits that a run which blows up cannot ruin.

    Parameters
    ----------
    trace : Trace
        Its reference sets the range.
    others : tuple of ndarray
        Estimates that should be seen too; each may widen the range by half the range of the reference on each side.

    Returns
    -------
    tuple of float
        Lower and upper limit [unit], a little outside of the values.
    """
    low, high = _extent(trace.reference)
    span = (high - low) or abs(high) or 1.0
    for values in others:
        below, above = _extent(values)
        low, high = min(low, max(below, low - 0.5 * span)), max(high, min(above, high + 0.5 * span))
    margin = 0.06 * ((high - low) or span)
    return low - margin, high + margin


def _extent(values: Array) -> tuple[float, float]:
    finite = values[np.isfinite(values)]
    return (float(finite.min()), float(finite.max())) if finite.size else (0.0, 0.0)


def error_level(run: Run, points: int = 240) -> tuple[Array, Array]:
    """Level of the error of all signals over time.

    The error of each signal is divided by the rms of its reference; the level is the rms over the signals and over a
    window of a 25th of the run.

    Parameters
    ----------
    run : Run
        One algorithm in one timing.
    points : int
        Largest number of points.

    Returns
    -------
    time : ndarray, shape (P,)
        Middle of the windows [s], P at most `points`.
    level : ndarray, shape (P,)
        Level of the error [-]; NaN where a window holds no finite value.
    """
    with np.errstate(invalid="ignore", over="ignore"):
        return _level(run, [trace.estimate - trace.reference for trace in run.traces.values()], 50, points)


def signal_level(run: Run, points: int = 60) -> tuple[Array, Array]:
    """Level of the estimates over time, as `error_level` but over a window of a fifth of the run.

    Where a coupling is unstable it grows although the reference does not.

    Parameters
    ----------
    run : Run
        One algorithm in one timing.
    points : int
        Largest number of points.

    Returns
    -------
    time : ndarray, shape (P,)
        Middle of the windows [s], P at most `points`.
    level : ndarray, shape (P,)
        Level of the estimates [-]; NaN where a window holds no finite value.
    """
    return _level(run, [trace.estimate for trace in run.traces.values()], 10, points)


def _level(run: Run, signals: list[Array], part: int, points: int) -> tuple[Array, Array]:
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


def _rms(values: Array) -> float:
    finite = values[np.isfinite(values)]
    return float(np.sqrt(np.mean(finite**2))) if finite.size else 0.0


def _window(values: Array, centre: NDArray[np.int64], half: int) -> Array:
    # sums of each window by itself: a running sum would drown early values in those of a run that blows up
    return np.array([values[max(index - half, 0) : index + half + 1].sum() for index in centre])


def thin(values: Array, size: int) -> Array:
    """Keep the smallest and the largest of every `size` values, in the order in which they came.

    Parameters
    ----------
    values : ndarray, shape (N,)
        A signal.
    size : int
        Number of values of which two are kept.

    Returns
    -------
    ndarray, shape (2 ceil(N / size),)
        The signal for drawing: nothing that was seen before is lost at this width. NaN only where all are NaN.
    """
    padded = np.pad(values.astype(float), (0, -len(values) % size), mode="edge").reshape(-1, size)
    gap = np.isnan(padded)
    low, high = np.where(gap, np.inf, padded).argmin(axis=1), np.where(gap, -np.inf, padded).argmax(axis=1)
    order = np.stack([np.minimum(low, high), np.maximum(low, high)], axis=1)
    kept = np.take_along_axis(padded, order, axis=1)
    return np.where(gap.all(axis=1, keepdims=True), np.nan, kept).reshape(-1)
