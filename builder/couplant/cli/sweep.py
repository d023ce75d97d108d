"""``couplant sweep``: a scenario with many algorithms, latencies, jitters, losses and seeds, in parallel."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from couplant.cli import options
from couplant.cli.output import check_picture, output_folder, print_json, print_shown, progress_bar, warn

if TYPE_CHECKING:
    from couplant.sweep import Sweep

_EPILOG = """LIST: numbers with commas between them, ranges first:last[:step] with both ends, or both: 0,1:4,8.
A single number of --seeds is how many: 10 means 1:10. Latency and jitter without a unit count in macro steps.
What is not given comes from the table [sweep] of the scenario (the same names), else from its other settings.
Rows that sweep.csv holds already are not run again, unless they failed: a command that was stopped goes on."""


def command(
    scenario: options.Scenario,
    output: Annotated[
        Path, typer.Option("-o", "--output", metavar="DIR", help="Folder for sweep.csv, heat maps and index.html.")
    ],
    algorithms: Annotated[str | None, typer.Option(metavar="NAME,..", help="Algorithms.")] = None,
    timing: Annotated[str | None, typer.Option(metavar="NAME,..", help="step, event or both.")] = None,
    latency: Annotated[str | None, typer.Option(metavar="LIST", help="Latencies: 45ms, 20ms:120ms:20ms.")] = None,
    steps: Annotated[str | None, typer.Option(metavar="LIST", help="The same in macro steps: 1:6.")] = None,
    jitter: Annotated[str | None, typer.Option(metavar="LIST", help="Extra latencies at random: 0,1,2.")] = None,
    loss: Annotated[str | None, typer.Option(metavar="LIST", help="Shares of lost values: 0:0.2:0.05.")] = None,
    seeds: Annotated[str | None, typer.Option(metavar="N|LIST", help="Seeds of the networks: 10, or 5:14.")] = None,
    workers: Annotated[int | None, typer.Option(metavar="N", help="Processes; by default one per processor.")] = None,
    dask: Annotated[str | None, typer.Option(metavar="ADDRESS", help="Run on a cluster: tcp://host:8786.")] = None,
    picture: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Maps as png, svg or pdf, named after it; else in DIR.")
    ] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Drop the rows that DIR holds and start anew.")] = False,
    host: options.Host = None,
    assignments: options.Assignments = None,
    as_json: options.AsJson = False,
) -> None:
    """Run a scenario with many algorithms and networks, in parallel."""
    from couplant.report.sweep import write_pages
    from couplant.sweep import Where, sweep

    check_picture(picture)
    options.refuse_both(steps, latency)
    axes = dict(algorithms=algorithms, timing=timing, latency=steps or latency, jitter=jitter, loss=loss, seeds=seeds)
    folder, where = output_folder(output), Where(workers, dask)
    with progress_bar(wanted=not as_json) as progress:
        changes = options.scenario_with_host(assignments, host)
        done = sweep(scenario, folder, axes, assignments=changes, where=where, fresh=fresh, progress=progress)
    written = write_pages(done, output, picture)
    _warn_of_failures(done)
    print_json(done.to_dict()) if as_json else _show(done, output, written)
    if done.failed == len(done.table.rows):
        raise typer.Exit(1)


command.__doc__ = f"{command.__doc__}\n\n\b\n{_EPILOG}"


def _warn_of_failures(done: Sweep) -> None:
    reasons: dict[str, list[str]] = {}
    for row in filter(lambda row: row.reason, done.table.sorted()):
        reasons.setdefault(f"{row.point.algorithm}, {row.point.timing}", []).append(row.reason.rstrip("."))
    warn(*(f"{name}: {len(found)} points failed, for instance: {found[0]}" for name, found in reasons.items()))


def _show(done: Sweep, folder: Path, written: list[Path]) -> None:
    kept = len(done.table.rows) - done.ran
    typer.echo(f"{done.loaded.scenario.name}: {done.ran} points run, {kept} taken from {folder / 'sweep.csv'}")
    print_shown(done)
    typer.echo(f"wrote {', '.join(path.name for path in written)} to {folder}")
