"""Rows of cells in lines of text. In the page `workbench/recording/rows.js` stands in the place of this module."""

import csv
import io
from collections.abc import Iterable, Iterator


def rows_of(lines: Iterable[str], delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """Return the cells of lines that are not blank, each with the number of the line."""
    reader = csv.reader(lines, delimiter=delimiter, skipinitialspace=delimiter == " ")
    return ((reader.line_num, cells) for cells in reader if len(cells) > 1 or "".join(cells).strip())


def rows_in(text: str, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """Return the same of a whole text."""
    return rows_of(io.StringIO(text, newline=""), delimiter)
