"""FMUs of the signals of a power bond: their variables, units and dependencies."""

from __future__ import annotations

import zipfile

import pytest
from fmpy import extract, read_model_description
from fmpy.fmi2 import FMU2Slave
from fmpy.validation import validate_fmu

from couplant.config import parse_interface
from couplant.pack import build_coupling_fmu
from couplant.pack.check import check_fmu

EACH = pytest.mark.parametrize(("backend", "fmi"), [("native", "2"), ("native", "3"), ("python", "2")])
FORMS = pytest.mark.parametrize(("backend", "fmi"), [("python", "2"), ("native", "3")])
TIMING = pytest.mark.parametrize("timing", ["step", "event"])
BOND = {"effort": "f", "flow": "x1", "take_back": 0.02, "budget": 2.0, "sign": -1, "source": "bond"}
INPUTS = {"conjugate", "energy.far_given", "energy.far_passed", "energy.far_time"}


def build(folder, signal, backend="python", fmi="2", timing="step", bond=BOND, sources=False):
    common = {"name": "i", "macro_step": 0.02, "timing": timing}
    tables = {"f": {"unit": "N"}, "x1": {"unit": "m"}}
    tables = {name: {"algorithm": "eros3", "latency": {"constant_steps": 3}, **one} for name, one in tables.items()}
    bonds = {"bonds": {"shaft": bond}} if bond else {}
    interface = parse_interface({"interface": common, "signals": tables, **bonds}, "test")
    return build_coupling_fmu(interface, signal, folder, backend=backend, fmi=fmi, sources=sources)


def stored(path):
    """Return the state that an FMU saves when it has been initialised, without the header."""
    description = read_model_description(str(path))
    folder = extract(str(path), str(path.with_suffix("")))
    place = {"unzipDirectory": folder, "modelIdentifier": description.coSimulation.modelIdentifier}
    fmu = FMU2Slave(guid=description.guid, instanceName="one", **place)
    fmu.instantiate()
    fmu.setupExperiment()
    fmu.enterInitializationMode()
    fmu.exitInitializationMode()
    state = fmu.getFMUstate()
    data = fmu.serializeFMUstate(state)
    fmu.freeFMUstate(state)
    fmu.terminate()
    fmu.freeInstance()
    return data[32:]


def contents(path):
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def described(path):
    description = read_model_description(str(path))
    return {v.name: v for v in description.modelVariables}, description


@pytest.mark.sample(1)
@EACH
@TIMING
def test_they_are_valid_in_every_form(backend, fmi, timing, tmp_path):
    signal = "f" if timing == "event" else "x1"
    path = build(tmp_path, signal, backend, fmi, timing)
    assert validate_fmu(str(path)) == []
    assert check_fmu(path).problems == ()


@pytest.mark.parametrize(("signal", "kind", "unit"), [("f", "1", "m"), ("x1", "2", "N")])
def test_they_have_the_parameters_of_their_end(signal, kind, unit, tmp_path):
    variables, _ = described(build(tmp_path, signal))
    starts = {name: variables[f"energy.{name}"].start for name in ("kind", "source", "reversed", "take_back", "budget")}
    taken = "0.02" if signal == "f" else "0.0"
    assert starts == {"kind": kind, "source": "2", "reversed": "true", "take_back": taken, "budget": "2.0"}
    assert variables["conjugate"].unit == unit
    assert variables["conjugate"].variability == "continuous"
    assert {variables[name].variability for name in INPUTS - {"conjugate"}} == {"discrete"}
    assert variables["energy.given"].unit == "J" and variables["energy.power"].unit == "W"


@FORMS
def test_nothing_acts_at_once_in_step_timing(backend, fmi, tmp_path):
    _, description = described(build(tmp_path, "f", backend, fmi))
    assert all(not output.dependencies for output in description.outputs)


@FORMS
def test_in_event_timing_an_effort_that_is_sent_does_not_act_at_once(backend, fmi, tmp_path):
    """It follows from the estimate: else there would be a loop."""
    acting = {}
    for signal in ("f", "x1"):
        _, description = described(build(tmp_path, signal, backend, fmi, "event"))
        acting[signal] = [{v.name for v in output.dependencies} for output in description.outputs]
    assert all(one == {"y", "y_time", "y_valid"} | INPUTS for one in acting["f"])
    assert all(one == {"y", "y_time", "y_valid"} | INPUTS - {"conjugate"} for one in acting["x1"])


def test_without_a_bond_there_is_nothing_new(tmp_path):
    variables, _ = described(build(tmp_path, "f", bond=None))
    assert not [name for name in variables if name.startswith("energy") or name == "conjugate"]


@pytest.mark.parametrize("fmi", ["2", "3"])
def test_without_a_bond_there_is_no_code_of_it_and_no_state(fmi, tmp_path):
    bond = contents(build(tmp_path / "with", "f", "native", fmi, sources=True))
    plain = contents(build(tmp_path / "without", "f", "native", fmi, bond=None, sources=True))
    assert b"CP_WITHOUT_ENERGY" in plain["sources/all.c"] and b"CP_WITHOUT_ENERGY" not in bond["sources/all.c"]
    sizes = [next(len(data) for name, data in one.items() if name.startswith("binaries/")) for one in (plain, bond)]
    assert sizes[0] + 4096 < sizes[1]


@pytest.mark.parametrize("bond", [None, BOND])
def test_states_of_both_runtimes_have_the_same_bytes(bond, tmp_path):
    seen = [stored(build(tmp_path / backend, "f", backend, bond=bond)) for backend in ("python", "native")]
    assert seen[0] == seen[1]
