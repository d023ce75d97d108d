"""Example 13: the published table, the coupling FMU in place of the phase lead, perturbed plants, the network."""

import json
import re

import numpy as np
import pytest

from couplant.analysis.signal.lag import measure_lag
from couplant.config.ref import Ref
from couplant.config.scenario import load_scenario
from couplant.cosim.fmu.load import Builder, FmuLibrary
from couplant.cosim.wiring.components import Workshop
from couplant.tables import Samples
from tests.cosim.conftest import EXAMPLES
from tests.cosim.rths import CASES, SAMPLE, Laboratory, ground, indices
from tests.unwired import simulate

pytestmark = pytest.mark.landing("the story of an example: a frame under an earthquake")

FOLDER = EXAMPLES / "13_rths"
EXPECTED = json.loads((FOLDER / "expected.json").read_text(encoding="utf-8"))
TEXT = (FOLDER / "README.md").read_text(encoding="utf-8")
LOOSE = (2, 4)  # J3 and J5 are single peaks in noise
STRONGEST = 8900.0  # N, of the actuator
LAG = 0.01037


@pytest.fixture(scope="module")
def laboratory(tmp_path_factory):
    made = Laboratory(tmp_path_factory.mktemp("rths"))
    for offset in (0.009, 0.010, LAG, 0.011):
        latency = {"mode": "constant", "constant_steps": 0, "offset": offset}
        made.coupling(name(offset), 4 * SAMPLE, algorithm="eros3", latency=latency)
    return made


def name(offset):
    return f"offset_{1e5 * offset:.0f}"


@pytest.mark.sample(1)
@pytest.mark.parametrize("case", CASES)
def test_the_published_table_is_reproduced(laboratory, case):
    found = laboratory.run(case, None, ground(), compensated=1)
    assert np.abs(found["bench.actuator.force"]).max() < STRONGEST
    tolerance = np.where(np.isin(np.arange(9), LOOSE), 0.08, 0.01)
    published = np.array(EXPECTED["published"][str(case)])
    assert np.all(np.abs(indices(found) - published) <= tolerance * published)


def test_the_lag_of_the_actuator_is_measured_and_is_the_offset(laboratory):
    found = laboratory.run(1, None, ground())
    assert indices(found)[[0, 3]] == pytest.approx([10.25, 121.6], rel=0.005)
    time = SAMPLE * np.arange(found["bench.x_m"].size)
    lag = measure_lag(*(Samples(key, time, found[key]) for key in ("frame.x[1]", "bench.x_m")))
    assert lag.offset == pytest.approx(LAG, abs=2e-6)
    assert lag.most - lag.least < 5e-5


@pytest.mark.sample(1)
@pytest.mark.parametrize("case", CASES)
def test_with_the_measured_lag_the_error_is_below_that_of_the_phase_lead(laboratory, case):
    found = laboratory.run(case, name(LAG), ground())
    assert np.abs(found["bench.actuator.force"]).max() < STRONGEST
    figures = indices(found)
    assert figures[3] <= 3.9
    assert figures == pytest.approx(EXPECTED["eros3"][str(case)], rel=EXPECTED["tolerance"], abs=0.01)


@pytest.mark.sample(2)
@pytest.mark.parametrize(("offset", "j4"), [(0.009, 8.4), (0.010, 3.2), (0.011, 5.3)])
def test_what_a_wrong_lag_costs(laboratory, offset, j4):
    assert indices(laboratory.run(1, name(offset), ground()))[3] == pytest.approx(j4, rel=0.02)


@pytest.mark.landing("long closed loops: 7 s of CPU")
def test_twenty_perturbed_plants_are_stable(laboratory):
    chance, shaken, found = np.random.default_rng(1), ground(15.0), []
    for plant in range(20):
        k, a, b, c = chance.standard_normal(4) * (5e4, 3.3, 3.3e3, 1.3)
        changed = {"actuator__damping": 425.0 + a, "actuator__stiffness": 9.9976e4 + b, "actuator__pole": 3.3 + c}
        run = laboratory.run(1 + plant % 4, name(LAG), shaken, stiffness=1.19e6 + k, **changed)
        assert run["bench.x_m"].size == shaken.size
        found.append(indices(run)[3])
    assert max(found) < 6.6


def test_the_readme_tells_what_is_published_and_what_was_found():
    rows = re.findall(r"^\| (\d) \| [^|]*kg[^|]*" + r"\| ([\d.]+) % " * 4 + r"\|$", TEXT, re.MULTILINE)
    assert len(rows) == 4
    for case, published, _, found, _ in rows:
        assert float(published) == EXPECTED["published"][case][3]
        assert float(found) == pytest.approx(EXPECTED["eros3"][case][3], abs=0.006)


def test_the_master_gives_the_same(laboratory):
    (run,) = simulate(FOLDER / "scenario.toml", ["duration=1.5"]).runs
    found = laboratory.run(1, name(LAG), ground(1.5))
    assert np.abs(run.traces["x_m"].sent - found["bench.x_m"][::4]).max() <= 1e-12
    assert np.abs(run.traces["x_m"].reference - found["whole.x[1]"][::4]).max() <= 1e-8


def error_of(run):
    """Return J4 of a run over the network [%]: specimen against the frame in one piece."""
    trace = run.traces["x"]
    return 100.0 * np.std(trace.estimate - trace.reference) / np.std(trace.reference)


@pytest.mark.night("long closed loops: 10 s of CPU each")
@pytest.mark.parametrize("row", EXPECTED["network"], ids=lambda row: f"case {row['case']}, {row['steps']} steps")
def test_over_the_network(row):
    mass, damping = CASES[row["case"]]
    words = [f"mass={mass}", f"damping={damping}", f"network.latency_steps={row['steps']}", "duration=10.0"]
    algorithms = [key for key in row if key not in ("case", "steps")]
    runs = simulate(FOLDER / "network.toml", [*words, f"algorithms={json.dumps(algorithms)}"]).runs
    assert [error_of(run) for run in runs] == pytest.approx([row[key] for key in algorithms], rel=0.02)


def test_the_reference_is_the_frame_in_one_piece_and_nothing_else():
    loaded = load_scenario(FOLDER / "scenario.toml")
    with FmuLibrary() as library:
        wiring = Workshop(loaded, library, Builder(library.root)).reference()
    assert [*wiring.components] == ["ground", "whole"]
    assert wiring.watched == [Ref("whole", "x[1]")]
    assert [link.target for link in wiring.links] == [Ref("whole", "a_g")]


def test_the_reference_has_what_is_watched_too():
    loaded = load_scenario(FOLDER / "scenario.toml", ['watch=["bench.x_m"]'])
    with FmuLibrary() as library:
        wiring = Workshop(loaded, library, Builder(library.root)).reference()
    assert {*wiring.components} == {"ground", "frame", "bench", "whole"}
    assert {*wiring.watched} >= {Ref("whole", "x[1]"), Ref("bench", "x_m")}
