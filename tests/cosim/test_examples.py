"""Every example runs by itself and shows the figures that it promises."""

import json
import re

import numpy as np
import pytest

from couplant.cosim import simulate
from couplant_runtime.generated.algorithms import NONE, RECURSIVE_FIR, ZOH
from tests.cosim import oracle
from tests.cosim.conftest import EXAMPLES

OTHERS = ("07_quarter_car", "08_oscillators", "10_crane", "11_pendula")
MACHINES = ("12_hybrid_vehicle", "13_rths", "14_long_latency")
NAMES = ("01_two_mass_oscillator", "02_stop", "03_recording", "04_learning")


@pytest.mark.parametrize("name", NAMES)
def test_the_figures_are_the_expected_ones(example, name):
    expected = json.loads((EXAMPLES / name / "expected.json").read_text(encoding="utf-8"))
    found = {(run.algorithm, run.timing): run.metrics for run in example(name).runs}
    for run in expected["runs"]:
        figures = found[run.pop("algorithm"), run.pop("timing")]
        assert {key: figures[key] for key in run} == pytest.approx(run, rel=expected["tolerance"])


def test_the_quarter_car_takes_the_expected_steps_and_creates_the_expected_energy():
    folder = EXAMPLES / "07_quarter_car"
    expected = json.loads((folder / "expected.json").read_text(encoding="utf-8"))
    words = ["signals.f.judge=false", "signals.v.judge=false"]
    for run, row in zip(simulate(folder / "scenario.toml", words).runs, expected["runs"], strict=True):
        assert (run.algorithm, run.timing) == (row["algorithm"], row["timing"])
        assert run.steps == pytest.approx(row["steps"], rel=expected["tolerance"])
        created = run.bonds["suspension"].figures()["created"]
        assert created == pytest.approx(row["created"], rel=expected["tolerance"])


@pytest.mark.parametrize("name", [*NAMES, *OTHERS, *MACHINES])
def test_every_example_is_explained(name):
    text = (EXAMPLES / name / "README.md").read_text(encoding="utf-8")
    assert f"couplant simulate examples/{name}/scenario.toml" in text
    assert "](picture.png)" in text
    assert (EXAMPLES / name / "picture.png").is_file()


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


ADAPTIVE = ('algorithms=["zoh", "eros3", "recursive_fir", "coupling_element"]', 'timing=["event"]')


@pytest.mark.parametrize(
    ("name", "fir", "element"), [("01_two_mass_oscillator", 0.0667, 0.0578), ("04_learning", 5.57, 4.13)]
)
def test_what_identifies_itself_pays_for_the_time_until_then(example, name, fir, element):
    zoh, _, *others = example(name, *ADAPTIVE).runs
    assert [run.metrics["mae"] for run in others] == pytest.approx([fir, element], rel=0.01)
    assert max(run.metrics["mae"] for run in others) < zoh.metrics["mae"] / 3
    for run in others:
        for trace in run.traces.values():
            first = int(np.argmax(trace.active >= RECURSIVE_FIR))
            assert set(trace.active[:first]) <= {NONE, ZOH}


def test_once_settled_their_own_error_is_below_half_of_that_of_eros3_on_motions(example):
    _, eros3, *others = example("01_two_mass_oscillator", *ADAPTIVE).runs
    for run in others:
        for name in ("x1", "v1"):
            assert own_error(run.traces[name]) < 0.5 * own_error(eros3.traces[name])


def own_error(trace):
    """Return the mean error against what was sent at the same time, after 14 s, as a share of the peak."""
    return np.abs(trace.estimate - trace.sent)[700:].mean() / np.abs(trace.sent[700:]).max()


def test_detection_of_discontinuities_halves_the_error_of_eros3_at_the_stop(example):
    without = next(run for run in example("02_stop").runs if run.algorithm == "eros3")
    words = ['algorithms=["eros3"]', "coupling.discontinuity.enabled=true"]
    (detecting,) = simulate(EXAMPLES / "02_stop" / "scenario.toml", words).runs
    assert detecting.metrics["mae"] < 0.6 * without.metrics["mae"]
    assert detecting.traces["v1"].detected.any()
    assert not without.traces["v1"].detected.any()


def test_the_page_about_learning_tells_what_was_found(example):
    """Learning with and without its test, in the step and on a server, whose timing no one knows: only a gain."""
    found = {run.algorithm: run.metrics["mae"] for run in example("04_learning").runs}
    text = (EXAMPLES / "04_learning" / "README.md").read_text(encoding="utf-8").partition("\n## ")[0]
    told = re.findall(r"^\| `(\w+)` \| ([\d.]+) \| ([\d.]+) \|", text, re.MULTILINE)
    assert [name for name, _, _ in told] == ["eros3", "network_off", "network_unsafe", "network_embedded"]
    for name, mae, ratio in told:
        assert found[name] == pytest.approx(float(mae), abs=6e-4)
        assert found[name] / found["eros3"] == pytest.approx(float(ratio), abs=6e-3)
    assert found["network_embedded"] <= 0.75 * found["eros3"]
    assert found["network_server"] < 0.9 * found["eros3"]
