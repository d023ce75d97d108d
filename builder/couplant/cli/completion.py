"""``couplant completion``: what a shell needs to complete verbs, options and names."""

from __future__ import annotations

from typing import Annotated

import typer

from couplant.cli import options

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
