"""Every example runs by itself and shows the figures that it promises."""

import json

import numpy as np
import pytest

from tests.cosim import oracle
from tests.cosim.conftest import EXAMPLES

NAMES = ("01_two_mass_oscillator", "02_stop", "03_recording")


@pytest.mark.parametrize("name", NAMES)
def test_the_figures_are_the_expected_ones(example, name):
    expected = json.loads((EXAMPLES / name / "expected.json").read_text(encoding="utf-8"))
    found = {(run.algorithm, run.timing): run.metrics for run in example(name).runs}
    for run in expected["runs"]:
        figures = found[run.pop("algorithm"), run.pop("timing")]
        assert {key: figures[key] for key in run} == pytest.approx(run, rel=expected["tolerance"])


@pytest.mark.parametrize("name", NAMES)
def test_every_example_is_explained(name):
    text = (EXAMPLES / name / "README.md").read_text(encoding="utf-8")
    assert f"couplant simulate examples/{name}/scenario.toml" in text


def test_estimates_of_the_recordings_are_those_of_the_weights(example):
    for run in example("03_recording").runs:
        for trace in run.traces.values():
            expected = oracle.open_loop(run.algorithm, 6, trace.sent)
            assert np.allclose(trace.estimate, expected, rtol=0, atol=1e-9)


def test_the_recording_is_judged_against_its_useful_part(example):
    trace = example("03_recording").runs[0].traces["torque_high"]
    columns = np.loadtxt(EXAMPLES / "03_recording" / "torque_high.csv", delimiter=",", skiprows=1)
    assert np.allclose(trace.sent, columns[:, 1], rtol=0, atol=1e-9)
    assert np.allclose(trace.reference, columns[:, 2], rtol=0, atol=1e-9)


def test_extrapolation_helps_on_the_quiet_recording_and_hurts_on_the_others(example):
    c = {run.algorithm: {name: m["C"] for name, m in run.per_signal.items()} for run in example("03_recording").runs}
    for name in ("torque_a", "torque_b", "torque_c"):
        assert 0.9 < c["foh"][name] / c["zoh"][name] < 1.05
        assert 1.6 < c["eros3"][name] / c["zoh"][name] < 1.85
        assert 3.4 < c["eros4"][name] / c["zoh"][name] < 3.9
    assert c["foh"]["torque_low"] < c["eros3"]["torque_low"] < c["zoh"]["torque_low"]
