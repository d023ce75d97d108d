"""The tables of docs/realtime.md, written anew: bytes on the stack by call, and what a step takes by algorithm.

python benchmarks/realtime.py, with fmu_src, builder and the root of the project on the path. Linux with gcc.
"""

from __future__ import annotations

import platform
import re
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from couplant.base.files import write_atomic
from couplant.pack import build_coupling_fmu
from couplant.pack.binaries.platforms import host
from tests.c.call_graph import BUILDS, NATIVE, compiler, graph
from tests.c.programs import ROOT, run
from tests.c.test_loader import Unpacked
from tests.c.test_realtime import harness, interface, shape

PAGE = ROOT / "docs" / "realtime.md"
ENTRIES = ("DoStep", "SetFloat64", "GetFloat64", "GetDirectionalDerivative", "ExitInitializationMode")
"""Functions of FMI 3 that a host calls between its steps, or before the first."""

WORDS = {"plain": "neither", "energy": "power bond, learnt lag, model or phasors", "neural": "network"}
WORDS |= {"everything": "both"}
"""What an FMU has beyond the rest, by what it is compiled with."""

SIGNALS = {"network": "learning", "model": "modelled", "phasor": "periodic"}
"""Signals of `tests/c/signals.py` for algorithms that need more than a latency."""

RUNS = 3


def stack_table() -> list[str]:
    """Return the bytes on the stack under each function, by what the FMU is compiled with."""
    head = f"| bytes, gcc {version()}, {platform.machine()} | {' | '.join(f'`fmi3{name}`' for name in ENTRIES)} |"
    lines = [head, "|---" * (len(ENTRIES) + 1) + "|"]
    for build in BUILDS:
        found = graph("3", build)
        sizes = [str(found.deepest(f"fmi3{name}")[0]) for name in ENTRIES]
        lines.append(f"| {WORDS[build]} | {' | '.join(sizes)} |")
    return lines


def estimates() -> dict[str, int]:
    """Return the bytes on the stack under the estimate of each algorithm."""
    found = {row.name: graph(algorithms=[row.name]) for row in NATIVE}
    return {row.name: found[row.name].deepest(f"cp_{row.module or row.name}_line")[0] for row in NATIVE}


def time_table(times: Mapping[str, Sequence[float]]) -> list[str]:
    """Return the table of algorithms: bytes, median, 99.9 percentile and longest step [ns]."""
    lines = ["| algorithm | bytes | median, ns | 99.9 %, ns | longest, ns |", "|---|---|---|---|---|"]
    for name, size in estimates().items():
        lines.append(f"| {name} | {size} | {' | '.join(f'{value:.0f}' for value in times[name])} |")
    return lines


def measure(folder: Path) -> dict[str, list[float]]:
    """Return median, 99.9 percentile and longest step of each algorithm, each the least of some runs [ns]."""
    found = {}
    for row in NATIVE:
        signal = SIGNALS.get(row.name, row.name)
        fmu = Unpacked(build_coupling_fmu(interface(signal), "s", folder / row.name), folder / row.name / "unpacked")
        command = [harness(signal=signal), "repeated", *fmu.arguments(host())[2:], *shape(signal)]
        times = [[float(word) for word in run(command).split()] for _ in range(RUNS)]
        found[row.name] = [min(column) for column in zip(*times, strict=True)]
        print(row.name, *(f"{value:.0f}" for value in found[row.name]), flush=True)
    return found


def version() -> str:
    """Return the version of gcc."""
    return run([compiler(), "-dumpfullversion"]).strip()


def put(page: str, name: str, table: Sequence[str]) -> str:
    """Return the page with one of its tables written anew."""
    begin, end = f"<!-- table: {name} -->\n", "<!-- end of table -->"
    text = begin + "\n" + "\n".join(table) + "\n\n" + end
    found, count = re.subn(re.escape(begin) + ".*?" + re.escape(end), lambda _: text, page, flags=re.DOTALL)
    if count != 1:
        raise ValueError(f"docs/realtime.md has no line {begin.strip()}")
    return found


def table(page: str, name: str) -> list[str]:
    """Return the lines of a table of the page."""
    inner = page.partition(f"<!-- table: {name} -->\n")[2].partition("<!-- end of table -->")[0]
    return [line for line in inner.splitlines() if line]


def main() -> None:
    """Measure and write the page."""
    with tempfile.TemporaryDirectory() as scratch:
        times = measure(Path(scratch))
    page = put(PAGE.read_text(encoding="utf-8"), "stack", stack_table())
    write_atomic(PAGE, put(page, "steps", time_table(times)).encode())


if __name__ == "__main__":
    main()
