"""Puts the files that are not Python modules into the wheel, where `couplant.base.paths` looks for them.

With them go compiled binaries, as the environment variable COUPLANT_PREBUILT says:

- ``all``: for every platform, by zig (packages ziglang and zopfli); without the variable this is done if they are there
- ``host``: for this machine only, by its own compiler; what pages run too if zig is there
- ``none``: no binaries; the user of such a wheel needs a compiler

Where zig is, the page of the workbench is made of them.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

BINARIES = "resources/binaries"
PAGE = "workbench/page.html"
OF_REPORTS = ("workbench/chart", "workbench/report", "workbench/views/parts.js")
"""Modules of the page that reports take too."""
DEMONSTRATION = "examples/01_two_mass_oscillator/scenario.toml"
SAMPLE = "examples/03_recording/torque_a.csv"
MODES = ("all", "host", "none")
NEEDED = ("ziglang", "zopfli", "numpy", "pydantic", "pythonfmu", "scipy", "tomlkit")
"""Packages that a wheel with all binaries is made by."""


class DataFiles(BuildHookInterface):
    """Wheels carry copies; an editable installation reads the tree itself."""

    scratch: Path | None = None

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the folders and the binaries to a wheel whose `version` is not ``"editable"``."""
        if version == "editable":
            return
        mode = prebuilt_mode()
        found = folders(Path(self.root), has_page(mode))
        build_data["force_include"].update({folder: f"couplant/_data/{folder}" for folder in found})
        if mode != "none":
            self.scratch = Path(tempfile.mkdtemp(prefix="couplant-"))
            for path in self.compile(mode, self.scratch):
                build_data["force_include"][str(path)] = f"couplant/_data/{BINARIES}/{path.name}"
            if has_page(mode):
                build_data["force_include"][str(self.page(self.scratch))] = f"couplant/_data/{PAGE}"

    def compile(self, mode: str, folder: Path) -> list[Path]:
        """Compile the binaries of `mode` into `folder`."""
        sys.path[:0] = [str(Path(self.root) / source) for source in ("builder", "fmu_src")]
        from couplant.pack.binaries.platforms import PLATFORMS, WASM, host
        from couplant.pack.binaries.prebuilt import write_binaries

        platforms = [host()] if mode == "host" else list(PLATFORMS.values())
        platforms += [WASM] if has_modules(mode) else []
        return write_binaries(folder, platforms, mode == "all", lambda name: self.app.display_info(f"binaries: {name}"))

    def page(self, folder: Path) -> Path:
        """Make the page of the workbench with the binaries in `folder`, and write it there."""
        sys.path.insert(0, self.root)
        from workbench.build.page import made

        self.app.display_info("workbench")
        path = folder / Path(PAGE).name
        path.write_text(made(folder), encoding="utf-8")
        return path

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove what was compiled for the wheel."""
        if self.scratch is not None:
            shutil.rmtree(self.scratch, ignore_errors=True)


def has_page(mode: str) -> bool:
    """Tell whether the page is made with the wheel."""
    return mode != "none" and has_modules(mode)


def has_modules(mode: str) -> bool:
    """Tell whether the modules of the page are compiled: by zig alone."""
    return mode == "all" or importlib.util.find_spec("ziglang") is not None


def folders(root: Path, has_page: bool) -> list[str]:
    """Return what goes along: licence, `resources`, page, examples that it takes, what has C sources in `fmu_src`.

    A wheel that has the page has modules for reports, and not what makes pages.
    """
    page = [root / name for name in (OF_REPORTS if has_page else ("workbench",))]
    sources = [path for path in sorted((root / "fmu_src").glob("*")) if any(path.rglob("*.c"))]
    found = [root / "LICENSE", root / "resources", *page, root / DEMONSTRATION, root / SAMPLE, *sources]
    return [path.relative_to(root).as_posix() for path in found]


def prebuilt_mode() -> str:
    """Return which binaries go into the wheel.

    Raises
    ------
    ValueError
        If COUPLANT_PREBUILT is none of `MODES`.
    """
    mode = os.environ.get("COUPLANT_PREBUILT") or ("all" if _can_compile() else "none")
    if mode not in MODES:
        raise ValueError(f"COUPLANT_PREBUILT = {mode}, allowed {', '.join(MODES)}")
    return mode


def _can_compile() -> bool:
    """Return whether zig and what couplant imports are there: not so in an isolated build."""
    return all(importlib.util.find_spec(name) for name in NEEDED)
