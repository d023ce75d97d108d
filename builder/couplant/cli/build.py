"""``couplant build``: one FMU for each signal of an interface."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Annotated, Any

import typer

from couplant.cli.output import AsJson, Assignments, output_folder, print_json, print_table, warn
from couplant.files import write_atomic


def command(
    config: Annotated[Path, typer.Argument(metavar="CONFIG", help="Settings of the interface, a TOML file.")],
    output: Annotated[Path, typer.Option("-o", "--output", metavar="DIR", help="Folder for the FMUs.")] = Path("."),
    backend: Annotated[str, typer.Option(metavar="NAME", help="What runs inside the FMUs.")] = "python",
    assignments: Assignments = None,
    as_json: AsJson = False,
) -> None:
    """Build one coupling FMU for each signal of a configuration."""
    from couplant.config import advice, load_interface

    interface = load_interface(config, assignments or ())
    warnings = [f"{config}: {line}" for line in advice(interface)]
    files = _build_all(interface, output_folder(output), backend)
    rows = [_row(interface, name, file) for name, file in files.items()]
    for line in warnings:
        warn(line)
    if as_json:
        print_json({"fmus": rows, "warnings": warnings})
    else:
        _show(rows)


def _build_all(interface: Any, folder: Path, backend: str) -> dict[str, Path]:
    """Build everything before anything is moved to the folder, so that an error leaves no file behind."""
    from couplant.pack import build_coupling_fmu

    with tempfile.TemporaryDirectory(prefix="couplant-") as scratch:
        built = {
            name: Path(build_coupling_fmu(interface, name, Path(scratch), backend=backend))
            for name in interface.signals
        }
        contents = {name: (folder / path.name, path.read_bytes()) for name, path in built.items()}
    return {name: write_atomic(target, content) for name, (target, content) in contents.items()}


def _row(interface: Any, name: str, file: Path) -> dict[str, Any]:
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
        "bytes": file.stat().st_size,
    }


def _show(rows: list[dict[str, Any]]) -> None:
    headings = ("FMU", "unit", "algorithm", "latency", "macro step", "timing", "kB")
    print_table(headings, [_texts(row) for row in rows])
    typer.echo(f"{len(rows)} FMU{'s' * (len(rows) != 1)} in {Path(rows[0]['file']).parent}")


def _texts(row: dict[str, Any]) -> list[str]:
    latency = row["latency"]
    steps = f"{latency} step{'s' * (latency != 1)}" if isinstance(latency, int) else "by stamps"
    step = f"{row['macro_step']:g} s" if row["macro_step"] else "importer's"
    head = [Path(row["file"]).name, row["unit"], row["algorithm"], steps, step]
    return [*head, row["timing"], f"{row['bytes'] / 1000:.0f}"]
