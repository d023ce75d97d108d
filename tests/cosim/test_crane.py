"""Example 10: how far the crane is from its equations solved as one system, and what its bond tells about it."""

import json
import sys

import numpy as np
import pytest

from couplant.config.ref import Ref
from couplant.cosim.run.reference import Reference
from tests.cosim.conftest import EXAMPLES
from tests.published.models.crane import motion
from tests.unwired import simulate

FOLDER = EXAMPLES / "10_crane"
EXPECTED = json.loads((FOLDER / "expected.json").read_text(encoding="utf-8"))


@pytest.fixture
def solved(monkeypatch):
    """Take the motion that scipy finds for the reference."""

    def solve(make_wiring, macro_step, count, progress):
        return Reference({Ref("arm", "s"): motion(np.arange(count + 1) * macro_step)}, 1, 0.0)

    monkeypatch.setattr(sys.modules["couplant.cosim.simulate"], "solve", solve)


@pytest.mark.sample(1)
@pytest.mark.parametrize("row", EXPECTED["runs"], ids=lambda row: f"{1e3 * row['macro_step']} ms")
def test_it_errs_as_published_and_its_bond_tells(solved, row):
    (run,) = simulate(FOLDER / "scenario.toml", [f"{key}={row[key]}" for key in ("macro_step", "parts")]).runs
    bond = run.bonds["cylinder"]
    power, during = bond.created / bond.step, (bond.time > 3.0) & (bond.time <= 5.0)
    one, other = (np.sqrt(np.mean(power[part] ** 2)) for part in (during, ~during))
    found = {"max": run.metrics["max"], "ratio": one / other, "residual": bond.residual[-1]}
    assert found == pytest.approx({key: row[key] for key in found}, rel=EXPECTED["tolerance"])


def test_the_reference_of_the_master_is_that_of_scipy():
    (run,) = simulate(FOLDER / "scenario.toml", ["duration=1.5"]).runs
    trace = run.traces["s"]
    assert np.abs(trace.reference - motion(trace.time)).max() < 1e-5


def test_without_extrapolation_the_cylinder_errs_more(solved):
    (run,) = simulate(FOLDER / "scenario.toml", ["components.cylinder.parameters.extrapolation=false"]).runs
    assert run.metrics["max"] == pytest.approx(0.00197, rel=0.05)
