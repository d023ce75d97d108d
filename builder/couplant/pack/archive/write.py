"""Write an FMU: a ZIP with fixed dates and order, complete or not at all."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path

from couplant.base.files import write_atomic
from couplant.pack.archive.packed import pack
from couplant.pack.archive.stream import Packed
from couplant.pack.archive.zipped import archived

_built: set[tuple[int, str]] = set()
"""Size [byte] and hash of each FMU that this process built."""


def write_fmu(path: Path, files: Mapping[str, bytes | Packed]) -> Path:
    """Write `files`, contents by name inside the FMU, to `path`, which is returned.

    Raises
    ------
    OSError
        If the file cannot be written; nothing half-written stays behind.
    """
    content = archived({name: one if isinstance(one, Packed) else pack(one) for name, one in files.items()})
    _built.add((len(content), hashlib.sha256(content).hexdigest()))
    return write_atomic(path, content)


def is_own(path: Path) -> bool:
    """Tell whether a file has the bytes of an FMU that this process built: nothing foreign runs in it.

    What is inside the file does not count; it says what its maker likes.
    """
    try:
        size = path.stat().st_size
        known = any(size == built for built, _ in _built)  # others may be too large to be read
        return known and (size, hashlib.sha256(path.read_bytes()).hexdigest()) in _built
    except (OSError, ValueError):  # no such file, or no name of one
        return False
