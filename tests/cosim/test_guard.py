"""Example 9: with a budget no latency makes the coupling blow up."""

import json
import re

import numpy as np
import pytest

from couplant.base.style import WIRE
from couplant.config.ref import Ref
from couplant.config.scenario import load_scenario
from couplant.cosim.fmu.load import Builder, FmuLibrary
from couplant.cosim.judgement.judging import judge_run
from couplant.cosim.judgement.verdict import UNSTABLE
from couplant.cosim.run import master
from couplant.cosim.run.reference import solve
from couplant.cosim.wiring.components import Workshop
from tests.cosim.conftest import EXAMPLES
from tests.networks.bonds import energy_of, largest_energy
from tests.unwired import simulate

FOLDER = EXAMPLES / "09_guard"
EXPECTED = json.loads((FOLDER / "expected.json").read_text(encoding="utf-8"))
ROWS = {(row["latency_steps"], row["algorithm"]): row for row in EXPECTED["rows"]}
ALGORITHMS = ("zoh", "foh", "eros3")
COLUMNS = [("wire", False), *((name, guarded) for name in ALGORITHMS for guarded in (False, True))]
"""Of the table of the page: algorithm, and whether there is a budget, which the plain wire cannot keep."""
LATENCIES = (8, 12, 20)


@pytest.fixture(scope="module")
def guarded(tmp_path_factory):
    """Return the runs with a budget, each with its largest mechanical energy over that without latency."""
    found, truth, folder = {}, None, tmp_path_factory.mktemp("fmus")
    for k in LATENCIES:
        loaded = load_scenario(FOLDER / "scenario.toml", [f"network.latency_steps={k}"])
        with FmuLibrary() as library:
            workshop = Workshop(loaded, library, Builder(folder / str(k)))
            grid = workshop.grid()
            truth = truth or solve(workshop.direct, grid.macro_step, grid.count, lambda share: None).values
            for algorithm in ALGORITHMS:
                coupled = workshop.couple(algorithm, "step")
                refs = [Ref("mass_1", "x1"), Ref("mass_1", "v1"), Ref("mass_2", "x2"), Ref("mass_2", "v2")]
                coupled.watched.extend(refs[2:])
                recording = master.run(coupled, grid)
                x1, v1, x2, v2 = (recording.watched[ref] for ref in refs)
                largest = max(map(energy_of, zip(x1, v1, strict=True), zip(x2, v2, strict=True)))
                found[k, algorithm] = judge_run(loaded, coupled, truth, recording), largest / largest_energy(False)
    return found


@pytest.mark.sample(1)
@pytest.mark.parametrize("k", LATENCIES)
def test_with_a_budget_energy_and_error_are_bounded(guarded, k):
    for algorithm in ALGORITHMS:
        run, largest = guarded[k, algorithm]
        budget = load_scenario(FOLDER / "scenario.toml").scenario.bonds["spring"].budget
        assert run.bonds["spring"].residual.max() <= EXPECTED["budgets_created"] * budget
        assert largest <= EXPECTED["largest_energy"]
        assert run.metrics["mae"] <= EXPECTED["factor"] * ROWS[k, algorithm]["with_budget"]


@pytest.mark.landing("every algorithm without a budget: 2 s of CPU")
@pytest.mark.sample(1, rest="night")
@pytest.mark.parametrize("k", LATENCIES)
def test_without_one_they_are_not(k):
    words = [f"network.latency_steps={k}", "bonds.spring.budget=0.0", "wire=true"]
    told = dict(zip(COLUMNS, page_rows()[k], strict=True))
    for run in simulate(FOLDER / "scenario.toml", words).runs:
        assert float(told[run.algorithm, False]) == pytest.approx(run.metrics["error"], rel=0.01)
        assert run.metrics["mae"] == pytest.approx(ROWS[k, run.algorithm]["mae"], rel=EXPECTED["tolerance"])
        stable = (k, run.algorithm) == (12, "eros3")
        assert (run.verdict == UNSTABLE) == (not stable)
        if run.algorithm != WIRE:
            assert np.nanmax(run.bonds["spring"].left_effort) == 0.0


def page_rows():
    """Return the cells of the table of the page by latency."""
    text = (FOLDER / "README.md").read_text(encoding="utf-8")
    return {int(k): cells.split(" | ") for k, cells in re.findall(r"^\| (\d+) \| (.+) \|$", text, re.MULTILINE)}


def test_the_page_tells_what_was_found(guarded):
    text, found = (FOLDER / "README.md").read_text(encoding="utf-8"), page_rows()
    assert list(found) == list(LATENCIES)
    for k, cells in found.items():
        for (algorithm, budget), cell in zip(COLUMNS, cells, strict=True):
            if budget:
                assert float(cell) == pytest.approx(guarded[k, algorithm][0].metrics["error"], rel=0.05)  # two digits
    assert "](picture.png)" in text and (FOLDER / "picture.png").is_file()
    assert "couplant simulate examples/09_guard/scenario.toml" in text
