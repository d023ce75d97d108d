"""``couplant info`` and ``couplant validate``: what FMUs are, and whether they are what they say they are."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from couplant.base.errors import CouplantError, UsageError
from couplant.cli import options
from couplant.cli.output import expand_paths, print_json

if TYPE_CHECKING:
    pass


def command(
    fmu: Annotated[Path, typer.Argument(metavar="FMU", help="FMU file, ours or not.")],
    other: Annotated[
        Path | None, typer.Argument(metavar="[FMU]", help="Another one: say whether they are equal, or where not.")
    ] = None,
    toml: Annotated[bool, typer.Option("--toml", help="Print the configuration that it was built from.")] = False,
    as_json: options.AsJson = False,
) -> None:
    """Describe an FMU: kind, timing, host, latency, algorithm, variables, platforms, configuration.

    Two FMUs are compared: status 0 if they have the same entries and the same token, else 1.
    """
    from couplant.pack.describe.card import card_of

    if other is not None:
        if toml:
            raise UsageError("--toml: allowed with one FMU.")
        from couplant.pack.comparison import compare

        found = compare(fmu, other)
        if as_json:
            print_json(found.to_dict())
        else:
            typer.echo("\n".join(found.lines()) or "equal")
        if not found.equal:
            raise typer.Exit(1)
        return
    card = card_of(fmu)
    if toml and card.configuration is None:
        raise UsageError(f"{fmu} carries no configuration: allowed is an FMU that couplant build made.")
    if toml:
        typer.echo(card.configuration or "", nl=False)
    elif as_json:
        print_json(asdict(card))
    else:
        width = max(map(len, card.facts))
        for name, text in card.facts.items():
            typer.echo(f"{name:{width}}  {text}")
        for kind, variables in (("inputs", card.inputs), ("outputs", card.outputs)):
            listed = ", ".join(f"{name} [{unit}]" if unit else name for name, unit in variables.items()) or "none"
            typer.echo(f"{kind:{width}}  {listed}")


def validate(
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
            one = findings[str(path)]
            count = len(one.problems)
            notes = "".join(f" ({note.rstrip('.')})" for note in one.notes)
            typer.echo(f"{path}: {count or 'no'} problem{'s' * (count != 1)}{notes}")
            for text in one.problems:
                typer.echo(f"  {text}")
    if as_json:
        rows = [{"file": p, "problems": list(f.problems), "notes": list(f.notes)} for p, f in findings.items()]
        print_json({"fmus": rows})
    wrong = [path for path, found in findings.items() if found.problems]
    if wrong:
        raise CouplantError(f"{len(wrong)} of {len(findings)} files did not pass.")
