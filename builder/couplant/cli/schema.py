"""``couplant schema``: what editors need to complete and check settings files."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from couplant.cli import options
from couplant.cli.output import output_folder


def command(
    kind: Annotated[
        str,
        typer.Argument(
            metavar="KIND",
            help="interface, scenario, bench or system.",
            autocompletion=options.among("interface", "scenario", "bench", "system"),
        ),
    ],
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="DIR", help="Folder to write it to, beside the settings.")
    ] = None,
) -> None:
    """Print the JSON schema of a kind of settings file, or write it beside one."""
    from couplant.base.files import write_atomic
    from couplant.config.schemas import directive, schema_file, schema_text

    text = schema_text(kind)
    if output is None:
        typer.echo(text, nl=False)
        return
    path = write_atomic(output_folder(output) / schema_file(kind), text)
    typer.echo(f"wrote {path}")
    typer.echo(f"First line of the settings file, for the editor: {directive(kind)}")
