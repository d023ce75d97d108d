"""What the page of the workbench writes FMUs with: translated modules, and files that FMUs have alike."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

from couplant.pack.binaries.compile import at_hand, binary_name
from couplant.pack.binaries.platforms import PLATFORMS
from couplant.pack.binaries.prebuilt import binary_in
from couplant.pack.binaries.sources import coupling_unit
from couplant.pack.describe.xml import VERSIONS
from couplant.pack.fmu import around, header_licence

MODULES = (
    "couplant.pack.plan",
    "couplant.pack.settings",
    "couplant.pack.archive.zipped",
    "workbench.build.taken",
)
"""Modules that `workbench/take` uses."""

_OUTSIDE = "take/outside.js"
HAND_WRITTEN = {
    "couplant.analysis.algorithms": _OUTSIDE,
    "couplant.pack.archive.libraries": "take/libraries.js",
    "couplant.analysis.morphism": _OUTSIDE,
    "couplant.analysis.phasor": "analysis/waves.js",
    "couplant.pack.plants": _OUTSIDE,
}
"""Files of the workbench that stand in the place of modules which these need."""


def take_files(folder: Path | None = None) -> dict[str, Any]:
    """Return what FMUs have alike, for JSON: binaries of both versions of the standard, licences, icons, page.

    Binaries are those without neural networks and power bonds, as gzip members that go into FMUs as they are. Platforms
    whose binaries neither came with the installation nor can be compiled are left out; with a `folder` of binaries,
    those that it lacks.

    Raises
    ------
    CouplantError
        If a compiler refuses the sources.
    """
    return {fmi: _of_version(fmi, folder) for fmi in VERSIONS}


def _of_version(fmi: str, folder: Path | None) -> dict[str, Any]:
    unit, shown = coupling_unit(fmi, neural=False, energy=False), around(fmi, [header_licence(fmi)])
    return {
        "digest": unit.digest(),
        "frame": list(shown.frame),
        "licences": list(shown.licences),
        "icons": {name: _text(content) for name, content in shown.icons.items()},
        "binaries": {
            name: {"folder": one.folder(fmi), "suffix": one.suffix, "content": _text(binary_in(folder, unit, one))}
            for name, one in PLATFORMS.items()
            if (at_hand(unit, one) if folder is None else (folder / binary_name(unit, one)).is_file())
        },
    }


def _text(content: bytes) -> str:
    return base64.b64encode(content).decode("ascii")
