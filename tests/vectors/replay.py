"""Replay test vectors through a driver; as a program, through finished FMUs in a process of its own."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from tests.drivers import Driver, FmuDriver, build, needs

from .reader import Case, Setup, Value, read_stage


def differences(case: Case, begin: Callable[[Setup], Driver]) -> list[str]:
    """Return a sentence for each output that is not as the case says."""
    driver = begin(case.setup)
    found: list[str] = []
    for row in case.rows:
        for name, value in row.inputs.items():
            driver.set(name, value)
        if row.h is not None and not driver.step(row.t, row.h):
            found.append(f"{case.name}, line {row.line}: the step was refused")
            break
        read = driver.get if row.h is None or case.setup.timing == "step" else driver.committed
        for name, expected in row.outputs.items():
            value = read(name)
            if not _agree(value, expected, case.tolerances.get(name, 0.0)):
                found.append(f"{case.name}, line {row.line}: {name} = {_text(value)}, expected {_text(expected)}")
    driver.close()
    return found


def _agree(value: Value, expected: Value, tolerance: float) -> bool:
    if tolerance == 0.0:
        return value == expected
    return abs(value - expected) <= tolerance


def _text(value: Value) -> str:
    return f"{value!r} ({value.hex()})" if isinstance(value, float) else str(value)


def replay_fmus(backend: str, directory: Path, stages: Sequence[str]) -> dict[str, list[str]]:
    """Replay `stages` through FMUs of a backend that are built in `directory`; return the differences by stage."""

    def begin(setup: Setup) -> Driver:
        needed = needs(setup)
        if needed not in built:
            paths.append(build(needed, directory, f"vectors_{len(built)}", backend))
            built.append(needed)
        return FmuDriver(paths[built.index(needed)], setup)

    built: list[Setup] = []
    paths: list[Path] = []
    return {stage: [text for case in read_stage(stage) for text in differences(case, begin)] for stage in stages}


if __name__ == "__main__":
    print(json.dumps(replay_fmus(sys.argv[1], Path(sys.argv[2]), sys.argv[3:])))
