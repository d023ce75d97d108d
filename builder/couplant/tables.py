"""Columns of numbers from a CSV file, quickly enough for ten million rows."""

from __future__ import annotations

import csv
import io
import warnings
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from couplant.decimals import plain_table
from couplant.errors import UsageError

_DELIMITERS = ",;\t"
_BLOCK = 1 << 18
_EMPTY = ("", "na", "n/a", "null", "none")


def column_names(path: str | Path) -> list[str]:
    """Return the names in the first line of a CSV file.

    Parameters
    ----------
    path : str or Path
        The file, UTF-8, separated by comma, semicolon or tab.

    Raises
    ------
    UsageError
        If the file cannot be read, is empty or its first line has no names.
    """
    return _header(Path(path))[0]


def read_columns(path: str | Path, names: Sequence[str]) -> list[NDArray]:
    """Return columns by name; empty cells and words for "no value" become NaN.

    Parameters
    ----------
    path : str or Path
        The file, see `column_names`; with semicolons a decimal comma is read too.
    names : sequence of str
        Names of the columns.

    Returns
    -------
    list of ndarray of float, each of shape (N,)

    Raises
    ------
    UsageError
        If a column or the data are missing, or a cell is not a number.
    """
    path = Path(path)
    header, delimiter = _header(path)
    missing = [n for n in names if n not in header]
    if missing:
        raise UsageError(f"{path}: no column {missing[0]!r}, allowed {', '.join(header)}")
    places = [header.index(n) for n in names]
    table = _table(path, delimiter, len(header), places)
    if table.shape[0] == 0:
        raise UsageError(f"{path}: no data below the header")
    return [np.ascontiguousarray(column) for column in table.T]


def _header(path: Path) -> tuple[list[str], str]:
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            first = file.readline(100_000)
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {(error.strerror or str(error)).lower()}") from None
    except UnicodeDecodeError:
        raise UsageError(f"{path}: not a CSV file in UTF-8") from None
    delimiter = max(_DELIMITERS, key=first.count)
    names = [name.strip() for name in next(csv.reader([first], delimiter=delimiter), [])]
    if not names or "" in names or "\0" in first:
        raise UsageError(f"{path}: the first line has to name the columns")
    if any(_is_number(name) for name in names):
        raise UsageError(f"{path}: the first line holds numbers, names of the columns are expected")
    return names, delimiter


def _table(path: Path, delimiter: str, columns: int, places: list[int]) -> NDArray:
    """Read block by block, each as quickly as its cells allow; leave files of another form to numpy."""
    parts: list[NDArray] = []
    line = 2
    with path.open("rb") as file:
        file.readline()
        while block := file.read(_BLOCK):
            block += file.readline()
            block += b"" if block.endswith(b"\n") else b"\n"
            part = plain_table(block, delimiter.encode(), columns, places)
            if part is None and not parts:
                return _whole(path, delimiter, places)
            parts.append(_cell_by_cell(path, block, delimiter, places, line) if part is None else part)
            line += block.count(b"\n")
    return np.concatenate(parts) if parts else np.empty((0, len(places)))


def _whole(path: Path, delimiter: str, places: list[int]) -> NDArray:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            return np.loadtxt(
                path, delimiter=delimiter, skiprows=1, usecols=places, ndmin=2, encoding="utf-8-sig", comments=None
            )
    except (ValueError, IndexError):
        return _cell_by_cell(path, path.read_bytes().partition(b"\n")[2], delimiter, places, 2)


def _cell_by_cell(path: Path, block: bytes, delimiter: str, places: list[int], first: int) -> NDArray:
    """Read lines, the first of which is number `first` of the file, where quicker readers met what is no number."""
    rows = []
    try:
        reader = csv.reader(io.StringIO(block.decode(), newline=""), delimiter=delimiter)
        for line in reader:
            if line:
                rows.append([_number(path, first - 1 + reader.line_num, line, p, delimiter) for p in places])
    except (UnicodeDecodeError, csv.Error):
        raise UsageError(f"{path}: not a CSV file in UTF-8") from None
    return np.array(rows, dtype=float).reshape(-1, len(places))


def _number(path: Path, row: int, line: list[str], place: int, delimiter: str) -> float:
    text = line[place].strip() if place < len(line) else ""
    if text.lower() in _EMPTY:
        return float("nan")
    try:
        return float(text.replace(",", ".") if delimiter == ";" else text)
    except ValueError:
        raise UsageError(f"{path}, line {row}: {text[:40]!r} is not a number") from None


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
