"""``couplant probe``: an FMU that measures the delay an importer adds."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from couplant.cli.output import AsJson, print_json


def command(
    output: Annotated[Path, typer.Option("-o", "--output", metavar="DIR", help="Folder for the FMU.")] = Path("."),
    fmi: Annotated[str, typer.Option(metavar="2|3", help="Version of the standard: FMI 2.0 or 3.0.")] = "2",
    platform: Annotated[
        str, typer.Option(metavar="host|all|NAME,..", help="Whose binaries the FMU carries, e.g. win64,linux64.")
    ] = "host",
    sources: Annotated[bool, typer.Option("--sources", help="Put the C sources into the FMU too.")] = False,
    macro_step: Annotated[
        float, typer.Option(metavar="SECONDS", min=1e-9, help="Preferred communication step.")
    ] = 0.01,
    as_json: AsJson = False,
) -> None:
    """Build an FMU that tells how many communication steps an importer adds between output and input.

    Connect its output `signal` with its input `back`, run a few steps and read `delay.seconds`.
    """
    from couplant.pack import build_model_fmu

    file = build_model_fmu("probe", output, fmi=fmi, platform=platform, sources=sources, macro_step=macro_step)
    if as_json:
        print_json({"file": str(file)})
        return
    typer.echo(f"{file}: connect `signal` with `back`, run a few steps, put `delay.seconds` into latency.offset.")
