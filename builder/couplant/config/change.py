"""Change a configuration file, one signal of it, or a scenario; comments and everything else stay."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import tomlkit

from couplant.base.errors import UsageError
from couplant.base.files import write_atomic
from couplant.config.frame.read import Content, read_toml
from couplant.config.load import parse_interface
from couplant.config.scenario import check_scenario


def change_signal(path: str | Path, signal: str, change: Callable[[Any], None]) -> Path:
    """Apply a change to the section of a signal and write the file, if it is right afterwards; return its path.

    `change` is given the section, a table of tomlkit, to change in place. Raises UsageError if the file is wrong,
    before or after, or has no such signal; it is then unchanged.
    """
    before = parse_interface(read_toml(path), str(path))
    if signal not in before.signals:
        raise UsageError(f"{path}: no signal {signal!r}, allowed {', '.join(before.signals)}")
    return change_file(path, lambda document: change(document["signals"][signal]))


def change_file(path: str | Path, change: Callable[[Any], None]) -> Path:
    """Apply a change to a configuration file or a scenario and write it, if it is right afterwards; return its path.

    `change` is given the document of tomlkit to change in place. Raises UsageError if the file is wrong, before or
    after; it is then unchanged.
    """
    path = Path(path)
    _check(read_toml(path), path)
    document: Any = tomlkit.parse(path.read_text(encoding="utf-8-sig"))
    change(document)
    text = tomlkit.dumps(document)
    _check(tomlkit.parse(text).unwrap(), path)
    return write_atomic(path, text)


def _check(document: Content, path: Path) -> None:
    if "components" in document and "interface" not in document:
        check_scenario(path, document)
    else:
        parse_interface(document, str(path))
