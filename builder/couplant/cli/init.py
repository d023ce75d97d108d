"""``couplant init``: a commented configuration, a scenario and a README to start from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from couplant.base.errors import UsageError
from couplant.base.files import write_atomic
from couplant.base.paths import resource
from couplant.cli import options
from couplant.cli.advise import ask_loop
from couplant.cli.completion import directive, schema_file
from couplant.cli.output import given_of, one_of, output_folder, progress_bar, say

if TYPE_CHECKING:
    from couplant.design.start import Start

FILES = ("interface.toml", "scenario.toml", "README.md")
"""Names in `resources/templates/start` and in the folder that is written."""

KINDS = ("interface", "scenario")
"""Kinds of the first two, whose schemas stand beside them: their first lines name these for editors."""


def command(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Folder to write into; made if needed.")] = Path("."),
    recordings: Annotated[
        list[Path] | None,
        typer.Option("--recording", metavar="FILE", help="Each of its channels becomes a signal; of a loop several."),
    ] = None,
    sends: options.Sends = None,
    receives: options.Receives = None,
    columns: Annotated[
        list[str] | None, typer.Option("--column", metavar="NAME", help="Only this channel; may be given many times.")
    ] = None,
    commanded: Annotated[
        str | None, typer.Option("--command", metavar="NAME", help="Channel that a machine is to follow.")
    ] = None,
    response: Annotated[str | None, typer.Option(metavar="NAME", help="Channel that tells how it does.")] = None,
    latency: options.Latency = None, steps: options.Steps = None,
    jitter: options.Jitter = None, loss: options.Loss = None, seed: options.Seed = None,
    macro_step: options.MacroStep = None,
    time: options.TimeColumn = None, time_unit: options.TimeUnit = None,
    delimiter: options.Delimiter = None, decimal: options.Decimal = None,
) -> None:  # fmt: skip
    """Write a commented configuration, a scenario that runs and a README to start from."""
    if (commanded is None) != (response is None) or (commanded is not None and not recordings):
        raise UsageError("--command and --response belong together, and to --recording.")
    target = output_folder(folder)
    refuse_existing(target, (*FILES, *map(schema_file, KINDS), *(["system.toml"] if sends else [])))
    contents = {name: (resource("templates/start") / name).read_bytes() for name in FILES}
    late = options.late(steps, latency)
    how = (time, time_unit, delimiter, decimal)
    told = given_of(macro_step=macro_step, jitter=jitter, loss=loss, seed=seed)
    if sends or receives:
        alone = {"--column": columns, "--command": commanded}
        told |= {"sends": sends, "receives": receives, "latency": latency, "steps": steps}
        contents = _loop(recordings, how, contents, without=alone, **told)
    elif recordings:
        pair = None if commanded is None or response is None else (commanded, response)
        start = _start(one_of(recordings), how, pair, columns=columns or (), steps=late, **told)
        contents |= {FILES[0]: start.interface().encode(), FILES[1]: start.scenario(target).encode()}
    _write(contents, target)


def _write(contents: Mapping[str, bytes], target: Path) -> None:
    for name, content in with_schemas(contents).items():
        typer.echo(f"wrote {write_atomic(target / name, content)}")
    verbs = {FILES[0]: "couplant build", FILES[1]: "couplant simulate"}
    typer.echo(f"Next: {', '.join(f'{verb} {target / name}' for name, verb in verbs.items() if name in contents)}")


def _loop(
    recordings: Sequence[Path] | None, how: tuple[str | None, ...], contents: Mapping[str, bytes], **told: Any
) -> dict[str, bytes]:
    """Return the files of the advice for a loop by name, with the README of `contents`, and say what it is."""
    from couplant.report.advice import headline
    from couplant.tables import Reading

    if not recordings:
        raise UsageError("recording is missing: --sends and --receives name columns of it")
    found = ask_loop(recordings, wanted=True, how=Reading(*how), **told)
    say(*found.assumed)
    typer.echo(headline(found))
    made = {name: text.encode() for name, text in found.files().items()}
    return made | ({FILES[2]: contents[FILES[2]]} if found.is_worth_it else {})


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
    for name, kind in zip(FILES, KINDS, strict=False):
        if name in contents:
            found[name] = f"{directive(kind)}\n".encode() + contents[name]
            found[schema_file(kind)] = (resource("schema") / schema_file(kind)).read_bytes()
    return found


def refuse_existing(folder: Path, names: Iterable[str]) -> None:
    """Refuse to overwrite one of the files `names` in a folder; raise `UsageError` if one is there."""
    for name in names:
        if (folder / name).exists():
            raise UsageError(f"{folder / name}: exists already and is not overwritten.")
