"""Whose FMU a file is: signal c of interface a_b and signal b_c of interface a are both called a_b_c.fmu."""

from __future__ import annotations

from couplant.config.interface import Interface

ORIGIN = "extra/couplant/origin.txt"
"""Interface and signal, each in a line."""


def origin_file(interface: Interface, signal: str) -> dict[str, bytes]:
    """Return the file that tells whose the FMU of a `signal` is, by name inside the archive."""
    return {ORIGIN: f"{interface.name}\n{signal}\n".encode()}
