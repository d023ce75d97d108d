"""Types of arrays, what they hold and how many axes they have, and courses that may be too long for the memory."""

import mmap
import tempfile
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]  # real numbers along one axis
Matrix = NDArray[np.float64]  # real numbers along two axes or more
ComplexArray = NDArray[np.complex128]  # complex numbers along any axes
IndexArray = NDArray[np.intp]  # places in other arrays
Mask = NDArray[np.bool_]  # true where something holds

ROWS = 1 << 15  # of a course that are worked on at once: memory does not grow with its length


def blocks(count: int) -> Iterator[slice]:
    """Yield the rows of a course of `count`, `ROWS` at a time."""
    for first in range(0, count, ROWS):
        yield slice(first, min(first + ROWS, count))


def read_rows(course: Vector, rows: slice) -> Vector:
    """Return a copy of some `rows` of a `course`, shape (N,); of one on disk nothing else stays in memory."""
    found = np.array(course[rows])
    mapped: Any = getattr(course, "_mmap", None)
    if hasattr(mapped, "madvise"):  # Windows takes memory back by itself
        mapped.madvise(mmap.MADV_DONTNEED)
    return found


def make_course(count: int, part: Callable[[slice], Vector]) -> Vector:
    """Return a course, shape (`count`,), made of a `part` for each block of rows; a long one lies on disk."""
    found = np.empty(count) if count <= ROWS else np.memmap(tempfile.TemporaryFile(), np.float64, "w+", shape=(count,))
    for rows in blocks(count):
        found[rows] = part(rows)
    return found


def reduce_rows(how: np.ufunc, part: Callable[[slice], Vector], first: int, end: int) -> float:
    """Return the sum or the maximum (`how`) of `part`, a function of rows, from row `first` up to `end`.

    They are halved as numpy halves an array, so that it has the same bits.
    """
    if end - first <= ROWS:
        return float(how.reduce(part(slice(first, end))))
    middle = first + (end - first) // 2 // 8 * 8
    return float(how(reduce_rows(how, part, first, middle), reduce_rows(how, part, middle, end)))
