"""``couplant ssp list | insert | remove``: coupling FMUs in an SSP that exists already."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from typer import Argument, Option

from couplant.base.errors import UsageError
from couplant.cli import options
from couplant.cli.output import print_json, print_table, warn

if TYPE_CHECKING:
    from couplant.elsewhere.ssp import Inserted

Archive = Annotated[Path, Argument(metavar="SSP", help="System as an SSP archive, version 1.0 or 2.0.")]
Target = Annotated[Path | None, Option("-o", "--output", metavar="SSP", help="Archive to write.")]
Variant = Annotated[str, Option(metavar="NAME.ssd", help="System description in the archive.")]
DropSignatures = Annotated[bool, Option("--drop-signatures", help="Take out signatures that do not hold any more.")]
Map = Annotated[Path | None, Option("--map", metavar="INTERFACE", help="Settings file whose signals have from and to.")]
Signals = Annotated[
    list[str] | None, Option(metavar="a.x->b.u,..", help="Connections, as couplant ssp list names them.")
]
Order = Annotated[
    str, Option(metavar="a,b,..", help="Components in the order in which a sequential importer steps them.")
]
MacroStep = Annotated[
    float | None, Option(help="Period of the data exchange: 20ms; an SSD has no step size.", **options.TIME)
]
Latency = Annotated[float | None, Option(help="Latency: 45ms; else as the settings say.", **options.TIME)]
Fmi = Annotated[str, Option(metavar="2|3", help="Version of FMI; not given: that of each receiver.")]
Status = Annotated[bool, Option("--status", help="Connectors for all outputs of the coupling FMUs.")]

_MAIN = "SystemStructure.ssd"

group = typer.Typer(
    help="Put coupling FMUs between the FMUs of an SSP, and take them out again.",
    no_args_is_help=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@group.command("list")
def show(archive: Archive, variant: Variant = _MAIN, as_json: options.AsJson = False) -> None:
    """List the signals of a system, as --signals names them, and the coupling FMUs that they have."""
    from couplant.elsewhere.ssp import listing

    found = listing(archive, variant)
    if as_json:
        print_json(asdict(found))
        return
    rows = [[f"{r.source}->{r.target}", r.type, r.unit, r.coupling or r.unfit or "-"] for r in found.rows]
    print_table(["signal", "type", "unit", "coupling FMU"], rows)
    others = [name for name in found.variants if name != variant]
    if others:
        typer.echo(f"other system descriptions, for --variant: {', '.join(others)}")
    for source, reason in found.unread.items():
        warn(f"{source or 'a component without a source'}: {reason}.")


@group.command("insert")
def insert(
    archive: Archive,
    output: Target = None,
    settings: Map = None,
    signals: Signals = None,
    host: options.Host = None,
    order: Order = "",
    macro_step: MacroStep = None,
    latency: Latency = None,
    steps: options.Steps = None,
    variant: Variant = _MAIN,
    fmi: Fmi = "",
    platform: options.Platform = "host",
    status: Status = False,
    drop_signatures: DropSignatures = False,
    dry_run: Annotated[bool, Option("--dry-run", help="Tell what would be done, write nothing.")] = False,
    assignments: options.Assignments = None,
    as_json: options.AsJson = False,
) -> None:
    """Build a coupling FMU for each chosen connection and put it between: one connection becomes two."""
    from couplant.elsewhere.ssp import Request
    from couplant.elsewhere.ssp import insert as put

    if output is None and not dry_run:
        raise UsageError("--output is missing: the archive to write; or give --dry-run")
    names = tuple(name.strip() for name in order.split(",") if name.strip())
    late, changes = options.late(steps, latency), tuple(assignments or ())
    request = Request(tuple(signals or ()), settings, host, names, macro_step, late, changes)
    target = None if dry_run else output
    shown, dropped = {"status": status}, {"drop_signatures": drop_signatures}
    done = put(archive, target, request, variant=variant, fmi=fmi, platform=platform, **shown, **dropped)
    _tell(done, target, as_json)


@group.command("remove")
def remove(
    archive: Archive, output: Target = None, drop_signatures: DropSignatures = False, as_json: options.AsJson = False
) -> None:
    """Take out all coupling FMUs that insert has put in; what others have edited since stays."""
    from couplant.elsewhere.ssp import remove as take_out

    if output is None:
        raise UsageError("--output is missing: the archive to write")
    done = take_out(archive, output, drop_signatures=drop_signatures)
    if as_json:
        print_json({"components": done.components, "files": done.files})
        return
    for name, components in done.components.items():
        typer.echo(f"{name}: {', '.join(components)} taken out")
    typer.echo(f"without {', '.join(done.files) or 'any file less'}: {output}")


def _tell(done: Inserted, target: Path | None, as_json: bool) -> None:
    warn(*done.warnings)
    if as_json:
        print_json(done.to_dict())
        return
    figures = [[f"{value:g}" for value in (one.network, one.host, one.hold)] for one in done.placed]
    names = [[f"{one.source}->{one.target}", one.component, one.algorithm] for one in done.placed]
    columns = ["signal", "coupling FMU", "algorithm", "network", "host", "hold"]
    print_table(columns, [[*n, *f] for n, f in zip(names, figures, strict=True)])
    for one in done.placed:
        if one.reasons:
            typer.echo(f"{one.component}: {'; '.join(one.reasons)}")
    step = f"{done.macro_step:g} s" if done.macro_step else "the importer's first step"
    where = "nothing was written" if target is None else f"written to {target}"
    typer.echo(f"latencies in macro steps of {step}, for hosts of the kind {done.host}; {where}")
