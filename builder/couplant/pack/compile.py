"""Compile the binary of a native FMU, once: results are kept by a hash of all that goes into them."""

from __future__ import annotations

import hashlib
import importlib.util
import os
import platform
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from couplant import paths
from couplant.errors import CouplantError

FLAGS = ("-std=c99", "-O2", "-ffp-contract=off", "-fno-math-errno", "-fvisibility=hidden", "-g0", "-shared")
STRICT = ("-pedantic", "-Wall", "-Wextra", "-Wconversion", "-Werror")

_SUFFIXES = {"linux": ".so", "windows": ".dll", "darwin": ".dylib"}
_MACHINES = {"amd64": "x86_64", "x64": "x86_64", "arm64": "aarch64", "i386": "x86", "i686": "x86"}
_FMI2_FOLDERS = {
    "x86_64-linux": "linux64",
    "x86-linux": "linux32",
    "x86_64-windows": "win64",
    "x86-windows": "win32",
    "x86_64-darwin": "darwin64",
}


@dataclass(frozen=True)
class Unit:
    """One translation unit that becomes a shared library.

    Attributes
    ----------
    source : Path
        The file to compile.
    folders : tuple of Path
        Include path; every header and source in it counts for the cache.
    generated : dict of str to str
        Texts of generated headers by name, found before all others.
    defines : tuple of str
        `NAME=VALUE` or `NAME`.
    """

    source: Path
    folders: tuple[Path, ...]
    generated: Mapping[str, str] = field(default_factory=dict)
    defines: tuple[str, ...] = ()

    def digest(self) -> str:
        """Return a hash of sources, headers and definitions: equal on all machines."""
        total = hashlib.sha256(repr(self.defines).encode())
        for name, text in sorted(self.generated.items()):
            total.update(f"{name}\0{text}\0".encode())
        for path in sorted({self.source, *_sources_in(self.folders)}, key=lambda path: (path.parent.name, path.name)):
            total.update(f"{path.parent.name}/{path.name}\0".encode())
            total.update(path.read_bytes())
        return total.hexdigest()


def _sources_in(folders: Iterable[Path]) -> list[Path]:
    return [path for folder in folders for path in folder.iterdir() if path.suffix in (".c", ".h")]


def host_platform() -> str:
    """Return the FMI 3 tuple of this machine, for instance ``"x86_64-linux"``."""
    machine = platform.machine().lower()
    return f"{_MACHINES.get(machine, machine)}-{platform.system().lower()}"


def platform_folder(tuple_: str, fmi: str) -> str:
    """Return the name of the folder below `binaries` for a platform tuple and ``"2"`` or ``"3"``."""
    return _FMI2_FOLDERS.get(tuple_, tuple_) if fmi == "2" else tuple_


def library_suffix(tuple_: str) -> str:
    """Return the file suffix of shared libraries on a platform, for instance ``".so"``."""
    return _SUFFIXES.get(tuple_.rpartition("-")[2], ".so")


def cache_directory() -> Path:
    """Return the folder for compiled binaries: COUPLANT_CACHE_DIR, `build/cache` in a working tree, or the user's."""
    if os.environ.get("COUPLANT_CACHE_DIR"):
        return Path(os.environ["COUPLANT_CACHE_DIR"])
    if (paths.root() / "pyproject.toml").is_file():
        return paths.root() / "build" / "cache"
    home = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA") or Path.home() / ".cache"
    return Path(home) / "couplant"


def host_compiler() -> list[str]:
    """Return the command of a C compiler for this machine.

    Raises
    ------
    CouplantError
        If there is none.
    """
    named = shlex.split(os.environ.get("CC", ""))
    for command in ([named] if named else []) + [["cc"], ["gcc"], ["clang"]]:
        if shutil.which(command[0]):
            return command
    if importlib.util.find_spec("ziglang"):
        return [sys.executable, "-m", "ziglang", "cc"]
    raise CouplantError("no C compiler found: install one (cc, gcc or clang), name it in CC, or install ziglang.")


def compile_for_host(unit: Unit, more_flags: Sequence[str] = ()) -> bytes:
    """Return the shared library of a unit for this machine.

    Raises
    ------
    CouplantError
        If there is no compiler or it refuses the sources; the message ends with what it says first.
    """
    command = host_compiler()
    flags = [*FLAGS, *more_flags, *(() if host_platform().endswith("windows") else ("-fPIC",))]
    key = hashlib.sha256("\0".join([*command, *flags, host_platform(), unit.digest()]).encode()).hexdigest()
    kept = cache_directory() / f"{unit.source.stem}-{key[:32]}{library_suffix(host_platform())}"
    if not kept.is_file():
        _keep(kept, _compile(command, flags, unit))
    return kept.read_bytes()


def _compile(command: Sequence[str], flags: Sequence[str], unit: Unit) -> bytes:
    with tempfile.TemporaryDirectory(prefix="couplant-") as scratch:
        for name, text in unit.generated.items():
            (Path(scratch) / name).write_text(text, encoding="utf-8", newline="\n")
        output = Path(scratch) / "library"
        includes = [f"-I{folder}" for folder in (scratch, *unit.folders)]
        defines = [f"-D{define}" for define in unit.defines]
        run = subprocess.run(
            [*command, *flags, *defines, *includes, "-o", str(output), str(unit.source)],
            capture_output=True,
            text=True,
            check=False,
        )
        if run.returncode != 0:
            raise CouplantError(f"{shlex.join(command)} cannot compile {unit.source.name}: {_first_error(run.stderr)}")
        return output.read_bytes()


def _first_error(text: str) -> str:
    lines = text.strip().splitlines() or ["no message"]
    return next((line for line in lines if "error:" in line), lines[0])


def _keep(path: Path, content: bytes) -> None:
    """Write a file so that nobody ever sees a part of it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent, suffix=".tmp")
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise
