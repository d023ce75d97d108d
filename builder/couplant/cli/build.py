"""``couplant build``: one FMU for each signal of an interface."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer import Option

from couplant.base.errors import UsageError
from couplant.cli import options
from couplant.cli.output import free_folder, output_folder, print_json, print_table, progress_bar, warn

if TYPE_CHECKING:
    from couplant.config import Interface
    from couplant.cosim.wiring.settings_loop import SettingsLoop
    from couplant.pack.build import Built
    from couplant.tables import Latencies


def command(
    config: Annotated[Path, typer.Argument(metavar="CONFIG", help="Settings of the interface, a TOML file.",
                                           callback=options.no_recording)],
    output: Annotated[Path, Option("-o", "--output", metavar="DIR", help="Folder for what is built.")] = Path("."),
    backend: Annotated[
        str, Option(metavar="NAME", help="native: binaries, nothing needed. python: runs in the host's Python.",
                    autocompletion=options.among("native", "python"))
    ] = "native",
    fmi: options.Fmi = "2",
    platform: options.Platform = "host",
    sources: options.Sources = False,
    latencies: Annotated[
        Path | None, Option("--latencies", metavar="FILE", help="Measured latencies: do the settings bear them?")
    ] = None,
    strict: Annotated[bool, Option("--strict", help="Exit status 1 where the loop is unstable, if known.")] = False,
    c_library: Annotated[bool, Option("--c-library", help="No FMUs: a library in C99, without FMI.")] = False,
    force: options.Force = False,
    host: options.Host = None,
    assignments: options.Assignments = None,
    as_json: options.AsJson = False,
) -> None:
    """Build one coupling FMU for each signal of a configuration."""
    if c_library:
        _check_c_library(backend, fmi, platform, sources, latencies, strict)
        return _write_c_library(config, free_folder(output, force), assignments, host, as_json)
    from couplant.pack.build import build

    measured = None if latencies is None else _read(latencies)  # before anything is written
    changes = options.with_host(assignments, host, "interface.host")
    made_of: dict[str, Any] = {"backend": backend, "fmi": fmi, "platform": platform, "sources": sources}
    with progress_bar() as progress:
        built = build(config, output_folder(output), **made_of, assignments=changes, progress=progress)
    loop = _loop(built.interface, config, changes)
    unstable = loop.warning() if loop else ""
    warn(*built.warnings, *filter(None, [unstable]), *_misfits(built.interface, measured, latencies))
    _print(built, loop, as_json)
    if strict and unstable:
        raise typer.Exit(1)


def _print(built: Built, loop: SettingsLoop | None, as_json: bool) -> None:
    if as_json:
        known = {"radius": loop.radius, "wire_radius": loop.wire_radius} if loop else None
        print_json(built.to_dict() | {"loop": known})
        return
    _show(built)
    _show_step(built.interface)
    _show_leads(built.rows, built.interface.host is None, loop)
    _show_reach(built.rows)


def _check_c_library(*given: Any) -> None:
    """Raise `UsageError` where something is `given` that only FMUs have."""
    names = ("--backend", "--fmi", "--platform", "--sources", "--latencies", "--strict")
    usual = ("native", "2", "host", False, None, False)
    for name, value, default in zip(names, given, usual, strict=True):
        if value != default:
            raise UsageError(f"{name} is for FMUs, allowed without --c-library")


def _write_c_library(config: Path, folder: Path, assignments: Any, host: str | None, as_json: bool) -> None:
    from couplant.pack.c_library import HEADINGS, write_c_library

    written = write_c_library(config, folder, options.with_host(assignments, host, "interface.host"))
    warn(*written.warnings)
    if as_json:
        print_json(written.to_dict())
        return
    print_table(HEADINGS, written.texts())
    if written.without:
        typer.echo(f"left out: {', '.join(written.without)}")
    typer.echo(f"{len(written.files)} files in {written.folder}; examples/main.c prints: {written.printed}")


def _read(latencies: Path) -> Latencies:
    from couplant.tables import read_latencies  # loads what a build without it does not need

    return read_latencies(latencies)


def _misfits(interface: Interface, measured: Latencies | None, origin: Path | None) -> list[str]:
    """Return where settings do not bear latencies `measured` in the file `origin`, nothing where none are given."""
    if measured is None:
        return []
    from couplant.report.inspection import misfits

    return [f"{origin}: {line}" for name in interface.signals for line in misfits(interface, name, measured)]


def _loop(interface: Interface, config: Path, changes: list[str]) -> SettingsLoop | None:
    """Return the loop that the FMUs are for, None where the settings do not tell both sides."""
    from couplant.config.frame.read import read_source

    components = dict(read_source(config, changes).get("components", {}))
    for name, one in components.items():
        file = one.get("system")
        if file and not (config.parent / file).is_file():
            warn(f"components.{name}.system = {file}: no such file beside {config.name}, its loop is not asked")
            components[name] = {key: value for key, value in one.items() if key != "system"}
    if not interface.models and not any({"fmu", "system"} & one.keys() for one in components.values()):
        return None
    from couplant.cosim.wiring.settings_loop import loop_of_settings  # loads scipy

    return loop_of_settings(interface, components, config.parent)


def _show(built: Built) -> None:
    from couplant.pack.build import HEADINGS

    print_table(HEADINGS, built.texts())
    count = len(built.rows)
    typer.echo(f"{count} FMU{'s' * (count != 1)} in {Path(built.rows[0]['file']).parent}")


def _show_step(interface: Interface) -> None:
    """Print the communication step that is assumed, and what stepping once in a macro step costs."""
    if interface.macro_step:
        assumed = "assumed" if interface.micro_step is None else "interface.micro_step"
        typer.echo(f"communication step {interface.communication_step:g} s ({assumed})")
    if interface.macro_step and interface.could_step_finer:
        typer.echo(
            "an FMU that is stepped once in a macro step foresees one step more than a plain wire is late: "
            f"interface.micro_step = {interface.macro_step / 10:g}, and a tool that steps so, costs a tenth of that"
        )


def _show_leads(rows: list[dict[str, Any]], assumed: bool, loop: SettingsLoop | None) -> None:
    """Print the lateness of each signal: by the network, by the host, by the receiver's hold."""
    from couplant.config.hosts import JACOBI, READS_AGAIN

    if rows[0]["timing"] == "event":
        return
    host = rows[0]["host"]
    if assumed:
        typer.echo(f'assumed: interface.host = "{host}"; most tools are "{JACOBI}" (docs/importing.md)')
    if host == READS_AGAIN and not any(row["host_lead"] or row["hold_lead"] for row in rows):
        return
    typer.echo(f"predicted, in macro steps, for a host that is {host}:")
    leads = [
        [row["signal"], _steps(row), f"{row['host_lead']:g}", f"{row['hold_lead']:g}", _because(row)] for row in rows
    ]
    print_table(("signal", "network", "host", "hold", "because"), leads)
    leads_by_signal = {row["signal"]: row["hold_lead_proposed"] for row in rows if row["hold_lead_proposed"]}
    if proposed := [*leads_by_signal]:
        tried = "; it was not tried in this loop" if loop is None or loop.radius is None else ""
        fitting = proposed if tried else loop.stable_leads() if loop else []
        if fitting:
            lead = f"latency.hold_lead = {leads_by_signal[proposed[0]]:g} for {', '.join(fitting)}"
            typer.echo(f"proposed: {lead}, for the hold of the receiver{tried}")


def _show_reach(rows: list[dict[str, Any]]) -> None:
    """Print how far a loop in step timing bears algorithms that adapt to jitter (tests/networks/test_step_loop.py)."""
    from couplant.config.latency import ADAPTS

    found = [row["algorithm"] for row in rows if row["timing"] == "step" and row["latency"] == "stamps"]
    if names := ", ".join(name for name in ADAPTS if name in found):
        typer.echo(
            f"{names} by stamps: the loop of example 01 is stable up to a latency of 5 macro steps with 2 of jitter, "
            "not at 6 with 2; smb with latency.hold_lead = 0.5 is (docs/irregular.md)"
        )


def _steps(row: dict[str, Any]) -> str:
    return str(row["latency"]) if isinstance(row["latency"], int) else "by stamps"


def _because(row: dict[str, Any]) -> str:
    from couplant.config.hosts import READS_AGAIN

    if row["host_lead"] and not row["host_reasons"]:
        return "given"
    if row["host"] == READS_AGAIN:
        return "it adds nothing"
    held = [f"{row['hold_lead']:g} for the hold by default"] if row["hold_lead_by_default"] else []
    return "; ".join(row["host_reasons"] + held) or "assumed: no output of its receiver depends on it without delay"
