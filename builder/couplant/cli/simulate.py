"""``couplant simulate`` and ``couplant demo``: co-simulate through network and coupling FMUs, judge the estimates."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from couplant.base.files import write_atomic
from couplant.base.paths import demonstration
from couplant.base.style import macro_steps, plain, radius
from couplant.cli import options
from couplant.cli.output import check_picture, free_folder, output_folder, print_json, print_table, progress_bar, show

if TYPE_CHECKING:
    from couplant.cosim.result import Result

_DEMO = "scenario.toml"
_THEORY = ("stable", "radius")
_CREATED = "created / J"


def command(
    scenario: options.Scenario,
    output: options.RunsFolder = None,
    picture: options.RunsPicture = None,
    host: options.Host = None,
    assignments: options.Assignments = None,
    as_json: options.AsJson = False,
) -> None:
    """Co-simulate a scenario and judge the estimates."""
    from couplant.cosim import simulate

    check_picture(picture)
    folder = None if output is None else output_folder(output)
    with progress_bar(wanted=not as_json) as progress:
        result = simulate(scenario, options.scenario_with_host(assignments, host), output=folder, progress=progress)
    show_result(result, folder, picture, as_json)
    if folder is not None and not as_json:
        from couplant.report.simulation import FILES

        typer.echo(f"wrote {', '.join(FILES)}, runs and fmus to {folder}")


def demo(
    output: Annotated[Path, typer.Option("-o", "--output", metavar="DIR", help="Folder that is made.")] = Path(
        "couplant_demo"
    ),
    force: options.Force = False,
    browser: options.Open = True,
) -> None:
    """Simulate two masses, coupled over a network, with five algorithms, and show the report."""
    from couplant.cosim import simulate
    from couplant.report.simulation import write_result

    folder = free_folder(output, force)
    scenario = write_atomic(folder / _DEMO, (demonstration() / _DEMO).read_bytes())
    with progress_bar() as progress:
        result = simulate(scenario, output=folder, progress=progress)
    page = write_result(result, folder)
    print_result(result)
    typer.echo(f"The report is {page}; next: couplant simulate {scenario} --set network.latency_steps=4")
    show(page, browser)


def show_result(result: Result, folder: Path | None, picture: Path | None, as_json: bool) -> None:
    """Write report and picture where they are wanted and print the figures."""
    if folder is not None:
        from couplant.report.simulation import write_result

        write_result(result, folder)
    if picture is not None:
        from couplant.report.png import write_png

        write_png(result, picture)
    if as_json:
        print_json(json.loads(result.to_json()))
    else:
        print_result(result)


def print_result(result: Result) -> None:
    """Print the figures of all runs, and what they mean."""
    latency = result.latency if result.replayed else macro_steps(result.latency_steps)
    title = f"{result.scenario_name}: {result.stepping}, latency {latency}"
    leads = ", ".join(f"{name} {added.steps:+d}" for name, added in result.added.items())
    bonds, theory = any(run.bonds for run in result.runs), any(run.stable is not None for run in result.runs)
    grows = not all(run.recorded for run in result.runs)
    rows = [
        [
            run.algorithm,
            run.timing,
            *(plain(run.metrics.get(name)) for name in result.shown),
            *([_or_dash(run.energy.get("created"))] if bonds else []),
            *(({None: "-", True: "yes", False: "no"}[run.stable], radius(run.radius)) if theory else []),
        ]
        for run in result.runs
    ]
    headings = (*result.headings, *((_CREATED,) if bonds else ()), *(_THEORY if theory else ()))
    typer.echo(title + (f", host {result.host}" if leads else ""))
    if any(added.steps for added in result.added.values()):
        typer.echo(f"the host adds, in communication steps: {leads}")
    print_table(headings, rows)
    say_bonds(result)
    _say_own(result)
    _say_messages(result)
    typer.echo(f"{_errors(result)} against the {_meaning(result, grows)}")
    from couplant.cosim.result import IN_PROCESS

    own = dict.fromkeys(run.algorithm for run in result.runs if run.in_process)
    if own:
        typer.echo(f"{IN_PROCESS}, no FMU: {', '.join(own)}")
    _say_leads(result)
    _say_what_grows(result)
    for timing in filter(result.is_wire_best, result.timings):
        typer.echo(f"leave the FMU out: the plain wire is better here, in {timing} timing.")
    if theory:
        typer.echo("stable: by theory, spectral radius below 1; -: unknown, or not what this run shows so far.")


def _errors(result: Result) -> str:
    """Name the errors that a table has: where units differ they are compared with the size of each signal only."""
    size = "error: MAE in % of each signal's rms, mean over the signals"
    return f"{size}," if result.unit is None else f"{size}; MAE, max: of the estimate"


def _meaning(result: Result, grows: bool) -> str:
    """Name the reference of the figures, and from when on they count."""
    if grows:
        return "delay-free reference; growth above 1: the signals keep growing."
    traces = [trace for run in result.runs for trace in run.traces.values()]
    first, last = min(trace.time[trace.since] for trace in traces), max(trace.time[-1] for trace in traces)
    return f"recording, all figures from {first:.6g} to {last:.6g} s."


def say_bonds(result: Result) -> None:
    """Print the energies of power bonds, where there are some in a `result`."""
    from couplant.report.bonds import ENERGIES, energies

    rows = [
        [run.algorithm, run.timing, name, str(one.step.size), *map(_or_dash, energies(one).values())]
        for run in result.runs
        for name, one in run.bonds.items()
    ]
    if rows:
        print_table(("run", "timing", "bond", "steps", *ENERGIES), rows)


def _say_messages(result: Result) -> None:
    from couplant.cosim.wiring.links import COUNTS

    found = [(run, name, counts) for run in result.runs for name, counts in run.messages.items()]
    if any(count for *_, counts in found for count in counts.values()):
        rows = [[run.algorithm, run.timing, name, *(str(counts[c]) for c in COUNTS)] for run, name, counts in found]
        print_table(("run", "timing", "signal", *(f"messages {name}" for name in COUNTS)), rows)


def _say_own(result: Result) -> None:
    """Print the scenario's own figures, one after the other, each without delay first."""
    rows = []
    for name in dict.fromkeys(name for run in result.runs for name in run.figures):
        runs = [(run, run.figures[name]) for run in result.runs if name in run.figures]
        first = runs[0][1]
        rows.append([name, "no delay", "", _own(first.reference), first.unit, _or_dash(first.reference_time), "-"])
        for run, one in runs:
            figures = (_own(one.value), one.unit, _or_dash(one.time), _or_dash(100.0 * one.change))
            rows.append(["", run.algorithm, run.timing, *figures])
    if rows:
        print_table(("figure", "run", "timing", "value", "unit", "at / s", "difference / %"), rows)


