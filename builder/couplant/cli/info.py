"""``couplant info``: what an FMU is, and from which configuration it was built."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from couplant.cli.output import AsJson, print_json

if TYPE_CHECKING:
    from couplant.pack.describe.card import Card


def command(
    fmu: Annotated[Path, typer.Argument(metavar="FMU", help="FMU file, ours or not.")],
    toml: Annotated[bool, typer.Option("--toml", help="Print the configuration that it was built from.")] = False,
    as_json: AsJson = False,
) -> None:
    """Describe an FMU: kind, timing, host, latency, algorithm, variables, platforms, configuration."""
    from couplant.base.errors import UsageError
    from couplant.pack.describe.card import card_of

    card = card_of(fmu)
    if toml and card.configuration is None:
        raise UsageError(f"{fmu} carries no configuration: allowed is an FMU that couplant build made.")
    if toml:
        typer.echo(card.configuration or "", nl=False)
    elif as_json:
        print_json(card.to_dict())
    else:
        _show(card)


def _show(card: Card) -> None:
    width = max(map(len, card.facts))
    for name, text in card.facts.items():
        typer.echo(f"{name:{width}}  {text}")
    for kind, variables in (("inputs", card.inputs), ("outputs", card.outputs)):
        listed = ", ".join(f"{name} [{unit}]" if unit else name for name, unit in variables.items()) or "none"
        typer.echo(f"{kind:{width}}  {listed}")
