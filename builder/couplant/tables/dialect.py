"""Dialect of a table, from its first lines: characters between cells and in numbers, headings, units.

Above the headings a tool may have written lines of its own (INCA, LabVIEW, CANape): the headings then are the text
nearest to the first rows of numbers that fits them, and below them may stand units, types of numbers, or both.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import islice

from couplant.base.errors import UsageError, quote
from couplant.base.units import unit_of
from couplant.tables.clock import PACKED, is_date, is_stamp, is_time, seconds_in
from couplant.tables.rows import rows_in

DELIMITERS = ",;\t|"
MISSING = ("", "na", "n/a", "null", "none")
NO_TEXT = (
    "not a table as text in UTF-8, UTF-16 or Windows-1252: write it as CSV."  # what is said of a file that is none
)
HEAD, LONG_HEAD = 1 << 18, 1 << 22  # letters at the beginning of a file that tell its dialect; where rows are long
FIRST_ROWS = 100  # rows that tell which columns hold numbers and times
_ROWS = 2000
_MOST_TEXT = 3
_TYPES = re.compile(r"[fui]\d{1,2}|float\d*|double|single|real|u?int\d*|bool(ean)?|string", re.IGNORECASE)
GROUPED = re.compile(r"[+-]?[1-9]\d{0,2}(,\d{3})+")
LONGEST_NUMBER = 100  # letters: searching longer ones takes the square of their time
_FORTRAN = re.compile(r"([+-]?\d*[.,]?\d*)[dD]([+-]?\d+)")
_MARK = re.compile(r"[\[{]?\w+[\]}]")  # a line that tells only that data begin


@dataclass(frozen=True)
class Dialect:
    """How a file is written."""

    encoding: str  # as Python calls it
    delimiter: str  # the character between cells
    decimal: str  # with ``","`` numbers may have a decimal comma or a point, with ``"."`` a point only
    commas: bool  # numbers have a decimal comma among the first rows
    preamble: int  # lines of a tool above the headings
    above: int  # lines above the first row of numbers
    names: tuple[str, ...]  # headings, those of unnamed columns empty
    units: tuple[str, ...]  # without brackets, empty where the file has none
    named: bool = True  # the file has headings
    step: float | None = None  # time between rows where lines above the headings tell it [s]
    places: dict[str, list[int]] = field(default_factory=dict)  # of the headings


def dialect_in(text: str, encoding: str, origin: str, delimiter: str | None, decimal: str | None) -> Dialect:
    """Return the dialect of a text in some encoding; a `delimiter` or a `decimal` mark that is given is not guessed.

    Raise `UsageError` if it is empty, no text names the columns, or commas may be decimal or of thousands.
    """
    if "\0" in text.rstrip("\0"):
        raise UsageError(f"{origin}: {NO_TEXT}")
    text = re.sub(r"(?m)^[#%]+[ \t]*", "", text)  # headings may be comments
    chosen = delimiter or _guess(text)
    lines = list(islice(rows_in(text, chosen), _ROWS))
    if not lines:
        raise UsageError(f"{origin}: needs a row of headings and rows of numbers.")
    found = _plain(lines)
    if found is None:
        other = _below_other_lines(text, [delimiter] if delimiter else [*DELIMITERS, " "])
        chosen, lines, found = (
            other or _without_headings(text, delimiter) or (chosen, lines, _first_rows(lines, origin))
        )
    heading, above, names, units = found
    commas, grouped = _with_commas([cell for row, cells in lines if row > above for cell in cells])
    if grouped and not commas and not decimal and chosen != ",":
        raise UsageError(
            f'{origin}: "{quote(grouped)}" may have a decimal comma or thousands: decimal = , or decimal = . tells it.'
        )
    decimal = decimal or ("." if chosen == "," else ",")
    step = _step_in([cells for row, cells in lines if row <= heading])
    cells = next((cells for row, cells in lines if row > above), [""])
    if not names[0] and is_stamp(cells[0]):  # an index of pandas
        names = ("time", *names[1:])
    named = above > heading
    names, places = _apart_names(names), dict[str, list[int]]()
    for n, name in enumerate(names):
        places.setdefault(name, []).append(n)
    return Dialect(encoding, chosen, decimal, commas, heading, above, names, units, named, step, places)


def number_in(text: str) -> float | None:
    """Return the number that a text holds, with a decimal point or comma, or None."""
    try:
        return float(text.replace(",", "."))
    except ValueError:
        found = _FORTRAN.fullmatch(text.strip()) if len(text) < LONGEST_NUMBER else None
        return number_in(f"{found[1]}e{found[2]}") if found and found[1] else None


def _guess(text: str) -> str:
    """Return the delimiter that is most frequent in the first row; a single column leaves the comma to its numbers.

    Blanks stand between cells where rows of numbers have as many words as the first row, or are numbers throughout.
    """
    unquoted = re.sub('"[^"]*"', "quoted", text)
    first, *others = [*islice((line for line in unquoted.splitlines() if line.strip()), 1 + _MOST_TEXT), ""]
    if _is_data(_words(first, None)):
        return _between_numbers(first)
    if any(map(first.count, DELIMITERS)):
        return max(DELIMITERS, key=first.count)
    rows = [(len(words), [number_in(word) is not None for word in words]) for words in map(str.split, others)]
    apart = any(count > 1 and (all(are) or (are[0] and count == len(first.split()))) for count, are in rows)
    return " " if apart else ";"


def _between_numbers(line: str) -> str:
    """Return the delimiter in a row of numbers: a comma only where nothing else can be it."""
    others = [mark for mark in DELIMITERS[1:] if mark in line]
    if others:
        return max(others, key=line.count)
    words = line.split()
    apart = len(words) > 1 and not any(word.endswith(",") for word in words) and not is_stamp(line.partition(",")[0])
    return " " if apart else "," if "," in line else ";"


def _words(line: str, delimiter: str | None) -> list[str]:
    between = delimiter or _between_numbers(line)
    return line.split() if between == " " else line.split(between)


Layout = tuple[int, int, tuple[str, ...], tuple[str, ...]]
"""Lines above the headings and above the numbers, headings, units."""


def _plain(lines: Sequence[tuple[int, list[str]]]) -> Layout | None:
    """Return the layout of lines that begin with headings, which the first row of numbers fits."""
    (above, first), below = lines[0], lines[1 : 3 + _MOST_TEXT]
    names = _names(first)
    texts = 0
    while texts < len(below) and _is_text(below[texts][1]):
        texts += 1
    if not names or _is_data(names) or texts == len(below):
        return None
    cells = below[texts][1]
    even = all(len(_names(words)) in (len(names), len(cells)) for _, words in lines[1:FIRST_ROWS])
    if (
        not (even or _is_data(cells))
        or len(names) not in (len(cells), len(_names(cells)))
        or any(_is_text(words) for _, words in below[texts:])
    ):
        return None
    units: tuple[str, ...] = ("",) * len(names)
    for row, words in below[:texts]:
        above, units = row, units if _are_types(words) else _units(words, len(names))
    return 0, above, names, units


def _first_rows(lines: Sequence[tuple[int, list[str]]], origin: str) -> Layout:
    """Return the headings of the first two rows, if they are a row of headings and one of numbers or units.

    Raise `UsageError` if the first row does not name the columns.
    """
    above, names = lines[0][0], _names(lines[0][1])
    if not names:
        raise UsageError(f"{origin}: the first line has to name the columns.")
    if len(lines) > 1 and _is_text(lines[1][1]):
        return 0, lines[1][0], names, _units(lines[1][1], len(names))
    return 0, above, names, ("",) * len(names)


def _below_other_lines(text: str, delimiters: Sequence[str]) -> tuple[str, list[tuple[int, list[str]]], Layout] | None:
    """Return delimiter, rows and layout of a table with lines of a tool above it, with as many columns as there are."""
    best: tuple[str, list[tuple[int, list[str]]], Layout] | None = None
    for delimiter in delimiters:
        lines = list(islice(rows_in(text, delimiter), _ROWS))
        layout = _above_numbers(lines)
        if layout is not None and (best is None or len(layout[2]) > len(best[2][2])):
            best = delimiter, lines, layout
    return best


def _above_numbers(lines: Sequence[tuple[int, list[str]]]) -> Layout | None:
    for i in range(1, len(lines) - 1):
        counts = [len(_names(cells)) if _is_data(cells) else 0 for _, cells in lines[i : i + 3]]
        if min(counts) < 2:
            continue
        count, top = max(counts), i - 1
        while top > 0 and _MARK.fullmatch("".join(lines[top][1]).strip()):
            top -= 1
        units: tuple[str, ...] = ("",) * count
        while top > 0 and i - top < _MOST_TEXT and _fits(lines[top - 1][1], count):
            words = lines[top][1]
            if not _are_types(words) and not _are_units(words):
                break
            units = units if _are_types(words) else _units(words, count)
            top -= 1
        if not _fits(lines[top][1], count):
            return None
        names = _names(lines[top][1])
        units = (*units, *[""] * len(names))[: len(names)]
        if top > 0 and " ".join(lines[top - 1][1]) == "[column names]":  # VBOX: its times are those of the day
            units = tuple(PACKED if is_time(name) else unit for name, unit in zip(names, units, strict=True))
        return lines[top][0] - 1, lines[i - 1][0], names, units
    return None


def _without_headings(text: str, delimiter: str | None) -> tuple[str, list[tuple[int, list[str]]], Layout] | None:
    """Return delimiter, rows and layout of a table whose columns have no names, below other lines or alone."""
    first = next((line for line in text.splitlines()[:_ROWS] if _is_data(_words(line, delimiter))), None)
    if first is None:
        return None
    chosen = delimiter or _between_numbers(first)
    lines = list(islice(rows_in(text, chosen), _ROWS))
    above = 0
    for i, (row, cells) in enumerate(lines):
        if all(_is_data(below) for _, below in lines[i : i + 3]):
            if i and _is_text(lines[i - 1][1]) and len(lines[i - 1][1]) > 1:  # headings that do not fit
                return None
            count = len(_names(cells))
            return chosen, lines, (above, above, tuple(f"column{n + 1}" for n in range(count)), ("",) * count)
        above = row
    return None


def _step_in(above: Sequence[Sequence[str]]) -> float | None:
    """Return the time between rows that LabVIEW tells above the headings [s], None if it tells none or several."""
    told = [number_in(cell) for cells in above if cells[0].strip() == "Delta_X" for cell in cells[1:] if cell.strip()]
    return told[0] if told and told[0] and all(one == told[0] for one in told) else None


def _apart_names(names: Sequence[str]) -> tuple[str, ...]:
    """Return headings, those of times numbered where one stands there again."""
    seen: dict[str, int] = {}
    found = []
    for name in names:
        seen[name] = seen.get(name, 0) + 1
        found.append(f"{name}.{seen[name]}" if seen[name] > 1 and is_time(name) else name)
    return tuple(found)


def _names(cells: Sequence[str]) -> tuple[str, ...]:
    names = [cell.strip() for cell in cells]
    while names and not names[-1]:
        names.pop()
    return tuple(names)


def _units(cells: Sequence[str], count: int) -> tuple[str, ...]:
    return tuple(cell.strip("[](){}<> ") for cell in [*cells, *[""] * count])[:count]


def _is_text(cells: Sequence[str]) -> bool:
    """Tell whether no cell is a number or a time, and one is a word."""
    texts = [cell.strip() for cell in cells]
    values = any(number_in(text) is not None or is_stamp(text) for text in texts)
    return not values and any(text.lower() not in MISSING for text in texts)


def _fits(cells: Sequence[str], count: int) -> bool:
    return len(_names(cells)) >= count and _is_text(cells)


def _is_data(cells: Sequence[str]) -> bool:
    """Tell whether a row begins with a number, a time or nothing, and at least half of what it holds is numbers."""
    filled = [text for text in (cell.strip() for cell in cells) if text.lower() not in MISSING]
    values = [number_in(text) is not None or is_stamp(text) or is_date(text) for text in filled]
    return bool(filled) and values[0] and 2 * sum(values) >= len(filled)


def _are_types(cells: Sequence[str]) -> bool:
    return all(_TYPES.fullmatch(cell.strip()) for cell in _names(cells))


def _are_units(cells: Sequence[str]) -> bool:
    """Tell whether cells are units, the first of them one of time."""
    first, *others = _units(cells, len(cells))
    known = sum(unit == "-" or unit_of(unit) is not None for unit in others if unit)
    return (not first or seconds_in(first) is not None) and 2 * known >= sum(map(bool, others))


def _with_commas(cells: Sequence[str]) -> tuple[bool, str]:
    """Tell whether a number must have a decimal comma; return one whose commas may as well part thousands."""
    numbers = [cell.strip() for cell in cells if "," in cell]
    grouped = [cell for cell in numbers if GROUPED.fullmatch(cell)]
    return any(number_in(cell) is not None for cell in numbers if cell not in grouped), grouped[0] if grouped else ""
