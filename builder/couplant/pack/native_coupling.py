"""Native backend: the kernel behind an FMI face, compiled for each platform, or as sources."""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from couplant import paths
from couplant.pack.compile import Unit, binary
from couplant.pack.coupling import describe
from couplant.pack.native import settings_text
from couplant.pack.platforms import Platform
from couplant.pack.reference import reference_files
from couplant.pack.sources import build_description, source_files
from couplant.pack.xml import Capabilities, write_fmi2, write_fmi3
from couplant_runtime.config import Settings
from couplant_runtime.slave import SETTINGS

MODEL = '#include "coupling.c"\n'


@dataclass(frozen=True)
class Target:
    """What a native FMU is built for.

    Attributes
    ----------
    fmi : str
        ``"2"`` or ``"3"``.
    platforms : tuple of Platform
        Whose binaries it carries.
    sources : bool
        Whether it carries its C sources too.
    """

    fmi: str
    platforms: Sequence[Platform]
    sources: bool


def coupling_unit(fmi: str, network: bool = True) -> Unit:
    """Return what is compiled for the coupling FMUs of version `fmi`: settings come from their resources.

    Parameters
    ----------
    fmi : str
        ``"2"`` or ``"3"``.
    network : bool
        Whether the code of networks and their learning is in it.
    """
    frame, kernel = paths.fmu_source("fmi"), paths.fmu_source("kernel")
    folders = (frame, kernel, kernel / "algorithms", *([kernel / "learning"] if network else []))
    return Unit(
        source=frame / "all.c",
        folders=(*folders, paths.resource(f"headers/fmi{fmi}")),
        generated={"model.c": MODEL},
        defines=(f"CP_FMI={fmi}", *([] if network else ["CP_WITHOUT_NETWORK"])),
    )


def compile_coupling(
    fmi: str, platforms: Sequence[Platform], network: bool, progress: Callable[[float, str], None]
) -> None:
    """Compile ahead what `native_files` needs: FMUs of one version with, and those without, a network share binaries.

    Parameters
    ----------
    fmi : str
        ``"2"`` or ``"3"``.
    platforms : sequence of Platform
        Platforms of the FMUs.
    network : bool
        Whether for FMUs with a network.
    progress : callable
        Is told the fraction done and what is next.

    Raises
    ------
    CouplantError
        If a binary must be compiled and cannot be.
    """
    code = coupling_unit(fmi, network)
    for i, entry in enumerate(platforms):
        progress(i / len(platforms), f"compiling for {entry.name}")
        binary(code, entry)


def native_files(settings: Settings, name: str, unit: str, variability: str, target: Target) -> dict[str, bytes]:
    """Return the files of a native coupling FMU.

    Parameters
    ----------
    settings : Settings
        Settings of the FMU.
    name : str
        Model identifier.
    unit : str
        Unit of the signal.
    variability : str
        Variability of `y_hat`.
    target : Target
        FMI version, platforms, sources.

    Returns
    -------
    dict of str to bytes
        Contents by name inside the FMU.

    Raises
    ------
    CouplantError
        If a binary must be compiled and cannot be.
    """
    code = coupling_unit(target.fmi, network=settings.network is not None)
    text = settings_text("", 0, settings.lists())
    digest = hashlib.sha256(repr((name, unit, variability, text, target.fmi, code.digest())).encode()).digest()
    token, fingerprint = f"{{{uuid.UUID(bytes=digest[:16])}}}", int.from_bytes(digest[:8], "big")
    sources = source_files(settings, name, token, fingerprint, code) if target.sources else {}
    description = describe(settings, name, token, unit, variability, _capabilities(settings, target.fmi), bool(sources))
    files = {
        "modelDescription.xml": (write_fmi2 if target.fmi == "2" else write_fmi3)(description).encode(),
        f"resources/{SETTINGS}": settings_text(token, fingerprint, settings.lists()).encode(),
    }
    for entry in target.platforms:
        files[f"binaries/{entry.folder(target.fmi)}/{name}{entry.suffix}"] = binary(code, entry)
    if sources and target.fmi == "3":
        files["sources/buildDescription.xml"] = build_description(name)
    return files | sources | reference_files(settings)


def _capabilities(settings: Settings, fmi: str) -> Capabilities:
    return Capabilities(
        directional_derivatives=True,
        max_output_derivative_order=1,
        event_mode=settings.event and fmi == "3",
    )
