"""Dialect of a table, from its first lines: characters between cells and in numbers, headings, units.

Above the headings a tool may have written lines of its own (INCA, LabVIEW, CANape): the headings then are the text
nearest to the first rows of numbers that fits them, and below them may stand units, types of numbers, or both.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from couplant.base.errors import UsageError
from couplant.base.units import unit_of
from couplant.tables.clock import is_stamp, seconds_in
from couplant.tables.rows import rows_in

DELIMITERS = ",;\t|"
MISSING = ("", "na", "n/a", "null", "none")
NO_TEXT = "not a table as text in UTF-8, UTF-16 or Windows-1252."  # what is said of a file that is none
HEAD = 1 << 18  # letters at the beginning of a file that tell its dialect
_ROWS = 2000
_MOST_TEXT = 3
_TYPES = re.compile(r"[fui]\d{1,2}|float\d*|double|single|real|u?int\d*|bool(ean)?|string", re.IGNORECASE)
GROUPED = re.compile(r"[+-]?[1-9]\d{0,2}(,\d{3})+")


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


def dialect_in(text: str, encoding: str, origin: str, delimiter: str | None, decimal: str | None) -> Dialect:
    """Return the dialect of a text in some encoding; a `delimiter` or a `decimal` mark that is given is not guessed.

    Raise `UsageError` if it is empty, no text names the columns, or commas may be decimal or of thousands.
    """
    if "\0" in text:
        raise UsageError(f"{origin}: {NO_TEXT}")
    chosen = delimiter or _guess(text)
    lines = list(islice(rows_in(text, chosen), _ROWS))
    if not lines:
        raise UsageError(f"{origin}: needs a row of headings and rows of numbers.")
    found = _plain(lines)
    if found is None:
        other = _below_other_lines(text, [delimiter] if delimiter else list(DELIMITERS))
        chosen, lines, found = other or (chosen, lines, _first_rows(lines, origin))
    heading, above, names, units = found
    commas, grouped = _with_commas([cell for row, cells in lines if row > above for cell in cells])
    if grouped and not commas and not decimal and chosen != ",":
        raise UsageError(
            f'{origin}: "{grouped}" may have a decimal comma or thousands: decimal = , or decimal = . tells it.'
        )
    decimal = decimal or ("." if chosen == "," else ",")
    return Dialect(encoding, chosen, decimal, commas, heading, above, names, units)


def number_in(text: str) -> float | None:
    """Return the number that a text holds, with a decimal point or comma, or None."""
    try:
        return float(text.replace(",", "."))
    except ValueError:
        return None


def _guess(text: str) -> str:
    """Return the delimiter that is most frequent in the first row; a single column leaves the comma to its numbers."""
    unquoted = re.sub('"[^"]*"', "quoted", text)
    first, *others = [*islice((line for line in unquoted.splitlines() if line.strip()), 1 + _MOST_TEXT), ""]
    if any(map(first.count, DELIMITERS)):
        return max(DELIMITERS, key=first.count)
    apart = any(len(words := line.split()) > 1 and all(number_in(w) is not None for w in words) for line in others)
    return " " if apart else ";"


Layout = tuple[int, int, tuple[str, ...], tuple[str, ...]]
"""Lines above the headings and above the numbers, headings, units."""


def _plain(lines: Sequence[tuple[int, list[str]]]) -> Layout | None:
    """Return the layout of lines that begin with headings, which the first row of numbers fits."""
    (above, first), below = lines[0], lines[1 : 3 + _MOST_TEXT]
    names = _names(first)
    texts = 0
    while texts < len(below) and _is_text(below[texts][1]):
        texts += 1
    if not names or any(number_in(name) is not None for name in names) or texts == len(below):
        return None
    cells = below[texts][1]
    if len(names) not in (len(cells), len(_names(cells))) or any(_is_text(words) for _, words in below[texts:]):
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
    if any(number_in(name) is not None for name in names):
        raise UsageError(f"{origin}: the first line holds numbers, names of the columns are expected.")
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
        count = len(_names(lines[i][1]))
        if count < 2 or not all(_is_data(cells) and len(_names(cells)) == count for _, cells in lines[i : i + 3]):
            continue
        top, units = i - 1, ("",) * count
        while top > 0 and i - top < _MOST_TEXT and _fits(lines[top - 1][1], count):
            words = lines[top][1]
            if not _are_types(words) and not _are_units(words):
                break
            units = units if _are_types(words) else _units(words, count)
            top -= 1
        if not _fits(lines[top][1], count):
            return None
        names = _names(lines[top][1])
        return lines[top][0] - 1, lines[i - 1][0], names, (*units, *[""] * len(names))[: len(names)]
    return None


def _names(cells: Sequence[str]) -> tuple[str, ...]:
    names = [cell.strip() for cell in cells]
    while names and not names[-1]:
        names.pop()
    return tuple(names)


def _units(cells: Sequence[str], count: int) -> tuple[str, ...]:
    return tuple(cell.strip("[](){}<> ") for cell in [*cells, *[""] * count])[:count]


def _is_text(cells: Sequence[str]) -> bool:
    """Tell whether no cell is a number and one is a word."""
    texts = [cell.strip() for cell in cells]
    return all(number_in(text) is None for text in texts) and any(text.lower() not in MISSING for text in texts)


def _fits(cells: Sequence[str], count: int) -> bool:
    return len(_names(cells)) >= count and _is_text(cells) and not any(is_stamp(cell) for cell in cells)


def _is_data(cells: Sequence[str]) -> bool:
    """Tell whether a row begins with a number or a time stamp, and at least half of it is numbers."""
    texts = [cell.strip() for cell in cells]
    numbers = sum(number_in(text) is not None or text.lower() in MISSING for text in texts)
    return (is_stamp(texts[0]) or number_in(texts[0]) is not None) and 2 * numbers >= len(texts)


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
