"""``couplant export`` and ``couplant container``: a scenario for other tools, and a side of it as one FMU."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from couplant.cli import options
from couplant.cli.output import output_folder, print_json, print_table

if TYPE_CHECKING:
    from couplant.elsewhere.container import Contained
    from couplant.elsewhere.export.side import End, Received


def export(
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
    from couplant.elsewhere.export import export as write

    done = write(scenario, output_folder(output), options.scenario_with_host(assignments, host), algorithm, platform)
    if as_json:
        print_json(done.to_dict())
        return
    fmus = sum(file.endswith(".fmu") for file in done.files)
    others = ", ".join(file for file in done.files if not file.endswith(".fmu"))
    typer.echo(f"{fmus} FMUs and {others} in {done.folder}")
    told = f"for hosts of the kind {done.host}: algorithm {done.algorithm}, step timing"
    typer.echo(f"{told}, communication step {done.step:g} s, {done.duration:g} s")


def command(
    scenario: options.Scenario,
    output: Annotated[Path, typer.Option("-o", "--output", metavar="FMU", help="The FMU to write.")],
    components: Annotated[
        str | None, typer.Option(metavar="NAME,..", help="Prototypes of this side; without it all there are.")
    ] = None,
    algorithm: options.OneAlgorithm = None,
    host: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="How its parts are stepped: jacobi or sequential.",
            autocompletion=options.among("jacobi", "sequential"),
        ),
    ] = None,
    order: Annotated[
        str | None, typer.Option(metavar="NAME,..", help="Whose turn it is first, if sequential: f.coupling,mass_1.")
    ] = None,
    threads: Annotated[bool, typer.Option("--threads", help="Step each part in a thread of its own.")] = False,
    platform: Annotated[
        str, typer.Option(metavar="host|all|NAME,..", help="Whose binaries it carries: win64, linux64.")
    ] = "host",
    assignments: options.Assignments = None,
    as_json: options.AsJson = False,
) -> None:
    """Make one FMU of a side of a scenario: prototypes and the coupling FMUs at their inputs.

    What comes over the network is an input, what goes out an output. Needs the extra couplant[container].
    """
    from couplant.elsewhere.container import contain

    chosen, turns, changes = _names(components), _names(order), assignments or ()
    done = contain(scenario, output, chosen, changes, algorithm, host, turns, threads, platform)
    if as_json:
        print_json(done.to_dict())
    else:
        _show(done)


def _names(words: str | None) -> list[str]:
    return [name for word in (words or "").split(",") if (name := word.strip())]


def _show(done: Contained) -> None:
    print_table(("", "variable", "unit", "of"), [*_rows("in", done.inputs), *_rows("out", done.outputs)])
    typer.echo(f"predicted, in macro steps, for a container that is {done.host}:")
    print_table(("signal", "network", "host", "hold", "because"), [_signal_lines(signal) for signal in done.received])
    typer.echo(f"{', '.join(done.order)} in {done.file}")
    told = f"algorithm {done.algorithm}, {done.host}, communication step a multiple of {done.step:g} s"
    typer.echo(f"{told}, for {', '.join(done.platforms)}")


def _rows(word: str, ends: tuple[End, ...]) -> list[list[str]]:
    return [[word, end.name, end.port.unit, f"{end.part}.{end.port.name}"] for end in ends]


def _signal_lines(signal: Received) -> list[str]:
    network = "by stamps" if signal.network is None else str(signal.network)
    because = "; ".join(signal.reasons) or "no output depends on it without delay"
    return [signal.signal, network, f"{signal.host:g}", f"{signal.hold:g}", because]
