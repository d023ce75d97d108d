"""Who calls whom in a coupling FMU, with the bytes on the stack, as gcc tells it; pointers resolved by their tables."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from couplant.base import paths
from couplant.pack.archive.identity import SettingsFile
from couplant.pack.binaries.compile import FLAGS, SMALL
from couplant.pack.settings import runtime_settings
from couplant_runtime.generated.algorithms import MEMBERS, ROWS
from tests import commands
from tests.c.programs import CACHE, missing, run
from tests.c.signals import interface_of

SOURCES = paths.fmu_source("fmi").parent
HOST = "the logger of the host"
BUILDS = {"plain": "-DCP_WITHOUT_NEURAL -DCP_WITHOUT_ENERGY", "energy": "-DCP_WITHOUT_NEURAL"}
BUILDS |= {"neural": "-DCP_WITHOUT_ENERGY", "everything": ""}
"""What FMUs are compiled with: power bonds, a lag that is learnt and models; neural networks; both; neither."""

MEMORY = {"allocate": {"calloc"}, "release": {"free"}}
"""What the faces put into `cp_memory`; hosts of FMI 2 may bring functions of their own."""

NATIVE = [row for row in ROWS if row.native]
OF_ALGORITHMS = ("needed", "line", "share")


def freestanding(fmi: str, build: str) -> Path:
    """Compile the source FMU of a build without any header of a C library; return the object, the graph beside it."""
    gcc = [compiler(), *_flags(fmi), *BUILDS[build].split()]
    settings = runtime_settings(interface_of("everything"), "s")
    header = SettingsFile("t", f"{settings.fingerprint:016x}", settings.lists()).header()
    digest = hashlib.sha256("\0".join([*gcc, header]).encode())
    for path in sorted(SOURCES.rglob("*.[ch]")):
        digest.update(path.read_bytes())
    folder = CACHE / f"freestanding-{digest.hexdigest()[:16]}"
    if not (folder / "done").exists():
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "built_in.h").write_text(header, encoding="utf-8")
        (folder / "model.c").write_text('#include "coupling.c"\n', encoding="utf-8")
        partial = folder / f"{os.getpid()}.o"
        run([*gcc, f"-I{folder}", "-c", SOURCES / "fmi" / "all.c", "-o", partial])
        partial.with_suffix(".ci").replace(folder / "all.ci")
        partial.replace(folder / "all.o")
        (folder / "done").touch()
    return folder / "all.o"


def _flags(fmi: str) -> list[str]:
    """Return the flags of binaries, for a target without an operating system and without a C library.

    Functions of the same content are not made one, for the graph has no node for the other.
    """
    own = [flag for flag in (*FLAGS, *SMALL) if flag != "-shared"]
    includes = [f"-I{SOURCES / 'wasm'}", f"-I{SOURCES / 'fmi'}", f"-I{paths.resource(f'headers/fmi{fmi}')}"]
    of_compiler = run([compiler(), "-print-file-name=include"]).strip()
    bare = ["-ffreestanding", "-fno-ipa-icf", "-nostdinc", "-isystem", of_compiler]
    told = [f"-DCP_FMI={fmi}", '-DCP_BUILT_IN_HEADER="built_in.h"', "-fcallgraph-info=su"]
    return [*own, "-fno-pic", *bare, *told, *includes]


@cache
def compiler() -> str:
    """Return gcc, or skip: other compilers tell no graph."""
    name = os.environ.get("GCC", "gcc")
    try:
        done = commands.run([name, "--version"], capture_output=True, text=True, check=False)
    except FileNotFoundError:
        return missing("gcc")
    return name if "Free Software Foundation" in done.stdout else missing("gcc")


@dataclass
class Graph:
    """Functions by name, with the bytes that each has on the stack, and what it calls."""

    frames: dict[str, int] = field(default_factory=dict)
    calls: dict[str, set[str]] = field(default_factory=dict)

    def reached(self, *entries: str) -> set[str]:
        """Return all that may run when `entries` are called."""
        found, left = set(), list(entries)
        while left:
            name = left.pop()
            if name not in found:
                found.add(name)
                left += self.calls.get(name, ())
        return found

    def deepest(self, entry: str, above: tuple[str, ...] = ()) -> tuple[int, tuple[str, ...]]:
        """Return the bytes of the path from `entry` that takes most of the stack, and the path.

        Raises
        ------
        RecursionError
            If a function calls itself, by whatever way.
        """
        if entry in above:
            raise RecursionError(" -> ".join([*above, entry]))
        below = [self.deepest(name, (*above, entry)) for name in sorted(self.calls.get(entry, ()))]
        size, path = max(below, key=lambda found: found[0], default=(0, ()))
        return self.frames.get(entry, 0) + size, (entry, *path)


def graph(fmi: str = "3", build: str = "everything", algorithms: Collection[str] = ()) -> Graph:
    """Return the graph of a build; with `algorithms` that of runs in which no other algorithm is called."""
    text = freestanding(fmi, build).with_suffix(".ci").read_text(encoding="utf-8")
    found, names = Graph(), {}
    for title, label in re.findall(r'^node: \{ title: "([^"]+)" label: "([^"]+)"', text, re.MULTILINE):
        more = label.split(r"\n")[1:]
        names[title] = title.rpartition(":")[2]
        if more and (size := re.fullmatch(r"(\d+) bytes \((?:static|dynamic,bounded)\)", more[-1])):
            found.frames[names[title]] = int(size[1])
        else:  # a frame without a bound would be none of these
            assert not more or "bytes" not in more[-1], label
    for source, target, label in _edges(text):
        called = {names[target]} if target != "__indirect_call" else _meant(label, set(found.frames), algorithms)
        found.calls.setdefault(names[source], set()).update(called)
    return found


def _edges(text: str) -> Iterator[tuple[str, str, str]]:
    line = r'^edge: \{ sourcename: "([^"]+)" targetname: "([^"]+)"(?: label: "([^"]+)")?'
    yield from re.findall(line, text, re.MULTILINE)


def _meant(label: str, functions: set[str], algorithms: Collection[str]) -> set[str]:
    """Return what a call by a pointer may run: the functions that tables have under the name of the member."""
    path, line, column = label.rsplit(":", 2)
    text = Path(path).read_text(encoding="utf-8").splitlines()[int(line) - 1][int(column) - 1 :]
    if re.match(r"log(ger)?\(", text):
        return {HOST}
    member = re.search(r"(?:->|\.)(\w+)\(", text)[1]
    if member in OF_ALGORITHMS:
        some = MEMBERS if Path(path).name == "auto.c" else algorithms or [row.name for row in NATIVE]
        found = {f"cp_{row.module or row.name}_{member}" for row in NATIVE if row.name in some} & functions
    else:
        found = MEMORY.get(member) or _hooks(member) & functions
    assert found, f"no table has {member}, {label}"
    return found


@cache
def _hooks(member: str) -> set[str]:
    texts = "".join(path.read_text(encoding="utf-8") for path in sorted((SOURCES / "fmi").glob("*.c")))
    return set(re.findall(rf"\.{member} = (\w+)", texts))
