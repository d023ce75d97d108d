"""``couplant init``: a commented configuration, a scenario and a README to start from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from couplant.base.errors import UsageError
from couplant.base.files import write_atomic
from couplant.base.paths import resource
from couplant.cli.output import (
    Decimal,
    Delimiter,
    Latency,
    MacroStep,
    TimeColumn,
    TimeUnit,
    output_folder,
    progress_bar,
    say,
)

if TYPE_CHECKING:
    from couplant.design.start import Start

FILES = ("interface.toml", "scenario.toml", "README.md")
"""Names in `resources/templates/start` and in the folder that is written."""

SCHEMAS = ("interface.schema.json", "scenario.schema.json")
"""Names in `resources/schema` and beside the settings files, whose first lines name them for editors."""


def command(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Folder to write into; made if needed.")] = Path("."),
    recording: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Recording: each of its channels becomes a signal.")
    ] = None,
    columns: Annotated[
        list[str] | None, typer.Option("--column", metavar="NAME", help="Only this channel; may be given many times.")
    ] = None,
    commanded: Annotated[
        str | None, typer.Option("--command", metavar="NAME", help="Channel that a machine is to follow.")
    ] = None,
    response: Annotated[str | None, typer.Option(metavar="NAME", help="Channel that tells how it does.")] = None,
    latency: Latency = None,
    macro_step: MacroStep = None,
    time: TimeColumn = None,
    time_unit: TimeUnit = None,
    delimiter: Delimiter = None,
    decimal: Decimal = None,
) -> None:
    """Write a commented configuration, a scenario that runs and a README to start from."""
    if (commanded is None) != (response is None) or (commanded is not None and recording is None):
        raise UsageError("--command and --response belong together, and to --recording.")
    target = output_folder(folder)
    refuse_existing(target, (*FILES, *SCHEMAS))
    contents = {name: (resource("templates/start") / name).read_bytes() for name in FILES}
    if recording is not None:
        how = (time, time_unit, delimiter, decimal)
        pair = None if commanded is None or response is None else (commanded, response)
        start = _start(recording, how, pair, columns=columns or (), macro_step=macro_step, latency=latency)
        contents |= {FILES[0]: start.interface().encode(), FILES[1]: start.scenario(target).encode()}
    for name, content in with_schemas(contents).items():
        typer.echo(f"wrote {write_atomic(target / name, content)}")
    typer.echo(f"Next: couplant build {target / FILES[0]}, couplant simulate {target / FILES[1]}")


def _start(path: Path, how: tuple[str | None, ...], pair: tuple[str, str] | None, **told: Any) -> Start:
    """Return the start that a recording gives, and say what was assumed, and how far a response lags."""
    from couplant.design.start import answering, start_from
    from couplant.tables import Reading

    with progress_bar() as progress:
        start = start_from(path, Reading(*how), told=progress or (lambda share, text: None), **told)
    start = start if pair is None else answering(start, *pair)
    say(*start.assumed)
    for name, line in start.answers.items():
        typer.echo(f"{name}: {line}")
    return start


def with_schemas(contents: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return files of these `contents` by name, and schemas, which the first lines of settings name for editors."""
    found = dict(contents)
    for name, schema in zip(FILES, SCHEMAS, strict=False):
        found[name] = f"#:schema ./{schema}\n".encode() + found[name]
        found[schema] = (resource("schema") / schema).read_bytes()
    return found


def refuse_existing(folder: Path, names: Iterable[str]) -> None:
    """Refuse to overwrite one of the files `names` in a folder.

    Raises
    ------
    UsageError
        If one is there.
    """
    for name in names:
        if (folder / name).exists():
            raise UsageError(f"{folder / name}: exists already and is not overwritten.")
