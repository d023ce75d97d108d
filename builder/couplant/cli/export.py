"""``couplant export``: a scenario as FMUs with their connections, for other tools."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from couplant.cli.output import AsJson, Assignments, HostOption, output_folder, print_json, scenario_with_host


def command(
    scenario: Annotated[Path, typer.Argument(metavar="SCENARIO", help="Scenario, a TOML file.")],
    output: Annotated[Path, typer.Option("-o", "--output", metavar="DIR", help="Folder to write into.")],
    algorithm: Annotated[
        str | None, typer.Option(metavar="NAME", help="Algorithm; needed where the scenario runs several.")
    ] = None,
    host: HostOption = None,
    platform: Annotated[
        str, typer.Option(metavar="host|all|NAME,..", help="Whose binaries the FMUs carry, e.g. win64,linux64.")
    ] = "host",
    assignments: Assignments = None,
    as_json: AsJson = False,
) -> None:
    """Write a scenario for other tools: FMUs, an SSP, an OSP system structure, a container description.

    README.txt in the folder says how OMSimulator, libcosim, Ecos, FMPy and fmucontainer run it.
    """
    from couplant.elsewhere.export import export

    done = export(scenario, output_folder(output), scenario_with_host(assignments, host), algorithm, platform)
    if as_json:
        print_json(done.to_dict())
        return
    fmus = sum(file.endswith(".fmu") for file in done.files)
    others = ", ".join(file for file in done.files if not file.endswith(".fmu"))
    typer.echo(f"{fmus} FMUs and {others} in {done.folder}")
    told = f"for hosts of the kind {done.host}: algorithm {done.algorithm}, step timing"
    typer.echo(f"{told}, communication step {done.step:g} s, {done.duration:g} s")
