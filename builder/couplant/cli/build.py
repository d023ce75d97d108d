"""``couplant build``: one FMU for each signal of an interface."""

from __future__ import annotations

import tempfile
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from couplant.cli.output import (
    AsJson,
    Assignments,
    HostOption,
    output_folder,
    print_json,
    print_table,
    progress_bar,
    warn,
    with_host,
)
from couplant.files import write_atomic

if TYPE_CHECKING:
    from couplant.config import Interface

HEADINGS = ("FMU", "unit", "algorithm", "latency", "macro step", "timing", "backend", "FMI", "platforms", "kB")


def command(
    config: Annotated[Path, typer.Argument(metavar="CONFIG", help="Settings of the interface, a TOML file.")],
    output: Annotated[Path, typer.Option("-o", "--output", metavar="DIR", help="Folder for the FMUs.")] = Path("."),
    backend: Annotated[
        str, typer.Option(metavar="NAME", help="native: binaries, nothing needed. python: runs in the host's Python.")
    ] = "native",
    fmi: Annotated[str, typer.Option(metavar="2|3", help="Version of the standard: FMI 2.0 or 3.0.")] = "2",
    platform: Annotated[
        str, typer.Option(metavar="host|all|NAME,..", help="Whose binaries the FMUs carry, e.g. win64,linux64.")
    ] = "host",
    sources: Annotated[bool, typer.Option("--sources", help="Put the C sources into the FMUs too.")] = False,
    host: HostOption = None,
    assignments: Assignments = None,
    as_json: AsJson = False,
) -> None:
    """Build one coupling FMU for each signal of a configuration."""
    from couplant.config import advice, load_interface
    from couplant.pack import check_backend, check_options

    options = {"backend": backend, "fmi": fmi, "platform": platform, "sources": sources}
    check_options(backend, fmi, platform, sources)
    interface = load_interface(config, with_host(assignments, host, "interface.host"))
    for name, signal in interface.signals.items():
        check_backend(name, signal, backend)
    warnings = [f"{config}: {line}" for line in advice(interface)]
    files = _build_all(interface, output_folder(output), options)
    rows = [_row(interface, name, file, options) for name, file in files.items()]
    for line in warnings:
        warn(line)
    if as_json:
        print_json({"fmus": rows, "warnings": warnings})
    else:
        _show(rows)
        _show_leads(rows, assumed=interface.host is None)
        _show_reach(rows)


def _build_all(interface: Interface, folder: Path, options: dict[str, Any]) -> dict[str, Path]:
    """Build everything before anything is moved to the folder, so that an error leaves no file behind."""
    from couplant import pack

    with tempfile.TemporaryDirectory(prefix="couplant-") as scratch, progress_bar() as progress:
        if progress is not None and options["backend"] == "native":
            pack.compile_ahead(interface, options["fmi"], options["platform"], progress)
        contents = {}
        for name in interface.signals:
            path = Path(pack.build_coupling_fmu(interface, name, Path(scratch), **options))
            pack.check_origin(folder / path.name, interface, name)
            contents[name] = (folder / path.name, path.read_bytes())
    return {name: write_atomic(target, content) for name, (target, content) in contents.items()}


def _row(interface: Interface, name: str, file: Path, options: dict[str, Any]) -> dict[str, Any]:
    from couplant.config.hosts import READS_AGAIN
    from couplant.config.latency import proposal

    signal = interface.signals[name]
    constant = signal.latency.mode == "constant"
    return {
        "file": str(file),
        "signal": name,
        "unit": signal.unit,
        "algorithm": signal.algorithm.selected,
        "latency": signal.latency.constant_steps if constant else "stamps",
        "macro_step": interface.macro_step,
        "timing": interface.timing,
        "host": interface.host or READS_AGAIN,
        "host_lead": signal.latency.host_lead,
        "hold_lead": signal.latency.hold_lead,
        "hold_lead_proposed": proposal(signal.latency, signal.algorithm.selected),
        "hold_lead_by_default": interface.added[name].hold,
        "host_reasons": list(interface.added[name].reasons),
        "backend": options["backend"],
        "fmi": f"{options['fmi']}.0",
        "platforms": _platforms(file),
        "sources": options["sources"],
        "bytes": file.stat().st_size,
    }


