"""Finished coupling FMUs of the Python backend: description, bytes, and runs through FMPy in other processes."""

import json
import re
from xml.etree import ElementTree
from zipfile import ZipFile

import pytest
from fmpy import read_model_description
from fmpy.validation import validate_fmu

from couplant.base.errors import UsageError
from couplant.config import parse_interface
from couplant.pack import build_coupling_fmu
from couplant.pack.check.fmu import check_fmu
from couplant_runtime.generated.algorithms import ROWS
from tests.isolated import isolated
from tests.pack.runs import SIGNAL, STEP, interface

ORDER = """y y_time y_valid
y_hat latency.steps latency.seconds discontinuity.detected algorithm.active quality.error quality.tolerance quality.ok
quality.skill output.limited state
macro_step latency.mode latency.constant_steps latency.offset latency.coast_steps latency.lost_steps
discontinuity.enabled discontinuity.hold discontinuity.floor reconstruction output.on_loss output.safe_value
bypass algorithm.selected algorithm.observer_gain discontinuity.sensitivity quality.action quality.zeta quality.delta
output.min output.max output.rate_max time quality.skill_zoh""".split()
OUTPUTS = [*ORDER[3:14], ORDER[-1]]
COMMON = {row.name: row.number for row in ROWS if row.needs != "model"}
ITEMS = {
    "algorithm.active": {"none": 0} | COMMON,
    "state": {"starting": 1, "running": 2, "holding": 3, "lost": 4},
    "latency.mode": {"constant": 1, "stamps": 2, "resequenced": 3, "round_trip": 4},
    "reconstruction": {"linear": 1, "hold": 2},
    "output.on_loss": {"hold": 1, "safe": 2},
    "algorithm.selected": COMMON,
    "quality.action": {"ignore": 1, "warn": 2, "stop": 3, "hold": 4},
}
UNITS = {
    "y": "N.m", "y_hat": "N.m", "quality.error": "N.m", "quality.tolerance": "N.m", "discontinuity.floor": "N.m",
    "output.safe_value": "N.m", "output.min": "N.m", "output.max": "N.m", "output.rate_max": "N.m/s", "y_time": "s",
    "latency.seconds": "s", "latency.offset": "s", "macro_step": "s", "quality.zeta": "s", "time": "s",
    "algorithm.observer_gain": "1/s",
}  # fmt: skip
UNLIMITED = 1.7976931348623157e308
LINEAR = {"selected": "linear", "table": [{"steps": k, "a": [1.0, 0.0], "A": [0.5, -0.5]} for k in range(4)]}
KINDS = {
    "plain": {},
    "event": {"timing": "event"},
    "debug": {"debug": True},
    "linear": {"algorithm": LINEAR},
    "weights": {"algorithm": {"selected": "linear", "a": [1.0, 0.0], "A": [0.5, -0.5]}},
    "stamps": {"latency": {"mode": "stamps"}, "unit": "m/s2", "output": {"variability": "discrete"}},
    "first step": {"macro_step": 0.0},
    "network": {"algorithm": "network"},
    "networks": {"algorithm": "auto", "latency": {"mode": "round_trip"}, "burst": 3, "signal": {"period": 6.0}},
    "recursive_fir": {"algorithm": "recursive_fir"},
    "coupling_element": {"algorithm": "coupling_element", "timing": "event"},
}


def build(folder, algorithm="eros3", timing="step", macro_step=STEP, name="bench", unit="N.m", **signal):
    section = {"algorithm": algorithm, "unit": unit, "latency": {"constant_steps": 1}, **signal}
    common = {"name": name, "macro_step": macro_step, "timing": timing}
    document = {"interface": common, "signals": {"torque": section}}
    return build_coupling_fmu(parse_interface(document, "test"), "torque", folder, backend="python")


def described(folder, **more):
    return read_model_description(str(build(folder, **more)))


def run(name, folder):
    return json.loads(isolated("tests.pack.runs", name, folder)[-1])


