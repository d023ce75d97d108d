"""Change one signal of a configuration file; comments and everything else stay."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import tomlkit

from couplant.config.load import parse_interface
from couplant.errors import UsageError
from couplant.files import write_atomic
from couplant.frame import read_toml


def change_signal(path: str | Path, signal: str, change: Callable[[Any], None]) -> Path:
    """Apply a change to the section of a signal and write the file, if it is right afterwards; return its path.

    `change` is given the section, a table of tomlkit, to change in place.

    Raises
    ------
    UsageError
        If the file is wrong, before or after, or has no such signal; it is then unchanged.
    """
    path = Path(path)
    before = parse_interface(read_toml(path), str(path))
    if signal not in before.signals:
        raise UsageError(f"{path}: no signal {signal!r}, allowed {', '.join(before.signals)}")
    document = tomlkit.parse(path.read_text(encoding="utf-8-sig"))
    section: Any = document["signals"][signal]
    change(section)
    text = tomlkit.dumps(document)
    parse_interface(tomlkit.parse(text).unwrap(), str(path))
    return write_atomic(path, text)
