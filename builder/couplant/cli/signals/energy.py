"""``couplant energy``: what a recorded coupling does to the energy that it transmits."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from couplant.base.errors import CouplantError, UsageError
from couplant.cli import options
from couplant.cli.output import print_json, print_tables, say, warn

if TYPE_CHECKING:
    from couplant.design.ask_signals import Energy
    from couplant.report.page import Files
    from couplant.tables.bonds import BondColumns


def command(
    recording: Annotated[Path, typer.Argument(metavar="FILE", help="Recording of effort and flow.")],
    effort: Annotated[str | None, typer.Option(metavar="NAME", help="Column of the effort as sent.")] = None,
    flow: Annotated[str | None, typer.Option(metavar="NAME", help="Column of the flow as sent.")] = None,
    effort_received: Annotated[str | None, typer.Option(metavar="NAME", help="That of the effort as received.")] = None,
    flow_received: Annotated[str | None, typer.Option(metavar="NAME", help="That of the flow as received.")] = None,
    bond: Annotated[str | None, typer.Option(metavar="E:F", help="All four in a file of simulate, as in f:x1.")] = None,
    flow_is: Annotated[str, typer.Option(metavar="NAME", help="displacement or velocity.")] = "displacement",
    sign: Annotated[int, typer.Option(metavar="N", help="1: power into the receiver of the effort, -1: out.")] = 1,
    latency: Annotated[float | None, typer.Option(help="Latency: 45ms; else the file's.", **options.TIME)] = None,
    steps: options.Steps = None,
    macro_step: Annotated[float | None, typer.Option(help="Macro step; else the rows'.", **options.TIME)] = None,
    time: options.TimeColumn = None, time_unit: options.TimeUnit = None,
    delimiter: options.Delimiter = None, decimal: options.Decimal = None,
    timing: Annotated[str, typer.Option(metavar="NAME", help="event, or step: what is received is held.")] = "event",
    host: options.Host = None,
    limit: Annotated[float | None, typer.Option(metavar="SHARE", help="Exit status 1 if more is created.")] = None,
    output: options.Output = None, picture: options.Picture = None,
    as_json: options.AsJson = False,
) -> None:  # fmt: skip
    """Follow the energy of a recorded coupling: what it transmits and creates, when, by which signal; the budget."""
    from couplant.design.ask_signals import bond_columns, energy
    from couplant.report.page import Files
    from couplant.tables import Reading

    files = Files(output, picture)
    names = {"effort": effort, "flow": flow, "effort_received": effort_received, "flow_received": flow_received}
    columns = bond_columns(bond, tuple(names.values()))
    _check(recording, limit, columns)
    how = Reading(time, time_unit, delimiter, decimal)
    found = energy(
        recording, **names, bond=bond, flow_is=flow_is, sign=sign, steps=options.late(steps, latency),
        macro_step=macro_step, timing=timing, host=host or "reads_again", how=how,
    )  # fmt: skip
    say(found.recording.assumed)
    _put_out(found, files, as_json)
    if limit is not None and found.share > limit:
        raise CouplantError(f"{recording}: {found.share:.4g} of what is transmitted is created, allowed {limit:g}.")


def _check(recording: Path, limit: float | None, columns: BondColumns) -> None:
    signals = recording.with_name(recording.name.removesuffix("_bonds.csv") + ".csv")
    if recording.name.endswith("_bonds.csv") and signals.is_file():
        raise UsageError(f"{recording}: its energies are booked already, allowed {signals} with --bond EFFORT:FLOW")
    if limit is None:
        return
    if not 0.0 <= limit < math.inf:
        raise UsageError(f"--limit = {limit:g}, allowed 0 or more")
    if columns.effort_received is None:
        raise UsageError("--limit needs what was received: --effort-received and --flow-received")


def _put_out(found: Energy, files: Files, as_json: bool) -> None:
    """Write page and picture; print figures as JSON, or else the tables."""
    from couplant.report.curves import energy_charts
    from couplant.report.energy import OPEN_LOOP, describe
    from couplant.report.page import write_files

    page = describe(found)
    write_files(page, lambda: energy_charts(found), files)
    if as_json:
        note = {"note": OPEN_LOOP} if found.balance is None else {}
        print_json({**found.to_dict(), **note, "warnings": list(page.warnings)})
        return
    warn(*page.warnings)
    print_tables(page.tables)
    typer.echo("\n".join(page.paragraphs))
