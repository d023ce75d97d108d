"""Headings of a text: which columns are times and which are signals, what is assumed about the file."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from couplant.base.errors import UsageError, quote, some
from couplant.tables.clock import ALLOWED, duration_in, is_stamp, is_time, seconds_in, unit_since_1970
from couplant.tables.dialect import MISSING, number_in
from couplant.tables.sheet import Sheet

NO_WORKBOOK = "a workbook or an archive, allowed are text (CSV), MDF, MATLAB and Parquet."  # what is said of them
READERS = (
    (b"MDF ", "MDF", "mdf"), (b"UnFinMF ", "MDF", "mdf"), (b"PAR1", "Parquet", "parquet"), (b"\x89HDF", "HDF5", "mat"),
    (b"MATLAB 5.0", "MATLAB", "mat"), (b"MATLAB 7.3", "MATLAB", "mat"), (b"TDSm", "TDMS", "loggers"),
    (b"ULog\1", "ULog", "loggers"), (b"LOGG\x90", "BLF", "bus"), (b"date ", "ASC", "bus"), (b";$FILEV", "TRC", "bus"),
)  # fmt: skip
"""What binary files and logs of buses begin with, what they are called, and the module here that reads them."""
REFUSED = (
    (b"PK\3\4", NO_WORKBOOK),
    (b"\xd0\xcf\x11\xe0", NO_WORKBOOK),
    (b"\x1f\x8b", "packed by gzip: unpack it first (gunzip)."),
    (b"7z\xbc\xaf", "packed by 7-Zip: unpack it first."),
    (b"BZh", "packed by bzip2: unpack it first (bunzip2)."),
    (b"\xfd7zXZ", "packed by xz: unpack it first (unxz)."),
    (b"\x28\xb5\x2f\xfd", "packed by Zstandard: unpack it first (unzstd)."),
    (b"#ROSBAG", "a bag of ROS: write the topic as CSV (rostopic echo -p -b FILE TOPIC)."),
    (b"SQLite format", "a database of SQLite, as of ROS 2: write its signals as CSV."),
    (b"\x89MCAP", "MCAP, as of ROS 2: write its signals as CSV or Parquet."),
    (b"ARROW1", "Arrow (Feather): write it as Parquet."),
    (b"RIFF", "sound (WAV): write it as CSV."),
    (b"|CF,", "imc FAMOS: write it as CSV or MDF."),
    (b"DIAHEAD", "a header of DIAdem: write it as TDMS or CSV."),
    (b"%PDF-", "a PDF: write the recording as CSV."),
    (b"\x93NUMPY", "an array of numpy without names: write np.savez or CSV."),
)
"""What files begin with that no module reads, and what to do."""
_ENCODINGS = {"cp1252": "Windows-1252", "utf-16": "UTF-16"}


@dataclass(frozen=True)
class Reading:
    """Answers of a user to questions that a file leaves open."""

    time: str | None = None  # the column of times; where none is called so, the time between rows: 10ms
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


@dataclass(frozen=True)
class Times:
    """Times in a text: columns that hold them, or the time between rows."""

    columns: list[str]  # that hold them, none where rows are evenly apart
    of: dict[str, str]  # by the name of each signal the one it goes by, which stands left of it; else empty
    unit: str  # of them where neither file nor user tell it, empty for s
    step: float  # time between rows where no column holds times [s]; else 0


def times_of(sheet: Sheet, how: Reading, rows: Sequence[Sequence[str]]) -> Times:
    """Return the columns of times in a text that begins with `rows`, or the time between rows.

    Raise `UsageError` if nothing does, or there is no signal beside them.
    """
    headings = list(dict.fromkeys(name for name in sheet.names if name))
    cells = {name: _cells_of(sheet, name, rows) for name in headings}
    step = told_step(sheet.origin, how.time, headings)
    times = [how.time] if how.time and step is None else []
    if step is None and not times:
        times = _clocks(sheet, headings, cells) if rows else headings[:1]
        step = None if times else sheet.dialect.step
        if not times and step is None:
            raise UsageError(f"{sheet.origin}: {NO_TIMES}")
    if times and len(headings) < 2:
        raise UsageError(f"{sheet.origin}: a column of times and one of values are needed, found {some(headings)}")
    first = next((number_in(cell) for name in times[:1] for cell in cells[name]), None)
    unit = unit_since_1970(first) if first is not None else ""
    # a column of times without any, or a number of the row where the time between rows is told, is no signal
    others = [name for name in headings if (cells[name] or not is_time(name)) and not (step and _counts(cells[name]))]
    of: dict[str, str] = {}
    clock = times[0] if times else ""
    for name in others:  # each signal has the times left of it
        if name in times:
            clock = name
        else:
            of[name] = clock
    return Times(times, of, unit, step or 0.0)


NO_TIMES = "no column of times was found: time = NAME names it, time = 10ms tells the time between rows."


def told_step(origin: str, time: str | None, names: Sequence[str]) -> float | None:
    """Return the time between rows that stands in place of the name of a column [s], None if `time` is in `names`.

    Raise `UsageError` of `origin` if it is neither.
    """
    if time is None or time in names:
        return None
    step = duration_in(time)
    if step is None:
        raise UsageError(f"{origin} has no column {quote(time)}; there are: {some(names)}.")
    return step


def _cells_of(sheet: Sheet, name: str, rows: Sequence[Sequence[str]]) -> list[str]:
    """Return the cells of a column that hold something."""
    place = sheet.dialect.places[name][0]
    cells = [row[place].strip() for row in rows]
    return [cell for cell in cells if cell.lower() not in MISSING]


def _clocks(sheet: Sheet, headings: Sequence[str], cells: Mapping[str, list[str]]) -> list[str]:
    """Return the columns of times: those called so, else the first of time stamps, in a unit of time, or that rises."""
    filled = [name for name in headings if cells[name]]
    if named := [name for name in filled if is_time(name, sheet.units[sheet.dialect.places[name][0]])]:
        return named
    if stamps := [name for name in filled if is_stamp(cells[name][0])]:
        return stamps[:1]
    rising = [name for name in filled if _rises(cells[name])]
    units = [name for name in rising if seconds_in(sheet.time_unit(name)) is not None]
    return units[:1] or [name for name in filled[:1] if name in rising and not _counts(cells[name])]


def _rises(cells: Sequence[str]) -> bool:
    """Tell whether cells are numbers that never fall and mostly rise."""
    values = [number_in(cell) for cell in cells]
    numbers = [value for value in values if value is not None]
    steps = [b - a for a, b in pairwise(numbers)]
    return len(numbers) == len(values) and all(one >= 0.0 for one in steps) and 2 * sum(map(bool, steps)) >= len(steps)


def _counts(cells: Sequence[str]) -> bool:
    """Tell whether cells number the rows."""
    whole = len(cells) > 2 and all(cell.isdigit() for cell in cells)
    return whole and all(float(b) == float(a) + 1.0 for a, b in pairwise(cells))


def assumptions(sheet: Sheet, times: Times, how: Reading, stamps: bool) -> str:
    """Return the assumptions about a file, in a line; `stamps` tells whether its column of times holds time stamps."""
    dialect = sheet.dialect
    said = []
    if dialect.encoding in _ENCODINGS:
        said.append(_ENCODINGS[dialect.encoding])
    if not dialect.named:
        said.append(f"no headings: columns are called {some(sheet.names)}")
    elif dialect.preamble:
        said.append(f"headings in line {dialect.preamble + 1}")
    if dialect.decimal == "," and how.decimal is None and dialect.commas:
        said.append("decimal comma")
    if not times.columns and not how.time:
        said.append(f"rows {times.step:g} s apart, as Delta_X says")
    if times.columns and not (how.time_unit or stamps or sheet.time_unit(times.columns[0])):
        since = f"{times.unit} since 1970" if times.unit else "s"
        said.append(f"times ({quote(times.columns[0])}) in {since}, as no unit is given")
    return "; ".join(said)


def numeric(sheet: Sheet, names: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Return the names whose columns have numbers in some rows, and not more words than these."""
    if not rows:
        return list(names)
    cells = {name: _cells_of(sheet, name, rows) for name in names}
    numbers = {name: sum(number_in(cell) is not None for cell in found) for name, found in cells.items()}
    return [name for name, found in cells.items() if found and 2 * numbers[name] >= len(found)]
