"""Whose FMU a file is: signal c of interface a_b and signal b_c of interface a are both called a_b_c.fmu."""

from __future__ import annotations

import zipfile
from pathlib import Path

from couplant.config.interface import Interface
from couplant.errors import UsageError

ORIGIN = "extra/couplant/origin.txt"
"""Interface and signal, each in a line."""

_LONGEST = 200


def origin_file(interface: Interface, signal: str) -> dict[str, bytes]:
    """Return what the FMU of a `signal` carries to tell whose it is, by name inside the archive."""
    return {ORIGIN: f"{interface.name}\n{signal}\n".encode()}


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
