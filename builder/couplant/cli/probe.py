"""``couplant probe``: FMUs that measure what an importer does, and the settings that follow from it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from typer import Option

from couplant.base.errors import UsageError
from couplant.cli import options
from couplant.cli.output import print_json

if TYPE_CHECKING:
    from couplant.pack.probe import HostReport

_HOSTS = {
    "reads_again": "outputs with direct feedthrough are read again after inputs are set",
    "jacobi": "outputs with direct feedthrough come one step older than others",
    "sequential": "components step one after the other",
}


def command(
    output: Annotated[Path, Option("-o", "--output", metavar="DIR", help="Folder for the FMUs.")] = Path("."),
    fmi: options.Fmi = "2",
    platform: options.Platform = "host",
    sources: options.Sources = False,
    macro_step: Annotated[float | None, Option(help="Of coupling FMUs; else as stepped.", **options.TIME)] = None,
    read: Annotated[
        Path | None, Option(metavar="CSV", help="Build nothing: say what recorded outputs of the probe mean.")
    ] = None,
    as_json: options.AsJson = False,
) -> None:
    """Build two FMUs that tell what an importer does: delays, order, and whether outputs are read again.

    Connect them with three lines, run 20 steps, and read `result`, `host` and `host_lead` of the probe.
    """
    from couplant.pack.probe import build_probe, read_probe

    if read is not None:
        _tell(read, read_probe(read), as_json)
        return
    if macro_step == 0.0:
        raise UsageError("macro_step = 0, allowed above 0 s")
    files = build_probe(output, fmi=fmi, platform=platform, sources=sources, macro_step=macro_step)
    if as_json:
        print_json({"files": [str(file) for file in files]})
        return
    from couplant.pack.probe import WIRING

    typer.echo(f"{files[0]} takes the place of a coupling FMU, {files[1]} that of a prototype. Connect")
    for source, target in WIRING:
        typer.echo(f"    {'.'.join(source):<25} -> {'.'.join(target)}")
    typer.echo("in the way of the signals to be coupled, with one communication step, and run 20 steps. Then")
    typer.echo("    result      8 (complete), or what is missing")
    typer.echo('    host        2, 3, 4: [interface] host = "reads_again", "jacobi", "sequential"')
    typer.echo("    host_lead   what each place adds to latency.host_lead, macro steps")
    typer.echo("or record the outputs of the probe: couplant probe --read FILE.csv prints the settings.")


def _tell(path: Path, report: HostReport, as_json: bool) -> None:
    if as_json:
        leads = {"receiver": report.receiver, "sender": report.sender, "feedthrough": report.feedthrough}
        print_json({"host": report.host, "host_lead": {**leads, "plain": report.plain, "direct": report.direct}})
        return
    typer.echo(f"{path}: {_HOSTS[report.host]}.\n")
    typer.echo(f'[interface]\nhost = "{report.host}"')
    if 0.0 < report.feedthrough < 1.0:
        step = f"{report.step_size:.9g}" if report.step_size else ".."
        typer.echo(f"micro_step = {step}    # the communication step")
    if report.host == "sequential":
        typer.echo("order = [..]    # components and coupling FMUs in their turn")
    typer.echo("")
    # print the settings that the leads amount to, or replace where connections have delays of their own
    typer.echo(
        "Each signal then gets, as build prints,"
        if report.follows
        else "Connections add steps of their own, so that each signal needs, as these two were connected,"
    )
    receivers = {report.direct: "an output of its receiver depends directly on it", report.plain: "none does"}
    for lead, which in receivers.items():
        typer.echo(f"latency = {{ host_lead = {lead:g} }}" + (f"    # if {which}" if len(receivers) > 1 else ""))
    if report.host == "sequential":
        early = -report.feedthrough
        typer.echo(f"for this order: each connection whose source steps before its target counts {early:g}.")
    typer.echo(f"Of it {report.receiver:g} from a coupling FMU to its receiver, {report.sender:g} from a sender to it.")
