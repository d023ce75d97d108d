"""``couplant learn``: weights from recordings."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from couplant.cli import options
from couplant.cli.output import expand_paths, named_signal, print_json, print_tables, refuse_worse, say, warn
from couplant.cli.signals.target import Target, plant_of, say_latency, target_of

if TYPE_CHECKING:
    from couplant.analysis.system import System
    from couplant.design.neural.adam import Adam
    from couplant.design.neural.offline import Lesson
    from couplant.report.page import Files
    from couplant.tables import Reading, Recording


def command(
    recordings: Annotated[list[Path], typer.Argument(metavar="FILE..", help="To learn from; folders or patterns.")],
    latency: Annotated[float | None, typer.Option(help="Latency: 45ms.", **options.TIME)] = None,
    steps: options.Steps = None,
    judge: Annotated[list[Path] | None, typer.Option(metavar="FILE", help="To judge on; else their ends.")] = None,
    timing: Annotated[str | None, typer.Option(metavar="NAME", help="step or event; else step.")] = None,
    macro_step: options.MacroStep = None,
    column: Annotated[str | None, typer.Option(metavar="NAME", help="Column; else the first one.")] = None,
    time: options.TimeColumn = None,
    time_unit: options.TimeUnit = None,
    delimiter: options.Delimiter = None,
    decimal: options.Decimal = None,
    network: Annotated[
        str | None,
        typer.Option(metavar="START", help="Train a network that starts as zoh, foh, eros3, eros4 or linear: learnt."),
    ] = None,
    method: Annotated[str, typer.Option(metavar="NAME", help="Of training: least_squares or adam.")] = "least_squares",
    errors: Annotated[str, typer.Option(metavar="NAME", help="Of adam: absolute or relative.")] = "absolute",
    rate: Annotated[float, typer.Option(metavar="X", help="Of adam: how far a weight goes.")] = 0.005,
    epochs: Annotated[int, typer.Option(metavar="N", help="Of adam: passes over the recordings.")] = 30,
    batch: Annotated[int, typer.Option(metavar="N", help="Of adam: samples in an update.")] = 128,
    peak: Annotated[float | None, typer.Option(metavar="G0", help="Largest gain of linear weights.")] = None,
    system: Annotated[Path | None, typer.Option(metavar="TOML", help="Plant: weights that its loop bears.")] = None,
    host: options.Host = None,
    assignments: options.Assignments = None,
    config: options.WeightsInto = None,
    signal: options.Signal = None,
    output: options.Output = None,
    picture: options.Picture = None,
    as_json: options.AsJson = False,
) -> None:
    """Learn a coupling algorithm from recordings and judge it on others."""
    from couplant.report.page import Files
    from couplant.tables import Reading

    files = Files(output, picture)
    how, adam = Reading(time, time_unit, delimiter, decimal), _adam(method, errors, rate, epochs, batch, network)
    plant = plant_of(system, options.with_host(assignments, host, "host"))
    to = target_of(config, signal, macro_step, timing, options.late(steps, latency))
    lesson, name = _learn(recordings, judge, to, column, how, network, adam, peak, plant)
    _tell(lesson, signal, name, config, files, as_json)


def _tell(lesson: Lesson, signal: str | None, name: str, config: Path | None, files: Files, as_json: bool) -> None:
    from couplant.design.neural.offline import write_settings
    from couplant.report.curves import lesson_charts
    from couplant.report.design import describe_lesson, worse_than_nothing
    from couplant.report.page import write_files

    worse, page = worse_than_nothing(lesson), describe_lesson(lesson, signal or name)
    warn(*worse, *page.warnings)
    if config is not None and not worse:
        write_settings(config, named_signal(signal), lesson)
    write_files(page, lambda: lesson_charts(lesson), files)
    if as_json:
        print_json(_figures(lesson))
    else:
        typer.echo("\n".join(page.paragraphs[-2:]))
        print_tables(page.tables)
        typer.echo(page.toml)
    refuse_worse(bool(worse), config)


def _learn(
    paths: list[Path], judge: list[Path] | None, to: Target, column: str | None, how: Reading,
    network: str | None, adam: Adam | None, peak: float | None, plant: System | None,
) -> tuple[Lesson, str]:  # fmt: skip
    from couplant.analysis.algorithms import check_timing
    from couplant.analysis.signal.recording import span_with_news, split
    from couplant.base.errors import UsageError
    from couplant.config.interface import STARTS, USUAL_TIMING
    from couplant.design.neural.offline import learn

    timing = check_timing(to.timing or USUAL_TIMING)
    if to.steps is None:
        raise UsageError("--latency is missing, or --steps in macro steps: a settings file may tell it too")
    if network not in (None, *STARTS):
        raise UsageError(f"--network = {network}, allowed {', '.join(STARTS)}")
    if peak is not None and not peak >= 1.0:
        raise UsageError(f"--peak = {peak}, allowed at least 1")
    paths, judge = expand_paths(paths), expand_paths(judge or [])
    used, others, steps = _read(paths, judge, to, column, how)
    if others:
        judged = [(path.name, one, span_with_news(one, steps, timing)) for path, one in zip(judge, others, strict=True)]
    else:
        halves = [split(one) for one in used]
        judged = [(path.name, one, span) for path, one, (_, span) in zip(paths, used, halves, strict=True)]
        used = [train for train, _ in halves]
        typer.echo("Learnt from the first three fifths of each recording, judged on the rest; or --judge.", err=True)
    return learn(used, judged, steps, timing, network, adam, peak, plant, to.protection), used[0].name


def _read(
    paths: list[Path], judge: list[Path], to: Target, column: str | None, how: Reading
) -> tuple[list[Recording], list[Recording], int]:
    """Return the recordings to learn from, those to judge on, and the latency [macro steps]."""
    from couplant.base.errors import UsageError
    from couplant.config.interface import MAX_STEPS
    from couplant.config.network import Seconds, steps_in
    from couplant.design.start import read_for
    from couplant.report.inspection import sampling
    from couplant.tables import read_recording

    assert to.steps is not None
    first = read_for(to.steps, paths[0], column=column, how=how, macro_step=to.macro_step)
    steps, step = steps_in(to.steps, first.macro_step), to.macro_step
    if not 0 <= steps <= MAX_STEPS:
        raise UsageError(f"--steps = {steps}, allowed 0 to {MAX_STEPS}")
    say_latency(to.steps, first.macro_step, step)
    if isinstance(to.steps, Seconds):
        step = first.macro_step
    warn(*sampling(first))
    used = [first, *(read_recording(path, column=column, how=how, macro_step=step) for path in paths[1:])]
    others = [read_recording(path, column=column, how=how, macro_step=step) for path in judge]
    say(*(one.assumed for one in [*used, *others]))
    for one in (*used, *others):
        to.check(one)
    return used, others, steps


def _adam(method: str, errors: str, rate: float, epochs: int, batch: int, network: str | None) -> Adam | None:
    from couplant.base.errors import UsageError
    from couplant.config.interface import METHODS, WEIGHTINGS
    from couplant.design.neural.adam import Adam

    for name, value, allowed in (("--method", method, METHODS), ("--errors", errors, WEIGHTINGS)):
        if value not in allowed:
            raise UsageError(f"{name} = {value}, allowed {', '.join(allowed)}")
    if method != "adam":
        return None
    if network is None:
        raise UsageError("--method = adam, allowed with --network")
    return Adam(rate, epochs, batch, errors == "relative")


def _figures(lesson: Lesson) -> dict[str, Any]:
    from couplant.design.neural.offline import learnt_settings

    figures = {"steps": lesson.steps, "timing": lesson.timing, "choice": lesson.choice and asdict(lesson.choice)}
    figures |= {"a": list(lesson.algorithm.a), "A": list(lesson.algorithm.A)}
    figures["network"] = learnt_settings(lesson).get("network")
    figures["loop"] = asdict(lesson.loop)
    figures["judged"] = {name: list(one.seconds) for name, one in lesson.judged.items()}
    return figures | {"recordings": {name: [row.to_dict() for row in one.table] for name, one in lesson.judged.items()}}
