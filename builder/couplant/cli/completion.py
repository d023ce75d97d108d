"""``couplant completion`` and ``couplant schema``: what shells and editors need to complete words and keys."""

from pathlib import Path
from typing import Annotated

import typer

from couplant.base.errors import UsageError
from couplant.base.files import write_atomic
from couplant.base.paths import resource
from couplant.cli import options
from couplant.cli.output import output_folder

SHELLS = ("bash", "zsh", "fish", "powershell")  # shells that complete

KINDS = ("interface", "scenario", "bench", "system", "dcp-side", "dcp-master")
"""Kinds of settings files; `resources/schema` holds the schema of each, made by `docs/site/schemas.py`."""

VARIABLE = "_COUPLANT_COMPLETE"  # of the environment, by which a shell asks for completions


def command(
    shell: Annotated[
        str,
        typer.Argument(metavar="SHELL", help="bash, zsh, fish or powershell.", autocompletion=options.among(*SHELLS)),
    ],
) -> None:
    """Print a script that lets a shell complete words, for instance: eval "$(couplant completion bash)"."""
    from typer._completion_shared import get_completion_script

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
            metavar="KIND", help=f"{', '.join(KINDS[:-1])} or {KINDS[-1]}.", autocompletion=options.among(*KINDS)
        ),
    ],
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="DIR", help="Folder to write it to, beside the settings.")
    ] = None,
) -> None:
    """Print the JSON schema of a kind of settings file, or write it beside one."""
    if kind not in KINDS:
        raise UsageError(f"schema = {kind}, allowed {', '.join(KINDS)}")
    text = (resource("schema") / schema_file(kind)).read_text(encoding="utf-8")
    if output is None:
        typer.echo(text, nl=False)
        return
    path = write_atomic(output_folder(output) / schema_file(kind), text)
    typer.echo(f"wrote {path}")
    typer.echo(f"First line of the settings file, for the editor: {directive(kind)}")


def schema_file(kind: str) -> str:
    """Return the name of the file with the schema of a `kind`, in `resources/schema` and beside settings files."""
    return f"{kind}.schema.json"


def directive(kind: str) -> str:
    """Return the line at the head of a settings file that names its schema beside it (Even Better TOML, Taplo)."""
    return f"#:schema ./{schema_file(kind)}"
