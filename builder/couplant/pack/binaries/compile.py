"""Compile the binary of a native FMU, once: results are kept by a hash of all that goes into them."""

import gzip
import hashlib
import importlib.util
import locale
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from ctypes import CDLL
from dataclasses import dataclass, field
from functools import cache, lru_cache
from pathlib import Path

from couplant.base import paths
from couplant.base.errors import CouplantError
from couplant.base.files import write_atomic
from couplant.pack.archive.write import packer, write_member
from couplant.pack.binaries.platforms import Platform, host

FLAGS = ("-std=c99", "-ffp-contract=off", "-fno-math-errno", "-fvisibility=hidden", "-g0")
SMALL = (
    *("-DCP_SMALL", "-Os", "-fno-tree-vectorize", "-fno-tree-slp-vectorize", "-fno-unroll-loops"),
    *("-fno-stack-protector", "-fno-ident", "-fno-unwind-tables", "-fno-asynchronous-unwind-tables"),
    "-fomit-frame-pointer",
)
FAST = ("-O2", "-fno-tree-vectorize")
# clang makes small what the sources tell; instructions in the order of the sources are packed smaller
BY_ZIG = (
    *("-O2", "-mllvm", "-enable-machine-outliner=never", "-mllvm", "-disable-machine-licm", "-mllvm", "-disable-lsr"),
    *("-mllvm", "-disable-post-ra", "-mllvm", "-enable-misched=false", "-fno-plt"),
)
BY_OTHERS = ("-fno-schedule-insns2", "-fno-plt")


@dataclass(frozen=True)
class Unit:
    """One translation unit that becomes a shared library, or a module of WebAssembly."""

    source: Path  # the file to compile
    folders: tuple[Path, ...]  # include path; every header and source in it counts for the cache
    # texts of generated headers by name, found before all others
    generated: Mapping[str, str] = field(default_factory=dict)
    defines: tuple[str, ...] = ()  # `NAME=VALUE` or `NAME`
    # folders with what is included by its place relative to the source; they count for the cache too
    trees: tuple[Path, ...] = ()
    fast: bool = False  # whether speed counts more than size, on any platform
    small: bool = False  # whether it is worth a second of packing

    def digest(self) -> str:
        """Return a hash of sources, headers and definitions: equal on all machines."""
        total = hashlib.sha256(repr(self.defines).encode())
        for name, text in sorted(self.generated.items()):
            total.update(f"{name}\0{text}\0".encode())
        for path in self.files():
            state = path.stat()
            total.update(_content(path, state.st_mtime_ns, state.st_size))
        return total.hexdigest()

    def files(self) -> list[Path]:
        """Return the source and every other header and source that it may include, in a fixed order."""
        folders = (*self.folders, *self.trees)
        return _list_sources(self.source, folders, tuple(folder.stat().st_mtime_ns for folder in folders))


@lru_cache(maxsize=64)
def _list_sources(source: Path, folders: tuple[Path, ...], changed: tuple[int, ...]) -> list[Path]:
    """Return `source` and all headers and sources of `folders`, listed again once one was `changed` [ns]."""
    listed = (path for folder in folders for path in folder.iterdir())
    found = {source, *(path for path in listed if path.suffix in (".c", ".h"))}
    return sorted(found, key=lambda path: (path.parent.name, path.name))


@cache
def _content(path: Path, changed: int, size: int) -> bytes:
    """Return name and bytes of a source, read again once it has another size or was `changed` [ns]."""
    return f"{path.parent.name}/{path.name}\0".encode() + path.read_bytes()


def face_unit(
    fmi: str,
    generated: Mapping[str, str],
    folders: Sequence[str | Path] = (),
    trees: Sequence[str] = (),
    defines: Sequence[str] = (),
    small: bool = False,
) -> Unit:
    """Return the sources behind the face of `fmi` for a `model.c`, `generated` or in one of the `folders`.

    All as for `Unit`, `small` too; `folders` and `trees` by names below `fmu_src`, folders from elsewhere as paths.
    """
    frame, headers = paths.fmu_source("fmi"), paths.resource(f"headers/fmi{fmi}")
    own, placed = _places(folders), _places((*trees, "base"))
    return Unit(frame / "all.c", (*own, frame, headers), generated, (f"CP_FMI={fmi}", *defines), placed, small=small)


def in_page(generated: Mapping[str, str], folders: Sequence[str | Path] = (), trees: Sequence[str] = ()) -> Unit:
    """Return the sources of a module of WebAssembly with the face of FMI 3 for a `model.c`; as for `face_unit`."""
    module, headers = paths.fmu_source("wasm"), paths.resource("headers/fmi3")
    own, placed = _places(folders), _places((*trees, "base"))
    frames = paths.fmu_source("flat"), paths.fmu_source("fmi")
    return Unit(module / "couplant.c", (*own, *frames, module, headers), generated, (), placed)


def in_process(generated: Mapping[str, str], trees: Sequence[str] = ()) -> Unit:
    """Return the sources of a library for one's own process for a `model.c`, `generated`, with the face `flat.c`."""
    face, frame, headers = paths.fmu_source("flat"), paths.fmu_source("fmi"), paths.resource("headers/fmi3")
    return Unit(face / "flat.c", (face, frame, headers), generated, (), _places((*trees, "base")), fast=True)


def engine_unit() -> Unit:
    """Return the sources of runs of FMUs in a process (couplant.cosim.run.engine)."""
    folder = paths.fmu_source("engine")
    return Unit(folder / "engine.c", (folder,), trees=_places(["base", "fmi"]))


