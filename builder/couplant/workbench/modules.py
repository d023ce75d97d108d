"""What the page runs at speed: coupling, network and prototypes as modules of WebAssembly."""

from __future__ import annotations

import gzip
from collections.abc import Iterable

from couplant.pack.binaries.compile import binary
from couplant.pack.binaries.platforms import WASM
from couplant.pack.binaries.prebuilt import modules

NAMES = ("coupling", "network", "mass_1", "mass_2", "mass_1_stop")
"""Those of the page."""


def wasm_modules(names: Iterable[str] = NAMES) -> dict[str, bytes]:
    """Return modules by name: ``"coupling"`` and models; each imports nothing (`fmu_src/wasm/couplant.c`).

    Raises
    ------
    KeyError
        If there is no such module.
    CouplantError
        If a module came with no installation and zig, which compiles it, is not there.
    """
    units = modules()
    return {name: gzip.decompress(binary(units[name], WASM)) for name in names}
