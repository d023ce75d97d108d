"""``couplant validate``: check that FMUs are what they say they are."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from couplant.cli.output import AsJson, print_json
from couplant.errors import CouplantError


def command(
    fmus: Annotated[list[Path], typer.Argument(metavar="FMU", help="FMU files.")],
    run: Annotated[bool, typer.Option("--run/--no-run", help="Also load each FMU and take some steps.")] = True,
    as_json: AsJson = False,
) -> None:
    """Check FMUs: the standard, our own rules, start values and a short run."""
    from couplant.check import check_fmu

    findings = {str(path): check_fmu(path, run) for path in fmus}
    wrong = [path for path, found in findings.items() if found.problems]
    if as_json:
        rows = [{"file": p, "problems": list(f.problems), "notes": list(f.notes)} for p, f in findings.items()]
        print_json({"fmus": rows})
    else:
        for path, found in findings.items():
            notes = "".join(f" ({note.rstrip('.')})" for note in found.notes)
            typer.echo(f"{path}: {len(found.problems) or 'no'} problem{'s' * (len(found.problems) != 1)}{notes}")
            for text in found.problems:
                typer.echo(f"  {text}")
    if wrong:
        raise CouplantError(f"{len(wrong)} of {len(findings)} files did not pass.")