@pytest.mark.sample(1)
@pytest.mark.parametrize("kind", KINDS)
def test_fmpy_and_our_own_checks_find_nothing(kind, tmp_path):
    path = build(tmp_path, **KINDS[kind])
    assert validate_fmu(str(path)) == []
    findings = check_fmu(path)
    assert findings.problems == ()
    assert all(note.startswith("not run: the binaries for ") for note in findings.notes)


def test_variables_have_the_order_of_the_design_and_references_from_one(tmp_path):
    variables = described(tmp_path).modelVariables
    assert [variable.name for variable in variables] == ORDER
    assert [variable.valueReference for variable in variables] == list(range(1, len(ORDER) + 1))


@pytest.mark.parametrize("kind", KINDS)
def test_names_are_short_and_described(kind, tmp_path):
    for variable in described(tmp_path, **KINDS[kind]).modelVariables:
        assert len(variable.name) <= 55
        assert variable.description


def test_units(tmp_path):
    path = build(tmp_path)
    description = read_model_description(str(path))
    assert {v.name: v.unit for v in description.modelVariables if v.type == "Real" and v.unit} == UNITS
    assert set(UNITS.values()) <= {unit.name for unit in description.unitDefinitions}
    torque = next(unit for unit in description.unitDefinitions if unit.name == "N.m").baseUnit
    assert (torque.kg, torque.m, torque.s) == (1, 2, -2)
    with ZipFile(path) as archive:
        root = ElementTree.fromstring(archive.read("modelDescription.xml"))
    relative = {
        v.get("name") for v in root.iter("ScalarVariable") if v.find("Real[@relativeQuantity='true']") is not None
    }
    assert relative == {"quality.error", "quality.tolerance", "discontinuity.floor"}


def test_enumerations_have_items(tmp_path):
    for variable in described(tmp_path).modelVariables:
        assert (variable.type == "Enumeration") == (variable.name in ITEMS)
        if variable.type == "Enumeration":
            assert {item.name: int(item.value) for item in variable.declaredType.items} == ITEMS[variable.name]


@pytest.mark.parametrize(("name", "number"), [("recursive_fir", 10), ("coupling_element", 11)])
def test_an_algorithm_for_comparison_is_an_item_only_where_it_is_configured(name, number, tmp_path):
    variables = {v.name: v for v in described(tmp_path, algorithm=name).modelVariables}
    for variable in ("algorithm.active", "algorithm.selected"):
        items = [(item.name, int(item.value)) for item in variables[variable].declaredType.items]
        assert [item for item, _ in items] == [*ITEMS[variable], name]
        assert items[-1] == (name, number)
    assert variables["algorithm.selected"].start == str(number)
    assert ("u" in variables) == (name == "coupling_element")
    assert [v for v in variables if v not in (*ORDER, "u")] == [
        "identification.settled",
        "identification.samples",
        "identification.forgetting",
    ]


def test_the_input_u_acts_on_no_output_at_the_same_instant(tmp_path):
    for unknown in described(tmp_path, algorithm="coupling_element", timing="event").outputs:
        assert [variable.name for variable in unknown.dependencies] == ["y", "y_time", "y_valid"]


@pytest.mark.sample(1)
@pytest.mark.parametrize("algorithm", ["recursive_fir", "coupling_element"])
def test_an_identified_model_runs_in_fmpy_and_goes_on_from_a_saved_state(algorithm, tmp_path):
    seen = run(f"identified_{algorithm}", tmp_path)
    assert seen["settled"]
    assert seen["out"] == seen["expected"]
    assert seen["again"] == seen["out"][200:]
    assert seen["states"][0] == seen["states"][1]
    assert seen["fresh"] == seen["out"][:50]


