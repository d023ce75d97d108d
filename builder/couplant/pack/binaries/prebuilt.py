"""Compile ahead every binary that an installation may need, so that its user needs no compiler."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from couplant.base.files import write_atomic
from couplant.pack import models
from couplant.pack.binaries import sources
from couplant.pack.binaries.compile import Unit, binary, binary_name, engine_unit
from couplant.pack.binaries.platforms import WASM, Platform
from couplant.pack.describe.model_sheet import model_names
from couplant.pack.describe.xml import VERSIONS


def units() -> list[Unit]:
    """Return the units of a platform: FMUs for both versions of the standard, and kernel and runs for a process."""
    fmus = (unit for fmi in VERSIONS for unit in (*sources.units(fmi), *models.units(fmi)))
    return [*fmus, sources.kernel_unit(), engine_unit()]


def modules() -> dict[str, Unit]:
    """Return all that is compiled for pages, by name: the coupling and every model."""
    return {"coupling": sources.coupling_module()} | {name: models.model_module(name) for name in model_names()}


def write_binaries(
    folder: Path, platforms: Sequence[Platform], portable: bool, progress: Callable[[str], None] = lambda text: None
) -> list[Path]:
    """Compile every unit for each platform, into files under the names by which `compile.binary` finds them.

    What pages run is compiled for the platform `WASM`, what FMUs run for all others. With `portable` zig compiles for
    this machine too, so that the binaries run on the oldest systems; `progress` is told what is next.

    Raises
    ------
    CouplantError
        If a compiler is missing or refuses the sources.
    """
    written = []
    for platform in platforms:
        needed = [*modules().values()] if platform == WASM else units()
        for i, unit in enumerate(needed, start=1):
            progress(f"{platform.name}, {i} of {len(needed)}")
            content = binary(unit, platform, portable=portable)
            written.append(write_atomic(folder / binary_name(unit, platform), content))
    return written
