"""``couplant init``: a commented configuration and a README to start from."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from couplant.cli.output import output_folder
from couplant.errors import UsageError
from couplant.paths import resource

FILES = ("interface.toml", "README.md")
"""Names in `resources/templates/start` and in the folder that is written."""


def command(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Folder to write into; made if needed.")] = Path("."),
) -> None:
    """Write a commented configuration and a README to start from."""
    target = output_folder(folder)
    contents = {name: (resource("templates/start") / name).read_bytes() for name in FILES}
    there = [name for name in FILES if (target / name).exists()]
    if there:
        raise UsageError(f"{target / there[0]}: exists already and is not overwritten.")
    target.mkdir(parents=True, exist_ok=True)
    for name, content in contents.items():
        with (target / name).open("xb") as file:
            file.write(content)
        typer.echo(f"wrote {target / name}")
    typer.echo(f"Next: couplant build {target / FILES[0]}")
