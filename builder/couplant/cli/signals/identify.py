"""``couplant identify``: a model of a prototype from recordings, for the algorithm ``model``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from typer import Option

from couplant.cli import options
from couplant.cli.output import expand_paths, print_json, print_shown, progress_bar, say, without_threads

if TYPE_CHECKING:
    from couplant.design.identify import Identification


def command(
    recordings: Annotated[list[Path], typer.Argument(metavar="FILE..", help="To learn from; folders or patterns.")],
    inputs: Annotated[list[str] | None, Option("--input", metavar="NAME", help="What goes to it; several.")] = None,
    outputs: Annotated[list[str] | None, Option("--output", metavar="NAME", help="What it sends; several.")] = None,
    latency: options.Latency = None,
    steps: options.Steps = None,
    states: Annotated[list[int] | None, Option(metavar="N", help="States to try; several; else 1 to 4.")] = None,
    macro_step: options.MacroStep = None,
    time: options.TimeColumn = None,
    time_unit: options.TimeUnit = None,
    delimiter: options.Delimiter = None,
    decimal: options.Decimal = None,
    name: Annotated[str, Option(metavar="NAME", help="Of the table models.NAME.")] = "prototype",
    config: Annotated[Path | None, Option(metavar="TOML", help="Settings file or scenario that gets it.")] = None,
    output: Annotated[Path | None, Option("-o", "--file", metavar="TOML", help="File for the table alone.")] = None,
    as_json: options.AsJson = False,
) -> None:
    """Identify the model of a prototype from recordings of what goes to it and what it sends; judge it on others."""
    without_threads()
    from couplant.config.network import rounding_of
    from couplant.design.ask_signals import identify
    from couplant.tables import Reading

    how, late = Reading(time, time_unit, delimiter, decimal), options.late(steps, latency)
    with progress_bar() as bar:
        found = identify(
            expand_paths(recordings), inputs=inputs or [], outputs=outputs or [], steps=3 if late is None else late,
            states=states or (), macro_step=macro_step, how=how, progress=bar,
        )  # fmt: skip
    say(*found.assumed, *rounding_of(3 if late is None else late, 0, found.macro_step))
    if as_json:
        print_json(found.to_dict() | {"models": {name: found.settings()}})
    else:
        print_shown(found, but=found.refused)
    _keep(found, name, output, config, quiet=as_json)


def _keep(found: Identification, name: str, output: Path | None, config: Path | None, quiet: bool) -> None:
    """Print and write the table of the model, unless it is refused."""
    from couplant.base.errors import CouplantError
    from couplant.base.files import write_atomic
    from couplant.design.settings import write_models

    if found.refused:
        raise CouplantError(f"{found.refused}.")
    import tomlkit

    one, table = found.chosen, tomlkit.table()
    table.comment(f"identified; {found.steps} macro steps ahead {one.gain:.3g} of the error of doing nothing")
    table.update(found.settings())
    document = tomlkit.document()
    document["models"] = tomlkit.table(is_super_table=True)
    document["models"][name] = table
    text = tomlkit.dumps(document)
    if not quiet:
        typer.echo(text)
    if output is not None:
        write_atomic(output, text)
    if config is not None:
        write_models(config, {name: found.settings()})
