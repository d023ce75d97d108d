"""Columns and cells of a table, without the file: names, units, numbers, what is wrong with a row."""

import re
from dataclasses import dataclass

from couplant.base.errors import UsageError, quote, some
from couplant.base.units import unit_of
from couplant.tables.clock import factor_of, unit_in
from couplant.tables.dialect import GROUPED, LONGEST_NUMBER, MISSING, Dialect, number_in

_NUMBER = "a number without a unit"
_TIMES = "a number, or a time stamp such as 2026-11-22T08:15:00.25"
_NEARLY = re.compile(r"[-+]?[.,'\d ]*\d[.,'\d ]*")
_NO_UNIT = ("-",)
_BRACKETS = re.compile(r"[\[(]([^\[\]()]*)[\])]\s*$")


@dataclass(frozen=True)
class Sheet:
    """Columns of a table."""

    origin: str  # what messages call it
    dialect: Dialect  # how it is written, with headings and units

    @property
    def names(self) -> tuple[str, ...]:
        """Headings; empty texts for unnamed columns."""
        return self.dialect.names

    @property
    def units(self) -> tuple[str, ...]:
        """One for each column, without brackets; empty where the file has none."""
        return self.dialect.units

    def seconds_of(self, time: str, unit: str | None = None) -> float:
        """Return the seconds in the unit of a column of times, or in `unit`; raise `UsageError` if it is unknown."""
        return factor_of(unit or self.time_unit(time), time, self.origin)

    def time_unit(self, name: str) -> str:
        """Return the unit of a column of times, empty where none is given."""
        row = self.units[self.place(name)]
        return "" if row in _NO_UNIT else row or unit_in(name)

    def unit(self, name: str) -> str:
        """Return the unit of a signal, of the units row or in brackets behind its heading, else empty."""
        row = self.units[self.place(name)]
        found = _BRACKETS.search(name)
        own = found[1].strip() if found else ""
        return row or (own if name.rstrip().endswith("]") or (own and unit_of(own)) else "")

    def place(self, name: str) -> int:
        """Return the place of a column; raise `UsageError` if there is none, or more than one."""
        found = self.dialect.places.get(name, []) if name else []
        if not found:
            raise UsageError(f"{self.origin} has no column {quote(name)}; there are: {some(self.names)}.")
        if len(found) > 1:
            raise UsageError(f"{self.origin} has {len(found)} columns {quote(name)}, allowed 1.")
        return found[0]

    def with_point(self, text: str) -> str:
        """Return the text of a number with a decimal point."""
        return text.replace(",", ".") if self.dialect.decimal == "," else text

    def number(self, row: int, name: str, cell: str) -> float:
        """Return the number in a cell, for messages in a `row` from 1 on; raise `UsageError` if it is none."""
        if self.dialect.decimal == "." and self.dialect.delimiter != "," and GROUPED.fullmatch(cell.strip()):
            return float(cell.replace(",", ""))
        try:
            return float(self.with_point(cell))
        except ValueError:
            found = number_in(cell) if self.dialect.decimal == "," or "," not in cell else None  # as Fortran writes it
        if found is None:
            raise UsageError(self.refusal(row, name, cell, "a number"))
        return found

    def value(self, row: int, cells: list[str], place: int) -> float:
        """Return the number at a `place` of a `row`, NaN where missing; raise `UsageError` for words and long rows."""
        if any(cells[len(self.names) :]):
            self.fitting(row, cells)
        text = cells[place].strip() if place < len(cells) else ""
        return float("nan") if text.lower() in MISSING else self.number(row, self.names[place], text)

    def fitting(self, row: int, cells: list[str], fewer: bool = False) -> list[str]:
        """Return the cells of a `row` of the file, one for each heading; where `fewer` are allowed, others are empty.

        Raise `UsageError` if there are more, or fewer.
        """
        count = len(self.names)
        if (len(cells) < count and not fewer) or any(cells[count:]):
            raise UsageError(f"{self.origin}, row {row}: {len(cells)} cells, allowed {count} as in the headings.")
        return [*cells, *[""] * count][:count]

    def refusal(self, row: int, name: str, cell: str, allowed: str) -> str:
        """Return the complaint about a cell in a `row` of the file that is not what is `allowed`."""
        return f'{self.origin}, row {row}: {quote(name)} = "{quote(cell)}", allowed {allowed}.'


class Words:
    """Cells of a `sheet` that should be numbers and are not: gaps, unless they are more than the numbers."""

    def __init__(self, sheet: Sheet) -> None:
        self._sheet = sheet
        self._seen: dict[str, tuple[int, int, str]] = {}  # by column how many, the row of the first and its text

    def value(self, row: int, cells: list[str], place: int) -> float:
        """Return the number at a `place` of a `row`, NaN where it is missing or a word.

        Raise `UsageError` for long rows, and for what is nearly a number: 1.234,5 is no gap.
        """
        try:
            return self._sheet.value(row, cells, place)
        except UsageError:
            if any(cells[len(self._sheet.names) :]) or _NEARLY.fullmatch(cells[place].strip()[:LONGEST_NUMBER]):
                raise
            self.add(row, self._sheet.names[place], cells[place])
            return float("nan")

    def add(self, row: int, name: str, cell: str) -> None:
        """Note a `cell` of the column `name` in a `row`."""
        count, first, text = self._seen.get(name, (0, row, cell))
        self._seen[name] = (count + 1, first, text)

    def remark(self, name: str, numbers: int, time: bool = False) -> str:
        """Return a line on the gaps of a column that has so many `numbers`, or nothing.

        Raise `UsageError` if it holds more words than numbers, or than times if it is a column of `time`.
        """
        count, row, cell = self._seen.get(name, (0, 0, ""))
        if count > numbers:
            raise UsageError(self._sheet.refusal(row, name, cell, _TIMES if time else _NUMBER))
        cells = "1 cell" if count == 1 else f"{count} cells"
        return f'{cells} of {quote(name)} without a number, as "{quote(cell)}" in row {row}' if count else ""
