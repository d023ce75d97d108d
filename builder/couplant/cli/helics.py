"""``couplant helics``: a scenario as a HELICS federation, each component in a process of its own, here or elsewhere."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from couplant.base.errors import CouplantError, UsageError
from couplant.cli import options
from couplant.cli.output import check_picture, output_folder, print_json, progress_bar, warn, without_threads

if TYPE_CHECKING:
    from couplant.config.scenario import Loaded
    from couplant.cosim.result import Result
    from couplant.elsewhere.helics.course import Place

_WAIT = 60.0


def command(
    scenario: options.Scenario,
    output: options.RunsFolder = None,
    picture: options.RunsPicture = None,
    federate: Annotated[
        str | None, typer.Option(metavar="NAME", help="Run only this component, as a federate of --broker.")
    ] = None,
    broker: Annotated[str | None, typer.Option(metavar="HOST[:PORT]", help="With --federate: its broker.")] = None,
    elsewhere: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="A component that another machine or program runs; may be given many times."),
    ] = None,
    listen: Annotated[str | None, typer.Option(metavar="HOST[:PORT]", help="Where the broker listens.")] = None,
    wait: Annotated[float, typer.Option(help="How long federates may take to join.", **options.TIME)] = _WAIT,
    join: Annotated[Path | None, typer.Option(metavar="DIR", help="Report on NAME.npz of several machines.")] = None,
    assignments: options.Assignments = None,
    as_json: options.AsJson = False,
) -> None:
    """Run a scenario as a HELICS federation, on one machine or many, and judge the estimates."""
    from couplant.elsewhere.helics.plan import load_federation

    without_threads()
    _check_options(federate, broker, elsewhere, listen, join)
    if not 0.0 < wait <= 86400.0:
        raise UsageError(f"--wait = {wait:g} s, allowed above 0 to 86400 s")
    check_picture(picture)
    folder = None if output is None else output_folder(output)
    loaded = load_federation(scenario, assignments or ())
    if federate is not None:
        _federate(loaded, (federate, str(broker), wait), folder, as_json)
        return
    from couplant.elsewhere.helics.session import join_parts, run_federation

    with progress_bar(wanted=not as_json) as progress:
        if join is not None:
            result, missing = join_parts(loaded, join, progress)
        else:
            result, missing = run_federation(loaded, _place(elsewhere, listen, wait), folder, progress, _say), []
    if missing:
        warn(f"{join} has no record of {', '.join(missing)}: what goes there is not judged.")
    _show(result, folder, picture, as_json)


def _check_options(
    federate: str | None, broker: str | None, elsewhere: list[str] | None, listen: str | None, join: Path | None
) -> None:
    if federate is not None and broker is None:
        raise UsageError("--federate needs --broker HOST, the machine where the broker runs")
    if federate is None and broker is not None:
        raise UsageError("--broker needs --federate NAME, the component that runs here")
    others = {"--elsewhere": bool(elsewhere), "--listen": listen is not None, "--join": join is not None}
    given = [option for option, is_given in others.items() if is_given]
    if federate is not None and given:
        raise UsageError(f"--federate and {given[0]} exclude each other")
    if join is not None and given != ["--join"]:
        raise UsageError(f"--join and {given[0]} exclude each other")


def _place(elsewhere: list[str] | None, listen: str | None, wait: float) -> Place:
    from couplant.elsewhere.helics.course import Place
    from couplant.elsewhere.helics.link import PORT, Address

    address = None if listen is None else Address.parse(listen, "--listen")
    if address is None and elsewhere:
        address = Address("127.0.0.1", PORT)
    return Place(tuple(dict.fromkeys(elsewhere or ())), address, wait)


def _say(text: str) -> None:
    typer.echo(f"couplant: {text}", err=True)


def _federate(loaded: Loaded, reach: tuple[str, str, float], folder: Path | None, as_json: bool) -> None:
    from couplant.elsewhere.helics.link import Address
    from couplant.elsewhere.helics.record import write_part
    from couplant.elsewhere.helics.session import run_federate

    name, broker, wait = reach
    address = Address.parse(broker, "--broker")
    with progress_bar(wanted=not as_json) as progress:
        record = run_federate(loaded, name, address, wait, progress, _say)
    path = None if folder is None else write_part(folder, loaded, record)
    if record.left:
        raise CouplantError(f"{record.left} left the federation after {record.points} macro points, before its end.")
    if as_json:
        print_json({"federate": name, "macro_points": record.points, "file": None if path is None else str(path)})
        return
    typer.echo(f"{name}: {record.points} macro points" + ("" if path is None else f"; wrote {path}"))
    if path is not None:
        typer.echo("with the files of the others in one folder: couplant helics SCENARIO --join DIR")


def _show(result: Result, folder: Path | None, picture: Path | None, as_json: bool) -> None:
    from couplant.cli.simulate import show_result
    from couplant.cosim.judgement.output import write_run
    from couplant.report.simulation import FILES

    if folder is not None:
        for run in result.runs:
            write_run(run, folder / "runs")
    show_result(result, folder, picture, as_json)
    if as_json:
        return
    typer.echo("the federation itself adds 1 macro step to the latency of the network: it is in the figure above.")
    if folder is not None:
        typer.echo(f"wrote {', '.join(FILES)} and runs to {folder}")
