"""What the page runs at speed: coupling, network and prototypes as modules of WebAssembly."""

from __future__ import annotations

import gzip
from collections.abc import Iterable
from pathlib import Path

from couplant.pack.binaries.compile import Unit, binary, binary_name
from couplant.pack.binaries.platforms import WASM, Platform
from couplant.pack.binaries.prebuilt import modules

NAMES = ("coupling", "network", "mass_1", "mass_2", "mass_1_stop")
"""Those of the page."""


def wasm_modules(names: Iterable[str] = NAMES, folder: Path | None = None) -> dict[str, bytes]:
    """Return modules by name: ``"coupling"`` and models; each imports nothing (`fmu_src/wasm/couplant.c`).

    A `folder` of binaries stands in the place of those that came with the installation.

    Raises
    ------
    KeyError
        If there is no such module.
    CouplantError
        If a module came with no installation and zig, which compiles it, is not there.
    """
    units = modules()
    return {name: gzip.decompress(binary_in(folder, units[name], WASM)) for name in names}


def binary_in(folder: Path | None, unit: Unit, target: Platform) -> bytes:
    """Return the binary of a `unit` for the platform `target` from a `folder`, else as `binary` has it."""
    return binary(unit, target) if folder is None else (folder / binary_name(unit, target)).read_bytes()
