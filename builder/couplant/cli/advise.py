"""``couplant advise``: which algorithm a loop is to have, and the files that build and simulate it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer import Argument, Option

from couplant.base.errors import UsageError
from couplant.base.files import write_atomic
from couplant.cli import options
from couplant.cli.output import (
    expand_paths,
    free_folder,
    print_json,
    print_tables,
    progress_bar,
    say,
    show,
    warn,
    without_threads,
)

if TYPE_CHECKING:
    from couplant.report.page import Page
    from couplant.sweep.candidates import Advice

PAGE = "advice.html"


def command(
    files: Annotated[list[Path], Argument(metavar="FILE..", help="A system, a scenario, or recordings of both ways.")],
    sends: options.Sends = None,
    receives: options.Receives = None,
    latency: Annotated[float | None, Option(help="Latency: 45ms; else as the file says.", **options.TIME)] = None,
    steps: options.Steps = None,
    macro_step: options.MacroStep = None,
    timing: Annotated[str | None, Option(metavar="NAME", help="step or event; else as the file says, or step.")] = None,
    host: options.Host = None,
    micro_step: Annotated[float | None, Option(help="Communication step: 1ms.", **options.TIME)] = None,
    noise: Annotated[float | None, Option(metavar="SHARE", help="Noise of what is sent over its rms.")] = None,
    jitter: options.Jitter = None,
    loss: options.Loss = None,
    seed: options.Seed = None,
    time: options.TimeColumn = None,
    time_unit: options.TimeUnit = None,
    delimiter: options.Delimiter = None,
    decimal: options.Decimal = None,
    output: Annotated[Path | None, Option("-o", "--output", metavar="DIR", help="Folder; else as the file.")] = None,
    force: options.Force = False,
    browser: options.Open = True,
    as_json: options.AsJson = False,
) -> None:
    """Say which algorithm a loop is to have: each is tried in it; write settings, scenario and a report."""
    from couplant.tables import Reading

    folder = free_folder(output or Path(f"{files[0].stem}_advised"), force)
    how = Reading(time, time_unit, delimiter, decimal)
    options.refuse_both(steps, latency)
    given: dict[str, Any] = {"steps": steps, "macro_step": macro_step, "timing": timing, "host": host, "how": how}
    given |= {"micro_step": micro_step, "noise": noise, "latency": latency}
    given |= {"jitter": jitter, "loss": loss, "seed": seed}
    found = ask_loop(files, sends, receives, wanted=not as_json, **given)
    page = write_advice(found, folder)
    if as_json:
        print_json(found.to_dict() | {"folder": str(folder)})
    else:
        say(*found.assumed)
        print_advice(page)
        print_written(found, folder, PAGE)
    show(folder / PAGE, browser)


def ask_loop(
    files: Sequence[Path], sends: Sequence[str] | None, receives: Sequence[str] | None, *, wanted: bool,
    without: Mapping[str, Any] | None = None, **given: Any,
) -> Advice:  # fmt: skip
    """Return the advice for a loop, with a bar of progress if it is `wanted`; `given` are arguments of `ask`.

    Raise `UsageError` if one of the options `without`, by name, is given: they are about a signal alone.
    """
    for option, value in (without or {}).items():
        if value:
            raise UsageError(f"{option} is about a signal alone, allowed without --sends and --receives")
    without_threads()
    from couplant.sweep.advice import ask

    with progress_bar(wanted) as bar:
        return ask(expand_paths(files), sends=sends or (), receives=receives or (), progress=bar, **given)


def write_advice(found: Advice, folder: Path) -> Page:
    """Write the files of an advice and its page into a folder and return the page; raise `OSError` if that fails."""
    from couplant.report.advice import advice_charts, describe_advice
    from couplant.report.page import write_page

    for name, text in found.files().items():
        write_atomic(folder / name, text)
    page = describe_advice(found)
    write_page(page, folder / PAGE, advice_charts(found))
    return page


def print_advice(page: Page) -> None:
    """Print the page of an advice: what to do, a row for each algorithm, and why."""
    typer.echo(page.title)
    warn(*page.warnings)
    # where there is one only the title of the page says enough
    print_tables(page.tables, titled=len(page.tables) > 1)
    typer.echo("\n".join(page.paragraphs))


def print_written(found: Advice, folder: Path, *others: str) -> None:
    """Print which files of an advice, and which `others`, were written to a folder, and what comes next."""
    from couplant.sweep.advised import INTERFACE, SCENARIO

    *names, last = (*found.files(), *others)
    typer.echo(f"wrote {', '.join(names)} and {last} to {folder}")
    if found.is_worth_it:
        typer.echo(f"Next: couplant build {folder / INTERFACE}; couplant simulate {folder / SCENARIO}")
