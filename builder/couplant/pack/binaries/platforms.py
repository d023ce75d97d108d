"""Platforms that binaries are made for, and the names that the standards and zig give them."""

import platform
from dataclasses import dataclass

from couplant.base.errors import UsageError

_MACHINES = {"amd64": "x86_64", "x64": "x86_64", "arm64": "aarch64", "i386": "x86", "i686": "x86"}
_ELF = ("-fPIC", "-Wl,-s", "-Wl,--hash-style=sysv", "-fno-asynchronous-unwind-tables")
_DLL = ("-Wl,-s", "-DCP_NO_STARTUP", "-nostdlib", "-lucrtbase", "-lkernel32")
_DYLIB = ("-fPIC", "-Wl,-x", "-Wl,-install_name,@rpath/couplant.dylib")
_MODULE = ("-O2", "-ffreestanding", "-nostdlib", "-Wl,-z,stack-size=65536", "-Wl,-s")
_NO_ENTRY = ("-Wl,--no-entry", "-Wl,--export-dynamic")


@dataclass(frozen=True)
class Platform:
    """One kind of machine."""

    name: str  # platform tuple of FMI 3, such as ``"x86_64-linux"``
    fmi2: str  # folder below `binaries` in FMI 2
    target: str  # what zig calls it, with the oldest system it runs on
    suffix: str  # of shared libraries
    flags: tuple[str, ...]  # what the compiler is told beyond the flags of all platforms
    linked: tuple[str, ...] = ("-shared",)  # what the linker is to make
    fast: bool = False  # whether speed counts more than size
    only_fmus: bool = False  # whether couplant itself cannot be installed there

    def folder(self, fmi: str) -> str:
        """Return the folder below `binaries` for `fmi` version ``"2"`` or ``"3"``."""
        return self.fmi2 if fmi == "2" else self.name


PLATFORMS = {
    entry.name: entry
    for entry in (
        Platform("x86_64-linux", "linux64", "x86_64-linux-gnu.2.17", ".so", _ELF),
        Platform("aarch64-linux", "aarch64-linux", "aarch64-linux-gnu.2.17", ".so", _ELF),
        Platform("x86_64-windows", "win64", "x86_64-windows-gnu", ".dll", _DLL),
        # SciPy has no wheels for it: who runs FMUs there does not run couplant
        Platform("x86-windows", "win32", "x86-windows-gnu", ".dll", (*_DLL, "-msse2", "-mfpmath=sse"), only_fmus=True),
        Platform("x86_64-darwin", "darwin64", "x86_64-macos.10.13", ".dylib", _DYLIB),
        Platform("aarch64-darwin", "aarch64-darwin", "aarch64-macos.11.0", ".dylib", _DYLIB),
    )
}

WASM = Platform("wasm32", "wasm32", "wasm32-freestanding", ".wasm", _MODULE, _NO_ENTRY, fast=True)
"""Where nothing is but the module itself: no platform of FMUs, what a page in a browser runs."""


def host() -> Platform:
    """Return the platform of this machine."""
    machine, system = platform.machine().lower(), platform.system().lower()
    name = f"{_MACHINES.get(machine, machine)}-{system}"
    return PLATFORMS.get(name, Platform(name, name, "", ".so", ("-fPIC",)))


def choose(words: str) -> tuple[Platform, ...]:
    """Return platforms by name, each once, in the order of `PLATFORMS`.

    The `words` are names with commas between them: platform tuples of FMI 3 or folders of FMI 2, ``host`` for this
    machine, ``all`` for every one. Raise `UsageError` if a name is unknown.
    """
    found = {entry.name: entry for word in words.split(",") for entry in _platforms_of(word.strip())}
    return tuple(sorted(found.values(), key=lambda entry: list(PLATFORMS).index(entry.name) if entry.target else -1))


def _platforms_of(word: str) -> list[Platform]:
    if word == "host":
        return [host()]
    found = [entry for entry in PLATFORMS.values() if word in ("all", entry.name, entry.fmi2)]
    if not found:
        raise UsageError(f"platform = {word}, allowed host, all, {', '.join(PLATFORMS)}")
    return found
