"""One reader for every table of numbers, quickly enough for ten million rows.

A table is text in UTF-8, UTF-16 or Windows-1252. A row names its columns, the next one may hold their units; a tool may
have written lines of its own above. Comma, semicolon, tab, bar or blanks stand between the cells, which may be quoted;
blank lines do not count. Where no comma separates cells, numbers may have a decimal comma.
"""

import codecs
import csv
import io
import re
import warnings
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, TextIO

import numpy as np

from couplant.base.arrays import Matrix, Vector
from couplant.base.errors import UsageError, why
from couplant.tables.clock import PACKED, is_stamp, moment, seconds_of_day
from couplant.tables.dialect import FIRST_ROWS, HEAD, LONG_HEAD, MISSING, NO_TEXT, dialect_in
from couplant.tables.rows import rows_of
from couplant.tables.sheet import Sheet, Words

_BLOCK, _PIECE = 1 << 18, 1 << 20
_FEW_LINES = 4

_SHORTEST_STAMP = len("2026-11-22T08:15")

Value = Callable[[int, list[str], int], float]
"""Number in the cells of a row at a place."""


@dataclass(frozen=True)
class Table(Sheet):
    """A file with columns of numbers: what its first rows say, and its cells on demand."""

    path: Path

    def columns(self, names: Sequence[str], words: Words | None = None) -> list[Vector]:
        """Return columns by name, each of shape (N,); empty cells and words for "no value" become NaN.

        Raise `UsageError` if a column or all numbers are missing, a cell is not a number where there are no `words` to
        note it, or a row has more cells than the headings.
        """
        places = [self.place(name) for name in names]
        parts = self._at_once(places) or list(self._blocks(places, (words or self).value))
        if not parts:
            raise UsageError(f"{self.origin}: needs a row of headings and rows of numbers.")
        whole = parts[0] if len(parts) == 1 else np.concatenate(parts)
        return list(whole.T)

    def finite(self, names: Sequence[str]) -> list[Vector]:
        """Return columns by name, each of shape (N,), in which every cell is a finite number.

        Raise `UsageError` as in `columns`, and if a cell is missing or not finite, or a row has fewer cells than the
        headings.
        """
        found = self.columns(names)
        wrong = [(int(np.argmin(good)), i) for i, c in enumerate(found) if not (good := np.isfinite(c)).all()]
        if wrong:
            n, i = min(wrong)
            row, cells = next(islice(self.rows(), n, None))
            raise UsageError(self.refusal(row, names[i], cells[self.place(names[i])], "a finite number"))
        return found

    def rows(self, fewer: bool = False) -> Iterator[tuple[int, list[str]]]:
        """Yield the place of each row in the file, from 1 on, and its cells, where `fewer` are allowed filled up.

        Raise `UsageError` if one is uneven.
        """
        with _open_text(self.path, self.origin, self.dialect.encoding) as file:
            for row, cells in rows_of(file, self.dialect.delimiter):
                if row > self.dialect.above:
                    yield row, self.fitting(row, cells, fewer)

    def records(self, texts: Collection[str] = (), *, blanks: bool = False) -> Iterator[dict[str, Any]]:
        """Return rows by heading: numbers, but text in columns called `texts`; with `blanks` empty cells become None.

        Raise `UsageError` as in `rows`, and if a cell is not a number.
        """
        for row, cells in self.rows():
            yield {
                name: cell if name in texts else None if blanks and not cell else self.number(row, name, cell)
                for name, cell in zip(self.names, cells, strict=True)
            }

    def with_times(self, time: str, names: Sequence[str], unit: str | None = None) -> tuple[list[Vector], list[str]]:
        """Return a column of times [s] and others behind it, each of shape (N,), and remarks on their gaps.

        Times are numbers in their unit, or time stamps and then count from the first one on. The `unit` counts if it is
        given, else that of the units row, else that of the heading, else it is seconds. Words are gaps. Raise
        `UsageError` as in `columns`, if the unit is unknown, or a column has more words than numbers.
        """
        words, place = Words(self), self.place(time)
        if self.has_stamps(time):
            stamps = self._stamps(place, words)
            found = [stamps, *(self.columns(names, words) if names else [])]
        elif (unit or self.time_unit(time)) == PACKED:
            found = self.columns([time, *names], words)
            found[0] = _over_midnight(np.array([seconds_of_day(one) for one in found[0].tolist()]))
        else:
            factor = self.seconds_of(time, unit)
            found = self.columns([time, *names], words)
            found[0] = found[0] if factor == 1.0 else found[0] * factor
        return found, _remarks(words, [time, *names], found, time)

    def evenly(self, step: float, names: Sequence[str]) -> tuple[list[Vector], list[str]]:
        """Return times of rows that are a `step` apart [s] and columns behind them, as `with_times` does."""
        words = Words(self)
        found = self.columns(names, words)
        return [step * np.arange(found[0].size, dtype=float), *found], _remarks(words, names, found)

    def has_stamps(self, name: str) -> bool:
        """Tell whether a column begins with a time stamp."""
        place = self.place(name)
        cells = (cells[place].strip() for _, cells in islice(self.rows(fewer=True), FIRST_ROWS))
        return is_stamp(next((cell for cell in cells if cell.lower() not in MISSING), ""))

    def _stamps(self, place: int, words: Words) -> Vector:
        """Return seconds since the first of the time stamps at a `place`, shape (N,), NaN where there is none."""
        rows = [(row, cells[place].strip()) for row, cells in self.rows(fewer=True)]
        try:
            return since_first([text for _, text in rows])
        except ValueError:  # also with a zone, or the day first
            found = [moment(text) for _, text in rows]
        for (row, text), one in zip(rows, found, strict=True):
            if one is None and text.lower() not in MISSING:
                words.add(row, self.names[place], text)
        first = next((one for one in found if one is not None), (0, 0))
        since = [np.nan if one is None else _nanoseconds(one, first) * 1e-9 for one in found]
        return _over_midnight(np.array(since)) if first[0] < 86_400 else np.array(since)

    def _at_once(self, places: list[int]) -> list[Matrix]:
        """Return columns of the whole file, which is quickest, or nothing if a cell is unusual."""
        if self.dialect.decimal == "," or not (self._are_all(places) or all(map(self._is_even, self._texts()))):
            return []
        found = self._load(str(self.path), places, self.dialect.above)
        return [] if found is None or not found.size else [found]

    def _blocks(self, places: list[int], value: Value) -> Iterator[Matrix]:
        """Return columns, many rows at a time, each as quickly as its cells allow, of shape (N, len(places))."""
        row = self.dialect.above + 1
        for text in self._texts():
            found = self._quickly(text, places)
            found = self._cell_by_cell(text, places, row, value) if found is None else found
            if found.size:
                yield found
            row += text.count("\n")

    def _texts(self) -> Iterator[str]:
        """Return the text below headings and units, many whole lines at a time."""
        with _open_text(self.path, self.origin, self.dialect.encoding, None) as file:
            for _ in range(self.dialect.above):
                file.readline()
            while text := file.read(_BLOCK) + file.readline():
                yield text

    def _is_even(self, text: str) -> bool:
        """Tell whether rows have as many cells as the headings, all together."""
        lines = text.count("\n") + (not text.endswith("\n"))
        return text.count(self.dialect.delimiter) == lines * (len(self.names) - 1)

    def _are_all(self, places: list[int]) -> bool:
        """Tell whether all columns are asked for: numpy then compares the lengths of the rows itself."""
        return sorted(places) == list(range(len(self.names)))

    def _quickly(self, text: str, places: list[int]) -> Matrix | None:
        """Read rows with nothing but numbers, or nothing at all, in the cells that are asked for."""
        if self.dialect.decimal == self.dialect.delimiter or not (self._are_all(places) or self._is_even(text)):
            return None
        text, between = self.with_point(text), re.escape(self.dialect.delimiter)
        found = self._load(text.split("\n"), places)
        if found is None:
            filled = re.sub(rf"(?m)^(?={between})|(?<={between})(?={between}|$)", "nan", text)
            found = self._load(filled.split("\n"), places)
        return found

    def _load(self, source: str | list[str], places: list[int], above: int = 0) -> Matrix | None:
        """Return the numbers that numpy reads from a file or from lines, or None if it meets something else."""
        every = self._are_all(places)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", UserWarning)  # of no rows at all
                found = np.loadtxt(
                    source,
                    delimiter=self.dialect.delimiter,
                    usecols=None if every else places,
                    skiprows=above,
                    ndmin=2,
                    comments=None,
                    quotechar='"',
                    encoding=self.dialect.encoding,
                )
        except ValueError:
            return None
        if not every:
            return found
        return found[:, places] if found.shape[1] == len(places) else None

    def _cell_by_cell(self, text: str, places: list[int], first: int, value: Value) -> Matrix:
        """Read rows, the first of which is in line `first`, where short rows, words or mistakes are among them."""
        found = [
            [value(first - 1 + row, cells, place) for place in places]
            for row, cells in rows_of(io.StringIO(text), self.dialect.delimiter)
        ]
        return np.array(found).reshape(-1, len(places))


