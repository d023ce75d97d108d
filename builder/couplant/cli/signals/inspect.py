"""``couplant inspect``, ``lag``, ``macro-step``: what a recording, a response and measured latencies say."""

from __future__ import annotations

from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer import Argument, Option

from couplant.base.errors import UsageError
from couplant.cli import options
from couplant.cli.advise import ask_loop, print_advice
from couplant.cli.output import given_of, hint, named_signal, one_of, print_json, print_tables, progress_bar, say, warn
from couplant.cli.signals.target import Target, configured_of, say_latency, target_of

if TYPE_CHECKING:
    from couplant.report.page import Files
    from couplant.tables import Reading

_USUAL_STEPS = 3  # latency where nothing is said [macro steps]

MicroStep = Annotated[float | None, Option(help="Communication step: 1ms.", **options.TIME)]


def command(
    files: Annotated[list[Path], Argument(metavar="FILE", help="Recording; of a loop several.")],
    sends: options.Sends = None, receives: options.Receives = None,
    latency: options.Latency = None, steps: options.Steps = None,
    jitter: options.Jitter = None, loss: options.Loss = None, seed: options.Seed = None,
    macro_step: options.MacroStep = None,
    column: options.Column = None,
    time: options.TimeColumn = None, time_unit: options.TimeUnit = None,
    delimiter: options.Delimiter = None, decimal: options.Decimal = None,
    timing: Annotated[str | None, Option(metavar="NAME", help="step or event; else step.")] = None,
    judge: options.Judge = None,
    network: Annotated[bool, Option("--network", help="Judge network too, which learns as it runs.")] = False,
    latencies: Annotated[bool, Option("--latencies", hidden=True)] = False,
    micro_step: MicroStep = None,
    response_column: Annotated[str | None, Option("--response", hidden=True)] = None,
    longest: Annotated[float | None, Option(hidden=True, **options.TIME)] = None,
    config: Annotated[Path | None, Option(metavar="TOML", help="Settings whose algorithm is judged too.")] = None,
    signal: options.Signal = None,
    output: options.Output = None, picture: options.Picture = None, as_json: options.AsJson = False,
) -> None:  # fmt: skip
    """Inspect a recording: spectrum, bands, jumps, algorithms compared, and what to use."""
    if latencies and not (sends or receives):
        hint("inspect --latencies", "macro-step")
        return macro_step_command(one_of(files), micro_step or macro_step, output, picture, as_json)
    if (files[1:] or response_column is not None) and not (sends or receives):
        hint("inspect with a response", "lag")
        how = (time, time_unit, delimiter, decimal)
        return lag(files, column, response_column, *how, longest, config, signal, output, picture, as_json)
    _begin(files, quiet=bool(as_json or sends or receives))
    reading, written = _answers((time, time_unit, delimiter, decimal), (output, picture))
    given = given_of(judge=judge, network=network, how=reading, micro_step=micro_step)
    given |= given_of(jitter=jitter, loss=loss, seed=seed)
    if sends or receives:
        alone = {"--column": column, "--latencies": latencies, "--config": config, "--response": response_column}
        given |= {"latency": latency, "macro_step": macro_step, "timing": timing, "steps": steps}
        options.late(steps, latency)
        return _loop(files, (sends, receives), alone, given, written, as_json)
    given |= {"column": column, "configured": configured_of(config, signal)}
    to = target_of(config, signal, macro_step, timing, options.late(steps, latency))
    return _recording(files[0], to, given, written, as_json)


def lag(
    files: Annotated[list[Path], Argument(metavar="FILE", help="Of the command, then of the response; or of both.")],
    column: Annotated[str | None, Option(metavar="NAME", help="Column of the command; else the first.")] = None,
    response_column: Annotated[str | None, Option("--response", metavar="NAME", help="Column of the response.")] = None,
    time: options.TimeColumn = None, time_unit: options.TimeUnit = None,
    delimiter: options.Delimiter = None, decimal: options.Decimal = None,
    longest: Annotated[float | None, Option(help="Longest lag; else a tenth of all.", **options.TIME)] = None,
    config: Annotated[Path | None, Option(metavar="TOML", help="Settings file that gets latency.offset.")] = None,
    signal: options.Signal = None, output: options.Output = None, picture: options.Picture = None,
    as_json: options.AsJson = False,
) -> None:  # fmt: skip
    """Measure how far a response lags behind its command: what latency.offset has to make up for."""
    if not files[1:] and response_column is None:
        raise UsageError("--response is missing: the column of the response, where no second recording has it")
    _begin(files, quiet=as_json)
    how, written = _answers((time, time_unit, delimiter, decimal), (output, picture))
    _lag(files, column, response_column, how, longest, config, signal, written, as_json)


def macro_step_command(
    measured: Annotated[Path, Argument(metavar="FILE", help="Columns latency_s, or sent_s and received_s; sequence.")],
    micro_step: MicroStep = None,
    output: options.Output = None,
    picture: options.Picture = None,
    as_json: options.AsJson = False,
) -> None:
    """Choose the macro step by measured latencies: how often values are exchanged, and how late they then are."""
    _, written = _answers((), (output, picture))
    _latencies(measured, micro_step, written, as_json)


