"""Recordings as test benches write them: every file is channels, each with a name, a unit and times of its own.

>>> from couplant.tables import read
>>> for channel in read("run.mf4").values(): print(channel.name, channel.unit, channel.time.size)    # doctest: +SKIP
"""

import struct
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from couplant.base.arrays import Vector
from couplant.base.errors import UsageError, quote, some, why
from couplant.base.notebook import Shows, Summary, data_frame
from couplant.tables.dialect import FIRST_ROWS
from couplant.tables.headings import NO_TIMES, PLAIN, READERS, REFUSED, Reading, assumptions, numeric, times_of
from couplant.tables.table import Table, open_table

if TYPE_CHECKING:
    import pandas

_SHORTEST, _LONGEST = 1e-6, 1.0
_SHOWN = 40
_LONGEST_REASON = 200  # letters that another reader says of a file
_BEGINNING = 96  # bytes of a file that tell its kind


@dataclass(frozen=True, eq=False)
class Channel:
    """A signal as it was recorded."""

    name: str  # as the file tells it
    unit: str  # as the file tells it, else empty
    time: Vector  # shape (N,): of its own samples, in the order of the file [s]
    value: Vector  # shape (N,): NaN where a sample is missing [unit]


class Channels(Shows, Mapping[str, Channel]):
    """The channels of the file `origin` by name; `assumed` is what was assumed about it, in a line, else empty."""

    clocks: tuple[str, ...] = ()  # columns that hold times

    def __init__(self, origin: str, names: Sequence[str], assumed: str = "") -> None:
        self.origin, self.assumed = origin, assumed
        self._names = tuple(names)
        self._places = {name: place for place, name in enumerate(names)}

    def __iter__(self) -> Iterator[str]:
        """Iterate over the names."""
        return iter(self._names)

    def __len__(self) -> int:
        """Return the number of channels."""
        return len(self._names)

    def __getitem__(self, name: str) -> Channel:
        """Return a channel by name; raise `KeyError` if there is none, `UsageError` if it cannot be read."""
        if name not in self._places:
            raise KeyError(name)
        return self.select([name])[0]

    def select(self, names: Sequence[str]) -> list[Channel]:
        """Return channels by name, read at once; raise `UsageError` if there is none such, or it cannot be read."""
        raise NotImplementedError

    def to_dataframe(self) -> "pandas.DataFrame":
        """Return the channels of numbers as columns over the time [s], NaN where one has no sample; needs pandas."""
        found: pandas.DataFrame | None = None
        for one in self.select(self.numeric()):
            there = np.isfinite(one.time)
            column = data_frame({"time": one.time[there], one.name: one.value[there]}, "time")
            # channels of one clock come first and often: no join for them
            same = found is not None and found.index.equals(column.index)
            if found is None or same:
                found = column if found is None else found.assign(**{one.name: column[one.name]})
            else:
                found = found[~found.index.duplicated()].join(column[~column.index.duplicated()], how="outer")
        return data_frame({}) if found is None else found

    def _summary(self) -> Summary:
        shown = list(self)[:_SHOWN]
        try:
            rows, wrong = [], list[str]()
            for one in self.select(shown):
                ends = [f"{one.time[at].item():g}" for at in (0, -1)] if one.time.size else ["", ""]
                rows.append([one.name, one.unit, str(one.time.size), *ends])
        except UsageError as error:  # a column of words, for instance
            rows, wrong = [[name, "", "", "", ""] for name in shown], [str(error)]
        notes = [*wrong, *([f"{len(self) - _SHOWN} more"] if len(self) > _SHOWN else [])]
        notes += [f"Assumed: {self.assumed}"] if self.assumed else []
        return Summary(self.origin, ("channel", "unit", "samples", "from / s", "to / s"), rows, notes)

    def numeric(self) -> list[str]:
        """Return the names of the channels of numbers: of a text, those that have only such in the first rows."""
        return list(self._names)

    def named(self, name: str | None) -> str:
        """Return the name of a channel, the first one of numbers without a `name`; raise `UsageError` if it is none."""
        found = next(iter(self.numeric() or self._names), name) if name is None else name
        if found in self.clocks:
            raise UsageError(f"{self.origin}: {quote(found)} is taken for the time: time = NAME names another.")
        if found is None or found not in self._places:
            raise UsageError(f"{self.origin} has no column {quote(found or '')}; there are: {some(self._names)}.")
        return found


class Loaded(Channels):
    """Channels of a binary file, which `load` returns by place."""

    def __init__(self, origin: str, names: Sequence[str], load: Callable[[int], Channel], assumed: str = "") -> None:
        super().__init__(origin, names, assumed)
        self._load = load

    def select(self, names: Sequence[str]) -> list[Channel]:
        """Return channels by name."""
        return [self._load(self._places[self.named(name)]) for name in names]


