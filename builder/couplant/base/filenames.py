"""Names that cannot be those of files everywhere."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeVar

Key = TypeVar("Key")

_DEVICES = {"con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in range(10))}


def is_device(name: str) -> bool:
    """Tell whether Windows takes a file of this `name`, whatever its suffix, for a device."""
    return name.partition(".")[0].rstrip().lower() in _DEVICES


def same_files(names: Mapping[Key, str]) -> Iterator[tuple[Key, Key]]:
    """Yield pairs of keys whose `names` are equal or differ in case only: on many systems they are one file."""
    seen: dict[str, Key] = {}
    for key, name in names.items():
        if name.lower() in seen:
            yield seen[name.lower()], key
        seen.setdefault(name.lower(), key)
