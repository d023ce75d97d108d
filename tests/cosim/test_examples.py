"""Every example runs by itself and shows the figures that it promises."""

import json
import re

import numpy as np
import pytest

from couplant.config import load_interface
from couplant.config.scenario import CONFIGURED
from couplant.cosim import simulate
from couplant_runtime.generated.algorithms import NONE, RECURSIVE_FIR, ZOH
from tests.cosim import oracle
from tests.cosim.conftest import EXAMPLES

OTHERS = ("07_quarter_car", "08_oscillators", "10_crane", "11_pendula")
MACHINES = ("12_hybrid_vehicle", "13_rths", "14_long_latency", "15_engine_shaft", "16_grid")
NAMES = ("01_two_mass_oscillator", "02_stop", "03_recording", "04_learning")


@pytest.mark.landing("long closed loops: 5 s of CPU each")
@pytest.mark.parametrize("name", NAMES)
def test_the_figures_are_the_expected_ones(example, name):
    expected = json.loads((EXAMPLES / name / "expected.json").read_text(encoding="utf-8"))
    found = {(run.algorithm, run.timing): run.metrics for run in example(name, "wire=true").runs}
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
    algorithm = load_interface(EXAMPLES / "03_recording" / "torque.toml").signals["torque"].algorithm
    designed = np.array(algorithm.a), np.array(algorithm.A)
    for run in example("03_recording", "wire=true").runs:
        for trace in run.traces.values() if run.algorithm != "auto" else ():
            expected = oracle.open_loop(run.algorithm, 6, trace.sent, designed if run.algorithm == CONFIGURED else None)
            assert np.allclose(trace.estimate[trace.since :], expected[trace.since :], rtol=0, atol=1e-9)


def test_a_recording_is_judged_against_another_column(example):
    run = example("03_recording", "signals.torque_high.reference='high.torque_useful_Nm'", "algorithms=['zoh']").runs[0]
    trace, figures = run.traces["torque_high"], run.per_signal["torque_high"]
    columns = np.loadtxt(EXAMPLES / "03_recording" / "torque_high.csv", delimiter=",", skiprows=1)
    assert np.allclose(trace.sent, columns[:, 1], rtol=0, atol=1e-9)
    assert np.allclose(trace.reference, columns[:, 2], rtol=0, atol=1e-9)
    assert figures["mae"] == pytest.approx(np.abs(columns[7:, 2] - columns[:-7, 1]).mean())


@pytest.mark.landing("whole recordings: 3 s of CPU")
def test_a_design_helps_on_recordings_that_did_not_make_it(example):
    """Made of a. EROS3 amplifies the disturbance; FOH helps where there is little of it."""
    runs = example("03_recording").runs
    mae = {run.algorithm: {name: m["mae"] for name, m in run.per_signal.items()} for run in runs}
    less = {name: {signal: error / mae["zoh"][signal] for signal, error in one.items()} for name, one in mae.items()}
    assert all(less[name][signal] < 0.9 for name in ("auto", CONFIGURED) for signal in less[name])
    assert all(less["auto"][f"torque_{signal}"] < 0.72 for signal in ("b", "c", "low"))
    for name in ("torque_a", "torque_b", "torque_c"):
        assert 1.1 < less["foh"][name] < 1.25 and 1.9 < less["eros3"][name] < 2.2
    assert less["foh"]["torque_low"] < 0.65


ADAPTIVE = ('algorithms=["zoh", "eros3", "recursive_fir", "coupling_element"]', 'timing=["event"]')


@pytest.mark.night("long closed loops: 10 s of CPU each")
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


@pytest.mark.landing("long closed loops that learn")
def test_once_settled_their_own_error_is_below_half_of_that_of_eros3_on_motions(example):
    _, eros3, *others = example("01_two_mass_oscillator", *ADAPTIVE).runs
    for run in others:
        for name in ("x1", "v1"):
            assert own_error(run.traces[name]) < 0.5 * own_error(eros3.traces[name])


def own_error(trace):
    """Return the mean error against what was sent at the same time, after 14 s, as a share of the peak."""
    return np.abs(trace.estimate - trace.sent)[700:].mean() / np.abs(trace.sent[700:]).max()


@pytest.mark.landing("long closed loops: 7 s of CPU")
def test_detection_of_discontinuities_halves_the_error_of_eros3_at_the_stop(example):
    without = next(run for run in example("02_stop").runs if run.algorithm == "eros3")
    words = ['algorithms=["eros3"]', "coupling.discontinuity.enabled=true", "wire=false"]
    (detecting,) = simulate(EXAMPLES / "02_stop" / "scenario.toml", words).runs
    assert detecting.metrics["mae"] < 0.6 * without.metrics["mae"]
    assert detecting.traces["v1"].detected.any()
    assert not without.traces["v1"].detected.any()


@pytest.mark.landing("long closed loops that learn")
def test_the_page_about_learning_tells_what_was_found(example):
    """Learning with and without its test, in the step and on a server, whose timing no one knows: only a gain."""
    found = {run.algorithm: run.metrics["error"] for run in example("04_learning").runs}
    text = (EXAMPLES / "04_learning" / "README.md").read_text(encoding="utf-8").partition("\n## ")[0]
    told = re.findall(r"^\| `(\w+)` \| ([\d.]+) % \| ([\d.]+) \|", text, re.MULTILINE)
    assert [name for name, _, _ in told] == ["eros3", "network_off", "network_unsafe", "network_embedded"]
    for name, error, ratio in told:
        assert found[name] == pytest.approx(float(error), abs=0.06)
        assert found[name] / found["eros3"] == pytest.approx(float(ratio), abs=6e-3)
    assert found["network_embedded"] <= 0.75 * found["eros3"]
    assert found["network_server"] < 0.9 * found["eros3"]
