"""``couplant demo``: two masses, coupled over a network, with five algorithms."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from couplant.base.files import write_atomic
from couplant.base.paths import demonstration
from couplant.cli import options
from couplant.cli.output import free_folder, progress_bar, show
from couplant.cli.simulate import print_result

SCENARIO = "scenario.toml"


def command(
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
    scenario = write_atomic(folder / SCENARIO, (demonstration() / SCENARIO).read_bytes())
    with progress_bar() as progress:
        result = simulate(scenario, output=folder, progress=progress)
    page = write_result(result, folder)
    print_result(result)
    typer.echo(f"The report is {page}; next: couplant simulate {scenario} --set network.latency_steps=4")
    show(page, browser)
