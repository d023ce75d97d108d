"""Recordings in place of prototypes: the columns of a CSV file as outputs."""

from __future__ import annotations

import csv
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from couplant.cosim.component import LocalComponent, Port, Reader
from couplant.errors import UsageError


@dataclass(frozen=True, eq=False)
class Series:
    """A recording.

    Attributes
    ----------
    time : ndarray, shape (N,)
        Since the first sample, strictly increasing, any sampling [s].
    columns : dict of str to ndarray, shape (N,)
        The other columns that hold numbers.
    """

    time: NDArray[np.float64]
    columns: dict[str, NDArray[np.float64]]

    @property
    def span(self) -> float:
        """Return the time between first and last sample [s]."""
        return float(self.time[-1])


def read_recording(path: Path, time: str) -> Series:
    """Read a CSV file with headings.

    Parameters
    ----------
    path : Path
        Comma-separated, UTF-8.
    time : str
        Heading of the time column [s].

    Raises
    ------
    UsageError
        If the file cannot be read, has no such column, times do not increase or a number is missing.
    """
    columns = read_columns(path)
    if time not in columns:
        raise UsageError(f"{path} has no column {time}; there are: {', '.join(columns)}.")
    times = _numbers(path, time, columns.pop(time))
    if times.size < 2 or np.any(np.diff(times) <= 0.0):
        raise UsageError(f"{path}: {time} must increase from row to row, over at least two rows.")
    numeric = {name: _numbers(path, name, cells) for name, cells in columns.items() if _is_number(cells[0])}
    return Series(times - times[0], numeric)


def read_columns(path: Path) -> dict[str, list[str]]:
    """Return the cells of a CSV file by heading.

    Parameters
    ----------
    path : Path
        Comma-separated, UTF-8.

    Raises
    ------
    UsageError
        If the file cannot be read, is empty, or a row has more or fewer cells than the headings.
    """
    try:
        with open(path, encoding="utf-8-sig", newline="") as stream:
            rows = [row for row in csv.reader(stream) if row]
    except UnicodeDecodeError as error:
        raise UsageError(f"{path}: not a CSV file: byte {error.start} is not UTF-8.") from None
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {(error.strerror or str(error)).lower()}.") from None
    except csv.Error as error:
        raise UsageError(f"{path}: not a CSV file: {error}.") from None
    if len(rows) < 2:
        raise UsageError(f"{path}: needs a row of headings and rows of numbers.")
    short = next((i for i, row in enumerate(rows, start=1) if len(row) != len(rows[0])), None)
    if short is not None:
        raise UsageError(
            f"{path}, row {short}: {len(rows[short - 1])} cells, allowed {len(rows[0])} as in the headings."
        )
    return {name.strip(): [row[i] for row in rows[1:]] for i, name in enumerate(rows[0])}


def _is_number(cell: str) -> bool:
    try:
        return math.isfinite(float(cell))
    except ValueError:
        return False


def _numbers(path: Path, name: str, cells: Sequence[str]) -> NDArray[np.float64]:
    wrong = next((i for i, cell in enumerate(cells, start=2) if not _is_number(cell)), None)
    if wrong is not None:
        raise UsageError(f'{path}, row {wrong}: {name} = "{cells[wrong - 2]}", allowed a finite number.')
    return np.array([float(cell) for cell in cells])


class RecordingComponent(LocalComponent):
    """Gives out a recording, interpolated linearly between its samples.

    Parameters
    ----------
    name : str
        Name in the scenario.
    series : Series
        The recording.
    """

    def __init__(self, name: str, series: Series) -> None:
        super().__init__(name, [Port(column) for column in series.columns])
        self._series, self.values = series, {"t": 0.0}

    def start(self, t_0: float, parameters: Mapping[str, Any]) -> None:
        """Go to the first sample.

        Raises
        ------
        UsageError
            If there are parameters: a recording has none.
        """
        if parameters:
            raise UsageError(f"{self.name} is a recording and has no parameter {next(iter(parameters))}.")
        self.values["t"] = 0.0
        self._t_0 = t_0

    def reader(self, names: Sequence[str]) -> Reader:
        """Return a function that interpolates the columns at the present time."""
        time, columns = self._series.time, [self._series.columns[name] for name in names]
        return lambda: [float(np.interp(self.values["t"], time, column)) for column in columns]

    def step(self, t: float, h: float) -> None:
        """Go to t + h [s]."""
        self.values["t"] = t + h - self._t_0
