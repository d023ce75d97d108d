"""Example 16: a grid and its load coupled by the ideal transformer and the damping impedance method."""

import json
from functools import cache

import numpy as np
import pytest

from benchmarks.grid import FOLDER, error, source
from couplant.analysis.stability import stability
from couplant.analysis.system_file import read_system
from couplant.cosim import simulate
from couplant.cosim.judgement.verdict import UNSTABLE

EXPECTED = json.loads((FOLDER / "expected.json").read_text(encoding="utf-8"))


@cache
def runs(scenario, steps):
    words = [f"network.latency_steps={steps}", 'algorithms=["configured"]']
    return {run.algorithm: run for run in simulate(FOLDER / scenario, words).runs}


@pytest.mark.landing("long closed loops: 20 s of CPU")
def test_the_ideal_transformer_method_is_as_accurate_as_told_and_better_than_the_wire():
    row = EXPECTED["rows"][0]
    found = runs("scenario.toml", row["latency_steps"])
    for window in ("before", "jump"):
        own = error(found["configured"], window)
        assert own == pytest.approx(row[window], rel=EXPECTED["tolerance"])
        assert own < 0.6 * error(found["wire"], window)


@pytest.mark.landing("long closed loops: 20 s of CPU each")
@pytest.mark.parametrize(("scenario", "steps"), [("scenario.toml", 60), ("damping.toml", 20)])
def test_loops_stay_bounded_at_other_latencies_and_methods(scenario, steps):
    run = runs(scenario, steps)["configured"]
    assert run.verdict != UNSTABLE
    peak = max(np.abs(trace.estimate).max() for name, trace in run.traces.items() if name.startswith("v"))
    assert peak < 2.0 * 325.0


@pytest.mark.parametrize("name", ["itm", "dim"])
@pytest.mark.parametrize("steps", [1, 20, 60])
def test_theory_holds_the_newest_value_for_stable_and_a_line_for_unstable(name, steps):
    system = FOLDER / f"{name}.toml"
    assert stability(read_system(system, ['algorithm="zoh"'], steps)).radius < 1.0
    assert stability(read_system(system, ['algorithm="foh"'], steps)).radius > 1.0


def test_the_recording_is_the_one_that_the_script_makes():
    kept = np.loadtxt(FOLDER / "grid.csv", delimiter=",", skiprows=1)
    times, values = source()
    assert np.allclose(kept[:, 0], times, atol=1e-9)
    assert np.allclose(kept[:, 1:], values, atol=0.006)