def _platforms(file: Path) -> list[str]:
    """Return the folders of binaries in an FMU."""
    with zipfile.ZipFile(file) as archive:
        return sorted({name.split("/")[1] for name in archive.namelist() if name.startswith("binaries/")})


def _show(rows: list[dict[str, Any]]) -> None:
    print_table(HEADINGS, [_texts(row) for row in rows])
    typer.echo(f"{len(rows)} FMU{'s' * (len(rows) != 1)} in {Path(rows[0]['file']).parent}")


def _show_leads(rows: list[dict[str, Any]], assumed: bool) -> None:
    """Print what each signal is late by: in the network, by the host, by the receiver's hold."""
    from couplant.config.hold_lead import PROPOSED
    from couplant.config.hosts import JACOBI, READS_AGAIN

    if rows[0]["timing"] == "event":
        return
    host = rows[0]["host"]
    if assumed:
        typer.echo(f'assumed: interface.host = "{host}"; most tools are "{JACOBI}" (docs/importing.md)')
    if host == READS_AGAIN and not any(row["host_lead"] or row["hold_lead"] for row in rows):
        return
    typer.echo(f"predicted, in macro steps, for a host that is {host}:")
    leads = [[row["signal"], _steps(row), *_leads(row), _because(row)] for row in rows]
    print_table(("signal", "network", "host", "hold", "because"), leads)
    if proposed := [row["signal"] for row in rows if row["hold_lead_proposed"]]:
        typer.echo(f"proposed: latency.hold_lead = {PROPOSED} for {', '.join(proposed)}, for the hold of the receiver")


def _show_reach(rows: list[dict[str, Any]]) -> None:
    """Print how far a loop in step timing bears algorithms that adapt to jitter (tests/networks/test_step_loop.py)."""
    from couplant.config.hold_lead import ADAPTS

    found = [row["algorithm"] for row in rows if row["timing"] == "step" and row["latency"] == "stamps"]
    if names := ", ".join(name for name in ADAPTS if name in found):
        typer.echo(
            f"{names} by stamps: the loop of example 01 is stable up to a latency of 5 macro steps with 2 of jitter, "
            "not at 6 with 2; smb with latency.hold_lead = 0.5 is (docs/behaviour.md)"
        )


def _steps(row: dict[str, Any]) -> str:
    return str(row["latency"]) if isinstance(row["latency"], int) else "by stamps"


def _leads(row: dict[str, Any]) -> tuple[str, str]:
    return f"{row['host_lead']:g}", f"{row['hold_lead']:g}"


def _because(row: dict[str, Any]) -> str:
    from couplant.config.hosts import READS_AGAIN

    if row["host_lead"] and not row["host_reasons"]:
        return "given"
    if row["host"] == READS_AGAIN:
        return "it adds nothing"
    held = [f"{row['hold_lead']:g} for the hold by default"] if row["hold_lead_by_default"] else []
    return "; ".join(row["host_reasons"] + held) or "assumed: nothing its receiver gives out depends on it at once"


def _texts(row: dict[str, Any]) -> list[str]:
    latency = row["latency"]
    steps = f"{latency} step{'s' * (latency != 1)}" if isinstance(latency, int) else "by stamps"
    step = f"{row['macro_step']:g} s" if row["macro_step"] else "importer's"
    head = [Path(row["file"]).name, row["unit"], row["algorithm"], steps, step, row["timing"]]
    carried = [*row["platforms"], *(["sources"] if row["sources"] else [])]
    return [*head, row["backend"], row["fmi"], ", ".join(carried), f"{row['bytes'] / 1000:.0f}"]
