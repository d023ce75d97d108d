"""The systems of tests/loops.toml as system files, and what a configuration does on another plant."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import tomlkit
import tomllib

from couplant.analysis.system import System
from couplant.analysis.system_file import parse_system
from couplant.cosim import simulate
from couplant.cosim.fmu.prototype import Scene
from couplant.sweep.advice import errors_of
from couplant.sweep.advised import SCENARIO, SYSTEM, system_document
from couplant.sweep.candidates import Advice

LOOPS = tomllib.loads(Path("tests/loops.toml").read_text(encoding="utf-8"))


def document(name: str, k: int, timing: str, *, noise: float = 0.01, micro_steps: int = 10) -> dict[str, Any]:
    """Return a loop with the latency `k` both ways, in step timing in a Jacobi host."""
    one = LOOPS[name]
    sides = {"a": one["a"], "b": one["b"]}
    found = {"macro_step": one["macro_step"], "timing": timing, "latency_steps": k, "noise": noise}
    if timing == "step":
        found |= {"host": "jacobi", "micro_step": one["macro_step"] / micro_steps}
    found["prototypes"] = {
        side: {part: me[part] for part in "ABCD"} | {"inputs": sides[other]["sends"], "outputs": me["sends"]}
        for (side, me), other in zip(sides.items(), "ba", strict=True)
    }
    found["excitation"] = {
        side: {"states": me["b"], "deviation": me["excitation"], "bandwidth": one["bandwidth"]}
        for side, me in sides.items()
    }
    found["connections"] = [
        {"from": f"{side}.{name}", "to": f"{other}.{name}"}
        for (side, me), other in zip(sides.items(), "ba", strict=True)
        for name in me["sends"]
    ]
    return found


def system(name: str, k: int, timing: str, **more: Any) -> System:
    return parse_system(document(name, k, timing, **more), name)


def play(advice: Advice, truth: System, folder: Path) -> dict[str, float]:
    """Return the mean error of what is advised, and of the plain wire, when the plant is `truth`."""
    for name, text in advice.files().items():
        (folder / name).write_text(text, encoding="utf-8")
    (folder / SYSTEM).write_text(tomlkit.dumps(system_document(truth)), encoding="utf-8")
    runs = simulate(folder / SCENARIO).runs
    errors = {run.algorithm: errors_of(run, truth) for run in runs}
    return {name: sum(one.values()) / len(one) for name, one in errors.items()}


def record(one: System, seed: int, folder: Path, noise: float = 0.01) -> Path:
    """Write a recording of both sides in one place, 1200 macro steps with `noise` over their sizes, and return it."""
    scene, random = Scene(one, 1200, 100 + seed), np.random.default_rng(seed)
    columns = {"time": one.macro_step * np.arange(1201)}
    for source, values in scene.reference(1).items():
        columns[source.partition(".")[2]] = values + noise * scene.sizes[source] * random.standard_normal(1201)
    path = folder / f"recording_{seed}.csv"
    np.savetxt(path, np.column_stack(list(columns.values())), "%.9g", ",", header=",".join(columns), comments="")
    return path