def _places(folders: Sequence[str | Path]) -> tuple[Path, ...]:
    return tuple(one if isinstance(one, Path) else paths.fmu_source(one) for one in folders)


def host_compiler() -> list[str]:
    """Return the command of a C compiler for this machine; raise `CouplantError` if there is none."""
    named = shlex.split(os.environ.get("CC", ""))
    for command in ([named] if named else []) + [["cc"], ["gcc"], ["clang"]]:
        if shutil.which(command[0]):
            return command
    if importlib.util.find_spec("ziglang"):
        return [sys.executable, "-m", "ziglang", "cc"]
    raise CouplantError("no C compiler found: install one (cc, gcc or clang), name it in CC, or install ziglang.")


def binary(unit: Unit, target: Platform, portable: bool = False) -> bytes:
    """Return the shared library or module of a `unit` for the platform `target`, as a gzip member.

    A binary that came with the installation is taken as it is; else the host's own compiler serves the host, zig all
    other platforms, and the result is kept. A `portable` binary is always made by zig, for the oldest system. Raise
    `CouplantError` if there is no compiler or it refuses the sources; the message ends with what it says first.
    """
    shipped = _shipped_binary(unit, target)
    if shipped.is_file():
        return shipped.read_bytes()
    command = host_compiler() if target == host() and not portable else zig(target)
    flags = [*FLAGS, *target.linked, *_optimisation(unit, target, command), *target.flags]
    parts = [*command, *flags, target.name, unit.digest(), packer(unit.small)]
    key = hashlib.sha256("\0".join(parts).encode()).hexdigest()
    kept = paths.cache_directory() / f"{unit.source.stem}-{key[:32]}{target.suffix}.gz"
    if not kept.is_file():
        write_atomic(kept, write_member(_compile(command, flags, unit), unit.small))
    return kept.read_bytes()


def _optimisation(unit: Unit, target: Platform, command: Sequence[str]) -> tuple[str, ...]:
    if unit.fast:
        return FAST
    if target.fast:  # its own flags say how
        return ()
    return *SMALL, *(BY_ZIG if "ziglang" in command else BY_OTHERS)


def at_hand(unit: Unit, target: Platform) -> bool:
    """Tell whether the binary of a `unit` came with the installation, or a compiler for the platform is there."""
    try:
        return _shipped_binary(unit, target).is_file() or bool(host_compiler() if target == host() else zig(target))
    except CouplantError:
        return False


def load_library(unit: Unit, target: Platform) -> CDLL:
    """Load the library of a `unit` into this process, unpacked once beside what compilers made.

    Raise `CouplantError` if there is no binary and no compiler, or it refuses the sources, `OSError` if the system does
    not load it.
    """
    path = paths.cache_directory() / binary_name(unit, target).removesuffix(".gz")
    if not path.is_file():
        write_atomic(path, gzip.decompress(binary(unit, target)))
    return CDLL(str(path))


def _shipped_binary(unit: Unit, target: Platform) -> Path:
    return paths.root() / "resources" / "binaries" / binary_name(unit, target)


def binary_name(unit: Unit, target: Platform) -> str:
    """Return the file name under which an installation carries the binary of `unit` for `target`."""
    return f"{unit.digest()[:32]}-{target.name}{target.suffix}.gz"


def zig(target: Platform) -> list[str]:
    """Return the command that compiles for the platform `target` anywhere; raise `CouplantError` without zig."""
    found = importlib.util.find_spec("ziglang")
    if not found or not found.origin:
        raise CouplantError(f"compiling for {target.name} needs zig: pip install ziglang.")
    command = [sys.executable, "-m", "ziglang", "cc", "-target", target.target]
    if "windows" in target.target and "-nostdlib" in target.flags:  # zig then forgets the headers too
        command += ["-isystem", str(Path(found.origin).parent / "lib" / "libc" / "include" / "any-windows-any")]
    return command


def _compile(command: Sequence[str], flags: Sequence[str], unit: Unit) -> bytes:
    with tempfile.TemporaryDirectory(prefix="couplant-") as scratch:
        for name, text in unit.generated.items():
            (Path(scratch) / name).write_text(text, encoding="utf-8", newline="\n")
        output = Path(scratch) / "library"
        includes = [f"-I{folder}" for folder in (scratch, *unit.folders)]
        defines = [f"-D{define}" for define in unit.defines]
        zig_cache = str(paths.cache_directory() / "zig")  # beside our own binaries
        run = subprocess.run(
            [*command, *flags, *defines, *includes, "-o", str(output), str(unit.source)],
            env={"ZIG_GLOBAL_CACHE_DIR": zig_cache, "ZIG_LOCAL_CACHE_DIR": zig_cache, **os.environ},
            capture_output=True,
            check=False,
        )
        if run.returncode != 0:
            said = _first_error(run.stderr)
            raise CouplantError(f"{shlex.join(command)} cannot compile {unit.source.name}: {said}")
        return output.read_bytes()


def _first_error(said: bytes) -> str:
    """Return the first error that a program tells in UTF-8, else in the way of this system; other bytes do no harm."""
    try:
        text = said.decode()
    except UnicodeDecodeError:
        text = said.decode(locale.getpreferredencoding(False), errors="replace")
    lines = text.strip().splitlines() or ["no message"]
    return next((line for line in lines if "error:" in line), lines[0])
