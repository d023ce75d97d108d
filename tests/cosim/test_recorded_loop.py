"""Record, inspect, simulate: what `inspect` recommends for the signals of example 01 serves in their loop."""

import numpy as np
import pytest
import tomlkit

import couplant
from tests.cosim.conftest import EXAMPLES

SCENARIO = EXAMPLES / "01_two_mass_oscillator" / "scenario.toml"


@pytest.mark.landing("inspections of three signals and long closed loops: 10 s of CPU")
@pytest.mark.parametrize("timing", ["event", "step"])
def test_what_is_recommended_for_recorded_signals_serves_in_their_loop(timing, tmp_path):
    """C of the run, a sum over its signals, is .13 in event timing and .35 in step timing."""
    wire = couplant.simulate(SCENARIO, ['algorithms=["wire"]', f'timing=["{timing}"]']).runs[0]
    path, chosen = tmp_path / "recorded.csv", {}
    columns = np.column_stack([wire.traces["x1"].time, *(trace.reference for trace in wire.traces.values())])
    np.savetxt(path, columns, fmt="%.17g", delimiter=",", header=",".join(["time", *wire.traces]), comments="")
    for name in wire.traces:
        found = couplant.inspect(path, column=name, steps=3, timing=timing)
        (settings,) = tomlkit.parse(found.settings()).unwrap()["signals"].values()
        chosen[name] = tomlkit.inline_table()
        chosen[name].update({"algorithm": settings["algorithm"]})
    words = [f"signals.{name}.coupling={table.as_string()}" for name, table in chosen.items()]
    words += ['algorithms=["configured"]', f'timing=["{timing}"]', "wire=false"]
    (run,) = couplant.simulate(SCENARIO, words).runs
    assert run.verdict == "stable" and run.metrics["error"] < 0.05 * wire.metrics["error"]
    assert run.metrics["C"] <= 0.36
