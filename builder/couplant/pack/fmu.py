"""How every FMU comes to be: description -> XML -> settings -> what runs -> reference result -> page -> archive.

A kind of FMU is its description, its settings and a backend: `Native` binaries of one C source, or `PythonRuntime`.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Protocol

from couplant.base import paths
from couplant.base.inline import script_hash
from couplant.pack.archive.identity import SettingsFile
from couplant.pack.archive.write import write_fmu
from couplant.pack.archive.zipped import Packed, read_member
from couplant.pack.binaries.compile import Unit, binary
from couplant.pack.binaries.platforms import Platform
from couplant.pack.binaries.sources import SOURCE, source_files
from couplant.pack.describe.shown import Around
from couplant.pack.plan import Plan, identify, whole

ICONS = {
    "2": {"model.png": "importer/icon.png"},
    "3": {f"terminalsAndIcons/icon.{kind}": f"importer/icon.{kind}" for kind in ("png", "svg")},
}
"""Pictures by version of the standard: what they are below ``resources``, by their names in an FMU."""


def around(fmi: str, licences: Sequence[str]) -> Around:
    """Return the frame for version `fmi` of the standard; `licences` are those of the backend's parts from others.

    Raise `CouplantError` if the installation lacks one of the files that every FMU carries.
    """
    own = paths.licence().read_text(encoding="utf-8")
    icons = {name: paths.resource(picture).read_bytes() for name, picture in ICONS[fmi].items()}
    return Around(frame(), [own, *licences], icons)


def header_licence(fmi: str) -> str:
    """Return the licence of the headers of the standard of version `fmi`, as they have it."""
    header = paths.resource(f"headers/fmi{fmi}/fmi{fmi}Functions.h").read_text(encoding="utf-8")
    text = header[header.index("Copyright (C)") : header.index("*/")]
    lines = [line.strip() for line in text.strip().splitlines()]
    return f"Headers of FMI {fmi}.0\n\n" + "\n".join(line for line in lines if line.strip("-")) + "\n"


@cache
def frame() -> tuple[str, str]:
    """Return the text before and behind the data of a page, which allows its own script and no other."""
    text = paths.resource("importer/index.html").read_text(encoding="utf-8")
    (script,) = re.findall(r"<script>(.*?)</script>", text, flags=re.DOTALL)
    before, after = text.replace("@HASH@", script_hash(script)).split("@DATA@")
    return before, after


class Backend(Protocol):
    """Backend, which makes FMUs run."""

    @property
    def fmi(self) -> str:
        """Return the version of the standard, ``"2"`` or ``"3"``."""

    @property
    def source_files(self) -> tuple[str, ...]:
        """Return the sources for an importer that compiles."""

    def licences(self) -> Sequence[str]:
        """Return the licences of what this backend has from others."""

    def digest(self) -> str:
        """Return a hash of all that this backend puts into an FMU: equal on all machines."""

    def files(self, name: str, settings: SettingsFile) -> Mapping[str, bytes | Packed]:
        """Return the files that run in the FMU of the model identifier `name`, by name inside the archive."""


@dataclass(frozen=True)
class Native:
    """The C source `code` behind the face of an `fmi` version, compiled for `platforms`, with `sources` if wanted."""

    code: Unit
    fmi: str
    platforms: Sequence[Platform]
    sources: bool = False

    @property
    def source_files(self) -> tuple[str, ...]:
        """Return the one file to compile."""
        return (SOURCE,) if self.sources else ()

    def licences(self) -> Sequence[str]:
        """Return the licence of the headers that the face is compiled with."""
        return [header_licence(self.fmi)]

    def digest(self) -> str:
        """Return the hash of the sources."""
        return self.code.digest()

    def files(self, name: str, settings: SettingsFile) -> Mapping[str, bytes | Packed]:
        """Return binaries and sources; raise `CouplantError` if a binary must be compiled and cannot be."""
        binaries = {
            f"binaries/{platform.folder(self.fmi)}/{name}{platform.suffix}": read_member(binary(self.code, platform))
            for platform in self.platforms
        }
        return {**binaries, **(source_files(name, settings, self.code, self.fmi) if self.sources else {})}


def build_fmu(path: Path, plan: Plan, backend: Backend) -> Path:
    """Write the FMU of a plan to `path`; equal input gives equal entries and the same token.

    Raise `CouplantError` if a binary must be compiled and cannot be, or the installation is damaged.
    """
    fmi = backend.fmi
    settings = identify(plan, fmi, backend.digest())
    runs, shown = backend.files(plan.description.name, settings), around(fmi, backend.licences())
    return write_fmu(path, whole(plan, fmi, settings, runs, shown, backend.source_files))
