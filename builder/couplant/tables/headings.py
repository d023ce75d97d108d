"""Headings of a text: which columns are times and which are signals, what is assumed about the file."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from couplant.base.errors import UsageError
from couplant.tables.clock import ALLOWED, is_time, seconds_in
from couplant.tables.dialect import MISSING, number_in
from couplant.tables.sheet import Sheet

WORKBOOK = b"PK\3\4"  # what workbooks begin with
NO_WORKBOOK = "a workbook or an archive, allowed are text (CSV), MDF, MATLAB and Parquet."  # what is said of them
FIRST_ROWS = 100  # rows that tell which columns hold numbers
_ENCODINGS = {"cp1252": "Windows-1252", "utf-16": "UTF-16"}


@dataclass(frozen=True)
class Reading:
    """Answers of a user to questions that a file leaves open."""

    time: str | None = None  # the column of times
    time_unit: str | None = None  # their unit
    delimiter: str | None = None  # of a text; see `open_table`
    decimal: str | None = None  # mark of a text; see `open_table`

    def __post_init__(self) -> None:
        """Check fields for which only certain values are allowed."""
        if self.time_unit is not None and seconds_in(self.time_unit) is None:
            raise UsageError(f'time_unit = "{self.time_unit}", allowed {ALLOWED}')
        if self.decimal not in (None, ",", "."):
            raise UsageError(f'decimal = "{self.decimal}", allowed , or .')
        if self.delimiter is not None and len(self.delimiter) != 1:
            raise UsageError(f'delimiter = "{self.delimiter}", allowed one character')


PLAIN = Reading()


def times_of(sheet: Sheet, how: Reading) -> tuple[list[str], dict[str, str]]:
    """Return the columns of times, and by the name of each signal the one it goes by: that left of it.

    Raise `UsageError` if there are not two columns.
    """
    headings = [name for name in sheet.names if name]
    if len(headings) < 2:
        found = ", ".join(headings)
        raise UsageError(f"{sheet.origin}: a column of times and one of values are needed, found {found}")
    times = [how.time] if how.time else [name for name in headings if is_time(name)] or headings[:1]
    return times, {name: _before(name, headings, times) for name in headings if name not in times}


def _before(name: str, headings: Sequence[str], times: Sequence[str]) -> str:
    """Return the last column of times left of a signal, else the first one."""
    left = [time for time in times if time in headings[: headings.index(name)]]
    return left[-1] if left else times[0]


def assumptions(sheet: Sheet, time: str, how: Reading, has_stamps: Callable[[str], bool]) -> str:
    """Return the assumptions about a file, in a line; `has_stamps` tells whether a column begins with a time stamp."""
    dialect = sheet.dialect
    said = []
    if dialect.encoding in _ENCODINGS:
        said.append(_ENCODINGS[dialect.encoding])
    if dialect.preamble:
        said.append(f"headings in line {dialect.preamble + 1}")
    if dialect.decimal == "," and how.decimal is None and dialect.commas:
        said.append("decimal comma")
    if not (how.time_unit or has_stamps(time) or sheet.time_unit(time)):
        said.append(f"times ({time}) in s, as no unit is given")
    return "; ".join(said)


def numeric(sheet: Sheet, names: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Return the names whose columns have numbers in some rows, and nothing else but gaps."""
    if not rows:
        return list(names)
    cells = {name: [row[sheet.names.index(name)].strip() for row in rows] for name in names}
    filled = {name: [cell for cell in found if cell.lower() not in MISSING] for name, found in cells.items()}
    return [name for name, found in filled.items() if found and all(number_in(cell) is not None for cell in found)]
