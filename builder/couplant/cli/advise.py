"""``couplant advise``: which algorithm a loop is to have, and the files that build and simulate it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from typer import Argument, Option

from couplant.base.files import write_atomic
from couplant.cli.output import (
    RECORDINGS,
    AsJson,
    Decimal,
    Delimiter,
    Force,
    HostOption,
    MacroStep,
    Open,
    TimeColumn,
    TimeUnit,
    expand_paths,
    free_folder,
    print_json,
    print_table,
    progress_bar,
    say,
    show,
    warn,
    without_threads,
)

if TYPE_CHECKING:
    from couplant.report.page import Page
    from couplant.sweep.candidates import Advice

_PAGE = "advice.html"


def command(
    files: Annotated[list[Path], Argument(metavar="FILE..", help="A system, a scenario, or recordings of both ways.")],
    sends: Annotated[list[str] | None, Option(metavar="NAME", help="Column that one side sends; several.")] = None,
    receives: Annotated[list[str] | None, Option(metavar="NAME", help="Column that it receives; several.")] = None,
    steps: Annotated[int | None, Option(metavar="K", help="Latency in macro steps; else as the file says.")] = None,
    latency: Annotated[float | None, Option(metavar="S", help="Latency in s, in place of --steps.")] = None,
    macro_step: MacroStep = None,
    timing: Annotated[str | None, Option(metavar="NAME", help="step or event; else as the file says, or step.")] = None,
    host: HostOption = None,
    micro_step: Annotated[float | None, Option(metavar="S", help="Communication step in step timing, in s.")] = None,
    noise: Annotated[float | None, Option(metavar="SHARE", help="Noise of what is sent over its rms.")] = None,
    time: TimeColumn = None,
    time_unit: TimeUnit = None,
    delimiter: Delimiter = None,
    decimal: Decimal = None,
    output: Annotated[
        Path | None, Option("-o", "--output", metavar="DIR", help="Folder; else called as the file.")
    ] = None,
    force: Force = False,
    browser: Open = True,
    as_json: AsJson = False,
) -> None:
    """Say which algorithm a loop is to have: each is tried in it; write settings, scenario and a report."""
    without_threads()
    from couplant.sweep.advice import ask
    from couplant.tables import Reading

    folder = free_folder(output or Path(f"{files[0].stem}_advised"), force)
    how = Reading(time, time_unit, delimiter, decimal)
    with progress_bar(wanted=not as_json) as bar:
        found = ask(
            expand_paths(files, RECORDINGS), sends=sends or (), receives=receives or (), steps=steps,
            macro_step=macro_step, timing=timing, host=host, micro_step=micro_step, noise=noise,
            latency=latency, how=how, progress=bar,
        )  # fmt: skip
    page = _write(found, folder)
    print_json(found.to_dict() | {"folder": str(folder)}) if as_json else _show(found, page, folder)
    show(folder / _PAGE, browser)


def _write(found: Advice, folder: Path) -> Page:
    from couplant.report.advice import advice_charts, describe_advice
    from couplant.report.page import write_page
    from couplant.sweep.advised import INTERFACE

    texts = found.files()
    for name, text in texts.items():
        write_atomic(folder / name, text)
    page = describe_advice(found, texts.get(INTERFACE, ""))
    write_page(page, folder / _PAGE, advice_charts(found))
    return page


def _show(found: Advice, page: Page, folder: Path) -> None:
    from couplant.sweep.advised import INTERFACE, SCENARIO, SYSTEM

    say(*found.assumed)
    typer.echo(page.title)
    for line in page.warnings:
        warn(line)
    for table in page.tables:
        print_table(table.columns, table.rows)
    typer.echo("\n".join(page.paragraphs))
    names = [SYSTEM, SCENARIO, *([INTERFACE] if found.is_worth_it else [])]
    typer.echo(f"wrote {', '.join(names)} and {_PAGE} to {folder}")
    if found.is_worth_it:
        typer.echo(f"Next: couplant build {folder / INTERFACE}; couplant simulate {folder / SCENARIO}")
