"""Reading settings: TOML, assignments from the command line, the checked `Interface`."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import tomlkit
from tomlkit.exceptions import TOMLKitError

from couplant.config.problems import problem_lines
from couplant.config.schema import Document, Interface
from couplant.errors import UsageError


def load_interface(path: str | Path, assignments: Sequence[str] = ()) -> Interface:
    """Read and check a settings file.

    Parameters
    ----------
    path : str or Path
        TOML file.
    assignments : sequence of str
        Changes in the form ``key=TOML value``, applied before the check.

    Raises
    ------
    UsageError
        If the file cannot be read or anything in it is wrong: one line for each thing, all at once.
    """
    return parse_interface(apply_assignments(read_toml(path), assignments), str(path))


def parse_interface(document: dict[str, Any], origin: str) -> Interface:
    """Check settings that are already plain Python values.

    Parameters
    ----------
    document : dict
        Tables ``interface`` and ``signals``.
    origin : str
        Name of the file, for messages.

    Raises
    ------
    UsageError
        If anything is wrong: one line for each thing, all at once.
    """
    lines = problem_lines(document)
    if lines:
        raise UsageError("\n".join(f"{origin}: {line}" for line in lines))
    checked = Document.model_validate(document)
    common = checked.interface
    return Interface.model_construct(
        name=common.name, macro_step=common.macro_step, timing=common.timing, signals=checked.signals
    )


def read_toml(path: str | Path) -> dict[str, Any]:
    """Return the content of a TOML file as plain Python values.

    Parameters
    ----------
    path : str or Path
        The file, in UTF-8.

    Raises
    ------
    UsageError
        If there is no such file or it is not TOML.
    """
    try:
        text = Path(path).read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(f"{path}: not a TOML file: byte {error.start} is not UTF-8.") from None
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {(error.strerror or str(error)).lower()}.") from None
    try:
        return tomlkit.parse(text).unwrap()
    except (TOMLKitError, ValueError) as error:
        raise UsageError(f"{path}: not a TOML file: {_first_line(error)}") from None


def apply_assignments(document: dict[str, Any], assignments: Sequence[str]) -> dict[str, Any]:
    """Return a copy of a document with some keys set, as ``--set`` does.

    Parameters
    ----------
    document : dict
        Plain Python values; left as it is.
    assignments : sequence of str
        Each ``key=value`` with a dotted key and a TOML value, for instance ``network.latency_steps=4``.

    Raises
    ------
    UsageError
        If an assignment is not of this form or its key leads through something that is not a table.
    """
    changed = copy.deepcopy(document)
    for assignment in assignments:
        *tables, last = _key(assignment)
        node: Any = changed
        for depth, table in enumerate(tables, start=1):
            node = node.setdefault(table, {})
            if not isinstance(node, dict):
                raise UsageError(f"--set {assignment}: {'.'.join(tables[:depth])} is not a table.")
        node[last] = _value(assignment)
    return changed


def _key(assignment: str) -> list[str]:
    key, equals, _ = assignment.partition("=")
    try:
        if not equals or "\n" in assignment:
            raise ValueError("not one assignment")
        return _path(tomlkit.parse(f"{key} = 0").unwrap())
    except (TOMLKitError, ValueError):
        raise UsageError(f"--set {assignment}: allowed is key=value, for instance network.latency_steps=4.") from None


def _path(node: Any) -> list[str]:
    if not isinstance(node, dict):
        return []
    ((part, inner),) = node.items()
    return [part, *_path(inner)]


def _value(assignment: str) -> Any:
    key, _, text = assignment.partition("=")
    try:
        return tomlkit.parse(f"value = {text}").unwrap()["value"]
    except (TOMLKitError, ValueError):
        quoted = f'{key.strip()}="{text.strip()}"' if text.strip() else f'{key.strip()}=".."'
        message = f"--set {assignment}: the value is not TOML; texts need quotes that the shell keeps: '{quoted}'."
        raise UsageError(message) from None


def _first_line(error: Exception) -> str:
    return str(error).splitlines()[0].rstrip(".") + "."
