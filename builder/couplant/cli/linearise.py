"""``couplant linearise``: an FMU as a linear prototype for ``stability`` and ``design --system``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer import Option

from couplant.cli import options
from couplant.cli.output import print_json, warn

if TYPE_CHECKING:
    from couplant.cosim.fmu.linear import Linearised

_STRAIGHT = 1e-3  # deviation from which on it is said


def command(
    fmu: Annotated[Path, typer.Argument(metavar="FMU", help="FMU for co-simulation of a prototype.")],
    inputs: Annotated[
        list[str] | None, Option("--input", metavar="NAME", help="Input; several; else all that are real.")
    ] = None,
    outputs: Annotated[
        list[str] | None, Option("--response", metavar="NAME", help="Output; several; else all that are real.")
    ] = None,
    time: Annotated[float, Option(help="How long it runs before, with inputs as set.", **options.TIME)] = 0.0,
    step: Annotated[float | None, Option(help="Communication step; else that of the FMU.", **options.TIME)] = None,
    count: Annotated[int, Option(metavar="N", help="Steps of a response.")] = 200,
    change: Annotated[
        float | None, Option(metavar="SHARE", help="Change of an input, of its value or 1; else 6e-6 or more.")
    ] = None,
    order: Annotated[int | None, Option(metavar="N", help="States; else as many as the responses show.")] = None,
    output: Annotated[Path | None, Option("-o", "--output", metavar="TOML", help="File for the prototype.")] = None,
    assignments: options.Assignments = None,
    as_json: options.AsJson = False,
) -> None:
    """Print an FMU as a linear prototype, in the form of a SYSTEM.toml; --set sets its parameters and inputs."""
    from couplant.base.files import write_atomic
    from couplant.config.frame.read import apply_assignments
    from couplant.config.scenario import flat
    from couplant.cosim.fmu.linear import Point, linearise_fmu

    values = flat(apply_assignments({}, assignments or ()))
    point = Point(fmu, inputs or (), outputs or (), values, time, step, count, change, order)
    found = linearise_fmu(point)
    if max(found.deviation, found.asymmetry) > _STRAIGHT:
        apart = f"{100 * found.deviation:.2g} % from the linear prototype's, {100 * found.asymmetry:.2g} %"
        warn(f"responses differ by {apart} between steps up and down: not linear there, or another --change is needed")
    text = _text(found)
    if output is not None:
        write_atomic(output, text)
    print_json(_figures(found)) if as_json else typer.echo(text)


def _figures(found: Linearised) -> dict[str, Any]:
    one = found.prototype
    matrices = {part: getattr(one, part).tolist() for part in "ABCD"}
    figures = {"way": found.way, "step": found.step, "deviation": found.deviation, "asymmetry": found.asymmetry}
    return {"name": one.name, "inputs": list(one.inputs), "outputs": list(one.outputs)} | matrices | figures


def _text(found: Linearised) -> str:
    import tomlkit

    one, table = found.prototype, tomlkit.table()
    table.comment(f"by {found.way}; deviation {found.deviation:.1g}, asymmetry {found.asymmetry:.1g}")
    if one.A.size:
        table.update({part: getattr(one, part).tolist() for part in "ABCD"})
    else:
        table.update({"numerator": [[[d] for d in row] for row in one.D.tolist()]})
        table.update({"denominator": [[[1.0] for _ in row] for row in one.D.tolist()]})
    table.update({"inputs": list(one.inputs), "outputs": list(one.outputs)})
    document = tomlkit.document()
    document["prototypes"] = tomlkit.table(is_super_table=True)
    document["prototypes"][one.name] = table
    return tomlkit.dumps(document)
