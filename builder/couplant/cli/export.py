"""``couplant export``: a scenario as FMUs with their connections, for other tools."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from couplant.cli import options
from couplant.cli.output import output_folder, print_json


def command(
    scenario: options.Scenario,
    output: Annotated[Path, typer.Option("-o", "--output", metavar="DIR", help="Folder to write into.")],
    algorithm: options.OneAlgorithm = None,
    host: options.Host = None,
    platform: options.Platform = "host",
    assignments: options.Assignments = None,
    as_json: options.AsJson = False,
) -> None:
    """Write a scenario for other tools: FMUs, an SSP, an OSP system structure, a container description.

    README.txt in the folder says how OMSimulator, libcosim, Ecos, FMPy and fmucontainer run it.
    """
    from couplant.elsewhere.export import export

    done = export(scenario, output_folder(output), options.scenario_with_host(assignments, host), algorithm, platform)
    if as_json:
        print_json(done.to_dict())
        return
    fmus = sum(file.endswith(".fmu") for file in done.files)
    others = ", ".join(file for file in done.files if not file.endswith(".fmu"))
    typer.echo(f"{fmus} FMUs and {others} in {done.folder}")
    told = f"for hosts of the kind {done.host}: algorithm {done.algorithm}, step timing"
    typer.echo(f"{told}, communication step {done.step:g} s, {done.duration:g} s")
