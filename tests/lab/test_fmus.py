"""Plants and algorithms in Python as FMUs: in FMPy they do what they do in process, and keep to the standard."""

import zipfile

import numpy as np
import pytest
from fmpy import extract, read_model_description, simulate_fmu
from fmpy.fmi2 import FMU2Slave
from fmpy.validation import validate_fmu

import couplant
from couplant.base.errors import UsageError
from tests.lab import scenes
from tests.lab.scenes import SIGNALS, Tracker, courses, function, line, matrices, scenario, spring, states

INTERFACE = {
    "interface": {"name": "lab", "macro_step": 0.01},
    "signals": {
        name: {"unit": unit, "latency": {"mode": "constant", "constant_steps": 3}}
        for name, unit in (("x", "m"), ("v", "m/s"), ("f", "N"))
    },
}


@pytest.mark.parametrize("plant", [function, matrices], ids=["function", "matrices"])
def test_a_plant_runs_in_another_tool_as_in_process(plant, tmp_path):
    path = plant.to_fmu(tmp_path / "mass.fmu", step=0.01)
    assert validate_fmu(str(path)) == []
    time = np.arange(0.0, 0.505, 0.01)
    force = np.array(list(zip(time, 20.0 * np.sin(9.0 * time), strict=True)), dtype=[("time", "f8"), ("f", "f8")])
    found = simulate_fmu(str(path), stop_time=0.5, output_interval=0.01, input=force, output=["x", "v"])
    one = plant.component("mass")
    one.start(0.0, {})
    write, read, rows = one.writer(["f"]), one.reader(["x", "v"]), []
    for n in range(50):
        rows.append(read())
        write([force["f"][n]])
        one.step(n * 0.01, 0.01)
    rows.append(read())
    # FMPy counts its time in another way than the loop above: the last bits of it
    assert np.abs(np.array(found[["x", "v"]].tolist()) - np.array(rows)).max() < 1e-12


def test_a_plant_gives_the_same_run_as_its_fmu_to_the_bit(tmp_path):
    plant = couplant.Plant(scenes.tuned, parameters={"stiffness": 400.0}, **SIGNALS)
    path = plant.to_fmu(tmp_path / "mass.fmu")
    values = {"stiffness": 100.0}
    own, fmu, taken = (
        courses(couplant.simulate(scenario({**component, "parameters": values})))
        for component in ({"plant": plant}, {"fmu": str(path)}, {"plant": couplant.Plant(path)})
    )
    assert np.array_equal(own, fmu)
    assert np.array_equal(own, taken)


def test_an_fmu_of_a_plant_tells_what_it_is(tmp_path):
    through = couplant.Plant(spring, scenes.through, units={"x": "m", "v": "m/s", "f": "N"}, **SIGNALS)
    path = through.to_fmu(tmp_path / "mass.fmu", step=0.02)
    description = read_model_description(str(path))
    units = {v.name: v.unit for v in description.modelVariables}
    assert units == {"f": "N", "f.slope": "N/s", "x": "m", "v": "m/s"}
    acting = {u.variable.name: [d.name for d in u.dependencies] for u in description.outputs}
    assert acting == {"x": [], "v": ["f"]}
    cosim = description.coSimulation
    assert (cosim.needsExecutionTool, cosim.canGetAndSetFMUstate, cosim.canSerializeFMUstate) == (True, True, False)
    assert float(description.defaultExperiment.stepSize) == 0.02
    assert through.to_fmu(tmp_path / "mass.fmu").read_bytes() == through.to_fmu(tmp_path / "mass.fmu").read_bytes()


def test_states_of_a_plant_are_kept_in_its_process(tmp_path):
    path = function.to_fmu(tmp_path / "mass.fmu")
    description = read_model_description(str(path))
    fmu = FMU2Slave(guid=description.guid, unzipDirectory=extract(str(path), str(tmp_path / "unpacked")),
                    modelIdentifier="mass", instanceName="mass")  # fmt: skip
    fmu.instantiate()
    fmu.setupExperiment(startTime=0.0)
    fmu.enterInitializationMode()
    fmu.exitInitializationMode()
    outputs = [v.valueReference for v in description.modelVariables if v.causality == "output"]
    fmu.doStep(0.0, 0.01)
    state = fmu.getFMUstate()
    fmu.doStep(0.01, 0.01)
    first = fmu.getReal(outputs)
    fmu.setFMUstate(state)
    fmu.doStep(0.01, 0.01)
    assert fmu.getReal(outputs) == first
    fmu.freeFMUstate(state)
    fmu.terminate()
    fmu.freeInstance()


def test_a_plant_that_fails_in_another_tool_says_why(tmp_path):
    path = couplant.Plant(scenes.fails_later, **SIGNALS).to_fmu(tmp_path / "mass.fmu")
    with pytest.raises(couplant.CouplantError, match=r"plant mass at t = 0.05 s: f raises ValueError: worn out"):
        couplant.simulate(scenario({"fmu": str(path)}))


