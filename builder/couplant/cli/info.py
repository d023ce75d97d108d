"""``couplant info``: what an FMU is, from which configuration it was built, where two differ."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from couplant.cli import options
from couplant.cli.output import print_json

if TYPE_CHECKING:
    from couplant.pack.describe.card import Card


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
    from couplant.base.errors import UsageError
    from couplant.pack.describe.card import card_of

    if other is not None:
        if toml:
            raise UsageError("--toml: allowed with one FMU.")
        _compare(fmu, other, as_json)
        return
    card = card_of(fmu)
    if toml and card.configuration is None:
        raise UsageError(f"{fmu} carries no configuration: allowed is an FMU that couplant build made.")
    if toml:
        typer.echo(card.configuration or "", nl=False)
    elif as_json:
        print_json(card.to_dict())
    else:
        _show(card)


def _compare(first: Path, second: Path, as_json: bool) -> None:
    """Say whether two FMUs are equal, and leave with status 1 if they are not."""
    from couplant.pack.comparison import compare

    found = compare(first, second)
    if as_json:
        print_json(found.to_dict())
    else:
        typer.echo("\n".join(found.lines()) or "equal")
    if not found.equal:
        raise typer.Exit(1)


def _show(card: Card) -> None:
    width = max(map(len, card.facts))
    for name, text in card.facts.items():
        typer.echo(f"{name:{width}}  {text}")
    for kind, variables in (("inputs", card.inputs), ("outputs", card.outputs)):
        listed = ", ".join(f"{name} [{unit}]" if unit else name for name, unit in variables.items()) or "none"
        typer.echo(f"{kind:{width}}  {listed}")
