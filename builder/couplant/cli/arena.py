"""``couplant arena``: the benchmark of algorithms, with those of others, and with yours."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from typer import Option

from couplant.base.style import plain
from couplant.cli import options
from couplant.cli.output import output_folder, print_json, print_table, progress_bar, warn, without_threads

if TYPE_CHECKING:
    from couplant.lab.arena import Arena


def command(
    output: Annotated[
        Path | None, Option("-o", "--output", metavar="DIR", help="Folder for page, CSV file and the tasks' files.")
    ] = None,
    small: Annotated[bool, Option("--small", help="A few tasks and entries, where none are named.")] = False,
    task: Annotated[list[str] | None, Option(metavar="NAME", help="Task; may be given many times; else all.")] = None,
    entry: Annotated[
        list[str] | None,
        Option(metavar="FILE|NAME", help="Python file that takes part too, or one of ours; many times."),
    ] = None,
    listed: Annotated[bool, Option("--list", help="List tasks and entries, and run nothing.")] = False,
    hold_out: Annotated[
        str | None, Option(metavar="SECRET", help="Run the hold-out set of this secret, or of the file that has it.")
    ] = None,
    times: Annotated[bool, Option("--times", help="Measure the time of a step too, on this machine.")] = False,
    workers: Annotated[int | None, Option(metavar="N", help="Processes; by default one per processor.")] = None,
    as_json: options.AsJson = False,
) -> None:
    """Compare algorithms on tasks that nobody has tuned them for: recordings, loops, networks, contact, the grid."""
    without_threads()
    from couplant.lab.arena.play import play

    if listed:
        _list()
        return
    folder = None if output is None else output_folder(output)
    files = [name for name in entry or () if name.endswith(".py")]
    names = [name for name in entry or () if not name.endswith(".py")]
    with progress_bar(wanted=not as_json) as progress:
        done = play(
            task or (), names, files, small=small, secret=_secret(hold_out), workers=workers, output=folder,
            progress=progress,
        )  # fmt: skip
    warn(*done.left_out)
    _tell(_with_times(done) if times else done, folder, as_json)


def _with_times(done: Arena) -> Arena:
    from couplant.lab.arena.times import step_times

    return replace(done, times=step_times(done.entries))


def _tell(done: Arena, folder: Path | None, as_json: bool) -> None:
    """Write page and CSV file if there is a folder for them, and print the standings."""
    written = []
    if folder is not None:
        from couplant.report.arena import write_arena

        written = write_arena(done, folder)
    print_json(done.to_dict()) if as_json else _show(done, written)


def _secret(text: str | None) -> str | None:
    """Return the secret: the text itself, or the first line of the file that it names."""
    path = Path(text or "")
    return path.read_text(encoding="utf-8").strip() if text and path.is_file() else text


def _list() -> None:
    from couplant.lab.arena.entries import ENTRIES
    from couplant.lab.arena.tasks import draw_tasks

    tasks = [[one.name, one.plan.family, one.about] for one in draw_tasks()]
    print_table(("task", "family", "what it is"), tasks)
    typer.echo()
    print_table(("entry", "of", "source", "must be known"), [[e.name, e.side, e.source, e.knows] for e in ENTRIES])


def _show(done: Arena, written: list[Path]) -> None:
    from couplant.lab.arena.scores import HEADINGS, figures

    times = ["ns a step"] if done.times else []
    rows = [
        [one.entry.label, *figures(one), *([plain(done.times.get(one.entry.name))] if times else [])]
        for one in done.standings
    ]
    print_table([*HEADINGS, *times], rows)
    typer.echo("mean, worst: error over that of the plain wire, geometric mean and largest; lost: loops that grow.")
    if written:
        typer.echo(f"wrote {', '.join(path.name for path in written)} to {written[0].parent}")
