"""Every binary that an installation may need, compiled ahead so that its user needs no compiler; those of pages."""

import gzip
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from couplant.base.files import write_atomic
from couplant.pack import models
from couplant.pack.binaries import sources
from couplant.pack.binaries.compile import Unit, binary, binary_name, engine_unit
from couplant.pack.binaries.platforms import WASM, Platform
from couplant.pack.describe.model_sheet import model_names
from couplant.pack.describe.xml import VERSIONS

OF_THE_PAGE = ("coupling", "network", "mass_1", "mass_2", "mass_1_stop")
"""Modules of WebAssembly by which the page of the workbench runs coupling, network and prototypes at speed."""


def units(platform: Platform) -> list[Unit]:
    """Return the units of a `platform`: FMUs for both versions of the standard, and kernel and runs for a process."""
    fmus = (unit for fmi in VERSIONS for unit in (*sources.units(fmi), *models.units(fmi)))
    return [*fmus, *(() if platform.only_fmus else (sources.kernel_unit(), engine_unit()))]


def modules() -> dict[str, Unit]:
    """Return all that is compiled for pages, by name: the coupling and every model."""
    return {"coupling": sources.coupling_module()} | {name: models.model_module(name) for name in model_names()}


def write_binaries(
    folder: Path, platforms: Sequence[Platform], portable: bool, progress: Callable[[str], None] = lambda text: None
) -> list[Path]:
    """Compile every unit for each platform, into files under the names by which `compile.binary` finds them.

    What pages run is compiled for the platform `WASM`, what FMUs run for all others. With `portable` zig compiles for
    this machine too, so that the binaries run on the oldest systems; `progress` is told what is next. Raise
    `CouplantError` if a compiler is missing or refuses the sources.
    """
    written = []
    for platform in platforms:
        needed = [*modules().values()] if platform == WASM else units(platform)
        for i, unit in enumerate(needed, start=1):
            progress(f"{platform.name}, {i} of {len(needed)}")
            content = binary(unit, platform, portable=portable)
            written.append(write_atomic(folder / binary_name(unit, platform), content))
    return written


def wasm_modules(names: Iterable[str] = OF_THE_PAGE, folder: Path | None = None) -> dict[str, bytes]:
    """Return modules by name: ``"coupling"`` and models; each imports nothing (`fmu_src/wasm/couplant.c`).

    A `folder` of binaries stands in the place of those that came with the installation. Raise `KeyError` if there is no
    such module, `CouplantError` if a module came with no installation and zig, which compiles it, is not there.
    """
    found = modules()
    return {name: gzip.decompress(binary_in(folder, found[name], WASM)) for name in names}


def binary_in(folder: Path | None, unit: Unit, target: Platform) -> bytes:
    """Return the binary of a `unit` for the platform `target` from a `folder`, else as `binary` has it."""
    return binary(unit, target) if folder is None else (folder / binary_name(unit, target)).read_bytes()
