"""``couplant dcp describe | slave | master``: sides of a bench as slaves of DCP, and a master for slaves."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from typer import Argument, Option

from couplant.cli import options
from couplant.cli.output import output_folder, print_json, progress_bar, without_threads

SideArgument = Annotated[Path, Argument(metavar="SIDE", help="Side file: which side of which bench, and where it is.")]
Plan = Annotated[Path, Argument(metavar="MASTER", help="Master file, or a scenario whose components are the slaves.")]
Folder = Annotated[Path | None, Option("-o", "--output", metavar="DIR", help="Folder for CSV files, of a slave FMUs.")]

group = typer.Typer(
    help="Run sides of a bench as slaves of DCP 1.0 over UDP, or lead slaves as their master.",
    no_args_is_help=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@group.command("describe")
def describe(
    side: SideArgument,
    output: Annotated[
        Path | None, Option("-o", "--output", metavar="DCP", help="Archive .dcp, or the document .dcpx.")
    ] = None,
    assignments: options.Assignments = None,
    anywhere: options.Anywhere = False,
    as_json: options.AsJson = False,
) -> None:
    """Write the description of a slave, which a master needs."""
    from couplant.elsewhere.dcp.side import load_side
    from couplant.elsewhere.dcp.slave import describe_side

    path = output or side.with_suffix(".dcp")
    found = describe_side(load_side(side, assignments or (), anywhere), path)
    if as_json:
        variables = [{"name": one.name, "reference": one.reference, "kind": one.kind} for one in found.variables]
        print_json({"file": str(path), "uuid": found.uuid, "variables": variables})
        return
    for kind in ("input", "output", "parameter"):
        names = [one.name for one in found.variables if one.kind == kind]
        typer.echo(f"{kind}s: {', '.join(names) or 'none'}")
    typer.echo(f"{found.name} at {found.host}:{found.port}, {found.uuid}; wrote {path}")


@group.command("slave")
def slave(
    side: SideArgument,
    output: Folder = None,
    once: Annotated[bool, Option("--once", help="End when the master has released the slave.")] = False,
    assignments: options.Assignments = None,
    anywhere: options.Anywhere = False,
    as_json: options.AsJson = False,
) -> None:
    """Be a slave until Ctrl-C: a side of a bench, with a coupling FMU at each of its inputs."""
    from couplant.elsewhere.dcp.codes import State
    from couplant.elsewhere.dcp.machine import Machine
    from couplant.elsewhere.dcp.side import load_side
    from couplant.elsewhere.dcp.slave import serve_side

    without_threads()
    folder = None if output is None else output_folder(output)
    loaded, ran = load_side(side, assignments or (), anywhere), [False]

    def stopped(machine: Machine) -> bool:
        ran[0] |= machine.state == State.RUNNING
        return once and ran[0] and machine.state == State.ALIVE

    def tell(state: State) -> None:
        quiet = state in (State.COMPUTING, State.COMPUTED, State.SENDING_D, State.RUNNING) and ran[0]
        if not as_json and not quiet:
            typer.echo(f"{loaded.title}: {state.name}", err=True)

    done = serve_side(loaded, folder, stopped, tell, anywhere)
    if as_json:
        print_json(asdict(done))
        return
    dropped = ", ".join(f"{count} {reason}" for reason, count in done.dropped.items() if count)
    typer.echo(f"{loaded.title}: {done.steps} steps, {done.late} of them late; dropped datagrams: {dropped or 'none'}")


@group.command("master")
def master(
    plan: Plan,
    output: Folder = None,
    assignments: options.Assignments = None,
    anywhere: options.Anywhere = False,
    as_json: options.AsJson = False,
) -> None:
    """Register slaves, configure them, lead them through a run, and record what they send."""
    from couplant.elsewhere.dcp.master import run_plan
    from couplant.elsewhere.dcp.plan import load_plan

    folder = None if output is None else output_folder(output)
    with progress_bar(wanted=not as_json) as progress:
        records = run_plan(load_plan(plan, assignments or (), anywhere), folder, progress)
    if as_json:
        print_json({name: {"points": len(one.rows), **one.counts} for name, one in records.items()})
        return
    for name, one in records.items():
        counts = one.counts
        typer.echo(f"{name}: {len(one.rows)} points of {', '.join(one.columns)}; {counts['doubled']} doubled, "
                   f"{counts['overtaken']} overtaken")  # fmt: skip
    if folder is not None:
        typer.echo(f"wrote {', '.join(f'{name}.csv' for name in records)} to {folder}")
