"""The results of a sweep: rows, their CSV file, medians over the seeds."""

import csv
import io
import math
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields, replace
from itertools import accumulate
from pathlib import Path
from typing import Any, NamedTuple

from couplant.base.errors import UsageError
from couplant.base.files import write_atomic
from couplant.base.style import WIRE
from couplant.sweep.axes import Point
from couplant.tables import open_table
from couplant_runtime.algorithms import NAMES

FAILED, UNSTABLE = "failed", "unstable"
FIGURES = ("error", "ratio", "growth", "C")  # figures that have medians and maps


@dataclass(frozen=True)
class Row:
    """One point and what came out."""

    point: Point
    error: float | None = None  # of the estimates against the delay-free reference; infinite after divergence, %
    mae: float | None = None  # the same in the units of the signals, where they have one
    max: float | None = None
    growth: float | None = None  # as in `couplant simulate`; infinite after divergence, -
    C: float | None = None  # Sprague & Geers, x 100, -
    M: float | None = None
    P: float | None = None
    ratio: float | None = None  # error over that of the plain wire at the same point, unless that diverges, -
    verdict: str = FAILED  # stable, borderline, unstable, unknown (too short a run), open loop or failed
    radius: float | None = None  # spectral radius by theory where it is known, -
    reason: str = ""  # why the point failed
    settings: str = ""  # digest of everything besides the point that decides the result
    # the scenario's own figures and the energies of its bonds, by column
    own: dict[str, float | None] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Return the columns of the CSV file by name."""
        rest = {item.name: getattr(self, item.name) for item in fields(self) if item.name not in _NESTED}
        return dict(zip(_AXES, self.point, strict=True)) | rest | self.own


_AXES = ("timing", "algorithm", "latency_steps", "jitter_steps", "loss", "seed")
_NESTED = ("point", "own")
COLUMNS = (*_AXES, *(item.name for item in fields(Row) if item.name not in _NESTED))
"""Headings of the CSV file; those of a scenario's own figures come behind them."""
_TEXTS = ("timing", "algorithm", "verdict", "reason", "settings")


class Cell(NamedTuple):
    """All seeds of one point: its place on the axes but for the seed."""

    timing: str
    algorithm: str
    latency: int
    jitter: float
    loss: float


@dataclass(frozen=True)
class Median:
    """Medians over the seeds of a cell."""

    cell: Cell
    seeds: int  # number of rows
    unstable: int
    failed: int
    error: float | None  # medians over the rows that have the figure
    ratio: float | None
    growth: float | None
    C: float | None

    @property
    def is_unstable(self) -> bool:
        """Tell whether at least half of the runs are unstable."""
        return 0 < self.seeds - self.failed <= 2 * self.unstable

    def to_dict(self) -> dict[str, Any]:
        """Return names and values for JSON."""
        counts = {"seeds": self.seeds, "unstable": self.unstable, "failed": self.failed}
        return dict(zip(_AXES[:-1], self.cell, strict=True)) | counts | {name: getattr(self, name) for name in FIGURES}


class Summary(NamedTuple):
    """Figures of one algorithm in one timing: numbers of points, medians, in how many places it is best."""

    points: int
    failed: int
    unstable: int
    figures: tuple[float | None, ...]
    best: int


SUMMARY = ("error", "growth", "C", "ratio")  # figures of a summary, in its order


def summarise(rows: Sequence[Row], places: int) -> Summary:
    """Return the summary of some rows that are the best at `places` places."""
    figures = tuple(_middle(rows, name) for name in SUMMARY)
    return Summary(len(rows), _count(rows, FAILED), _count(rows, UNSTABLE), figures, places)


