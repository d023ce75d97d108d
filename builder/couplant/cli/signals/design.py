"""``couplant design``: an optimal linear algorithm for a band, a recording or a plant."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer
from typer import Option

from couplant.base.errors import UsageError
from couplant.cli import options
from couplant.cli.output import named_signal, print_json, print_table, print_tables, refuse_worse, say, warn
from couplant.cli.signals.target import plant_of, say_latency, target_of

if TYPE_CHECKING:
    from couplant.config.network import Seconds
    from couplant.design.request import Answers, Request
    from couplant.report.page import Files, Page


class Asked(NamedTuple):
    """Options about noise, excitation and scattered plants."""

    noise: Sequence[str] | None
    excited: Sequence[str] | None
    band: tuple[float, float] | None
    plants: int
    spread: float


def command(
    macro_step: Annotated[float | None, Option("--macro-step", help="Macro step: 20ms.", **options.TIME)] = None,
    latency: options.Latencies = None, steps: options.ManySteps = None,
    band: Annotated[tuple[float, float] | None, Option(metavar="LOW HIGH", help="Useful band in rad/s.")] = None,
    timing: Annotated[str | None, Option(metavar="NAME", help="step or event; else of the system, or step.")] = None,
    recording: Annotated[Path | None, Option(metavar="FILE", help="Recording to design for.")] = None,
    judge: options.Judge = None, column: options.Column = None, time: options.TimeColumn = None,
    time_unit: options.TimeUnit = None, delimiter: options.Delimiter = None, decimal: options.Decimal = None,
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
    certify: Annotated[int | None, Option(metavar="N", help="With a proof for N losses in a row (--system).")] = None,
    published: Annotated[bool, Option("--published", help="Published cost, for comparison only.")] = False,
    config: options.WeightsInto = None, signal: options.Signal = None,
    output: options.Output = None, picture: options.Picture = None, host: options.Host = None,
    assignments: options.Assignments = None, as_json: options.AsJson = False,
) -> None:  # fmt: skip
    """Design an optimal linear coupling algorithm and print its weights."""
    from couplant.report.page import Files

    files, edits = Files(output, picture), options.with_host(assignments, host, "host")
    late = options.lates(steps, latency)
    if model is not None:
        return _models(model, edits, timing, late, Asked(noise, excited, band, plants, spread), config, files, as_json)
    if derivatives:
        return _derivatives(system, edits, timing, late, config, signal, as_json)
    given = dict(m=taps, degree=degree, lead=lead, peak=peak, slope=slope, gain_band=gain_band, gain_limit=gain_limit)
    to, how = (config, signal, macro_step, timing), (time, time_unit, delimiter, decimal)
    request = _request(to, recording, late, band, system, edits, column, how, given | _share(noise, excited), judge)
    _print_published(request, as_json) if published else _designs(request, signal, config, files, as_json, certify)


def _models(
    model: Path, changes: list[str], timing: str | None, steps: list[int | Seconds], asked: Asked,
    config: Path | None, files: Files, as_json: bool,
) -> None:  # fmt: skip
    """Print and write the observers for a loop; a settings file or scenario `config` gets their tables."""
    from couplant.cosim.wiring.loops import loop_of
    from couplant.design.models import design_models, model_tables
    from couplant.design.settings import write_models
    from couplant.report.design import describe_models, model_charts
    from couplant.report.page import write_files

    if len(steps) > 1:
        raise UsageError(f"--steps = {', '.join(map(str, steps))}, allowed one latency with --model")
    loop = loop_of(model, changes, timing, steps[0] if steps else None)
    shares = _numbers_by_name("--noise", asked.noise, {name: output for output, name in loop.signals.items()})
    levels = _numbers_by_name("--excited", asked.excited, {one.name: one.name for one in loop.system.prototypes})
    every = shares.pop("", 0.0)
    noise = dict.fromkeys(loop.signals, every) | shares if asked.noise else None
    corner = asked.band[1] if asked.band else None
    found = design_models(loop.system, noise=noise, corner=corner, excited=levels or None, plants=asked.plants,
                          spread=asked.spread)  # fmt: skip
    page = describe_models(found, loop.signals)
    warn(*page.warnings)
    if config is not None:
        write_models(config, model_tables(found.system, found.chosen.weights, loop.signals))
    write_files(page, lambda: model_charts(found), files)
    if as_json:
        return print_json(found.to_dict())
    typer.echo("\n".join(page.paragraphs))
    print_tables(page.tables, titled=False)
    return typer.echo(page.toml)


def _numbers_by_name(option: str, given: Sequence[str] | None, names: dict[str, str]) -> dict[str, float]:
    """Return numbers by what their names mean, one without a name by an empty text."""
    found: dict[str, float] = {}
    for text in given or ():
        name, _, number = text.rpartition("=")
        try:
            value = float(number)
        except ValueError:
            raise UsageError(f"{option} = {text}, allowed a number or NAME=NUMBER") from None
        if name not in names and (name or option != "--noise"):
            raise UsageError(f"{option} = {text}, allowed names are {', '.join(names)}")
        found[names.get(name, "")] = value
    return found


def _derivatives(
    path: Path | None, changes: list[str], timing: str | None, steps: list[int | Seconds], config: Path | None,
    signal: str | None, as_json: bool,
) -> None:  # fmt: skip
    """Design weights of signals and their derivatives for the loop of a plant; print them, `config` gets them."""
    from dataclasses import asdict

    from couplant.analysis.system_file import read_system
    from couplant.design.joint import joint_designs
    from couplant.design.settings import weight_settings, weights_text, write_weights

    if path is None:
        raise UsageError("--derivatives is allowed with --system")
    changes = [*changes, *([f'timing="{timing}"'] if timing else [])]
    found = joint_designs([read_system(path, changes, k) for k in steps or (None,)])
    weights, lead = {one.algorithm.k: one.algorithm for one in found}, found[0].lead
    if config is not None:
        write_weights(config, named_signal(signal), weights, lead or None)
    if as_json:
        designs = [{"steps": one.algorithm.k, "prior": asdict(one.prior), **asdict(one.robustness)} for one in found]
        return print_json({**weight_settings(weights), "hold_lead": lead, "designs": designs})
    names = ("steps", "stable within 5 %", "mode error", "radius")
    rows = [(str(one.algorithm.k), one.robustness) for one in found]
    print_table(names, [[k, f"{r.stable_share:.0%}", f"{r.mode_error:.2g}", f"{r.radius:.6f}"] for k, r in rows])
    return typer.echo(weights_text(signal or "signal", weights, lead))


def _request(
    target: tuple[Path | None, str | None, float | None, str | None], recording: Path | None,
    steps: list[int | Seconds], band: tuple[float, float] | None, system: Path | None, changes: list[str],
    column: str | None, how: tuple[Any, ...], given: dict[str, Any], judge: Path | None,
) -> Request:  # fmt: skip
    from couplant.design.ask import request_for
    from couplant.tables import Reading

    plant = plant_of(system, changes)
    to = target_of(*target, steps[0] if len(steps) == 1 else None)
    latencies = steps or (None if to.steps is None else [to.steps])
    settings = {key: value for key, value in given.items() if value is not None}
    request = request_for(
        recording, latencies, to.macro_step, band, plant, to.timing, column, Reading(*how), settings, judge
    )  # fmt: skip
    say_latency(max(steps, default=None), request.macro_step, to.macro_step or plant)
    if request.recording is not None:
        say(request.recording.assumed)
        to.check(request.recording)
    return request


def _share(noise: list[str] | None, excited: list[str] | None) -> dict[str, Any]:

    if excited is not None:
        raise UsageError(f"--excited = {', '.join(excited)}, allowed with --model alone")
    if noise is None:
        return {}
    try:
        (text,) = noise
        return {"noise": float(text)}
    except ValueError:
        raise UsageError(f"--noise = {', '.join(noise)}, allowed one number without --model") from None


def _designs(
    request: Request, signal: str | None, config: Path | None, files: Files, as_json: bool, loss: int | None
) -> None:
    from couplant.design.request import answer, certified_answer
    from couplant.design.settings import write_settings
    from couplant.report.curves import design_charts
    from couplant.report.design import describe
    from couplant.report.page import write_files

    answers, proof = (answer(request), None) if loss is None else certified_answer(request, loss)
    page = describe(answers, request, signal or (request.recording.name if request.recording else "signal"), proof)
    warn(*page.warnings)
    worse = request.system is None and any(one.worse for one in answers.values())
    if config is not None and not worse:
        designs = {k: one.design for k, one in answers.items()}
        write_settings(config, named_signal(signal), designs, proof.rules.burst if proof else 0)
    write_files(page, lambda: design_charts(answers), files)
    print_json(answers.to_dict()) if as_json else _show(page, answers)
    refuse_worse(worse, config)


def _print_published(request: Request, as_json: bool) -> None:
    """Print the published optimum of each latency beside ZOH and the sound design, all by the published cost."""
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
    print_tables(page.tables[:1], titled=False)
    for one in answers.values():
        if one.table:
            print_tables([error_table("", one.table)], titled=False)
        if one.robustness:
            typer.echo(f"{100 * one.robustness.stable_share:.0f} % of 100 plants within 5 % are stable")
            if one.design.task.noise:
                typer.echo(f"{100 * one.robustness.noise:.3g} % of the signals are noise in the estimates")
    typer.echo(page.toml)
