"""Delay-free references that tests have solved before, by what they are made of: workers and runs share them.

Half of what tests of `simulate` cost is the reference, and many scenarios of theirs have the same. A reference is taken
from the store only if nothing that it depends on is another: the model descriptions and binaries of the FMUs, links,
values, times, and the sources that solve. The tests of `solve` itself call it by its own name and never get one.
"""

from __future__ import annotations

import functools
import hashlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from couplant.config.ref import Ref
from couplant.cosim.fmu.instance import FmuComponent
from couplant.cosim.run import reference
from couplant.cosim.run.master import Wiring

ROOT = Path(__file__).resolve().parents[1]
SOURCES = ROOT / "builder" / "couplant" / "cosim"
STORE = ROOT / "build" / "tests"
MAKER = "couplant"


def solve(make_wiring: Any, macro_step: float, count: int, progress: Any = lambda share: None) -> reference.Reference:
    """Return what `reference.solve` does, which is asked only if the store has no such reference."""
    name = name_of(make_wiring(), macro_step, count)
    if name is None:
        return reference.solve(make_wiring, macro_step, count, progress)
    path = STORE / f"references-{digest_of_sources()}" / f"{name}.npz"
    if (known := read(path)) is not None:
        progress(0.0)
        return known
    found = reference.solve(make_wiring, macro_step, count, progress)
    if found.error <= reference.AGREEMENT:  # of others a warning tells
        write(path, found)
    return found


def name_of(wiring: Wiring, macro_step: float, count: int) -> str | None:
    """Return a digest of all that a reference depends on; None with components that are no FMUs of our own."""
    told = hashlib.sha256()
    for name, component in wiring.components.items():
        if not isinstance(component, FmuComponent) or component._description.generationTool != MAKER:
            return None
        told.update(f"{name} {component.ports}\n".encode())
        for content in parts(component.folder):
            told.update(content)
    settings = wiring.links, wiring.parameters, wiring.watched, macro_step, count
    bounds = reference.AGREEMENT, reference._MOST_MICRO_STEPS
    told.update(repr((*settings, *bounds)).encode())
    return told.hexdigest()[:32]


def parts(folder: Path) -> Iterator[bytes]:
    """Yield what of an unpacked FMU decides what it does."""
    for path in sorted([folder / "modelDescription.xml", *folder.glob("binaries/*/*"), *folder.glob("resources/**/*")]):
        if path.is_file():
            yield f"{path.relative_to(folder)}\n".encode() + path.read_bytes()


@functools.cache
def digest_of_sources() -> str:
    """Return a digest of the sources that solve."""
    told = hashlib.sha256()
    for path in sorted(SOURCES.rglob("*.py")):
        told.update(path.read_bytes())
    return told.hexdigest()[:16]


def read(path: Path) -> reference.Reference | None:
    """Return the reference in a file, None if there is none."""
    if not path.is_file():
        return None
    with np.load(path) as file:
        values = {Ref.parse(name): file[name] for name in file.files if not name.startswith(" ")}
        return reference.Reference(values, int(file[" micro_steps"]), float(file[" error"]))


def write(path: Path, found: reference.Reference) -> None:
    """Write a reference; other workers see all of it or nothing."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent)
    with os.fdopen(handle, "wb") as file:
        columns = {str(ref): values for ref, values in found.values.items()}
        np.savez(file, **columns, **{" micro_steps": found.micro_steps, " error": found.error})
    os.replace(name, path)
