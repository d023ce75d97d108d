"""C programs of the tests: compiled once for this or another machine, and run."""

from __future__ import annotations

import hashlib
import importlib.util
import os
import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest

from couplant.base import paths
from couplant.pack.binaries import compile
from couplant.pack.binaries.compile import host_compiler
from couplant.pack.binaries.platforms import Platform
from tests import commands

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
CACHE = ROOT / "build" / "tests"
WARNINGS = ("-std=c99", "-pedantic", "-Wall", "-Wextra", "-Wconversion", "-Werror")
# headers of the standards are those of a system: warnings about them are not ours
HEADERS = [f"-isystem{paths.resource(f'headers/fmi{fmi}')}" for fmi in "23"]

ON_WINDOWS = ("-nostdlib", "-lucrtbase", "-lkernel32", "-D_UCRT", "-D__USE_MINGW_ANSI_STDIO=0", "-fno-sanitize=all")
ON_WINDOWS += ("-O2", "-Wl,--subsystem,console", "-Wl,-e,mainCRTStartup")
"""Flags for a program with `windows.h`, which needs no library but those of the system."""


def program(source: Path, *flags: str, target: Platform | None = None, more: Sequence[Path] = ()) -> Path:
    """Compile `source` into a program for `target` (None: this machine), unless it has been compiled before.

    Parameters
    ----------
    source : Path
        The C file with `main`.
    *flags : str
        For the compiler, before the source.
    target : Platform, optional
        Another machine; needs zig.
    more : sequence of Path
        Files whose contents go into the program too.
    """
    command = host_compiler() if target is None else zig(target)
    arguments = [*command, *WARNINGS, *HEADERS, *flags]
    digest = hashlib.sha256("\0".join(arguments).encode())
    for path in (source, *more):
        digest.update(path.read_bytes())
    suffix = ".exe" if target is not None and "windows" in target.name else ""
    output = CACHE / f"{source.stem}-{digest.hexdigest()[:16]}{suffix}"
    if not output.exists():
        CACHE.mkdir(parents=True, exist_ok=True)
        partial = output.with_name(f"{os.getpid()}-{output.name}")
        libraries = [] if suffix else ["-ldl"]  # ON_WINDOWS has its own
        build = [*arguments, str(source), "-o", str(partial), *libraries]
        done = commands.run(build, env=environment(), capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        partial.replace(output)
    return output


def zig(target: Platform) -> list[str]:
    """Return the compiler for another machine, or skip."""
    if not importlib.util.find_spec("ziglang"):
        missing("ziglang")
    return [*compile.zig(target), *(ON_WINDOWS if "windows" in target.name else ())]


def environment() -> dict[str, str]:
    """Return the environment of a compiler or a program: what zig and wine make stays in the tree."""
    zig_cache = str(paths.cache_directory() / "zig")
    caches = {"ZIG_GLOBAL_CACHE_DIR": zig_cache, "ZIG_LOCAL_CACHE_DIR": zig_cache, "WINEPREFIX": str(CACHE / "wine")}
    return {**os.environ, "WINEDEBUG": "-all", **caches}


def needs(name: str) -> str:
    """Return the path of a program of the system, or skip."""
    found = shutil.which(name)
    return found if found else missing(name)


def missing(name: str) -> str:
    """Skip, but fail where everything must be there."""
    if os.environ.get("CI"):
        pytest.fail(f"{name} is not installed")
    pytest.skip(f"needs {name}")


def run(command: Sequence[object], text: str = "", timeout: float = 300.0) -> str:
    """Run a program; return what it prints."""
    done = commands.run(
        [str(word) for word in command],
        input=text,
        env=environment(),
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )
    assert done.returncode == 0, f"status {done.returncode}\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
    return done.stdout