class Columns(Channels):
    """Channels of a table of text: each has the times of the column of times left of it, and rows of its own."""

    def __init__(self, table: Table, how: Reading) -> None:
        self._table, self._how = table, how
        self._head = [cells for _, cells in islice(table.rows(fewer=True), FIRST_ROWS)]
        self._times = times_of(table, how, self._head)
        self.clocks = tuple(self._times.columns)
        stamps = bool(self.clocks) and table.has_stamps(self.clocks[0])
        super().__init__(table.origin, list(self._times.of), assumptions(table, self._times, how, stamps))
        self._begin, self._remarks = self.assumed, dict[str, None]()

    def select(self, names: Sequence[str]) -> list[Channel]:
        """Return channels by name, in one pass for each column of times."""
        found: dict[str, Channel] = {}
        of = self._times.of
        for time in dict.fromkeys(of[self.named(name)] for name in names):
            own = [name for name in dict.fromkeys(names) if of[name] == time]
            (clock, *values), remarks = self._read(time, own)
            self._remarks |= dict.fromkeys(remarks)
            for name, value in zip(own, values, strict=True):
                found[name] = Channel(name, self._table.unit(name), *_own_rows(clock, value))
        self.assumed = "; ".join([*filter(None, [self._begin]), *self._remarks])
        return [found[name] for name in names]

    def _read(self, time: str, names: list[str]) -> tuple[list[Vector], list[str]]:
        """Return times [s], in a column or evenly apart, and signals, each of shape (N,), and remarks on their gaps."""
        if not time:
            return self._table.evenly(self._times.step, names)
        known = self._how.time_unit or self._table.time_unit(time)
        return self._table.with_times(time, names, known or self._times.unit or None)

    def numeric(self) -> list[str]:
        """Return the names of the channels that have numbers in the first rows, and not more words."""
        return numeric(self._table, list(self), self._head)


def read(source: "Source", how: Reading = PLAIN) -> Channels:
    """Return the channels of a recording, text in any dialect or one of many binary kinds; values on demand.

    Parameters
    ----------
    source : str, Path, mapping, DataFrame or Channels
        The file; or what is in memory: arrays of shape (N,) by name, or a data frame, with a column or an index of
        times; or what this function has returned.
    how : Reading
        What the source does not tell itself.

    Raises
    ------
    UsageError
        If the file cannot be read, is none of these, has no channel, or an extra package is missing.
    """
    if isinstance(source, Channels):
        return source
    if not isinstance(source, (str, Path)):
        found: Channels = import_module("couplant.tables.memory").channels(source, how)
        return found
    path = Path(source)
    begins = _beginning(path)
    if module := _reader(begins):
        found = import_module(f"couplant.tables.{module}").channels(path, how)
        if not found:
            raise UsageError(f"{path}: no channel of numbers with times: {NO_TIMES}")
        return found
    if refusal := next((said for beginning, said in REFUSED if begins.startswith(beginning)), ""):
        raise UsageError(f"{path}: {refusal}")
    return Columns(open_table(path, delimiter=how.delimiter, decimal=how.decimal), how)


def _reader(begins: bytes) -> str:
    """Return the module that reads files with such a beginning, empty for text."""
    if b".npy" in begins and begins.startswith(b"PK"):  # arrays of numpy by name
        return "mat"
    head = begins[:20]
    if len(head) == 20 and head.count(0) > 8:  # MATLAB 4: kind, rows, columns, complex or not, length of a name
        order = "<" if head[0] or not any(head[:4]) else ">"
        kind, rows, columns, parts, letters = struct.unpack(f"{order}5i", head)
        if 0 <= kind < 5000 and kind % 10 < 3 and rows >= 0 <= columns and parts in (0, 1) and 0 < letters < 256:
            return "mat"
    asc = not begins.startswith(b"date ") or b"base " in begins
    return next((module for start, _, module in READERS if begins.startswith(start) and asc), "")


def _beginning(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(_BEGINNING)
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {why(error)}.") from None


def missing(path: Path, kind: str, package: str, extra: str) -> UsageError:
    """Return the sentence that an extra is needed for a `kind` of files."""
    return UsageError(f"{path}: {kind} needs {package}: pip install couplant[{extra}]")


def unreadable(path: Path, kind: str, error: Exception) -> UsageError:
    """Return the error that the reader of a `kind` of files refuses one, for whatever reason it gives."""
    why = " ".join(str(error).split()).rstrip(".") or type(error).__name__
    return UsageError(f"{path}: cannot be read as {kind}: {why[:_LONGEST_REASON]}.")


def doubtful(time: Vector) -> str:
    """Return a warning where the step that `time` [s] implies is below 1 µs or above 1 s, else nothing."""
    steps = np.diff(time[np.isfinite(time)])
    step = float(np.median(steps)) if steps.size else _LONGEST
    if _SHORTEST <= step <= _LONGEST:
        return ""
    return f"times have steps of {step:g} s: are they in seconds? time_unit = s says so."


def _own_rows(time: Vector, value: Vector) -> tuple[Vector, Vector]:
    """Return times and values of every n-th row where others are always empty: a channel with a rate of its own."""
    if np.isfinite(value.sum()):  # none is missing
        return time, value
    there = np.flatnonzero(np.isfinite(value))
    if there.size < 2:
        return time, value
    apart = np.diff(there)
    return (time[there], value[there]) if apart.min() == apart.max() > 1 else (time, value)


class Frame(Protocol):
    """Data frame as far as it is needed; those of pandas and polars fit."""

    @property
    def columns(self) -> Iterable[Any]:
        """Return the headings."""

    def __getitem__(self, name: Any) -> Any:
        """Return a column."""


Source = str | Path | Mapping[str, Any] | Frame
"""A file; or columns in memory, arrays of shape (N,) by name or a data frame, one of them or its index the times."""
