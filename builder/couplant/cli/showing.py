"""Folders of results, and reports in the browser."""

from __future__ import annotations

import os
import sys
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from couplant.base.errors import UsageError
from couplant.base.files import write_atomic
from couplant.cli.output import output_folder

if TYPE_CHECKING:
    from couplant.cosim.result import Result

FILES = ("report.html", "report.png", "metrics.json")
"""What `write_result` writes."""

Force = Annotated[bool, typer.Option("--force", help="Write into a folder that holds files already.")]
Open = Annotated[bool, typer.Option("--open/--no-open", help="Open the report in the browser.")]


def free_folder(folder: Path, force: bool) -> Path:
    """Return a folder for results if it is empty or not there, or with `force`.

    Raises
    ------
    UsageError
        If it holds something, or is no folder.
    """
    found = output_folder(folder)
    if not force and found.is_dir() and any(found.iterdir()):
        raise UsageError(f"{folder}: holds files already; name another folder by -o, or write over them by --force.")
    return found


def write_result(result: Result, folder: Path) -> Path:
    """Write report, picture and figures of a simulation; return the report.

    Raises
    ------
    OSError
        If one cannot be written.
    """
    from couplant.report.png import write_png
    from couplant.report.simulation import write_report

    page, picture, metrics = (folder / name for name in FILES)
    write_report(result, page)
    write_png(result, picture)
    write_atomic(metrics, result.to_json() + "\n")
    return page


def show(page: Path, wanted: bool) -> None:
    """Open a page in the browser if that is `wanted` and there is a screen; a browser that fails is no error."""
    screen = os.name == "nt" or sys.platform == "darwin" or any(map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY")))
    if wanted and (screen or "BROWSER" in os.environ):
        try:
            webbrowser.open(page.resolve().as_uri())
        except (webbrowser.Error, OSError):
            typer.echo(f"No browser could be started: open {page}.", err=True)
