"""Inputs of coupling FMUs: samples are discrete, what is not used says so or is left out, references stay."""

from __future__ import annotations

import fmpy
import numpy as np
import pytest
from fmpy import read_model_description
from fmpy.validation import validate_fmu

from couplant.base.errors import UsageError
from couplant.config import parse_interface
from couplant.pack import build_coupling_fmu, build_model_fmu
from couplant.pack.check import check_fmu

EACH = pytest.mark.parametrize(("backend", "fmi"), [("native", "2"), ("native", "3"), ("python", "2")])
TIMING = pytest.mark.parametrize("timing", ["step", "event"])
STEP = 0.01
MESSAGES = {
    "constant": {"latency": {"constant_steps": 2}},
    "stamps": {"latency": {"mode": "stamps"}, "burst": 3},
    "round trip": {"latency": {"mode": "round_trip"}},
}


def build(folder, backend, fmi, timing="step", inputs=None, **signal):
    head = {"name": "bench", "macro_step": STEP, "timing": timing} | ({"inputs": inputs} if inputs else {})
    interface = parse_interface({"interface": head, "signals": {"s": {"algorithm": "eros3", **signal}}}, "test")
    return build_coupling_fmu(interface, "s", folder, backend=backend, fmi=fmi)


def variables(path):
    return {variable.name: variable for variable in read_model_description(str(path)).modelVariables}


@pytest.mark.sample(1)
@EACH
@TIMING
@pytest.mark.parametrize("kind", MESSAGES)
def test_messages_are_samples_that_no_importer_interpolates(backend, fmi, timing, kind, tmp_path):
    path = build(tmp_path, backend, fmi, timing, **MESSAGES[kind])
    inputs = {name: v.variability for name, v in variables(path).items() if v.causality == "input"}
    assert set(inputs.values()) == {"discrete"} and {"y", "y_time", "y_valid"} <= inputs.keys()
    assert variables(path)["y_hat"].variability == "continuous"
    assert validate_fmu(str(path)) == []
    assert check_fmu(path).problems == ()


def test_what_goes_to_the_sender_is_a_signal_of_this_side(tmp_path):
    path = build(tmp_path, "python", "2", algorithm="coupling_element")
    assert variables(path)["u"].variability == "continuous"


@pytest.mark.parametrize("fmi", ["2", "3"])
def test_of_the_network_only_the_signal_itself_is_continuous(fmi, tmp_path):
    path = build_model_fmu("network", tmp_path, fmi=fmi)
    ports = [v for v in variables(path).values() if v.causality in ("input", "output")]
    assert [v.name for v in ports if v.variability != "discrete"] == ["value"]
    assert validate_fmu(str(path)) == []


@EACH
def test_an_importer_holds_stamps_between_samples(backend, fmi, tmp_path):
    """FMPy interpolates continuous inputs: half-way between two stamps it would set one that nobody sent."""
    path = build(tmp_path, backend, fmi, debug=True, **MESSAGES["stamps"])
    time = np.arange(10) * 2 * STEP  # a message at every other communication point
    table = np.rec.fromarrays([time, time, 5.0 * time], names=["time", "y_time", "y"])
    rows = fmpy.simulate_fmu(
        str(path), stop_time=0.18, step_size=STEP, output_interval=STEP, input=table, output=["y_time"]
    )
    assert set(np.round(rows["y_time"][1:] / STEP).astype(int)) <= set(range(0, 20, 2))
    assert np.allclose(rows["y_time"][1:], STEP * np.round(rows["y_time"][1:] / STEP), atol=1e-12)


@pytest.mark.sample(1)
@EACH
@TIMING
def test_inputs_that_are_not_needed_say_so_or_are_left_out_and_references_stay(backend, fmi, timing, tmp_path):
    whole = build(tmp_path / "all", backend, fmi, timing, **MESSAGES["constant"])
    needed = build(tmp_path / "needed", backend, fmi, timing, "needed", **MESSAGES["constant"])
    before, after = variables(whole), variables(needed)
    assert before["y_time"].description.startswith("not used with latency.mode = constant")
    assert before.keys() - after.keys() == {"y_time"}
    assert {name: v.valueReference for name, v in after.items()} == {n: before[n].valueReference for n in after}
    for path, inputs in ((whole, ["y", "y_time", "y_valid"]), (needed, ["y", "y_valid"])):
        assert validate_fmu(str(path)) == []
        assert check_fmu(path).problems == ()
        outputs = read_model_description(str(path)).outputs
        assert [u.variable.name for u in outputs] == [n for n, v in after.items() if v.causality == "output"]
        for unknown in outputs:
            assert [v.name for v in unknown.dependencies] == (inputs if timing == "event" else [])
    (unknown,) = (u for u in read_model_description(str(needed)).initialUnknowns if u.variable.name == "y_hat")
    assert [v.name for v in unknown.dependencies] == ["y", "output.min", "output.max"]


def test_stamps_are_needed_where_they_are_read(tmp_path):
    names = variables(build(tmp_path, "native", "2", inputs="needed", **MESSAGES["stamps"]))
    assert {"y_time", "y_time[2]"} <= names.keys()
    assert "not used" not in names["y_time"].description


def test_any_other_word_is_refused(tmp_path):
    with pytest.raises(UsageError, match=r'interface\.inputs = "some", allowed "all" or "needed"'):
        build(tmp_path, "native", "2", inputs="some")
