"""``couplant learn``: weights from recordings."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from couplant.cli.output import (
    AsJson,
    Assignments,
    HostOption,
    expanded,
    named_signal,
    print_json,
    print_table,
    warn,
    with_host,
)
from couplant.cli.reading import Decimal, Delimiter, TimeColumn, TimeUnit, say

if TYPE_CHECKING:
    from couplant.analysis.system import System
    from couplant.design.neural.offline import Lesson
    from couplant.report.page import Page
    from couplant.tables import Reading

_SUFFIXES = (".csv", ".txt", ".mf4", ".mat", ".parquet")


def command(
    recordings: Annotated[
        list[Path], typer.Argument(metavar="FILE..", help="Recordings to learn from, folders or patterns.")
    ],
    steps: Annotated[int, typer.Option("--steps", metavar="K", help="Latency in macro steps.")],
    judge: Annotated[list[Path] | None, typer.Option(metavar="FILE", help="To judge on; may be repeated.")] = None,
    timing: Annotated[str, typer.Option(metavar="NAME", help="event or step.")] = "event",
    macro_step: Annotated[float | None, typer.Option(metavar="S", help="Macro step in s; else as recorded.")] = None,
    column: Annotated[str | None, typer.Option(metavar="NAME", help="Column; else the first one.")] = None,
    time: TimeColumn = None,
    time_unit: TimeUnit = None,
    delimiter: Delimiter = None,
    decimal: Decimal = None,
    network: Annotated[str | None, typer.Option(metavar="START", help="A network from foh, eros3, linear ..")] = None,
    peak: Annotated[float | None, typer.Option(metavar="G0", help="Largest gain of linear weights.")] = None,
    system: Annotated[Path | None, typer.Option(metavar="TOML", help="Plant: weights that its loop bears.")] = None,
    config: Annotated[Path | None, typer.Option(metavar="TOML", help="Settings file that gets the weights.")] = None,
    signal: Annotated[str | None, typer.Option(metavar="NAME", help="Signal of the settings file.")] = None,
    output: Annotated[Path | None, typer.Option("-o", "--output", metavar="HTML", help="Report page.")] = None,
    host: HostOption = None,
    assignments: Assignments = None,
    as_json: AsJson = False,
) -> None:
    """Learn a coupling algorithm from recordings and judge it on others."""
    from couplant.design.neural.settings import write_settings
    from couplant.report.page import write_page
    from couplant.tables import Reading

    plant = _plant(system, with_host(assignments, host, "host"))
    how = Reading(time, time_unit, delimiter, decimal)
    lesson, name = _learn(recordings, judge, steps, timing, macro_step, column, how, network, peak, plant)
    page = _page(lesson, signal or name)
    if config is not None:
        write_settings(config, named_signal(signal), lesson)
    if output is not None:
        from couplant.report.curves import lesson_pictures

        write_page(page, output, lesson_pictures(lesson))
    print_json(_figures(lesson)) if as_json else _show(page)


def _page(lesson: Lesson, name: str) -> Page:
    from couplant.report.design import describe_lesson

    page = describe_lesson(lesson, name)
    for line in page.warnings:
        warn(line)
    return page


def _plant(path: Path | None, assignments: list[str]) -> System | None:
    from couplant.analysis.system_file import read_system

    return None if path is None else read_system(path, assignments)


def _learn(
    paths: list[Path], judge: list[Path] | None, steps: int, timing: str, macro_step: float | None,
    column: str | None, how: Reading, network: str | None, peak: float | None, plant: System | None,
) -> tuple[Lesson, str]:  # fmt: skip
    from couplant.analysis.algorithms import check_timing
    from couplant.config.interface import STARTS
    from couplant.design.neural.offline import learn
    from couplant.errors import UsageError
    from couplant.report.inspection import sampling
    from couplant.tables import read_recording

    if not 0 <= steps <= 64:
        raise UsageError(f"--steps = {steps}, allowed 0 to 64")
    if network not in (None, *STARTS):
        raise UsageError(f"--network = {network}, allowed {', '.join(STARTS)}")
    if peak is not None and not peak >= 1.0:
        raise UsageError(f"--peak = {peak}, allowed at least 1")
    paths, judge = expanded(paths, _SUFFIXES), expanded(judge or [], _SUFFIXES)
    used = [read_recording(path, column=column, how=how, macro_step=macro_step) for path in paths]
    for line in sampling(used[0]):
        warn(line)
    others = [read_recording(path, column=column, how=how, macro_step=macro_step) for path in judge]
    say(*(one.assumed for one in [*used, *others]))
    if not others:
        warn("judged on the recordings it has learnt from: give others with --judge")
    judged = list(zip([path.name for path in judge or paths], others or used, strict=True))
    return learn(used, judged, steps, check_timing(timing), network, peak, plant), used[0].name


def _figures(lesson: Lesson) -> dict[str, Any]:
    figures = {"steps": lesson.steps, "timing": lesson.timing, "choice": lesson.choice and asdict(lesson.choice)}
    figures |= {"a": list(lesson.algorithm.a), "A": list(lesson.algorithm.A)}
    figures["network"] = lesson.neural and [float(w) for w in lesson.neural.weights]
    figures["loop"] = asdict(lesson.loop)
    tables = {name: [asdict(row) for row in rows] for name, rows in lesson.tables}
    return figures | {"recordings": {name: [_short(row) for row in rows] for name, rows in tables.items()}}


def _short(row: dict[str, Any]) -> dict[str, Any]:
    return {**{key: value for key, value in row.items() if key != "combined"}, "C": row["combined"]}


def _show(page: Page) -> None:
    typer.echo("\n".join(page.paragraphs[1:]))
    for table in page.tables:
        typer.echo(table.title)
        print_table(table.columns, table.rows)
    typer.echo(page.toml)
