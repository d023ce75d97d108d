"""ECCO of libcosim on our FMUs against that of the master: two implementations of one method."""

import json

import pytest

from tests.cosim.conftest import EXAMPLES
from tests.importers.conftest import require
from tests.isolated import isolated
from tests.unwired import simulate

SCENARIO = EXAMPLES / "07_quarter_car" / "scenario.toml"
CASES = {  # what the scenario needs, steps at least and at most, residual energy [J], its tolerance [-]
    "linear, fine": ([], 2.8e-6, (3983, 3994), 1.616, 0.015),
    "linear, coarse": ([], 3.1e-5, (1361, 1367), 4.98, 0.02),
    "root, fine": (["damping=900.0", "root=true", "duration=2.0"], 7.5e-6, (1994, 2007), 1.61, 0.02),
    "root, coarse": (["damping=900.0", "root=true", "duration=2.0"], 1e-4, (623, 645), 5.8, 0.04),
}


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    require("libcosimpy", "libcosimpy.CosimExecution", least_python=(3, 11))
    return json.loads(isolated("tests.importers.ecco", tmp_path_factory.mktemp("fmus"))[-1])["found"]


@pytest.mark.landing("a published study: 2 s of CPU")
@pytest.mark.sample(2)
@pytest.mark.parametrize("case", CASES)
def test_the_published_tables(found, case):
    _, _, (least, most), residual, share = CASES[case]
    steps, created = found[case]
    assert least <= steps <= most
    assert created == pytest.approx(residual, rel=share)


@pytest.mark.parametrize("case", CASES)
def test_both_take_the_same_steps_and_create_the_same_energy(found, case):
    words, tolerance, *_ = CASES[case]
    unjudged = ["signals.f.judge=false", "signals.v.judge=false"]
    (run,) = simulate(SCENARIO, [*words, *unjudged, 'steps.control="ecco"', f"steps.tolerance={tolerance}"]).runs
    steps, created = found[case]
    assert run.steps == pytest.approx(steps, rel=0.015)
    assert run.bonds["suspension"].figures()["created"] == pytest.approx(created, rel=0.01)