@dataclass
class Table:
    """Rows by point."""

    rows: dict[Point, Row] = field(default_factory=dict)  # in any order

    def add(self, row: Row) -> None:
        """Take `row` in place of the one that its point had."""
        self.rows[row.point] = row

    def sorted(self) -> list[Row]:
        """Return the rows in the order of the axes, whatever the order in which they came, with their ratios."""
        rows = sorted(self.rows.values(), key=lambda row: _order(row.point))
        return [replace(row, ratio=self._ratio(row)) for row in rows]

    def medians(self) -> list[Median]:
        """Return the cells in the order of the axes."""
        cells: dict[Cell, list[Row]] = {}
        for row in self.sorted():
            cells.setdefault(Cell(*row.point[:-1]), []).append(row)
        return [
            Median(cell, len(rows), _count(rows, UNSTABLE), _count(rows, FAILED), *(_middle(rows, n) for n in FIGURES))
            for cell, rows in cells.items()
        ]

    def select(self, points: Iterable[Point]) -> "Table":
        """Return the table of some points, ratios included."""
        return Table({point: replace(row, ratio=self._ratio(row)) for point in points if (row := self.rows.get(point))})

    def write(self, path: Path) -> None:
        """Write a CSV file, whole or not at all."""
        text, rows = io.StringIO(), self.sorted()
        headings = (*COLUMNS, *dict.fromkeys(name for row in rows for name in row.own))
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(headings)
        writer.writerows([_cell(found.get(name)) for name in headings] for found in map(Row.to_dict, rows))
        write_atomic(path, text.getvalue())

    def _ratio(self, row: Row) -> float | None:
        base = self.rows.get(row.point._replace(algorithm=WIRE))
        if row.error is None or base is None or not base.error or math.isinf(base.error):
            return row.ratio
        # a run that diverges is no measure of another one
        return None if base.verdict == UNSTABLE else row.error / base.error


def read_table(path: Path) -> Table:
    """Return the table of an earlier sweep; empty without a file.

    A last line that was cut is left out: its point is run anew. Raise `UsageError` if it is something else.
    """
    if not path.exists():
        return Table()
    rows: list[Row] = []
    try:
        table = open_table(path)
        good = table.names[: len(COLUMNS)] == COLUMNS
        for cells in table.records(_TEXTS, blanks=True) if good else ():
            rows.append(_row(cells))
        if rows and not path.read_bytes().endswith(b"\n"):
            rows.pop()  # its last cell may have been cut
    except (ValueError, TypeError):
        good = len(rows) > 0 and _is_cut_after(path, sum(1 + row.reason.count("\n") for row in rows))
    if not good:
        raise UsageError(f"{path}: not the CSV file of a sweep; fresh = true replaces it.")
    return Table({row.point: row for row in rows})


def _is_cut_after(path: Path, lines: int) -> bool:
    """Tell whether what comes after the headings and some more whole lines is one row without an end."""
    # a row ends with a line before whose end all quotes are closed
    rest = path.read_bytes().split(b"\n")[lines + 1 :]
    return all(quotes % 2 for quotes in accumulate(line.count(b'"') for line in rest[:-1]))


def best(medians: Sequence[Median]) -> dict[tuple[str, int, float, float], str]:
    """Return the algorithm with the smallest median error by timing, latency, jitter and loss.

    Cells that are unstable are no choice. Where every one is, the place is left out.
    """
    found: dict[tuple[str, int, float, float], tuple[float, str]] = {}
    for median in medians:
        place = (median.cell.timing, *median.cell[2:])
        if median.error is None or not math.isfinite(median.error) or median.is_unstable:
            continue
        if place not in found or median.error < found[place][0]:
            found[place] = median.error, median.cell.algorithm
    return {place: algorithm for place, (_, algorithm) in found.items()}


def _order(point: Point) -> tuple[Any, ...]:
    known = (WIRE, *NAMES)
    place = known.index(point.algorithm) if point.algorithm in known else len(known)
    return (point.timing, place, point.algorithm, *point[2:])


def _count(rows: Sequence[Row], verdict: str) -> int:
    return sum(row.verdict == verdict for row in rows)


def _middle(rows: Sequence[Row], figure: str) -> float | None:
    known = [value for row in rows if (value := getattr(row, figure)) is not None]
    return statistics.median(known) if known else None


def _cell(value: Any) -> str:
    return "" if value is None else repr(value) if isinstance(value, float) else str(value)


def _row(cells: dict[str, Any]) -> Row:
    timing, algorithm, latency, jitter, loss, seed = (cells.pop(name) for name in _AXES)
    own = {name: value for name in list(cells) if name not in COLUMNS and (value := cells.pop(name)) is not None}
    return Row(Point(timing, algorithm, int(latency), float(jitter), float(loss), int(seed)), **cells, own=own)
