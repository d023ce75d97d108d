"""Scenarios that are no benches, to find settings for: hybrid vehicles, and a frame behind a network."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np

from couplant.bench.tune.scenario import ScenarioTuner
from couplant.bench.tune.sides import Candidate
from couplant.config.scenario import load_scenario
from couplant.cosim import simulate
from couplant.cosim.fmu.load import Builder, FmuLibrary
from couplant.cosim.run.reference import solve
from couplant.cosim.wiring.components import Workshop
from couplant.sweep.for_bench import proposals
from tests.bench.tune.benches import HAND, windows_of
from tests.cosim.conftest import EXAMPLES
from tests.cosim.hybrid import FOLDER, NINE
from tests.cosim.rths import CASES


class Scenario(NamedTuple):
    """A scenario and the signal that it is judged by."""

    path: Path
    words: tuple[str, ...]
    signal: str


VEHICLES = {name: Scenario(FOLDER / "scenario.toml", words, "torque") for name, words in NINE.items()}
FRAMES = {
    f"case {key}": Scenario(EXAMPLES / "13_rths" / "network.toml", (f"mass={mass}", f"damping={damping}"), "x")
    for key, (mass, damping) in CASES.items()
}


def tuned_scenario(one: Scenario, folder: Path):
    """Return a scenario that was tuned from the plain wire on, without anything known of its sides."""
    loaded = load_scenario(one.path, [*one.words, 'algorithms=["wire"]'])
    with FmuLibrary() as library:
        shop = Workshop(loaded, library, Builder(folder / "reference"))
        grid = shop.grid()
        reference = solve(shop.reference, grid.macro_step, grid.count)

    def propose(ages, lost):
        return [Candidate(p.name, p.algorithm) for p in proposals(loaded, None)[0]]

    return loaded, ScenarioTuner(loaded, Candidate("before", "wire"), {}, propose, folder / "tuned").tune(reference)


def course(run, one: Scenario) -> dict[str, np.ndarray]:
    """Return the error of a run over the size of the signal that the scenario is judged by."""
    trace = run.traces[one.signal]
    return {one.signal: (trace.estimate - trace.reference) / np.std(trace.reference)}


def measured_scenario(one: Scenario, folder: Path):
    """Return what was found, the errors of hand settings, and errors in windows: of the wire, and of each run."""
    loaded, found = tuned_scenario(one, folder)
    runs = simulate(one.path, [*one.words, f"algorithms={[*HAND]}", "wire=false"]).runs
    courses = {run.algorithm: course(run, one) for run in runs}
    errors = {name: float(np.sqrt(np.mean(made[one.signal] ** 2))) for name, made in courses.items()}
    h = loaded.scenario.macro_step
    chosen = found.candidates[found.force].algorithm if found.force in found.candidates else "wire"
    return chosen, errors, windows_of(courses["wire"], h), [windows_of(course(run, one), h) for run in found.runs]


def worse_windows(runs, wire: np.ndarray) -> list[tuple[float, float]]:
    """Return the errors of windows in which the `wire` errs less, each with that of the wire."""
    pairs = [pair for ours in runs for pair in zip(ours, wire, strict=True)]
    return [(float(ours), float(theirs)) for ours, theirs in pairs if ours > 1.0001 * theirs]
