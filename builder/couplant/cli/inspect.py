"""``couplant inspect``: what a recording of a signal or of latencies says about the coupling."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from couplant.cli.output import AsJson, print_json, print_table


def command(
    recording: Annotated[Path, typer.Argument(metavar="CSV", help="Recording, or latencies with --latencies.")],
    steps: Annotated[int, typer.Option(metavar="K", help="Latency in macro steps.")] = 3,
    macro_step: Annotated[
        float | None, typer.Option("--macro-step", metavar="S", help="Macro step in s; else that of the recording.")
    ] = None,
    column: Annotated[str | None, typer.Option(metavar="NAME", help="Column of the signal; else the second.")] = None,
    time: Annotated[str | None, typer.Option(metavar="NAME", help="Column of the time in s; else the first.")] = None,
    timing: Annotated[str, typer.Option(metavar="NAME", help="event or step.")] = "event",
    latencies: Annotated[bool, typer.Option("--latencies", help="The file holds measured latencies.")] = False,
    micro_step: Annotated[
        float | None, typer.Option("--micro-step", metavar="S", help="Smallest step of the prototypes in s.")
    ] = None,
    output: Annotated[Path | None, typer.Option("-o", "--output", metavar="HTML", help="Report page.")] = None,
    as_json: AsJson = False,
) -> None:
    """Inspect a recording: spectrum, bands, jumps, algorithms compared, and what to use."""
    if latencies:
        _latencies(recording, micro_step or macro_step, output, as_json)
        return
    from couplant.analysis.algorithms import check_timing, generic
    from couplant.design.from_recording import inspect_recording
    from couplant.report.inspection import describe
    from couplant.report.page import write_page
    from couplant.tables import read_recording

    generic("zoh", steps), check_timing(timing)
    found = inspect_recording(read_recording(recording, column=column, time=time, macro_step=macro_step), steps, timing)
    page = describe(found)
    if output is not None:
        from couplant.report.curves import inspection_pictures

        write_page(page, output, inspection_pictures(found))
    if as_json:
        print_json(found.to_dict())
        return
    for table in page.tables:
        print_table(table.columns, table.rows)
    typer.echo("\n".join([*page.paragraphs, "", page.toml]))


def _latencies(path: Path, micro_step: float | None, output: Path | None, as_json: bool) -> None:
    from dataclasses import asdict

    from couplant.analysis.latencies import choose_macro_step, statistics, step_choice
    from couplant.errors import UsageError
    from couplant.report.inspection import advice
    from couplant.report.page import Page, write_page
    from couplant.tables import read_latencies

    if micro_step is None or not micro_step > 0:
        raise UsageError("--micro-step is missing: the smallest step of the prototypes in s, above 0")
    measured = read_latencies(path)
    figures, finest = statistics(measured), step_choice(measured, micro_step)
    chosen = choose_macro_step(measured, micro_step)
    lines = advice(figures, finest, chosen)
    if output is not None:
        from couplant.report.curves import latencies_figure

        write_page(Page("inspect", "Latencies", lines), output, [("Latencies", latencies_figure(measured, chosen))])
    if as_json:
        choices = {"finest": finest.to_dict(), "choice": chosen.to_dict()}
        print_json({**asdict(figures), **choices, "advice": lines})
        return
    typer.echo("\n".join(lines))
