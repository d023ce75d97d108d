"""``couplant completion`` and ``couplant schema``: what shells and editors need to complete words and keys."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from couplant.cli import options
from couplant.cli.output import output_folder

SHELLS = ("bash", "zsh", "fish", "powershell")
"""Shells that complete."""

VARIABLE = "_COUPLANT_COMPLETE"
"""Of the environment, by which a shell asks for completions."""


def command(
    shell: Annotated[
        str,
        typer.Argument(metavar="SHELL", help="bash, zsh, fish or powershell.", autocompletion=options.among(*SHELLS)),
    ],
) -> None:
    """Print a script that lets a shell complete words, for instance: eval "$(couplant completion bash)"."""
    from typer._completion_shared import get_completion_script

    from couplant.base.errors import UsageError

    if shell not in SHELLS:
        raise UsageError(f"shell = {shell}, allowed {', '.join(SHELLS)}")
    typer.echo(get_completion_script(prog_name="couplant", complete_var=VARIABLE, shell=shell))


def answer_shells() -> None:
    """Let the command line answer shells that ask for completions."""
    from typer._completion_classes import completion_init

    completion_init()


def schema(
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
