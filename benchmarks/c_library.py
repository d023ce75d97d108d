"""The tables of docs/c_library.md, written anew: code, constants, memory and stack of the C library on small targets.

python benchmarks/c_library.py, with fmu_src, builder and the root of the project on the path. Needs zig.
"""

from __future__ import annotations

import ast
import re
import struct
import sys
import tempfile
from collections.abc import Collection, Iterator
from functools import cache
from pathlib import Path

from benchmarks.realtime import put
from couplant.base.files import write_atomic
from couplant_runtime.generated.algorithms import MEMBERS
from tests.c.call_graph import NATIVE, OF_ALGORITHMS, SOURCES, Graph
from tests.c.programs import ROOT, run
from tests.library.driver import library

PAGE = ROOT / "docs" / "c_library.md"
TARGETS = {
    "Cortex-M4": ("thumb-freestanding-eabihf", "cortex_m4"),
    "Cortex-M7": ("thumb-freestanding-eabihf", "cortex_m7"),
    "RV32IMC": ("riscv32-freestanding-none", "generic_rv32+m+c"),
}
"""What zig calls them."""

EXACT = ("-std=c99", "-ffp-contract=off", "-fno-math-errno", "-ffreestanding", "-fno-unwind-tables")
EXACT += ("-fno-asynchronous-unwind-tables", "-fno-stack-protector")
PARTS = {"plain": "the smallest", "everything": "with all parts"}
LEVELS = ("-Os", "-O2")
CALLS = ("step", "set", "get", "open", "save", "restore", "message")
ALLOCATED, WRITTEN, EXECUTED = 2, 1, 4  # flags of sections in ELF


def command(target: str, parts: str, level: str) -> list[object]:
    """Return the command that compiles the library for a target, without what it writes."""
    triple, cpu = TARGETS[target]
    src = library(parts) / "src"
    compiler = [sys.executable, "-m", "ziglang", "cc", "-target", triple, f"-mcpu={cpu}"]
    return [*compiler, *EXACT, level, f"-I{SOURCES / 'wasm'}", f"-I{src}", src / "couplant.c"]


@cache
def sizes(target: str, parts: str, level: str) -> tuple[int, int, int]:
    """Return the bytes of code, of constants and of what has to be in memory."""
    with tempfile.TemporaryDirectory() as scratch:
        output = Path(scratch) / "couplant.o"
        run([*command(target, parts, level), "-c", "-o", output])
        code = constants = memory = 0
        for kind, flags, size in sections(output.read_bytes()):
            if flags & ALLOCATED and kind != 0x70000001:  # tables of the unwinder
                code += size if flags & EXECUTED else 0
                constants += size if not flags & (EXECUTED | WRITTEN) else 0
                memory += size if flags & WRITTEN else 0
    return code, constants, memory


def sections(elf: bytes) -> Iterator[tuple[int, int, int]]:
    """Yield type, flags and size of each section of an object of 32 bits, little endian."""
    (start,) = struct.unpack_from("<I", elf, 32)
    size, count = struct.unpack_from("<HH", elf, 46)
    for i in range(count):
        _, kind, flags, _, _, length = struct.unpack_from("<6I", elf, start + i * size)
        yield kind, flags, length


@cache
def assembly(target: str, parts: str, level: str) -> str:
    """Return the library as text of the assembler, with the bytes that each function has on the stack."""
    with tempfile.TemporaryDirectory() as scratch:
        output = Path(scratch) / "couplant.s"
        run([*command(target, parts, level), "-S", "-fstack-size-section", "-o", output])
        return output.read_text(encoding="utf-8")


def graph(target: str, parts: str, level: str, algorithms: Collection[str] = ()) -> Graph:
    """Return who calls whom; with `algorithms` of runs in which no other algorithm is called."""
    found = Graph()
    for name, body, size in functions(assembly(target, parts, level)):
        found.frames[name] = size
        called = set(re.findall(r"^\t(?:bl|b|b\.w|call|tail)\t(\w+)", body, re.MULTILINE))
        if re.search(r"^\t(?:blx|jalr|jr)\t", body, re.MULTILINE):
            own = name.startswith(("cp_auto", "cp_bank"))  # auto.c
            called |= _rows(MEMBERS if own else algorithms or [row.name for row in NATIVE])
        found.calls[name] = called
    found.calls = {name: called & found.frames.keys() for name, called in found.calls.items()}
    return found


