"""``couplant learn``: weights from recordings."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from couplant.cli.output import AsJson, print_json, print_table, warn

_COLUMNS = ("algorithm", "mae", "rms", "worst", "C")


def command(
    recordings: Annotated[list[Path], typer.Argument(metavar="RECORDING.csv..", help="Recordings to learn from.")],
    steps: Annotated[int, typer.Option("--steps", metavar="K", help="Latency in macro steps.")],
    judge: Annotated[
        list[Path] | None, typer.Option("--judge", metavar="CSV", help="Recording to judge on; may be repeated.")
    ] = None,
    timing: Annotated[str, typer.Option(metavar="NAME", help="event or step.")] = "event",
    macro_step: Annotated[
        float | None, typer.Option("--macro-step", metavar="S", help="Macro step in s; else that of the recordings.")
    ] = None,
    column: Annotated[str | None, typer.Option(metavar="NAME", help="Column; else the second one.")] = None,
    network: Annotated[
        str | None,
        typer.Option(
            "--network",
            metavar="START",
            help="Train a network that starts as foh, eros3, eros4, or linear: weights learnt first.",
        ),
    ] = None,
    config: Annotated[Path | None, typer.Option(metavar="TOML", help="Settings file that gets the weights.")] = None,
    signal: Annotated[str | None, typer.Option(metavar="NAME", help="Signal of the settings file.")] = None,
    output: Annotated[Path | None, typer.Option("-o", "--output", metavar="HTML", help="Report page.")] = None,
    as_json: AsJson = False,
) -> None:
    """Learn a coupling algorithm from recordings and judge it on others."""
    lesson, name = _learn(recordings, judge, steps, timing, macro_step, column, network)
    if config is not None:
        _write_config(config, signal, lesson)
    if output is not None:
        _write_page(lesson, signal or name, output)
    print_json(_figures(lesson)) if as_json else _show(lesson, signal or name)


def _learn(
    paths: list[Path], judge: list[Path] | None, steps: int, timing: str, macro_step: float | None,
    column: str | None, network: str | None,
) -> tuple[Any, str]:  # fmt: skip
    from couplant.analysis.algorithms import check_timing
    from couplant.analysis.recording import read_recording
    from couplant.design.neural.offline import learn
    from couplant.errors import UsageError

    if not 0 <= steps <= 64:
        raise UsageError(f"--steps = {steps}, allowed 0 to 64")
    if network not in (None, "foh", "eros3", "eros4", "linear"):
        raise UsageError(f"--network = {network}, allowed foh, eros3, eros4, linear")
    used = [read_recording(path, column=column, macro_step=macro_step) for path in paths]
    others = [read_recording(path, column=column, macro_step=macro_step) for path in judge or []]
    if not others:
        warn("judged on the recordings it has learnt from: give others with --judge")
    judged = list(zip([path.name for path in judge or paths], others or used, strict=True))
    return learn(used, judged, steps, check_timing(timing), network), used[0].name


def _write_config(config: Path, signal: str | None, lesson: Any) -> None:
    from couplant.design.neural.settings import write_settings
    from couplant.errors import UsageError

    if signal is None:
        raise UsageError("--signal is missing: which signal of the settings file gets the weights")
    write_settings(config, signal, lesson)


def _figures(lesson: Any) -> dict[str, Any]:
    figures = {"steps": lesson.steps, "timing": lesson.timing, "choice": lesson.choice and asdict(lesson.choice)}
    figures |= {"a": list(lesson.algorithm.a), "A": list(lesson.algorithm.A)}
    figures["network"] = lesson.network and [float(w) for w in lesson.network.weights]
    tables = {name: [asdict(row) for row in rows] for name, rows in lesson.tables}
    return figures | {"recordings": {name: [_short(row) for row in rows] for name, rows in tables.items()}}


def _short(row: dict[str, Any]) -> dict[str, Any]:
    return {**{key: value for key, value in row.items() if key != "combined"}, "C": row["combined"]}


def _rows(rows: Any) -> list[list[str]]:
    return [[r.algorithm, *(f"{v:.4g}" for v in (r.mae, r.rms, r.worst, r.combined))] for r in rows]


def _chosen(lesson: Any) -> str:
    if lesson.network is not None:
        return f"A network started as {lesson.network.start}, expected change of a weight {lesson.network.prior:g}."
    choice = lesson.choice
    return (
        f"{choice.m} past values, penalty {choice.penalty:.3g}: on what was left out the error is "
        f"{100 * choice.error:.0f} % of that without compensation."
    )


def _show(lesson: Any, name: str) -> None:
    from couplant.design.neural.settings import settings_text

    typer.echo(_chosen(lesson))
    for recording, rows in lesson.tables:
        typer.echo(recording)
        print_table(_COLUMNS, _rows(rows))
    typer.echo(settings_text(name, lesson))


def _write_page(lesson: Any, name: str, path: Path) -> None:
    from couplant.analysis import generic
    from couplant.design.neural.settings import settings_text
    from couplant.report.curves import bode_figure
    from couplant.report.page import Page, Table, write_page

    before = lesson.network.origin if lesson.network else generic("eros3", lesson.steps)
    curves = [generic("zoh", lesson.steps), before, lesson.algorithm]
    pictures = [(f"Coupling process before ({before.name}) and after learning", bode_figure(curves, lesson.timing))]
    tables = [Table(recording, _COLUMNS, _rows(rows)) for recording, rows in lesson.tables]
    text = [f"Latency {lesson.steps} macro steps, {lesson.timing} timing.", _chosen(lesson)]
    write_page(Page("learn", f"Learnt for {name}", text, (), tables, pictures, settings_text(name, lesson)), path)
