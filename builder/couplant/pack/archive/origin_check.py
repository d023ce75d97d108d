"""No FMU replaces that of another signal whose name happens to be the same."""

from __future__ import annotations

import zipfile
from pathlib import Path

from couplant.base.errors import UsageError
from couplant.config.interface import Interface
from couplant.pack.archive.origin import ORIGIN

_LONGEST = 200


def check_origin(path: Path, interface: Interface, signal: str) -> None:
    """Check that the FMU of a `signal` does not replace that of another one.

    Raises
    ------
    UsageError
        If the file is an FMU of another interface or signal.
    """
    try:
        with zipfile.ZipFile(path) as archive, archive.open(ORIGIN) as file:
            found = file.read(_LONGEST).decode(errors="replace").splitlines()
    except Exception:  # no such file, or none of ours: zipfile raises what it likes
        return
    if len(found) == 2 and found != [interface.name, signal]:
        own, other = (f"signal {name} of interface {of}" for of, name in ([interface.name, signal], found))
        raise UsageError(f"{path} is the FMU of {other}, and that of {own} has the same name: take another folder.")
