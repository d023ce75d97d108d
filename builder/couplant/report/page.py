"""A page of text, tables and pictures: a design, an inspection, a lesson."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from couplant.analysis.recording import OpenLoop
from couplant.report.html import write_html
from couplant.style import plain

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class Table:
    """A table of texts: title, column names, rows as long as the names."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]


@dataclass(frozen=True, eq=False)
class Page:
    """What a page says, on a terminal too; pictures are drawn when it is written."""

    kind: str  # the verb that made it
    title: str
    paragraphs: Sequence[str] = ()
    warnings: Sequence[str] = ()
    tables: Sequence[Table] = ()
    toml: str = ""  # settings to paste


def error_table(title: str, errors: Sequence[OpenLoop]) -> Table:
    """Return a table of the errors that algorithms make on a recording."""
    rows = [[one.algorithm, *map(plain, (one.mae, one.rms, one.worst, one.combined))] for one in errors]
    return Table(title, ("algorithm", "mae", "rms", "worst", "C"), rows)


def write_page(page: Page, path: Path, pictures: Sequence[tuple[str, Figure]] = ()) -> Path:
    """Write a page with pictures and their captions as HTML that needs no other file.

    Raises
    ------
    OSError
        If it cannot be written.
    """
    return write_html(path, "document.html.j2", headline=page.title, pictures=pictures, **vars(page))
