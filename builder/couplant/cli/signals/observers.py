"""``couplant design --model``: observers for models of the prototypes of a loop, and their tables."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import typer

from couplant.cli.output import print_json, print_table, warn

if TYPE_CHECKING:
    from couplant.cosim.wiring.loops import Loop
    from couplant.design.models import ModelDesign
    from couplant.report.page import Files, Page


class Asked(NamedTuple):
    """Options about noise, excitation and scattered plants."""

    noise: Sequence[str] | None
    excited: Sequence[str] | None
    band: tuple[float, float] | None
    plants: int
    spread: float


def design_observers(loop: Loop, asked: Asked, config: Path | None, files: Files, as_json: bool) -> None:
    """Print and write the observers for a loop; a settings file or scenario `config` gets their tables.

    Raises
    ------
    UsageError
        If a number is out of range, a name is unknown, or a prototype has no model.
    """
    from couplant.design.models import design_models, model_tables
    from couplant.design.settings import write_models
    from couplant.report.models import describe_models, model_charts
    from couplant.report.page import write_files

    shares = _numbers_by_name("--noise", asked.noise, {name: output for output, name in loop.signals.items()})
    levels = _numbers_by_name("--excited", asked.excited, {one.name: one.name for one in loop.system.prototypes})
    every = shares.pop("", 0.0)
    noise = dict.fromkeys(loop.signals, every) | shares if asked.noise else None
    corner = asked.band[1] if asked.band else None
    found = design_models(loop.system, noise=noise, corner=corner, excited=levels or None, plants=asked.plants,
                          spread=asked.spread)  # fmt: skip
    page = describe_models(found, loop.signals)
    for line in page.warnings:
        warn(line)
    if config is not None:
        write_models(config, model_tables(found.system, found.chosen.weights, loop.signals))
    write_files(page, lambda: model_charts(found), files)
    print_json(found.to_dict()) if as_json else _show(found, page)


def _numbers_by_name(option: str, given: Sequence[str] | None, names: dict[str, str]) -> dict[str, float]:
    """Return numbers by what their names mean, one without a name by an empty text."""
    from couplant.base.errors import UsageError

    found: dict[str, float] = {}
    for text in given or ():
        name, _, number = text.rpartition("=")
        try:
            value = float(number)
        except ValueError:
            raise UsageError(f"{option} = {text}, allowed a number or NAME=NUMBER") from None
        if name not in names and (name or option != "--noise"):
            raise UsageError(f"{option} = {text}, allowed names are {', '.join(names)}")
        found[names.get(name, "")] = value
    return found


def _show(found: ModelDesign, page: Page) -> None:
    typer.echo("\n".join(page.paragraphs))
    for table in page.tables:
        print_table(table.columns, table.rows)
    typer.echo(page.toml)
