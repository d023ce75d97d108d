"""``couplant workbench``: everything in the browser, in one page that needs no network."""

import tempfile
from pathlib import Path
from typing import Annotated

import typer

from couplant.cli import options
from couplant.cli.output import show

PAGE = "workbench.html"


def command(
    recording: Annotated[
        Path | None, typer.Argument(metavar="[RECORDING]", help="Recording that it shows; else an example.")
    ] = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="FILE", help="Page that is written; else a temporary one.")
    ] = None,
    browser: options.Open = True,
) -> None:
    """Try coupling algorithms in the browser: two masses over a network, and your recording; one page, no network."""
    from couplant.workbench import write_page

    given = None
    if recording is not None:
        from couplant.workbench.recording import read_shown  # numpy, which a page without one needs not, takes its time

        given = read_shown(recording)
    page = write_page(output or Path(tempfile.mkdtemp(prefix="couplant-")) / PAGE, given)
    if output is None:
        page.chmod(0o600)  # as its folder: others on this machine need not see a recording
    typer.echo(f"The workbench is {page}")
    show(page, browser)