@pytest.mark.parametrize("algorithm", ["recursive_fir", "coupling_element"])
def test_the_native_backend_refuses_what_it_does_not_have(algorithm, tmp_path):
    sentence = f'signals.s.algorithm = "{algorithm}": the native backend does not have it, backend = python does'
    with pytest.raises(UsageError, match=sentence):
        build_coupling_fmu(interface(algorithm), "s", tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_causality_and_variability(tmp_path):
    variables = {v.name: v for v in described(tmp_path).modelVariables}
    assert [v for v in ORDER if variables[v].causality == "input"] == ORDER[:3]
    assert [v for v in ORDER if variables[v].causality == "output"] == OUTPUTS
    assert [v for v in ORDER if variables[v].variability == "fixed"] == ORDER[14:26]
    assert [v for v in ORDER if variables[v].variability == "tunable"] == ORDER[26:36]
    assert variables["time"].causality == "independent"
    assert variables["y_hat"].variability == "continuous"


def test_y_hat_can_be_discrete(tmp_path):
    variables = {v.name: v for v in described(tmp_path, output={"variability": "discrete"}).modelVariables}
    assert variables["y_hat"].variability == "discrete"


@pytest.mark.parametrize("timing", ["step", "event"])
def test_dependencies_are_complete(timing, tmp_path):
    description = described(tmp_path, timing=timing)
    outputs = {unknown.variable.name: unknown for unknown in description.outputs}
    assert list(outputs) == OUTPUTS
    for unknown in outputs.values():
        expected = [] if timing == "step" else ["y", "y_time", "y_valid"]
        assert [variable.name for variable in unknown.dependencies] == expected


def test_inputs_of_repeated_values_count_among_the_dependencies(tmp_path):
    description = described(tmp_path, timing="event", burst=2, latency={"mode": "round_trip"})
    expected = ["y", "y_time", "y_valid", "y[2]", "y_time[2]", "y_valid[2]", "y_echo"]
    for unknown in description.outputs:
        assert [variable.name for variable in unknown.dependencies] == expected


def test_initial_unknowns_are_complete(tmp_path):
    unknowns = {unknown.variable.name: unknown for unknown in described(tmp_path).initialUnknowns}
    assert list(unknowns) == OUTPUTS
    named = {name: {variable.name for variable in unknown.dependencies} for name, unknown in unknowns.items()}
    assert named["y_hat"] == {"y", "output.min", "output.max"}
    assert named["latency.seconds"] == {"macro_step", "latency.mode", "latency.constant_steps", "latency.offset"}
    assert named["quality.skill"] == set()


def test_leads_are_parameters_of_fmus_that_name_them(tmp_path):
    description = described(tmp_path, latency={"host_lead": 1, "hold_lead": 0.25})
    names = [variable.name for variable in description.modelVariables]
    assert [name for name in names if name not in ORDER] == ["latency.host_lead", "latency.hold_lead"]
    assert (names[14:26], names[28:]) == (ORDER[14:26], ORDER[26:])
    seconds = next(one for one in description.initialUnknowns if one.variable.name == "latency.seconds")
    assert {variable.name for variable in seconds.dependencies} >= {"latency.host_lead", "latency.hold_lead"}


def test_start_values_and_default_experiment(tmp_path):
    quality, output = {"action": "warn", "zeta": 0.5}, {"max": 40.0, "rate_max": 1e3, "on_loss": "safe"}
    more = {"latency": {"mode": "stamps", "constant_steps": 6, "offset": 0.002}, "start": -3.5}
    description = described(tmp_path, macro_step=0.004, quality=quality, output=output, **more)
    starts = {v.name: v.start for v in description.modelVariables if v.start is not None}
    assert set(starts) == set(ORDER[:3]) | set(ORDER[14:36])
    assert float(starts["y"]) == -3.5
    assert (starts["latency.mode"], starts["latency.constant_steps"], starts["latency.offset"]) == ("2", "6", "0.002")
    assert (starts["quality.action"], starts["quality.zeta"], starts["quality.delta"]) == ("2", "0.5", "-1.0")
    assert (float(starts["output.min"]), float(starts["output.max"])) == (-UNLIMITED, 40.0)
    assert float(starts["y_time"]) == -UNLIMITED
    assert (starts["output.on_loss"], starts["algorithm.selected"], starts["y_valid"]) == ("2", "4", "true")
    assert float(starts["macro_step"]) == float(description.defaultExperiment.stepSize) == 0.004
    assert not any("inf" in start.lower() for start in starts.values())


def test_capabilities(tmp_path):
    flags = described(tmp_path).coSimulation
    assert flags.needsExecutionTool
    assert flags.canHandleVariableCommunicationStepSize
    assert flags.canGetAndSetFMUstate
    assert flags.canSerializeFMUstate
    assert not flags.canBeInstantiatedOnlyOncePerProcess


@pytest.mark.sample(4)
@pytest.mark.parametrize("kind", KINDS)
def test_equal_input_gives_equal_bytes_anywhere(kind, tmp_path):
    one, two = (build(tmp_path / folder, **KINDS[kind]).read_bytes() for folder in ("a", "b"))
    assert one == two


def test_guid_module_and_package_are_unique_to_the_contents(tmp_path):
    seen = []
    for kind, more in KINDS.items():
        path = build(tmp_path / kind, **more)
        with ZipFile(path) as archive:
            names = archive.namelist()
            module = archive.read("resources/slavemodule.txt").decode()
        assert f"resources/{module}.py" in names
        packages = {name.split("/")[1] for name in names if re.match(r"resources/couplant_runtime", name)}
        assert len(packages) == 1
        seen += [read_model_description(str(path)).guid, module, *packages]
    assert len(set(seen)) == 3 * len(KINDS)


def test_the_fmu_has_nothing_of_this_machine(tmp_path):
    with ZipFile(build(tmp_path)) as archive:
        for entry in archive.infolist():
            assert entry.date_time == (1980, 1, 1, 0, 0, 0)
            assert str(tmp_path).encode() not in archive.read(entry)


def test_an_unknown_signal_or_backend_is_refused_and_nothing_is_written(tmp_path):
    with pytest.raises(UsageError, match=r"signal = boo, allowed s"):
        build_coupling_fmu(interface("foh"), "boo", tmp_path, backend="python")
    with pytest.raises(UsageError, match=r"backend = boo"):
        build_coupling_fmu(interface("foh"), "s", tmp_path, backend="boo")
    assert list(tmp_path.iterdir()) == []


def test_fmus_with_different_algorithms_in_one_process_give_different_right_results(tmp_path):
    found = run("side_by_side", tmp_path)
    assert found["out"] == found["expected"]
    assert len({tuple(out) for out in found["out"].values()}) == 5


@pytest.mark.landing("processes and compiles of their own: 6 s of CPU")
def test_a_rebuild_under_the_same_name_runs_the_new_code_in_a_new_process(tmp_path):
    results = []
    for algorithm in ("foh", "eros4", "foh"):
        (tmp_path / "algorithm").write_text(algorithm, encoding="utf-8")
        results.append(run("rebuilt", tmp_path))
    assert results[0] == results[2] != results[1]


def test_two_instances_share_nothing(tmp_path):
    for one, two in run("two_instances", tmp_path):
        assert two == -2.0 * one


def test_states_are_saved_restored_and_serialised(tmp_path):
    found = run("saved_and_restored", tmp_path)
    assert found["again"] == [found["plain"]] * 3
    assert len(set(found["states"])) == 1


@pytest.mark.sample(1)
@pytest.mark.parametrize("timing", ["step", "event"])
def test_get_after_set(timing, tmp_path):
    found = run("reads", tmp_path)[timing]
    assert found["initialisation"] == [0.0, 3.0, 6.0, -2.0, pytest.approx(0.025)]
    assert found["previews"] == [0.0, 1.0, 3.0, 4.0, -1.0]
    assert found["given"] == found["plain"] == [0.0, 1.0, 4.0, 5.0, -3.0]


def test_values_after_instantiation(tmp_path):
    found = run("variables", tmp_path)
    assert (found["y"], found["y_hat"], found["state"], found["algorithm.active"]) == (0.5, 0.5, 1, 0)
    assert (found["latency.steps"], found["quality.ok"], found["output.limited"]) == (1, 1, 0)
    assert (found["time"], found["time after a step"]) == (2.0, 2.01)


def test_instances_can_come_and_go(tmp_path):
    assert run("many_instances", tmp_path) == [SIGNAL[0] + 0.5] * 40
