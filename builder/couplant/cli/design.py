"""``couplant design``: an optimal linear algorithm for a band, a recording or a plant."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from typer import Option

from couplant.cli.output import AsJson, Assignments, print_json, print_table, warn

_FIGURES = ("steps", "m", "degree", "peak", "slope", "lead", "rms_error", "peak_gain", "noise_gain", "violation")


def command(
    macro_step: Annotated[float | None, Option("--macro-step", metavar="S", help="Macro step in s.")] = None,
    steps: Annotated[list[int] | None, Option("--steps", metavar="K", help="Latency; several: a table.")] = None,
    band: Annotated[tuple[float, float] | None, Option(metavar="LOW HIGH", help="Useful band in rad/s.")] = None,
    timing: Annotated[str | None, Option(metavar="NAME", help="event or step; else that of the system.")] = None,
    recording: Annotated[Path | None, Option(metavar="CSV", help="Recording to design for.")] = None,
    column: Annotated[str | None, Option(metavar="NAME", help="Column of the recording.")] = None,
    system: Annotated[Path | None, Option(metavar="TOML", help="Plant: a robust design for its loop.")] = None,
    taps: Annotated[int | None, Option("-m", "--taps", metavar="M", help="Number of past values.")] = None,
    degree: Annotated[int | None, Option(metavar="D", help="Exact on polynomials of this degree.")] = None,
    peak: Annotated[float | None, Option(metavar="G0", help="Gain bound at the end of the band.")] = None,
    slope: Annotated[float | None, Option(metavar="R", help="Slope of the gain bound; else measured.")] = None,
    lead: Annotated[float | None, Option(metavar="STEPS", help="Lead in step timing, for the hold.")] = None,
    gain_band: Annotated[float | None, Option(metavar="W", help="Disturbances up to here, in rad/s.")] = None,
    gain_limit: Annotated[float | None, Option(metavar="G", help="Largest gain for disturbances.")] = None,
    published: Annotated[bool, Option("--published", help="Published cost, for comparison only.")] = False,
    config: Annotated[Path | None, Option(metavar="TOML", help="Settings file that gets the weights.")] = None,
    signal: Annotated[str | None, Option(metavar="NAME", help="Signal of the settings file.")] = None,
    output: Annotated[Path | None, Option("-o", "--output", metavar="HTML", help="Report page.")] = None,
    assignments: Assignments = None,
    as_json: AsJson = False,
) -> None:
    """Design an optimal linear coupling algorithm and print its weights."""
    from couplant.design.request import answer

    given = {"m": taps, "degree": degree, "peak": peak, "slope": slope, "lead": lead}
    settings = _given(given | {"gain_band": gain_band, "gain_limit": gain_limit})
    plant = _plant(system, assignments, macro_step)
    signals = _recording(recording, column, macro_step, plant)
    request = _request(macro_step, steps, timing, band, signals, plant, settings)
    if published:
        return _published(request, as_json)
    answers = answer(request)
    for line in _warnings(answers):
        warn(line)
    name = signal or (request.recording.name if request.recording else "signal")
    if config is not None:
        _write_config(config, signal, answers)
    if output is not None:
        _write_page(answers, request, name, output)
    print_json(_json(answers, request)) if as_json else _show(answers, request, name)


def _given(settings: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in settings.items() if value is not None}


def _plant(path: Path | None, assignments: list[str] | None, macro_step: float | None) -> Any:
    from dataclasses import replace

    from couplant.analysis.system_file import read_system

    if path is None:
        return None
    system = read_system(path, assignments or ())
    return system if macro_step is None else replace(system, macro_step=macro_step)


def _recording(path: Path | None, column: str | None, macro_step: float | None, plant: Any) -> Any:
    from couplant.analysis.recording import read_recording

    if path is None:
        return None
    return read_recording(path, column=column, macro_step=macro_step or (plant.macro_step if plant else None))


def _request(
    macro_step: float | None, steps: list[int] | None, timing: str | None, band: Any, recording: Any, plant: Any,
    settings: dict[str, Any],
) -> Any:  # fmt: skip
    from couplant.design.request import Request
    from couplant.errors import UsageError

    step = macro_step or (plant.macro_step if plant else None) or (recording.macro_step if recording else None)
    if step is None:
        raise UsageError("--macro-step is missing: give it, a recording or a system")
    if not steps and plant is None:
        raise UsageError("--steps is missing: the latency in macro steps")
    latencies = steps or [max(c.algorithm.k for c in plant.connections)]
    return Request(step, latencies, timing or (plant.timing if plant else "event"), band, recording, plant, settings)


def _published(request: Any, as_json: bool) -> None:
    """Print the published optimum of each latency beside ZOH and the sound design, all by the published cost."""
    from couplant.analysis import generic
    from couplant.design.published import WARNING, PublishedTask, published_cost, published_design
    from couplant.design.request import answer
    from couplant.errors import UsageError

    if request.band is None:
        raise UsageError("--band is missing: the published cost needs it")
    warn(WARNING)
    taps, degree = request.settings.get("m", 7), request.settings.get("slope", 1.0)
    rows = []
    for k, sound in answer(request).items():
        task = PublishedTask(request.macro_step, k, request.band, taps, degree)
        for one in (published_design(task), generic("zoh", k), sound.design.algorithm):
            cost = published_cost(one, task)
            row = {"algorithm": one.name, "steps": k, "J": cost.total, "gain": cost.gain, "phase": cost.phase}
            rows.append(row | {"rest": cost.rest, "a": list(one.a), "A": list(one.A)})
    if as_json:
        print_json(rows)
        return
    names = ("algorithm", "steps", "J", "gain", "phase", "rest")
    print_table(names, [[r["algorithm"], *(f"{r[key]:.6g}" for key in names[1:])] for r in rows])


def _warnings(answers: dict[int, Any]) -> list[str]:
    lines = []
    for k, one in answers.items():
        if one.design.violation > 0.01:
            excess = f"{100 * one.design.violation:.0f} %"
            lines.append(f"k = {k}: the gain bound is exceeded by {excess}: raise peak or lower degree")
        if one.robustness is not None and one.robustness.stable_share < 1.0:
            lines.append(f"k = {k}: only {100 * one.robustness.stable_share:.0f} % of the scattered plants are stable")
        zoh = next((row for row in one.table if row.algorithm == "zoh"), None)
        if zoh is not None and one.table[-1].rms > zoh.rms:
            lines.append(f"k = {k}: on the recording the design has a larger error than ZOH")
    return lines


def _figures(one: Any) -> dict[str, Any]:
    task, design = one.design.task, one.design
    row = {"steps": task.k} | {key: getattr(task, key) for key in ("m", "degree", "peak", "slope", "lead")}
    return row | {key: getattr(design, key) for key in ("rms_error", "peak_gain", "noise_gain", "violation")}


def _json(answers: dict[int, Any], request: Any) -> list[dict[str, Any]]:
    from dataclasses import asdict

    rows = []
    for one in answers.values():
        row = {"macro_step": request.macro_step, "timing": request.timing} | _figures(one)
        row |= {"a": list(one.design.algorithm.a), "A": list(one.design.algorithm.A), "offset": one.design.offset}
        row |= {"fmu_steps": one.design.fmu_steps, "errors": [asdict(row) for row in one.table]}
        rows.append(row | {"robustness": asdict(one.robustness) if one.robustness else None})
    return rows


def _rows(answers: dict[int, Any]) -> list[list[str]]:
    return [[f"{_figures(one)[key]:.4g}" for key in _FIGURES] for one in answers.values()]


def _show(answers: dict[int, Any], request: Any, name: str) -> None:
    print_table(_FIGURES, _rows(answers))
    for one in answers.values():
        if one.table:
            print_table(_ERRORS, _error_rows(one))
        if one.robustness:
            typer.echo(f"{100 * one.robustness.stable_share:.0f} % of 100 plants within 5 % are stable")
    typer.echo(_toml(answers, name))


_ERRORS = ("algorithm", "mae", "rms", "worst", "C")


def _error_rows(one: Any) -> list[list[str]]:
    return [[r.algorithm, *(f"{v:.4g}" for v in (r.mae, r.rms, r.worst, r.combined))] for r in one.table]


def _toml(answers: dict[int, Any], name: str) -> str:
    from couplant.design.settings import settings_text

    designs = {k: one.design for k, one in answers.items()}
    first = next(iter(designs.values()))
    return settings_text(name, designs, first.task.k, offset=first.offset)


def _write_config(config: Path, signal: str | None, answers: dict[int, Any]) -> None:
    from couplant.design.settings import write_settings
    from couplant.errors import UsageError

    if signal is None:
        raise UsageError("--signal is missing: which signal of the settings file gets the weights")
    write_settings(config, signal, {k: one.design for k, one in answers.items()})


def _write_page(answers: dict[int, Any], request: Any, name: str, path: Path) -> None:
    from math import pi

    from couplant.analysis import generic
    from couplant.report.curves import bode_figure
    from couplant.report.page import Page, Table, write_page

    pictures = []
    for k, one in answers.items():
        band = tuple(edge * request.macro_step / pi for edge in one.design.task.band)
        curves = [generic("zoh", k), generic("eros3", k), generic("eros4", k), one.design.algorithm]
        pictures.append((f"Coupling process, k = {k}", bode_figure(curves, request.timing, band=band)))
    tables = [Table("Designs", _FIGURES, _rows(answers))]
    tables += [Table(f"On the recording, k = {k}", _ERRORS, _error_rows(o)) for k, o in answers.items() if o.table]
    tables += [Table(f"On the plant, k = {k}", *_plant_rows(o.robustness)) for k, o in answers.items() if o.robustness]
    text = [f"Macro step {request.macro_step:g} s, {request.timing} timing."]
    page = Page("design", f"Design for {name}", text, _warnings(answers), tables, pictures, _toml(answers, name))
    write_page(page, path)


def _plant_rows(robustness: Any) -> tuple[tuple[str, ...], list[list[str]]]:
    row = [f"{100 * robustness.stable_share:.0f} %", f"{robustness.mode_error:.3g}", f"{robustness.radius:.9f}"]
    return ("stable plants", "mode error", "spectral radius"), [row]
