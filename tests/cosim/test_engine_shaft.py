"""Example 15: models of a noisy engine shaft, by equations and from recordings, as accurate as worked out elsewhere."""

import json
from functools import cache

import numpy as np
import pytest

from couplant.cosim.judgement.verdict import STABLE, UNSTABLE
from tests.cosim.conftest import EXAMPLES
from tests.unwired import simulate

pytestmark = pytest.mark.landing("the story of an example: many runs of the shaft")

FOLDER = EXAMPLES / "15_engine_shaft"
EXPECTED = json.loads((FOLDER / "expected.json").read_text(encoding="utf-8"))
ROWS = {row["latency_steps"]: row for row in EXPECTED["rows"]}


@cache
def runs(k, algorithms=("model",), file="scenario.toml"):
    words = [f"network.latency_steps={k}", f"algorithms={json.dumps(algorithms)}"]
    return {run.algorithm: run for run in simulate(FOLDER / file, words).runs}


def error(run):
    """Return the error of the torque from 0.6 s on, rms in N.m."""
    trace = run.traces["torque"]
    return float(np.sqrt(np.mean((trace.estimate - trace.reference)[60:] ** 2)))


@pytest.mark.sample(1)
@pytest.mark.parametrize("k", ROWS)
def test_the_loop_is_stable_and_as_accurate_as_worked_out_elsewhere(k):
    run = runs(k)["model"]
    assert run.verdict == STABLE
    assert error(run) <= ROWS[k]["most"]
    assert error(run) == pytest.approx(ROWS[k]["torque"], rel=EXPECTED["tolerance"])


def test_what_looks_at_one_signal_alone_is_unstable_or_far_worse():
    found = runs(3, ("wire", "zoh", "eros3", "auto"))
    assert {found[name].verdict for name in ("wire", "zoh", "eros3")} == {UNSTABLE}
    assert error(found["auto"]) > 2.0 * error(runs(3)["model"])


def test_models_from_recordings_are_as_good():
    run = runs(3, file="identified.toml")["model"]
    assert run.verdict == STABLE
    assert error(run) <= error(runs(3)["model"])
