"""``couplant design``: an optimal linear algorithm for a band, a recording or a plant."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer import Option

from couplant.cli.output import (
    AsJson,
    Assignments,
    Decimal,
    Delimiter,
    HostOption,
    Output,
    Picture,
    TimeColumn,
    TimeUnit,
    named_signal,
    print_json,
    print_table,
    refuse_worse,
    say,
    warn,
    with_host,
)
from couplant.cli.signals.derivatives import design_derivatives
from couplant.cli.signals.observers import Asked, design_observers
from couplant.cli.signals.target import target_of

if TYPE_CHECKING:
    from couplant.analysis.system import System
    from couplant.design.request import Answers, Request
    from couplant.report.page import Files, Page


def command(
    macro_step: Annotated[float | None, Option("--macro-step", metavar="S", help="Macro step in s.")] = None,
    steps: Annotated[list[int] | None, Option("--steps", metavar="K", help="Latency; several: a table.")] = None,
    band: Annotated[tuple[float, float] | None, Option(metavar="LOW HIGH", help="Useful band in rad/s.")] = None,
    timing: Annotated[str | None, Option(metavar="NAME", help="step or event; else of the system, or step.")] = None,
    recording: Annotated[Path | None, Option(metavar="FILE", help="Recording to design for.")] = None,
    judge: Annotated[Path | None, Option(metavar="FILE", help="To judge on; else the end of the recording.")] = None,
    column: Annotated[str | None, Option(metavar="NAME", help="Column of the recording.")] = None,
    time: TimeColumn = None, time_unit: TimeUnit = None, delimiter: Delimiter = None, decimal: Decimal = None,
    system: Annotated[Path | None, Option(metavar="TOML", help="Plant: a robust design for its loop.")] = None,
    model: Annotated[Path | None, Option(metavar="TOML", help="System or scenario: observers for its models.")] = None,
    noise: Annotated[list[str] | None, Option(metavar="[NAME=]SHARE", help="Of signals, over their rms.")] = None,
    excited: Annotated[list[str] | None, Option(metavar="NAME=LEVEL", help="Effect of what else excites one.")] = None,
    plants: Annotated[int, Option(metavar="N", help="Scattered plants that --model tries.")] = 100,
    spread: Annotated[float, Option(metavar="SHARE", help="Scatter of their parameters.")] = 0.05,
    taps: Annotated[int | None, Option("-m", "--taps", metavar="M", help="Number of past values.")] = None,
    degree: Annotated[int | None, Option(metavar="D", help="Exact on polynomials of this degree.")] = None,
    peak: Annotated[float | None, Option(metavar="G0", help="Gain bound at the end of the band.")] = None,
    slope: Annotated[float | None, Option(metavar="R", help="Slope of the gain bound; else measured.")] = None,
    lead: Annotated[float | None, Option(metavar="STEPS", help="Lead in step timing, for the hold.")] = None,
    gain_band: Annotated[float | None, Option(metavar="W", help="Disturbances up to here, in rad/s.")] = None,
    gain_limit: Annotated[float | None, Option(metavar="G", help="Largest gain for disturbances.")] = None,
    derivatives: Annotated[bool, Option("--derivatives", help="For what the system sends with a derivative.")] = False,
    published: Annotated[bool, Option("--published", help="Published cost, for comparison only.")] = False,
    config: Annotated[Path | None, Option(metavar="TOML", help="Settings file that gets the weights.")] = None,
    signal: Annotated[str | None, Option(metavar="NAME", help="Signal of the settings file.")] = None,
    output: Output = None, picture: Picture = None, host: HostOption = None,
    assignments: Assignments = None,
    as_json: AsJson = False,
) -> None:  # fmt: skip
    """Design an optimal linear coupling algorithm and print its weights."""
    files, changes = _files(output, picture), with_host(assignments, host, "host")
    asked = Asked(noise, excited, band, plants, spread)
    if model is not None:
        return _observers(model, changes, timing, steps, asked, config, files, as_json)
    if derivatives:
        return design_derivatives(system, changes, timing, steps or [], config, signal, as_json)
    given = dict(m=taps, degree=degree, lead=lead, peak=peak, slope=slope, gain_band=gain_band, gain_limit=gain_limit)
    to, how, loop = (config, signal, macro_step, timing), (time, time_unit, delimiter, decimal), _plant(system, changes)
    request = _request(to, recording, steps, band, loop, column, how, given | _share(noise, excited), judge)
    _print_published(request, as_json) if published else _designs(request, signal, config, files, as_json)


def _files(output: Path | None, picture: Path | None) -> Files:
    from couplant.report.page import Files

    return Files(output, picture)


def _observers(
    model: Path, changes: list[str], timing: str | None, steps: list[int] | None, asked: Asked, *rest: Any
) -> None:
    from couplant.base.errors import UsageError
    from couplant.cosim.wiring.loops import loop_of

    if steps is not None and len(steps) > 1:
        raise UsageError(f"--steps = {', '.join(map(str, steps))}, allowed one latency with --model")
    design_observers(loop_of(model, changes, timing, steps[0] if steps else None), asked, *rest)


def _plant(path: Path | None, changes: list[str]) -> System | None:
    from couplant.analysis.system_file import read_system

    return None if path is None else read_system(path, changes)


def _request(
    target: tuple[Path | None, str | None, float | None, str | None], recording: Path | None,
    steps: list[int] | None, band: tuple[float, float] | None, plant: System | None, column: str | None,
    how: tuple[Any, ...], given: dict[str, Any], judge: Path | None,
) -> Request:  # fmt: skip
    from couplant.design.ask import request_for
    from couplant.tables import Reading

    to = target_of(*target, steps[0] if steps and len(steps) == 1 else None)
    latencies, settings = steps or (None if to.steps is None else [to.steps]), _without_none(given)
    request = request_for(
        recording, latencies, to.macro_step, band, plant, to.timing, column, Reading(*how), settings, judge
    )  # fmt: skip
    if request.recording is not None:
        say(request.recording.assumed)
        to.check(request.recording)
    return request


def _share(noise: list[str] | None, excited: list[str] | None) -> dict[str, Any]:
    from couplant.base.errors import UsageError

    if excited is not None:
        raise UsageError(f"--excited = {', '.join(excited)}, allowed with --model alone")
    if noise is None:
        return {}
    try:
        (text,) = noise
        return {"noise": float(text)}
    except ValueError:
        raise UsageError(f"--noise = {', '.join(noise)}, allowed one number without --model") from None


def _without_none(values: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in values.items() if value is not None}


def _designs(request: Request, signal: str | None, config: Path | None, files: Files, as_json: bool) -> None:
    from couplant.design.request import answer
    from couplant.design.settings import write_settings
    from couplant.report.charts.curves import design_charts
    from couplant.report.design import describe
    from couplant.report.page import write_files

    answers = answer(request)
    page = describe(answers, request, signal or (request.recording.name if request.recording else "signal"))
    for line in page.warnings:
        warn(line)
    worse = request.system is None and any(one.worse for one in answers.values())
    if config is not None and not worse:
        write_settings(config, named_signal(signal), {k: one.design for k, one in answers.items()})
    write_files(page, lambda: design_charts(answers), files)
    print_json(answers.to_dict()) if as_json else _show(page, answers)
    refuse_worse(worse, config)


def _print_published(request: Request, as_json: bool) -> None:
    """Print the published optimum of each latency beside ZOH and the sound design, all by the published cost."""
    from couplant.base.errors import UsageError
    from couplant.design.published import WARNING, beside_the_sound

    if request.band is None:
        raise UsageError("--band is missing: the published cost needs it")
    warn(WARNING)
    rows = beside_the_sound(request)
    if as_json:
        print_json(rows)
        return
    names = ("algorithm", "steps", "J", "gain", "phase", "rest")
    print_table(names, [[r["algorithm"], *(f"{r[key]:.6g}" for key in names[1:])] for r in rows])


def _show(page: Page, answers: Answers) -> None:
    from couplant.report.page import error_table

    typer.echo("\n".join(page.paragraphs))
    table = page.tables[0]
    print_table(table.columns, table.rows)
    for one in answers.values():
        if one.table:
            errors = error_table("", one.table)
            print_table(errors.columns, errors.rows)
        if one.robustness:
            typer.echo(f"{100 * one.robustness.stable_share:.0f} % of 100 plants within 5 % are stable")
            if one.design.task.noise:
                typer.echo(f"{100 * one.robustness.noise:.3g} % of the signals are noise in the estimates")
    typer.echo(page.toml)
