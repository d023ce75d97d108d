"""A page of text, tables and pictures: a design, an inspection, a lesson."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from matplotlib.figure import Figure

from couplant.report.html import write_html


@dataclass(frozen=True)
class Table:
    """A table of texts: title, column names, rows as long as the names."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]


@dataclass(frozen=True, eq=False)
class Page:
    """Content of a page.

    Attributes
    ----------
    kind, title : str
        The verb that made it, and the heading.
    paragraphs, warnings : sequence of str
        Text.
    tables : sequence of Table
        Figures.
    pictures : sequence of (str, Figure)
        Captions and pictures.
    toml : str
        Settings to paste.
    """

    kind: str
    title: str
    paragraphs: Sequence[str] = ()
    warnings: Sequence[str] = ()
    tables: Sequence[Table] = ()
    pictures: Sequence[tuple[str, Figure]] = ()
    toml: str = ""


def write_page(page: Page, path: Path) -> Path:
    """Write a page as HTML that needs no other file.

    Raises
    ------
    OSError
        If it cannot be written.
    """
    return write_html(path, "document.html.j2", headline=page.title, **vars(page))