def _begin(files: list[Path], quiet: bool) -> None:
    """Show a sign of life before anything is loaded that takes long, where there is something to look at."""
    if not quiet and all(one.exists() for one in files):
        typer.echo(f"Inspecting {', '.join(map(str, files))} ..", err=True)


def _answers(how: tuple[str | None, ...], files: tuple[Path | None, ...]) -> tuple[Reading, Files]:
    from couplant.report.page import Files
    from couplant.tables import Reading

    return Reading(*how), Files(*files)


def _recording(path: Path, to: Target, given: dict[str, Any], files: Files, as_json: bool) -> None:
    from couplant.config.interface import USUAL_TIMING
    from couplant.design.ask import inspect
    from couplant.report.curves import inspection_charts
    from couplant.report.inspection import describe
    from couplant.report.page import write_files

    late, timing = _USUAL_STEPS if to.steps is None else to.steps, to.timing or USUAL_TIMING
    with progress_bar(wanted=not as_json) as progress:
        given |= {"told": progress} if progress else {}
        found = inspect(path, steps=late, macro_step=to.macro_step, timing=timing, **given)
    say_latency(late, found.recording.macro_step, to.macro_step, given.get("jitter", 0))
    say(found.recording.assumed, found.judged.recording.assumed)
    to.check(found.recording)
    page = describe(found)
    warn(*page.warnings)
    write_files(page, lambda: inspection_charts(found), files)
    if as_json:
        print_json(found.to_dict())
        return
    print_tables(page.tables, titled=False)
    typer.echo("\n".join([*page.paragraphs, "", page.toml]))


def _loop(
    paths: list[Path], ways: tuple[list[str] | None, list[str] | None], without: dict[str, Any],
    given: dict[str, Any], files: Files, as_json: bool,
) -> None:  # fmt: skip
    """Show the advice for a loop of signals both `ways`, and those signals as they are alone."""
    from couplant.design.ask import inspect
    from couplant.report.advice import advice_charts
    from couplant.report.curves import inspection_charts
    from couplant.report.inspection import describe_in_loop
    from couplant.report.page import write_files

    told = {key: value for key, value in given.items() if key not in ("judge", "network")}
    found = ask_loop(paths, *ways, wanted=not as_json, without=without, **told)
    one = found.system
    given.pop("latency")
    given |= {"macro_step": one.macro_step, "timing": one.timing, "steps": one.connections[0].algorithm.k}
    given |= {"micro_step": one.macro_step / one.micro_steps} if one.timing == "step" else {}
    alone = {name: inspect(paths[0], column=name, **given) for names in ways for name in names or ()}
    say(*found.assumed)
    page = describe_in_loop(found, alone)
    write_files(page, lambda: [*advice_charts(found), *chain(*map(inspection_charts, alone.values()))], files)
    if as_json:
        inspected = {name: each.to_dict() for name, each in alone.items()}
        print_json({"recommended": found.chosen.name, "loop": found.to_dict(), "alone": inspected})
        return
    print_advice(page)
    typer.echo(f"\n{page.toml}")


def _latencies(path: Path, micro_step: float | None, files: Files, as_json: bool) -> None:
    from dataclasses import asdict

    from couplant.analysis.signal.latencies import choose_macro_step, news, stamped_choice, statistics, step_choice
    from couplant.report.curves import latencies_charts
    from couplant.report.inspection import advice
    from couplant.report.page import Page, write_files
    from couplant.tables import read_latencies

    if micro_step is None or not micro_step > 0:
        raise UsageError("--micro-step is missing: the smallest step of the prototypes in s, above 0")
    measured = read_latencies(path)
    figures, finest = statistics(measured), step_choice(measured, micro_step)
    chosen, stamped = choose_macro_step(measured, micro_step), stamped_choice(measured, micro_step)
    came = news(measured, stamped.macro_step)
    lines = advice(figures, finest, chosen, stamped, came)
    write_files(Page("macro-step", "Latencies", lines), lambda: latencies_charts(measured, chosen), files)
    if as_json:
        choices = {"finest": finest.to_dict(), "choice": chosen.to_dict(), "stamped": stamped.to_dict()}
        wanted = {"coast_steps": came.coast_steps, "burst": came.burst}
        print_json({**asdict(figures), **choices, "stamped_settings": wanted, "advice": lines})
        return
    typer.echo("\n".join(lines))


def _lag(
    recordings: list[Path], column: str | None, response_column: str | None, how: Reading,
    longest: float | None, config: Path | None, signal: str | None, files: Files, as_json: bool,
) -> None:  # fmt: skip
    from couplant.analysis.signal.lag import measure_lag
    from couplant.base.filenames import signal_name
    from couplant.design.settings import write_offset
    from couplant.report.inspection import describe_lag, lag_chart
    from couplant.report.page import write_files
    from couplant.tables import read_samples

    command, response = recordings[0], one_of(recordings[1:] or recordings)
    sent = read_samples(command, column=column, how=how)
    answer = read_samples(response, column=response_column, how=how)
    say(sent.assumed, answer.assumed)
    found = measure_lag(sent, answer, longest)
    page = describe_lag(found, sent, answer, signal or signal_name(sent.name))
    if config is not None:
        write_offset(config, named_signal(signal), found.offset)
    write_files(page, lambda: [lag_chart(found, sent, answer)], files)
    if as_json:
        print_json(found.to_dict())
        return
    typer.echo("\n".join([*page.paragraphs, "", page.toml]))
