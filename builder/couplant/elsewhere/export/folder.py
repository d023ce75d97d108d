"""Write a scenario for other tools: FMUs, one description for each format, and how to run them."""

from __future__ import annotations

import json
import string
import tempfile
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from couplant.base.files import write_atomic
from couplant.base.paths import resource
from couplant.config.scenario import load_scenario
from couplant.elsewhere.export.formats import CONTAINER, OSP, container, osp, ssp
from couplant.elsewhere.export.system import System, algorithm_of, system_of

FMUS = "fmus"
"""Folder of the FMUs."""


@dataclass(frozen=True)
class Exported:
    """Files that were written."""

    folder: Path
    files: tuple[str, ...]  # relative to the folder
    host: str  # kind of tool that the coupling FMUs are made for
    algorithm: str
    step: float  # communication step [s]
    duration: float  # [s]

    def to_dict(self) -> dict[str, Any]:
        """Return all of it as plain values."""
        return {**vars(self), "folder": str(self.folder), "files": list(self.files)}


def export(
    path: str | Path,
    folder: Path,
    assignments: Sequence[str] = (),
    algorithm: str | None = None,
    platform: str = "host",
) -> Exported:
    """Write a scenario file into `folder` so that other tools can run it.

    Parameters
    ----------
    assignments : sequence of str
        Changes in the form ``key=TOML value``, for instance ``network.latency_steps=4``.
    algorithm : str, optional
        Name of the algorithm; needed where the scenario runs several.
    platform : str
        Whose binaries the FMUs carry: ``"host"``, ``"all"``, or names of platforms with commas between them.

    Raises
    ------
    UsageError
        If the scenario is wrong, or has what other tools cannot run; nothing is written then.
    CouplantError
        If a binary must be compiled and cannot be.
    """
    chosen = [] if algorithm is None else [f"algorithms=[{json.dumps(algorithm)}]"]
    loaded = load_scenario(path, [*assignments, *chosen])
    name = algorithm_of(loaded)
    with tempfile.TemporaryDirectory(prefix="couplant-") as scratch:
        system = system_of(loaded, name, Path(scratch), platform)
        contents: dict[str, bytes | str] = {f"{FMUS}/{p.fmu.name}": p.fmu.read_bytes() for p in system.parts}
        contents["system.ssp"] = ssp(system)
    contents[OSP] = osp(system, FMUS)
    contents[CONTAINER] = container(system, FMUS)
    contents["README.txt"] = _readme(system, name)
    for file, content in contents.items():
        write_atomic(folder / file, content)
    return Exported(folder, tuple(contents), system.host, name, system.step, system.duration)


def _readme(system: System, algorithm: str) -> str:
    """Return how to run the system in each tool, with the values that some of them must be given."""
    template = string.Template(resource("templates/export/README.txt").read_text(encoding="utf-8"))
    rows = [f"    {p.name}.{port.name} = {value}" for p in system.parts for port, value in p.parameters]
    return template.substitute(
        title=system.title,
        underline="=" * len(system.title),
        name=system.name,
        algorithm=algorithm,
        host=system.host,
        step=repr(system.step),
        duration=repr(system.duration),
        order=textwrap.fill(", ".join(part.name for part in system.parts), 100, subsequent_indent=" " * 16),
        parameters="\n".join(rows) if rows else "    none: every FMU starts with the values of the scenario by itself",
    )
