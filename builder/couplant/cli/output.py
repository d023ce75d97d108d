"""Options and output that many verbs have: tables for people, JSON for programs, warnings, folders, the browser."""

from __future__ import annotations

import glob
import json
import math
import os
import sys
import webbrowser
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from couplant.base.errors import CouplantError, UsageError
from couplant.cli import options

if TYPE_CHECKING:
    from couplant.base.notebook import Shows
    from couplant.report.page import Table as PageTable

_PLAIN_WIDTH = 200


def given_of(**options: Any) -> dict[str, Any]:
    """Return the `options` that are given, by name."""
    return {name: value for name, value in options.items() if value is not None}


def check_picture(picture: Path | None) -> None:
    """Refuse the name of a `picture` whose ending tells no format, before anything runs."""
    from couplant.report.pictures import kind_of

    if picture is not None:
        kind_of(picture)


def print_json(data: Any) -> None:
    """Print `data` that JSON can hold on standard output; numbers that are not finite become null."""
    sys.stdout.write(json.dumps(_finite(data), indent=2, allow_nan=False, ensure_ascii=False) + "\n")


def _finite(data: Any) -> Any:
    if isinstance(data, dict):
        return {key: _finite(value) for key, value in data.items()}
    if isinstance(data, (list, tuple)):
        return [_finite(value) for value in data]
    return None if isinstance(data, float) and not math.isfinite(data) else data


def print_table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print a table, framed on a terminal, plain columns in a pipe; columns of numbers are set to the right."""
    from rich import box  # takes long to load
    from rich.console import Console
    from rich.table import Table

    terminal = sys.stdout.isatty()
    console = Console(width=None if terminal else _PLAIN_WIDTH, highlight=False)
    table = Table(box=box.SIMPLE_HEAD if terminal else None, pad_edge=False)
    for i, column in enumerate(columns):
        numeric = all(_is_number(row[i]) for row in rows)
        table.add_column(column, justify="right" if numeric else "left", overflow="fold")
    for row in rows:
        table.add_row(*row)
    console.print(table, markup=False)


def print_tables(tables: Iterable[PageTable], titled: bool = True) -> None:
    """Print the tables of a page, one below the other, with their titles if they are to be `titled`."""
    for table in tables:
        if titled:
            typer.echo(table.title)
        print_table(table.columns, table.rows)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return text in ("", "-")
    return True


def warn(*messages: str) -> None:
    """Print warnings, a sentence each, on standard error."""
    sys.stderr.writelines(f"couplant: warning: {message}\n" for message in messages)


def refuse_worse(worse: bool, config: Path | None) -> None:
    """Raise `CouplantError` if what was made is `worse` than the plain wire; the file `config` did not get it."""
    if worse:
        where = "" if config is None else f" {config} is left as it was."
        raise CouplantError(f"these weights are no better than the plain wire where they are judged.{where}")


def named_signal(name: str | None) -> str:
    """Return the signal that ``--signal`` names; raise `UsageError` if it names none."""
    if name is None:
        raise UsageError("--signal is missing: which signal of the settings file is meant")
    return name


def print_shown(found: Shows, but: str = "") -> None:
    """Print an answer as it shows itself at a prompt, all rows as a table, the notes without the line `but`."""
    shown = found._summary()
    print_table(shown.columns, shown.rows)
    typer.echo("\n".join(line for line in shown.notes if line != but))


def expand_paths(paths: Sequence[Path], suffixes: Sequence[str] = options.RECORDINGS) -> list[Path]:
    """Return the files that `paths` name: files, those with one of `suffixes` in a folder, those that fit a pattern.

    Raise `UsageError` if a folder has no such file, or a pattern fits none.
    """
    found: list[Path] = []
    for path in paths:
        files = [path]
        if path.is_dir():
            files = sorted(one for one in path.iterdir() if one.is_file() and one.suffix.lower() in suffixes)
        elif not path.exists() and glob.has_magic(str(path)):
            files = sorted(map(Path, glob.glob(str(path), recursive=True)))
        if not files:
            raise UsageError(f"{path}: no {', '.join(suffixes) if path.is_dir() else 'such'} file.")
        found += files
    return found


def one_of(files: Sequence[Path]) -> Path:
    """Return the only one of the `files`; raise `UsageError` if there are several."""
    if len(files) > 1:
        raise UsageError(f"{len(files)} recordings, allowed 1 of a signal alone: several are those of a loop")
    return files[0]


def output_folder(folder: Path) -> Path:
    """Return a folder named by ``-o``, which is not made yet; raise `UsageError` if a file is in its place."""
    for place in (folder, *folder.parents):
        if place.exists() and not place.is_dir():
            raise UsageError(f"{folder}: cannot be a folder, {place} is a file.")
    return folder


@contextmanager
def progress_bar(wanted: bool = True) -> Iterator[Any]:
    """Yield ``(fraction, text) -> None`` that shows progress on a terminal if `wanted`, and is None elsewhere."""
    if not wanted or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console  # takes long to load
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=1.0)
        yield lambda fraction, text="": bar.update(task, completed=fraction, description=text)


def without_threads() -> None:
    """Keep the libraries below numpy from starting threads: they wait in a loop, on every processor."""
    for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ.setdefault(name, "1")


def say(*assumed: str) -> None:
    """Print assumptions about a file, a line for each, to standard error."""
    for line in dict.fromkeys(filter(None, assumed)):
        typer.echo(f"Assumed: {options.assumption_with_option(line)}", err=True)


def hint(old: str, new: str) -> None:
    """Print on standard error that the command `old` goes on working, and which one is meant for that now."""
    typer.echo(f"Hint: couplant {old} is couplant {new} now; it goes on working.", err=True)


def free_folder(folder: Path, force: bool) -> Path:
    """Return a folder for results; raise `UsageError` if it is none, or holds something without `force`."""
    found = output_folder(folder)
    if not force and found.is_dir() and any(found.iterdir()):
        raise UsageError(f"{folder}: holds files already; name another folder by -o, or write over them by --force.")
    return found


def show(page: Path, wanted: bool) -> None:
    """Open a page in the browser if that is `wanted` and there is a screen; a browser that fails is no error."""
    screen = os.name == "nt" or sys.platform == "darwin" or any(map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY")))
    if wanted and (screen or "BROWSER" in os.environ):
        try:
            webbrowser.open(page.resolve().as_uri())
        except (webbrowser.Error, OSError):
            typer.echo(f"No browser could be started: open {page}.", err=True)
