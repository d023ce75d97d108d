"""A page of text, tables and charts: a design, an inspection, a lesson."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from couplant.analysis.signal.recording import OpenLoop
from couplant.base.style import plain
from couplant.design.recommendation import candidate_label
from couplant.report.chart import Chart, payload
from couplant.report.pictures import kind_of


@dataclass(frozen=True)
class Table:
    """A table of texts: title, column names, rows as long as the names."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]


@dataclass(frozen=True, eq=False)
class Page:
    """Content of a page, for a terminal too; charts come when it is written."""

    kind: str  # the verb that made it
    title: str
    paragraphs: Sequence[str] = ()
    warnings: Sequence[str] = ()
    tables: Sequence[Table] = ()
    toml: str = ""  # settings to paste


def error_table(title: str, errors: Sequence[OpenLoop]) -> Table:
    """Return a table of the errors that algorithms make on a recording, in the order given."""
    figures = {one.algorithm: (one.mae, one.rms, one.worst, one.combined) for one in errors}
    rows = [[candidate_label(name), *map(plain, row)] for name, row in figures.items()]
    return Table(title, ("algorithm", "mae", "rms", "max", "C"), rows)


def write_page(page: Page, path: Path, charts: Sequence[Chart] = ()) -> Path:
    """Write a page with charts as HTML that needs no other file; raise `OSError` if it cannot be written."""
    from couplant.report.html import write_html  # loads jinja2, and most commands write no page

    return write_html(path, "document.html.j2", headline=page.title, charts=charts, **scripts(charts), **vars(page))


@dataclass(frozen=True)
class Files:
    """Files to be written; a picture whose name ends in none of its formats is refused with a `UsageError`."""

    page: Path | None
    picture: Path | None

    def __post_init__(self) -> None:
        """Check the picture."""
        if self.picture is not None:
            kind_of(self.picture)


def write_files(page: Page, charts: Callable[[], Sequence[Chart]], files: Files) -> None:
    """Write a page and a picture of its charts, made when wanted; raise `OSError` if one cannot be written."""
    found = charts() if files.page or files.picture else ()
    if files.picture is not None:
        from couplant.report.drawing import write_charts  # loads matplotlib

        write_charts(found, files.picture)
    if files.page is not None:
        write_page(page, files.page, found)


def scripts(charts: Sequence[Chart]) -> dict[str, Any]:
    """Return script and data of a page with some charts, and with buttons that copy texts."""
    from couplant.report.html import charts_script, script_of

    if not charts:
        return {"script": script_of("copy")}
    return {"script": charts_script("document"), "data": payload(charts)}