@pytest.mark.parametrize("fmi", [2, 3])
@pytest.mark.parametrize("own", [line, Tracker], ids=["function", "class"])
@pytest.mark.parametrize("timing", ["step", "event"])
def test_an_algorithm_runs_in_an_fmu_as_in_process(own, fmi, timing, tmp_path):
    interface = {**INTERFACE, "interface": {**INTERFACE["interface"], "timing": timing}}
    files = own.to_fmu(interface, tmp_path, fmi=fmi)
    assert validate_fmu(str(files["x"])) == []
    document = scenario(matrices, [own], [timing])
    here = courses(couplant.simulate(document))
    document["algorithms"] = ["configured"]
    for name, path in files.items():
        document["signals"][name]["coupling"] = {"fmu": str(path)}
    assert np.array_equal(courses(couplant.simulate(document)), here)


def test_an_fmu_of_an_algorithm_calls_it_by_its_name_and_carries_its_file(tmp_path):
    (path,) = line.to_fmu(INTERFACE, tmp_path, signal="x").values()
    description = read_model_description(str(path))
    selected = next(v for v in description.modelVariables if v.name == "algorithm.selected")
    items = [item.name for item in selected.declaredType.items]
    assert "line" in items and "eros3" not in items and items[int(selected.start) - 1] == "line"
    with zipfile.ZipFile(path) as archive:
        with open(scenes.__file__, encoding="utf-8") as file:
            assert archive.read("resources/scenes.py").decode() == file.read()


def test_an_fmu_3_in_python_starts_when_its_first_step_does(tmp_path):
    (path,) = line.to_fmu(INTERFACE, tmp_path, signal="x", fmi=3).values()
    signal = np.array([(5.0 + 0.01 * n, np.sin(0.1 * n)) for n in range(60)], dtype=[("time", "f8"), ("y", "f8")])
    later = simulate_fmu(str(path), start_time=5.0, stop_time=5.5, output_interval=0.01, input=signal, output=["y_hat"])
    signal["time"] -= 5.0
    first = simulate_fmu(str(path), stop_time=0.5, output_interval=0.01, input=signal, output=["y_hat"])
    assert np.abs(later["y_hat"] - first["y_hat"]).max() < 1e-9
    assert np.abs(first["y_hat"]).max() > 0.5


def test_a_python_fmu_3_ends_a_run_in_the_way_of_the_standard(tmp_path):
    quality = {"quality": {"action": "stop"}, "latency": {"mode": "constant", "constant_steps": 3}}
    interface = {**INTERFACE, "signals": {"x": quality}}
    built = couplant.build(interface, tmp_path, backend="python", fmi=3)
    assert any("keeps no states, has no Event Mode" in line for line in built.warnings)
    random = np.random.default_rng(1).standard_normal(100)
    signal = np.array([(0.01 * n, random[n]) for n in range(100)], dtype=[("time", "f8"), ("y", "f8")])
    found = simulate_fmu(str(built.files["x"]), stop_time=0.9, output_interval=0.01, input=signal, output=["y_hat"])
    assert len(found) < 60


def test_the_files_of_the_user_do_not_need_couplant(tmp_path, monkeypatch):
    from couplant_runtime.stand_in import run

    module, noted = run(scenes_copy(tmp_path), "scenes_alone")
    assert {"line", "Tracker"} <= set(noted)
    assert module.spring(0.0, [1.0, 0.0], [0.0]) == [0.0, -100.0]


def scenes_copy(folder):
    path = folder / "scenes.py"
    with open(scenes.__file__, encoding="utf-8") as file:
        path.write_text(file.read(), encoding="utf-8")
    return path


@pytest.mark.parametrize("name", ["a b.fmu", "mass.txt", "nul.fmu"])
def test_a_file_that_cannot_be_called_so_is_refused(name, tmp_path):
    with pytest.raises(UsageError, match="allowed a name of letters, digits and underscores that ends in"):
        matrices.to_fmu(tmp_path / name)


def test_a_signal_that_is_not_there_is_told(tmp_path):
    with pytest.raises(UsageError, match="signal = y, allowed x, v, f"):
        line.to_fmu(INTERFACE, tmp_path, signal="y")
    assert list(tmp_path.iterdir()) == []
    assert states(0.0, [1.0], []) == [1.0]


def test_states_of_an_algorithm_are_kept_in_its_process(tmp_path):
    (path,) = Tracker.to_fmu(INTERFACE, tmp_path, signal="x").values()
    description = read_model_description(str(path))
    assert (description.coSimulation.canGetAndSetFMUstate, description.coSimulation.canSerializeFMUstate) == (
        True,
        False,
    )
    places = {v.name: v.valueReference for v in description.modelVariables}
    fmu = FMU2Slave(guid=description.guid, unzipDirectory=extract(str(path), str(tmp_path / "unpacked")),
                    modelIdentifier=description.coSimulation.modelIdentifier, instanceName="x")  # fmt: skip
    fmu.instantiate()
    fmu.setupExperiment(startTime=0.0)
    fmu.enterInitializationMode()
    fmu.exitInitializationMode()

    def run(first, end):
        found = []
        for n in range(first, end):
            fmu.setReal([places["y"]], [np.sin(0.2 * n)])
            fmu.doStep(n * 0.01, 0.01)
            found += fmu.getReal([places["y_hat"]])
        return found

    run(0, 10)
    state = fmu.getFMUstate()
    first = run(10, 20)
    fmu.setFMUstate(state)
    assert run(10, 20) == first
    assert len(set(first)) == 10
    fmu.freeFMUstate(state)
    fmu.terminate()
    fmu.freeInstance()
