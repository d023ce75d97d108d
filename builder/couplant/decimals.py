"""Plain decimal numbers from the bytes of a table, several times as quick as a parser that goes cell by cell.

A number of at most 15 digits is a whole number below 2^53 over a power of ten below 10^22; both are exact in floating
point, so that their quotient is the correctly rounded value, bit for bit what `float` gives.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

_MOST_CHARACTERS = 15
_NEWLINE, _MINUS, _POINT, _ZERO = b"\n-.0"
_TENS = 10 ** np.arange(_MOST_CHARACTERS + 2, dtype=np.int64)


def plain_table(block: bytes, delimiter: bytes, columns: int, places: Sequence[int]) -> NDArray | None:
    """Return columns of a block of lines, or None if a cell of them is anything but digits, point and minus.

    Parameters
    ----------
    block : bytes
        Whole lines, each with a line feed at its end.
    delimiter : bytes
        The character between cells; with a semicolon a decimal comma is read too.
    columns : int
        Number of cells in every line.
    places : sequence of int
        Columns to return, counted from 0.

    Returns
    -------
    ndarray of float, shape (N, len(places)), or None
        None also if a line has another number of cells.
    """
    if b"\r" in block:
        block = block.replace(b"\r\n", b"\n")
    if delimiter == b";":
        block = block.replace(b",", b".")
    text = np.frombuffer(block, np.uint8)
    ends = np.flatnonzero((text == delimiter[0]) | (text == _NEWLINE))
    newlines = text[ends] == _NEWLINE
    if not ends.size or ends.size % columns or np.count_nonzero(newlines) * columns != ends.size:
        return None
    if not newlines[columns - 1 :: columns].all():
        return None
    starts = np.concatenate([[0], ends[:-1] + 1])
    cells = [_numbers(text, starts[place::columns], ends[place::columns]) for place in places]
    return None if any(cell is None for cell in cells) else np.column_stack(cells)


def _numbers(text: NDArray, starts: NDArray, ends: NDArray) -> NDArray | None:
    """Return the numbers between two lists of positions."""
    minus = text[starts] == _MINUS
    length = ends - starts - minus
    width = int(length.max())
    if width > _MOST_CHARACTERS or length.min() < 1:
        return None
    cells = _cells(text, ends, length, width)
    is_point = cells == _POINT
    decimals = _decimals(is_point)
    if decimals is None or np.any(length <= is_point.any(axis=1)):
        return None
    cells[is_point] = _ZERO
    cells -= _ZERO
    if cells.max() > 9:
        return None
    value = _without_point(cells, decimals, is_point) / _TENS[decimals]
    np.negative(value, where=minus, out=value)
    return value


def _cells(text: NDArray, ends: NDArray, length: NDArray, width: int) -> NDArray:
    """Return the characters before each end without a sign, set to the right, zeros before them, shape (N, width)."""
    padded = np.concatenate([np.full(width, _ZERO, np.uint8), text])
    cells = np.lib.stride_tricks.sliding_window_view(padded, width)[ends]
    if length.min() < width:
        cells[np.arange(width) < (width - length)[:, None]] = _ZERO
    return cells


def _decimals(is_point: NDArray) -> NDArray | int | None:
    """Return how many digits stand behind the point: one number if it is the same everywhere; None with two points."""
    count, width = is_point.shape
    points = int(np.count_nonzero(is_point))
    first = int(is_point[0].argmax())
    if points == count and is_point[:, first].all():
        return width - 1 - first
    if points == 0:
        return 0
    each = np.count_nonzero(is_point, axis=1)
    return None if each.max() > 1 else np.where(each > 0, width - 1 - is_point.argmax(axis=1), 0)


def _without_point(digits: NDArray, decimals: NDArray | int, is_point: NDArray) -> NDArray:
    """Return the whole numbers that the digits make, the gap of the point closed."""
    width = digits.shape[1]
    powers = _TENS[width - 1 :: -1][:width].astype(float)
    if isinstance(decimals, int):
        powers[: width - 1 - decimals] /= 10.0 if is_point[0].any() else 1.0
        return digits @ powers
    whole, unit = (digits @ powers).astype(np.int64), _TENS[decimals]
    before, after = np.divmod(whole, 10 * unit)
    return np.where(is_point.any(axis=1), before * unit + after, whole)
