"""``couplant info`` and ``couplant validate``: what FMUs are, and whether they are what they say they are."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from couplant.base.errors import CouplantError, UsageError
from couplant.cli import options
from couplant.cli.output import expand_paths, print_json

if TYPE_CHECKING:
    from couplant.pack.check import Findings


def command(
    fmu: Annotated[Path, typer.Argument(metavar="FMU", help="FMU file, ours or not.")],
    other: Annotated[
        Path | None, typer.Argument(metavar="[FMU]", help="Another one: say whether they are equal, or where not.")
    ] = None,
    toml: Annotated[bool, typer.Option("--toml", help="Print the configuration that it was built from.")] = False,
    as_json: options.AsJson = False,
) -> None:
    """Describe an FMU: kind, timing, host, latency, algorithm, variables, platforms, configuration.

    Two FMUs are compared: status 0 if they have the same entries and the same token, else 1.
    """
    from couplant.pack.describe.card import card_of

    if other is not None:
        if toml:
            raise UsageError("--toml: allowed with one FMU.")
        from couplant.pack.comparison import compare

        found = compare(fmu, other)
        if as_json:
            print_json(found.to_dict())
        else:
            typer.echo("\n".join(found.lines()) or "equal")
        if not found.equal:
            raise typer.Exit(1)
        return
    card = card_of(fmu)
    if toml and card.configuration is None:
        raise UsageError(f"{fmu} carries no configuration: allowed is an FMU that couplant build made.")
    if toml:
        typer.echo(card.configuration or "", nl=False)
    elif as_json:
        print_json(card.to_dict())
    else:
        lines, width = card.lines(), max(map(len, card.facts))
        typer.echo("\n".join(f"{name:{width}}  {text}" for name, text in lines.items()))


def validate(
    fmus: Annotated[list[Path], typer.Argument(metavar="FMU", help="FMU files, folders of them, or patterns.")],
    run: Annotated[bool, typer.Option("--run/--no-run", help="Also load each FMU and take some steps.")] = True,
    as_json: options.AsJson = False,
) -> None:
    """Check FMUs: standard, own rules, start values, a short run."""
    from couplant.pack.check import validate as check

    found = check(expand_paths(fmus, (".fmu",)), run=run, progress=None if as_json else _show)
    if as_json:
        print_json(found.to_dict())
    if found.wrong:
        raise CouplantError(f"{len(found.wrong)} of {len(found.files)} files did not pass.")


def _show(path: Path, one: Findings) -> None:
    typer.echo("\n  ".join([one.headline(path), *one.problems]))