def open_table(
    path: Path | str, *, delimiter: str | None = None, decimal: str | None = None, origin: str | None = None
) -> Table:
    """Return a table, its first rows read.

    The `delimiter`, one of ``, ; | ``, tab and space, is by default that which is most frequent in the first row, or
    fits rows of numbers below lines of a tool; the `decimal` mark a comma or a point where cells are not separated by
    commas. Messages call the file `origin`, by default its path. Raise `UsageError` if the file cannot be read, is
    empty, no text names the columns, or commas may be decimal or of thousands.
    """
    path, origin = Path(path), origin or str(path)
    with _open_text(path, origin) as file:
        head = file.read(HEAD)
        head += file.read(LONG_HEAD - HEAD) if head.count("\n") < _FEW_LINES else ""
        return Table(origin, dialect_in(head, file.encoding, origin, delimiter, decimal), path)


def _encoding_of(path: Path) -> str:
    """Return UTF-16 where its mark stands in front, else UTF-8, or Windows-1252 if it is not that."""
    with path.open("rb") as file:
        first = file.read(_PIECE)
        if first.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            return "utf-16"
        marked = first.startswith(codecs.BOM_UTF8)
        decoder = codecs.getincrementaldecoder("utf-8")()
        try:
            while first:
                if not first.isascii() or decoder.getstate()[0]:
                    decoder.decode(first)
                first = file.read(_PIECE)
            decoder.decode(b"", final=True)
        except UnicodeDecodeError:
            return "cp1252"
    return "utf-8-sig" if marked else "utf-8"  # which is read more quickly


