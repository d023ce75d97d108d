"""``couplant learn``: weights from recordings."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from typer import Option

from couplant.base.errors import UsageError
from couplant.cli import options
from couplant.cli.output import expand_paths, named_signal, print_json, print_tables, refuse_worse, say, warn
from couplant.cli.signals.target import Target, plant_of, say_latency, target_of

if TYPE_CHECKING:
    from couplant.design.neural.offline import Lesson
    from couplant.report.page import Files
    from couplant.tables import Recording


def command(
    recordings: Annotated[list[Path], typer.Argument(metavar="FILE..", help="To learn from; folders or patterns.")],
    latency: Annotated[float | None, typer.Option(help="Latency: 45ms.", **options.TIME)] = None,
    steps: options.Steps = None,
    judge: Annotated[list[Path] | None, typer.Option(metavar="FILE", help="To judge on; else their ends.")] = None,
    timing: Annotated[str | None, typer.Option(metavar="NAME", help="step or event; else step.")] = None,
    macro_step: options.MacroStep = None, column: options.Column = None,
    time: options.TimeColumn = None, time_unit: options.TimeUnit = None,
    delimiter: options.Delimiter = None, decimal: options.Decimal = None,
    network: Annotated[
        str | None, Option(metavar="START", help="Train a network that starts as zoh, foh, eros3, eros4 or linear.")
    ] = None,
    method: Annotated[str, typer.Option(metavar="NAME", help="Of training: least_squares or adam.")] = "least_squares",
    errors: Annotated[str, typer.Option(metavar="NAME", help="Of adam: absolute or relative.")] = "absolute",
    rate: Annotated[float, typer.Option(metavar="X", help="Of adam: how far a weight goes.")] = 0.005,
    epochs: Annotated[int, typer.Option(metavar="N", help="Of adam: passes over the recordings.")] = 30,
    batch: Annotated[int, typer.Option(metavar="N", help="Of adam: samples in an update.")] = 128,
    peak: Annotated[float | None, typer.Option(metavar="G0", help="Largest gain of linear weights.")] = None,
    system: Annotated[Path | None, typer.Option(metavar="TOML", help="Plant: weights that its loop bears.")] = None,
    host: options.Host = None, assignments: options.Assignments = None,
    config: options.WeightsInto = None, signal: options.Signal = None, output: options.Output = None,
    picture: options.Picture = None, as_json: options.AsJson = False,
) -> None:  # fmt: skip
    """Learn a coupling algorithm from recordings and judge it on others."""
    from couplant.config.interface import USUAL_TIMING
    from couplant.design.ask_signals import learn
    from couplant.report.page import Files
    from couplant.tables import Reading

    files, plant = Files(output, picture), plant_of(system, options.with_host(assignments, host, "host"))
    to = target_of(config, signal, macro_step, timing, options.late(steps, latency))
    if to.steps is None:
        raise UsageError("--latency is missing, or --steps in macro steps: a settings file may tell it too")
    told = _Told(to, split=not judge)
    lesson = learn(
        expand_paths(recordings), steps=to.steps, judge=expand_paths(judge or []) or None, column=column,
        timing=to.timing or USUAL_TIMING, macro_step=to.macro_step, how=Reading(time, time_unit, delimiter, decimal),
        network=network, method=method, errors=errors, rate=rate, epochs=epochs, batch=batch, peak=peak, system=plant,
        protection=to.protection, check=told.check,
    )  # fmt: skip
    _tell(lesson, signal, told.names[0], config, files, as_json)


class _Told:
    """Messages on recordings, printed as they are read."""

    def __init__(self, to: Target, split: bool) -> None:
        self._to, self._split = to, split
        self.names: list[str] = []

    def check(self, one: Recording) -> None:
        from couplant.report.inspection import sampling

        if not self.names:
            if self._split:
                text = "Learnt from the first three fifths of each recording, judged on the rest; or --judge."
                typer.echo(text, err=True)
            say_latency(self._to.steps, one.macro_step, self._to.macro_step)
            warn(*sampling(one))
        self.names.append(one.name)
        say(one.assumed)
        self._to.check(one)


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
        print_json(lesson.to_dict())
    else:
        typer.echo("\n".join(page.paragraphs[-2:]))
        print_tables(page.tables)
        typer.echo(page.toml)
    refuse_worse(bool(worse), config)
