"""Recordings of signals: as they were sampled, and on the grid of the macro steps."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from couplant.arrays import Vector
from couplant.errors import UsageError
from couplant.tables.table import Table, number_in, open_table

SHORTEST = 64
"""Macro steps that a recording has at least."""


@dataclass(frozen=True, eq=False)
class Series:
    """Several signals over time.

    Attributes
    ----------
    time : ndarray, shape (N,)
        Since the first sample, strictly increasing, any sampling [s].
    columns : dict of str to ndarray, shape (N,)
        The signals by name, finite.
    """

    time: Vector
    columns: dict[str, Vector]

    @property
    def span(self) -> float:
        """Return the time between first and last sample [s]."""
        return float(self.time[-1])


@dataclass(frozen=True, eq=False)
class Recording:
    """A signal on the grid of the macro steps.

    Attributes
    ----------
    name : str
        Name of the column.
    macro_step : float
        ΔT, s.
    value : ndarray of float, shape (N,)
        Values at the macro steps, signal unit.
    gaps : int
        Number of gaps that were filled by interpolation.
    longest_gap : float
        The longest of them, s.
    """

    name: str
    macro_step: float
    value: Vector
    gaps: int = 0
    longest_gap: float = 0.0

    @property
    def constant(self) -> bool:
        """Whether nothing ever changes."""
        return bool(np.ptp(self.value) == 0)


@dataclass(frozen=True, eq=False)
class Samples:
    """A signal as it was recorded.

    Attributes
    ----------
    name : str
        Its column.
    time : ndarray, shape (N,)
        Increasing, by the clock that both signals have [s].
    value : ndarray, shape (N,)
        Finite [signal unit].
    """

    name: str
    time: Vector
    value: Vector


def read_signals(path: Path, time: str) -> Series:
    """Read all columns of a table whose first cell is a number; `time` is the heading of the times.

    Raises
    ------
    UsageError
        If the file cannot be read, has no such column, times do not increase or a number is missing.
    """
    table = open_table(path).in_seconds([time])
    _, first = next(table.rows(), (0, []))
    numbers = {name: number_in(cell) for name, cell in zip(table.names, first, strict=False) if name not in ("", time)}
    names = [name for name, value in numbers.items() if value is not None and math.isfinite(value)]
    times, *values = table.finite([time, *names])
    if times.size < 2 or np.any(np.diff(times) <= 0.0):
        raise UsageError(f"{path}: {time} must increase from row to row, over at least two rows.")
    return Series(times - times[0], dict(zip(names, values, strict=True)))


def read_recording(
    path: str | Path, *, column: str | None = None, time: str | None = None, macro_step: float | None = None
) -> Recording:
    """Read a signal and put it on the grid of the macro steps, missing values interpolated.

    Parameters
    ----------
    column : str, optional
        Column of the signal; the second one if not given.
    time : str, optional
        Column of the time in s; the first one if not given.
    macro_step : float, optional
        ΔT, s; the median step of the recording if not given.

    Raises
    ------
    UsageError
        If the file or a column cannot be read, times do not increase, or the signal is too short.
    """
    table = open_table(path)
    time, column = _columns(path, table, time, column)
    t, y = table.in_seconds([time]).columns([time, column])
    return resample(t, y, macro_step, name=column, origin=str(path))


def read_samples(path: str | Path, *, column: str | None = None, time: str | None = None) -> Samples:
    """Read a signal as it was sampled, without rows in which time or value is missing.

    Parameters
    ----------
    column, time : str, optional
        Column of the signal, the second one if not given, and of the time in s, the first one.

    Raises
    ------
    UsageError
        If the file or a column cannot be read, or times do not increase.
    """
    table = open_table(path)
    time, column = _columns(path, table, time, column)
    t, y = table.in_seconds([time]).columns([time, column])
    good = np.isfinite(t) & np.isfinite(y)
    t, y = t[good], y[good]
    if t.size < SHORTEST or np.any(np.diff(t) <= 0.0):
        raise UsageError(f"{path}: {time} must increase from row to row, over at least {SHORTEST} rows of {column}.")
    return Samples(column, t, y)


def _columns(path: str | Path, table: Table, time: str | None, column: str | None) -> tuple[str, str]:
    """Return the columns of time and signal."""
    names = [name for name in table.names if name]
    if len(names) < 2:
        raise UsageError(f"{path}: a column of times and one of values are needed, found {', '.join(names)}")
    return time or names[0], column or names[1]


def resample(
    t: Vector, y: Vector, macro_step: float | None = None, *, name: str = "y", origin: str = "recording"
) -> Recording:
    """Put a signal of any sampling on the grid of the macro steps by linear interpolation.

    Parameters
    ----------
    t, y : ndarray of float, shape (N,)
        Times in s, increasing, and values; rows with NaN count as gaps.
    macro_step : float, optional
        ΔT, s; the median step if not given.
    name, origin : str
        Name of the signal, and of its source for messages.

    Raises
    ------
    UsageError
        See `read_recording`.
    """
    good = np.isfinite(t) & np.isfinite(y)
    gaps = int(np.count_nonzero(np.diff(np.concatenate([[1], good, [1]])) < 0))
    t, y = t[good], y[good]
    if t.size < 2:
        raise UsageError(f"{origin}: fewer than two values of {name!r} that are numbers")
    steps = np.diff(t)
    if steps.min() <= 0:
        raise UsageError(f"{origin}: time does not increase at {t[int(np.argmin(steps))]:g} s")
    step = float(f"{np.median(steps):.9g}") if macro_step is None else macro_step
    count = int(np.floor((t[-1] - t[0]) / step * (1 + 1e-12) + 1e-6)) + 1 if step > 0 else 0
    if count < SHORTEST:
        raise UsageError(f"{origin}: {max(count, 0)} macro steps of {step:g} s, at least {SHORTEST} are needed")
    if count > 100 * t.size + 1000:
        raise UsageError(f"{origin}: macro_step = {step:g} s is far below the sampling of the recording")
    value = y if count == t.size and np.ptp(steps) <= 1e-3 * step else np.interp(t[0] + step * np.arange(count), t, y)
    return Recording(name, step, value, gaps, float(steps.max()) if gaps else 0.0)
