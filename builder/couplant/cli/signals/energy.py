"""``couplant energy``: what a recorded coupling does to the energy that it transmits."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from couplant.base.errors import CouplantError, UsageError
from couplant.cli import options
from couplant.cli.output import print_json, print_tables, say, warn

if TYPE_CHECKING:
    from couplant.analysis.signal.energy import Convention
    from couplant.report.chart import Chart
    from couplant.report.page import Files, Page
    from couplant.tables.bonds import BondColumns, BondRecording

_STEPS = 3


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
    from couplant.analysis import generic
    from couplant.analysis.signal.energy import Convention, passage
    from couplant.config.network import steps_in
    from couplant.report.page import Files
    from couplant.tables import Reading
    from couplant.tables.bonds import read_bond

    files, columns = Files(output, picture), _columns(bond, (effort, flow, effort_received, flow_received))
    convention = Convention(flow_is, sign, timing, host or "reads_again")
    _check(recording, limit, columns)
    signals = read_bond(recording, columns, Reading(time, time_unit, delimiter, decimal))
    say(signals.assumed)
    late = options.late(steps, latency)
    k = signals.k or _STEPS if late is None else steps_in(late, passage(signals, convention, macro_step).macro_step)
    generic("zoh", k)
    look = _open_loop if signals.received is None else _closed_loop
    found = look(signals, convention, k, macro_step)
    _put_out(found, files, _settings(signals, convention, k) if as_json else None)
    if limit is not None and found.share > limit:
        raise CouplantError(f"{recording}: {found.share:.4g} of what is transmitted is created, allowed {limit:g}.")


class _Found(NamedTuple):
    """Findings to be shown: the share is that to compare with ``--limit``; charts are made when they are needed."""

    page: Page
    figures: dict[str, Any]
    charts: Callable[[], Sequence[Chart]]
    share: float = 0.0


def _columns(bond: str | None, names: Sequence[str | None]) -> BondColumns:
    from couplant.tables.bonds import BondColumns

    effort, flow, *received = names
    if bond is not None:
        if any(names):
            raise UsageError("--bond and names of single columns are given, allowed one of the two")
        return BondColumns.of_run(bond)
    if not (effort and flow):
        raise UsageError(
            f"--{'flow' if effort else 'effort'} is missing: the column of the {'flow' if effort else 'effort'}"
        )
    return BondColumns(effort, flow, *received)


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


def _closed_loop(signals: BondRecording, convention: Convention, k: int, macro_step: float | None) -> _Found:
    from couplant.analysis.signal.energy import balance
    from couplant.report.energy import describe_balance

    found = balance(signals, convention, macro_step)

    def charts() -> list[Chart]:
        from couplant.report.curves import balance_charts

        return balance_charts(found, signals.columns.signals)

    page = describe_balance(signals, convention, found, k)
    judged = (found.whole,) if found.grade == "unknown" else (found.whole, found.last)
    figures = {"macro_step": found.passage.macro_step, **found.to_dict(), "budget": found.passage.budget(k)}
    return _Found(page, figures, charts, max(one.share or 0.0 for one in judged))


def _open_loop(signals: BondRecording, convention: Convention, k: int, macro_step: float | None) -> _Found:
    from couplant.analysis.signal.energy import passage
    from couplant.design.from_recording import energy_table
    from couplant.report.energy import OPEN_LOOP, describe_open_loop

    sent = passage(signals, convention, macro_step)
    table = energy_table(signals, convention, k, macro_step)

    def charts() -> list[Chart]:
        from couplant.report.curves import open_loop_energy_charts

        return open_loop_energy_charts(sent, table)

    rows = [{"algorithm": name, "grade": one.whole.grade, **one.whole.to_dict()} for name, one in table.items()]
    figures = {"macro_step": sent.macro_step, "open_loop": rows, "note": OPEN_LOOP, "budget": sent.budget(k)}
    return _Found(describe_open_loop(signals, convention, sent, table, k), figures, charts)


def _settings(signals: BondRecording, convention: Convention, k: int) -> dict[str, Any]:
    rows = {"rows": int(signals.time.size), "gaps": signals.gaps, "longest_gap": signals.longest_gap}
    return {**asdict(signals.columns), **asdict(convention), **rows, "steps": k}


def _put_out(found: _Found, files: Files, settings: dict[str, Any] | None) -> None:
    """Write page and picture; print figures as JSON after the settings, if they are given, or else the tables."""
    from couplant.report.page import write_files

    write_files(found.page, found.charts, files)
    if settings is not None:
        print_json({**settings, **found.figures, "warnings": list(found.page.warnings)})
        return
    warn(*found.page.warnings)
    print_tables(found.page.tables)
    typer.echo("\n".join(found.page.paragraphs))