def _own(value: float) -> str:
    return "-" if math.isnan(value) else f"{value:.6g}"


def _or_dash(value: float | None) -> str:
    return plain(None if value is None or math.isnan(value) else value)


def _say_leads(result: Result) -> None:
    """Print which signals have a lead for the receiver's hold, and for which it is proposed or worth trying."""
    from couplant.config.latency import PROPOSED

    lead = PROPOSED * (result.communication_step or result.macro_step) / result.macro_step
    for word, kind in (("by default", "held"), ("proposed", "proposed"), ("to try", "to_try")):
        for names in dict.fromkeys(getattr(run, kind) for run in result.runs if getattr(run, kind)):
            fitting = ", ".join(run.algorithm for run in result.runs if getattr(run, kind) == names)
            typer.echo(f"{word} with {fitting}: coupling.latency.hold_lead = {lead:g} for {', '.join(names)}")


def _say_what_grows(result: Result) -> None:
    from couplant.cosim.judgement.verdict import STABLE, UNSTABLE

    found: dict[str, list[str]] = {}
    for run in result.runs:
        found.setdefault(run.verdict, []).append(f"{run.algorithm} ({run.timing})")
    if UNSTABLE in found and not result.open_loop:
        stable = "; stable: " + (", ".join(found[STABLE]) if STABLE in found else "none")
        typer.echo(f"unstable in this run, signals or estimates grow: {', '.join(found[UNSTABLE])}{stable}")