@contextmanager
def _open_text(path: Path, origin: str, encoding: str = "", newline: str | None = "") -> Iterator[TextIO]:
    try:
        with path.open(encoding=encoding or _encoding_of(path), newline=newline) as file:
            yield file
    except OSError as error:
        raise UsageError(f"{origin}: cannot be read: {why(error)}.") from None
    except (UnicodeDecodeError, csv.Error):
        raise UsageError(f"{origin}: {NO_TEXT}") from None


def _remarks(words: Words, names: Sequence[str], found: Sequence[Vector], time: str = "") -> list[str]:
    """Return a line on the words in each column that has some."""
    pairs = zip(names, found, strict=True)
    return [one for name, c in pairs if (one := words.remark(name, int(np.isfinite(c).sum()), name == time))]


def since_first(texts: Sequence[str]) -> Vector:
    """Return seconds since the first of time stamps, shape (N,), NaN if empty; `ValueError` for others than numpy's."""
    whole = [text.replace(",", ".") for text in texts]
    if any(0 < len(text) < _SHORTEST_STAMP for text in whole):
        raise ValueError("a date or a time of day alone")
    ticks = np.array([text or "NaT" for text in whole], dtype="datetime64[ns]")
    known = ticks[~np.isnat(ticks)]
    if not known.size:
        return np.full(ticks.size, np.nan)
    return np.asarray(np.where(np.isnat(ticks), np.nan, (ticks - known[0]).astype(float) * 1e-9))


def _nanoseconds(one: tuple[int, int], first: tuple[int, int]) -> float:
    return float(1_000_000_000 * (one[0] - first[0]) + one[1] - first[1])


def _over_midnight(time: Vector) -> Vector:
    """Return times of day [s] that go on rising at midnight."""
    known = np.isfinite(time)
    falls = np.diff(time[known], prepend=time[known][:1]) < -43_200.0
    time[known] += 86_400.0 * np.cumsum(falls)
    return time
