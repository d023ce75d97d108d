"""``couplant try``, from a recording to a report in one step, and ``couplant workbench``, the same in the browser."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from couplant.base.files import write_atomic
from couplant.cli import options
from couplant.cli.advise import PAGE, ask_loop, print_advice, print_written, write_advice
from couplant.cli.init import with_schemas
from couplant.cli.output import free_folder, given_of, one_of, print_json, progress_bar, say, show
from couplant.cli.simulate import print_result

if TYPE_CHECKING:
    from couplant.design.start import Start
    from couplant.sweep.candidates import Advice
    from couplant.tables import Reading

INTERFACE, SCENARIO, INSPECTION = "interface.toml", "scenario.toml", "inspection.html"
WORKBENCH = "workbench.html"


def command(
    recordings: Annotated[
        list[Path], typer.Argument(metavar="FILE", help="Recording: text, MDF, MATLAB, Parquet; of a loop several.")
    ],
    column: options.Column = None,
    sends: options.Sends = None,
    receives: options.Receives = None,
    latency: options.Latency = None,
    steps: options.Steps = None,
    jitter: options.Jitter = None,
    loss: options.Loss = None,
    seed: options.Seed = None,
    macro_step: options.MacroStep = None,
    time: options.TimeColumn = None,
    time_unit: options.TimeUnit = None,
    delimiter: options.Delimiter = None,
    decimal: options.Decimal = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="DIR", help="Folder; else called as the recording.")
    ] = None,
    force: options.Force = False,
    browser: options.Open = True,
    as_json: options.AsJson = False,
) -> None:
    """Look at a recording, choose an algorithm, simulate it and show a report: nothing else is needed."""
    from couplant.tables import Reading

    folder = free_folder(output or Path(f"{recordings[0].stem}_couplant"), force)
    how = Reading(time, time_unit, delimiter, decimal)
    late = options.late(steps, latency)
    given = {"macro_step": macro_step, **given_of(jitter=jitter, loss=loss, seed=seed)}
    if sends or receives:
        given |= {"how": how, "latency": latency, "steps": steps}
        found = ask_loop(recordings, sends, receives, wanted=not as_json, without={"--column": column}, **given)
        page = _loop(found, folder, as_json)
    else:
        page = _signal(one_of(recordings), how, column, given | {"steps": late}, folder, as_json)
    show(page, browser)


def _loop(found: Advice, folder: Path, as_json: bool) -> Path:
    """Write the files of an advice and the report of its scenario into a folder, and show them; return the report."""
    from couplant.cosim import simulate
    from couplant.report.simulation import write_result

    page = write_advice(found, folder)
    with progress_bar(wanted=not as_json) as progress:
        result = simulate(folder / SCENARIO, output=folder, progress=progress)
    report = write_result(result, folder)
    if as_json:
        print_json({"folder": str(folder), "loop": found.to_dict(), "simulation": json.loads(result.to_json())})
        return report
    say(*found.assumed)
    print_advice(page)
    print_result(result)
    print_written(found, folder, PAGE, f"{report.name} and more")
    return report


def _signal(
    recording: Path, how: Reading, column: str | None, given: Mapping[str, Any], folder: Path, as_json: bool
) -> Path:
    """Write start and report of one signal into a folder, and show them; `given` are arguments of `start_from`."""
    from couplant.cosim import simulate
    from couplant.design.start import start_from
    from couplant.report.simulation import write_result
    from couplant.tables import read

    with progress_bar(wanted=not as_json) as progress:
        told = progress or (lambda share, text: None)
        names = read(recording, how).numeric() if column is None else [column]
        start = start_from(recording, how, columns=names[:1], told=told, **given)
        _write_start(start, folder)
        result = simulate(folder / SCENARIO, output=folder, progress=progress)
        page = write_result(result, folder)
    say(*start.assumed)
    if as_json:
        inspected = {name: one.to_dict() for name, one in start.found.items()}
        print_json({"folder": str(folder), "inspection": inspected, "simulation": json.loads(result.to_json())})
    else:
        from couplant.design.recommendation import PHASOR, WITHOUT_LOOP, candidate_label

        (found,) = start.found.values()
        others = f", the first of {len(names)} channels (--column names another)" if len(names) > 1 else ""
        seconds = found.recording.value.size * start.macro_step
        typer.echo(f"{found.recording.name}{others}: {seconds:.6g} s")
        print_result(result)
        row = PHASOR if found.recommended == PHASOR else "auto"
        advised = f"Recommended: {candidate_label(found.recommended)}, the row {row}. " if found.is_worth_it else ""
        typer.echo(f"{advised}{found.reason}")
        typer.echo(WITHOUT_LOOP)
        typer.echo(f"wrote {INTERFACE}, {SCENARIO}, {INSPECTION}, report.html and more to {folder}")
        if found.is_worth_it:
            typer.echo(f"Next: couplant build {folder / INTERFACE}")
    return page


def _write_start(start: Start, folder: Path) -> None:
    from couplant.report.curves import inspection_charts
    from couplant.report.inspection import describe
    from couplant.report.page import write_page

    texts = {INTERFACE: start.interface().encode(), SCENARIO: start.scenario(folder).encode()}
    for name, content in with_schemas(texts).items():
        write_atomic(folder / name, content)
    (found,) = start.found.values()
    write_page(describe(found), folder / INSPECTION, inspection_charts(found))


def workbench(
    recording: Annotated[
        Path | None, typer.Argument(metavar="[RECORDING]", help="Recording that it shows; else an example.")
    ] = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="FILE", help="Page that is written; else a temporary one.")
    ] = None,
    browser: options.Open = True,
) -> None:
    """Try coupling algorithms in the browser: two masses over a network, and your recording; one page, no network."""
    from couplant.workbench import write_page

    given = None
    if recording is not None:
        from couplant.workbench.recording import read_shown  # numpy, which a page without one needs not, takes its time

        given = read_shown(recording)
    page = write_page(output or Path(tempfile.mkdtemp(prefix="couplant-")) / WORKBENCH, given)
    if output is None:
        page.chmod(0o600)  # as its folder: others on this machine need not see a recording
    typer.echo(f"The workbench is {page}")
    show(page, browser)