def functions(text: str) -> Iterator[tuple[str, str, int]]:
    """Yield name, body and bytes on the stack of each function."""
    for piece in text.split("-- Begin function ")[1:]:
        name = piece.split(None, 1)[0]
        words, byte = re.search(r'\.Lfunc_begin\d+\n\t\.(?:ascii\t"(.*)"|byte\t(\d+))', piece).groups()
        yield name, piece, int(byte) if byte else _leb128(ast.literal_eval(f'b"{words}"'))


def _leb128(words: bytes) -> int:
    return sum((byte & 127) << 7 * i for i, byte in enumerate(words))


def _rows(names: Collection[str]) -> set[str]:
    """Return the functions that the table of algorithms has for some of them."""
    rows = [row.module or row.name for row in NATIVE if row.name in names]
    return {f"cp_{name}_{member}" for name in rows for member in OF_ALGORITHMS}


def deepest(found: Graph, entry: str) -> int:
    """Return the bytes of the path from `entry` that takes most of the stack; raise RecursionError for a circle."""
    known: dict[str, int] = {}

    def depth(name: str, above: tuple[str, ...]) -> int:
        if name in above:
            raise RecursionError(" -> ".join([*above, name]))
        if name not in known:
            below = (depth(one, (*above, name)) for one in found.calls.get(name, ()))
            known[name] = found.frames.get(name, 0) + max(below, default=0)
        return known[name]

    return depth(entry, ())


def size_table() -> list[str]:
    """Return code and constants by target, parts and optimisation."""
    lines = ["| bytes | code, -Os | code, -O2 | constants |", "|---|---|---|---|"]
    for parts, words in PARTS.items():
        for target in TARGETS:
            small, fast = (sizes(target, parts, level) for level in LEVELS)
            lines.append(f"| {target}, {words} | {small[0]} | {fast[0]} | {small[1]} |")
    return lines


def stack_table() -> list[str]:
    """Return the stack under each call, the step with each algorithm and with eros3 alone."""
    heads = ["step", "step, eros3 alone", *CALLS[1:]]
    lines = [f"| bytes, -Os | {' | '.join(f'`{head}`' if ',' not in head else head for head in heads)} |"]
    lines.append("|---" * (len(heads) + 1) + "|")
    for parts, words in PARTS.items():
        for target in TARGETS:
            lines.append(f"| {target}, {words} | {' | '.join(map(str, stack(target, parts)))} |")
    return lines


def stack(target: str, parts: str) -> list[int]:
    whole, alone = graph(target, parts, "-Os"), graph(target, parts, "-Os", ["eros3"])
    first = [deepest(whole, "couplant_step"), deepest(alone, "couplant_step")]
    return first + [deepest(whole, f"couplant_{name}") for name in CALLS[1:]]


def memory_table() -> list[str]:
    """Return what a signal takes in all: its memory, and the stack of a step."""
    lines = ["| bytes, 32-bit, -Os | memory | stack of a step | together |", "|---|---|---|---|"]
    state, overhead = (int(number) for number in memory())
    for target in TARGETS:
        for words, depth in zip(("any algorithm", "eros3 alone"), stack(target, "plain")[:2], strict=True):
            whole = state + overhead
            lines.append(f"| {target}, {words} | {whole} | {depth} | {whole + depth} |")
    return lines


def memory() -> tuple[int, int]:
    """Return the bytes of the state, and of what comes with it, of a signal without the parts that can be left out."""
    readme = (library("plain") / "README.md").read_text(encoding="utf-8")
    header = (library("plain") / "src" / "couplant_bench.h").read_text(encoding="utf-8")
    whole = int(re.search(r"^\| s \| `bench_s` \| (\d+) \|", readme, re.MULTILINE)[1])
    state = int(re.search(r"BENCH_S_STATE (\d+)u", header)[1])
    return state, whole - state


def main() -> None:
    """Compile and write the page."""
    page = PAGE.read_text(encoding="utf-8")
    for name, table in (("sizes", size_table()), ("stack", stack_table()), ("memory", memory_table())):
        page = put(page, name, table)
    write_atomic(PAGE, page.encode())


if __name__ == "__main__":
    main()
