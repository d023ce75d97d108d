"""Recordings have the same figures everywhere: in a simulation, in `inspect`, `design` and `learn`."""

import json
import shutil

import numpy as np
import pytest

from couplant.cli import main
from couplant.cosim import simulate
from couplant.report.summary import summary
from tests.cosim.conftest import EXAMPLES

K, COLUMN = 6, ("--column", "torque_Nm")
SCENARIO = """
name = "one"
macro_step = 0.01
timing = ["TIMING"]
algorithms = ["zoh", "foh", "smb", "eros3", "eros4", "irregular", "auto"]
MORE
[components]
bench = { recording = "torque_b.csv" }
[network]
latency_steps = 6
[signals.torque]
from = "bench.torque_Nm"
"""
FIGURES = ("mae", "max", "C")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("recordings")
    for name in "ab":
        shutil.copy(EXAMPLES / "03_recording" / f"torque_{name}.csv", folder)
    return folder


def told(capsys, *words):
    assert main([str(word) for word in words]) == 0
    found = json.loads(capsys.readouterr().out)
    return found


def simulated(folder, timing, more="", *assignments):
    path = folder / "scenario.toml"
    more += "\nmicro_step = 0.001" if timing == "step" else ""
    path.write_text(SCENARIO.replace("TIMING", timing).replace("MORE", more), encoding="utf-8")
    return {run.algorithm: run for run in simulate(path, assignments).runs}


def by_name(rows):
    return {row["algorithm"]: [row[key] for key in FIGURES] for row in rows}


def of_run(run):
    return pytest.approx([run.metrics[key] for key in FIGURES], rel=1e-11)


def guards(inspected):
    """Return the assignments of the limits that what was inspected is judged with."""
    assert inspected["output"].keys() == {"min", "max", "rate_max"}
    return [f"coupling.output.{key}={value!r}" for key, value in inspected["output"].items()]


@pytest.mark.landing("long closed loops: 5 s of CPU each")
@pytest.mark.parametrize("timing", ["step", "event"])
def test_figures_are_the_same_everywhere(folder, timing, capsys):
    used = (folder / "torque_b.csv", *COLUMN, "--timing", timing, "--steps", K, "--json")
    inspected = told(capsys, "inspect", *used)
    first, last = inspected["judged"]["span"]
    assert inspected["made_of"] == [0.0, 7.2] and (first, last) == (7.2, 11.99)
    rows = by_name(inspected["errors"])
    runs = simulated(folder, timing, f"judge_from = {first}", *guards(inspected))
    assert rows.keys() == runs.keys() | {"designed", "auto_designed", "learnt", "auto_learnt"}
    assert all(rows[name] == of_run(run) for name, run in runs.items())
    (design,) = told(capsys, "design", "--recording", *used)
    fixed = {name: row for name, row in rows.items() if name not in ("learnt", "auto_learnt")}
    assert by_name(design["errors"]) == fixed and design["judged"]["span"] == [first, last]
    learnt = told(capsys, "learn", *used)
    assert learnt["judged"] == {"torque_b.csv": [first, last]}
    found = by_name(learnt["recordings"]["torque_b.csv"])
    # weights alone are printed, without limits
    bare = simulated(folder, timing, f"judge_from = {first}")
    assert found.keys() == fixed.keys() | {"learnt"} and all(found[name] == of_run(run) for name, run in bare.items())
    limited = guards(inspected)
    for table, name, judged, more in ((design, "designed", rows, limited), (learnt, "learnt", found, [])):
        weights = json.dumps({"selected": "linear", "steps": K} | {key: table[key] for key in "aA"})
        own = "signals.torque.coupling.algorithm=" + weights.replace('":', '" =')
        words = 'algorithms=["configured"]', own, *more
        assert judged[name] == of_run(simulated(folder, timing, f"judge_from = {first}", *words)["configured"])


@pytest.mark.landing("every algorithm on a recording")
@pytest.mark.sample(1)
@pytest.mark.parametrize("timing", ["step", "event"])
def test_a_whole_recording_is_judged_from_the_first_received_value_on(folder, timing, capsys):
    """Before it every algorithm gives out the start value: the largest error was that of all."""
    words = ("--judge", folder / "torque_b.csv", "--timing", timing, "--steps", K, "--json")
    inspected = told(capsys, "inspect", folder / "torque_a.csv", *COLUMN, *words)
    # a start from which the limits let the estimate go to the first value at once
    runs = simulated(folder, timing, "coupling.start = -4.0", *guards(inspected))
    rows = by_name(inspected["errors"])
    assert inspected["judged"] == {"file": "torque_b.csv", "span": [0.06 if timing == "event" else 0.07, 11.99]}
    assert all(rows[name] == of_run(run) for name, run in runs.items())
    far = simulated(folder, timing, "coupling.start = -500.0")
    assert max(run.metrics["max"] for run in far.values()) < 200.0


def test_recordings_do_not_grow(folder):
    (run,) = simulated(folder, "event", "wire = false", 'algorithms=["zoh"]').values()
    assert run.metrics["growth"] is None and run.per_signal["torque"]["growth"] is None and run.excess is None
    assert run.verdict == "unknown"


def test_the_pages_say_from_when_on_figures_count(folder, capsys):
    simulated(folder, "event", "judge_from = 3.0", 'algorithms=["zoh"]')
    result = simulate(folder / "scenario.toml", ['algorithms=["zoh"]'])
    page = summary(result)
    assert ("judged from", "3 s") in page.facts and "growth" not in page.metrics
    assert main(["simulate", str(folder / "scenario.toml"), "--set", 'algorithms=["zoh"]']) == 0
    out = capsys.readouterr().out
    assert "all figures from 3 to 11.99 s" in out and "growth" not in out


def test_a_configuration_is_judged_with_its_own_settings(folder, capsys):
    """Weights of ZOH in the file: the row is that of ZOH."""
    path = folder / "bench.toml"
    path.write_text(
        '[interface]\nname = "b"\nmacro_step = 0.01\n[signals.x]\nlatency = { constant_steps = 6 }\n'
        'algorithm = { selected = "linear", a = [1.0], A = [0.0] }\n',
        encoding="utf-8",
    )
    words = ("--config", path, "--signal", "x", "--json")
    found = told(capsys, "inspect", folder / "torque_a.csv", *COLUMN, *words)
    rows = by_name(found["errors"])
    assert (found["steps"], found["timing"]) == (6, "step")
    assert np.allclose(rows["configured"], rows["zoh"], rtol=1e-12, atol=0.0)
