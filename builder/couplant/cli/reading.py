"""Options of commands that read a recording, and words on what they assume about the file."""

from __future__ import annotations

from typing import Annotated

import typer

from couplant.cli.options import assumption_with_option

TimeColumn = Annotated[
    str | None, typer.Option("--time", "--time-column", metavar="NAME", help="Column of the times; else found by name.")
]
TimeUnit = Annotated[str | None, typer.Option(metavar="UNIT", help="Unit of the times; else as the file tells, or s.")]
Delimiter = Annotated[str | None, typer.Option(metavar="CHAR", help="Between cells of a text; else guessed.")]
Decimal = Annotated[str | None, typer.Option(metavar="CHAR", help="Decimal mark, a comma or a point; else guessed.")]
MacroStep = Annotated[float | None, typer.Option(metavar="S", help="Macro step in s; else as recorded.")]
Latency = Annotated[float | None, typer.Option(metavar="S", help="Latency in s; else three macro steps.")]


def say(*assumed: str) -> None:
    """Print assumptions about a file, a line for each, to standard error."""
    for line in dict.fromkeys(filter(None, assumed)):
        typer.echo(f"Assumed: {assumption_with_option(line)}", err=True)
