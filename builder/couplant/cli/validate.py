"""``couplant validate``: check that FMUs are what they say they are."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from couplant.base.errors import CouplantError, UsageError
from couplant.cli import options
from couplant.cli.output import expand_paths, print_json

if TYPE_CHECKING:
    from couplant.pack.check import Findings


def command(
    fmus: Annotated[list[Path], typer.Argument(metavar="FMU", help="FMU files, folders of them, or patterns.")],
    run: Annotated[bool, typer.Option("--run/--no-run", help="Also load each FMU and take some steps.")] = True,
    as_json: options.AsJson = False,
) -> None:
    """Check FMUs: standard, own rules, start values, a short run."""
    from couplant.pack.check import check_fmu

    paths = expand_paths(fmus, (".fmu",))
    missing = [path for path in paths if not path.is_file()]
    if missing:
        raise UsageError(f"{missing[0]}: no such file.")
    findings = {}
    for path in paths:
        findings[str(path)] = check_fmu(path, run)
        if not as_json:
            _show(path, findings[str(path)])
    if as_json:
        rows = [{"file": p, "problems": list(f.problems), "notes": list(f.notes)} for p, f in findings.items()]
        print_json({"fmus": rows})
    wrong = [path for path, found in findings.items() if found.problems]
    if wrong:
        raise CouplantError(f"{len(wrong)} of {len(findings)} files did not pass.")


def _show(path: Path, found: Findings) -> None:
    count = len(found.problems)
    notes = "".join(f" ({note.rstrip('.')})" for note in found.notes)
    typer.echo(f"{path}: {count or 'no'} problem{'s' * (count != 1)}{notes}")
    for text in found.problems:
        typer.echo(f"  {text}")
