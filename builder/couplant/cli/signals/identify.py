"""``couplant identify``: a model of a prototype from recordings, for the algorithm ``model``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer import Option

from couplant.cli import options
from couplant.cli.output import expand_paths, print_json, print_table, progress_bar, say, without_threads

if TYPE_CHECKING:
    from couplant.config.network import Seconds
    from couplant.design.identify import Identification
    from couplant.tables import Reading

_COLUMNS = ("states", "1 step ahead", "ahead", "of doing nothing", "stable on")


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
    from couplant.tables import Reading

    how, late = Reading(time, time_unit, delimiter, decimal), options.late(steps, latency)
    signals = (inputs or [], outputs or [])
    found = _identify(recordings, signals, how, macro_step, 3 if late is None else late, states or ())
    if as_json:
        rows = [
            {"states": one.states, "one_step": one.one.tolist(), "ahead": one.ahead.tolist(), "zoh": one.zoh.tolist()}
            | {"ratio": one.gain, "stable_share": one.share}
            for one in found.candidates
        ]
        figures = {"macro_step": found.macro_step, "steps": found.steps, "judged_on": found.left_out}
        figures |= {"states": found.chosen.states, "candidates": rows, "refused": found.refused or None}
        print_json(figures | {"models": {name: found.settings()}})
    else:
        _show(found)
    _keep(found, name, output, config, quiet=as_json)


def _identify(
    recordings: list[Path], signals: tuple[list[str], list[str]], how: Reading, macro_step: float | None,
    late: int | Seconds, states: Sequence[int],
) -> Identification:  # fmt: skip
    from couplant.analysis.signal.pieces import pieces
    from couplant.config.network import rounding_of, steps_in
    from couplant.design.identify import check_wanted, identify, learn
    from couplant.tables import read_together

    goes, sent = signals
    check_wanted(goes, sent, states, late if isinstance(late, int) else 1)
    values, step, said = read_together(expand_paths(recordings), [*sent, *goes], how, macro_step)
    steps = steps_in(late, step)
    say(*said, *rounding_of(late, 0, step))
    data = pieces([(one[:, : len(sent)], one[:, len(sent) :]) for one in values], step)
    with progress_bar() as bar:
        return identify(learn(data, goes, sent, states, bar), steps)


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


def _show(found: Identification) -> None:
    ahead = [column if column != "ahead" else f"{found.steps} steps ahead" for column in _COLUMNS]
    rows = [
        [str(one.states), _join(one.one), _join(one.ahead), f"{one.gain:.3g}", _share(one.share)]
        for one in found.candidates
    ]
    print_table(ahead, rows)
    outputs = ", ".join(found.outputs)
    typer.echo(f"Errors (rms) of {outputs} on {found.left_out}; chosen: {found.chosen.states} states.")
    if found.chosen.share is None:
        typer.echo("The inputs do not follow the outputs: nothing is known of a loop with them, simulate it.")


def _join(values: Any) -> str:
    return " ".join(f"{value:.3g}" for value in values)


def _share(share: float | None) -> str:
    return "-" if share is None else f"{100 * share:.0f} %"
