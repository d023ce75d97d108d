"""The page of the workbench: one file that comes with the wheel; a recording is put into a copy of it.

In the tree, and where the wheel was made without the compiler of its modules, `workbench/build` makes the page when it
is asked for, and it is kept until something that it is made of changes.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from couplant.base import paths
from couplant.base.files import write_atomic
from couplant.base.inline import inline_json

if TYPE_CHECKING:
    from couplant.workbench.recording import Shown

PAGE = "page.html"  # name of the page that comes with a wheel, beside what it is made of

_NO_RECORDING = 'id="recording">null<'
_PACKAGES, _COMPILERS = ("ziglang", "zopfli"), ("cc", "gcc", "clang")  # what makes binaries

_PARTS = ("workbench", "fmu_src", "resources", "examples/01_two_mass_oscillator", "examples/03_recording")
"""Folders of a page's parts; the package is one too."""


def write_page(path: Path, recording: Shown | None = None) -> Path:
    """Write the workbench, see `page`, and return `path`; raise `OSError` or, without a part of it, `CouplantError`."""
    return write_atomic(path, page(recording))


def page(recording: Shown | None = None) -> str:
    """Return the workbench as text, with a `recording` shown first; raise `CouplantError` if a part is missing."""
    text = _page()
    if recording is None:
        return text
    before, after = text.split(_NO_RECORDING)
    return f'{before}id="recording">{inline_json(recording.to_dict())}<{after}'


def _page() -> str:
    """Return the page that came with the installation, else the one that was made before, else a new one."""
    shipped = paths.workbench() / PAGE
    if shipped.is_file():
        return shipped.read_text(encoding="utf-8")
    # a hash of all that a page is made of, and of what decides which binaries can be in it
    tools = [f"{name}: {importlib.util.find_spec(name) is not None}" for name in _PACKAGES]
    tools += [str(shutil.which(name)) for name in (*os.environ.get("CC", "").split()[:1], *_COMPILERS)]
    total = hashlib.sha256("\0".join(tools).encode())
    for path in _parts():
        total.update(f"{path.name}\0".encode() + path.read_bytes())
    kept = paths.cache_directory() / f"workbench-{total.hexdigest()[:32]}.html"
    if not kept.is_file():
        sys.path.insert(0, str(paths.root()))
        try:
            made: str = importlib.import_module("workbench.build.page").made()
        finally:
            sys.path.remove(str(paths.root()))
        write_atomic(kept, made)
    return kept.read_text(encoding="utf-8")


def _parts() -> Iterator[Path]:
    for folder in (Path(__file__).parents[1], *(paths.root() / name for name in _PARTS)):
        # what Python compiles beside its modules comes and goes, under other names for a moment
        yield from (one for one in sorted(folder.rglob("*")) if one.is_file() and "__pycache__" not in one.parts)
