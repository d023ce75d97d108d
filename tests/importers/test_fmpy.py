"""FMPy's own loop, with and without Event Mode, against the Python runtime; and the delay it adds."""

import numpy as np
import pytest
from fmpy import extract, read_model_description, simulate_fmu
from fmpy.simulation import instantiate_fmu

from couplant.config import parse_interface
from couplant.pack import build_coupling_fmu
from couplant.pack.models import build_model_fmu
from tests.drivers import PythonDriver
from tests.importers import checks

MACRO_STEP, STEPS = 0.02, 100
OUTPUTS = ("y_hat", "latency.steps", "quality.error")


def interface(timing):
    section = {"name": "bench", "macro_step": MACRO_STEP, "timing": timing}
    signals = {"s": {"algorithm": "eros3", "latency": {"constant_steps": 3}}}
    return parse_interface({"interface": section, "signals": signals}, "test")


def signal():
    """Return what arrives at the macro points."""
    rows = np.zeros(STEPS + 1, dtype=[("time", float), ("y", float)])
    rows["time"] = MACRO_STEP * np.arange(STEPS + 1)
    rows["y"] = np.sin(3.0 * rows["time"]) + np.sqrt(rows["time"])
    return rows


def simulated(path, **options):
    rows = signal()
    return simulate_fmu(
        str(path),
        start_time=0.0,
        stop_time=rows["time"][-1],
        output_interval=MACRO_STEP,
        input=rows,
        output=["y", *OUTPUTS],
        **options,
    )


def rows_of(result):
    return [tuple(float(value) for value in row) for row in result[list(OUTPUTS)].tolist()]


@pytest.fixture(scope="module")
def fmus(tmp_path_factory):
    folder = tmp_path_factory.mktemp("fmus")
    return {
        (timing, fmi): build_coupling_fmu(interface(timing), "s", folder / f"{timing}{fmi}", fmi=fmi)
        for timing in ("step", "event")
        for fmi in ("2", "3")
    }


@pytest.mark.parametrize("fmi", ["2", "3"])
def test_without_event_mode_the_loop_gives_what_the_python_runtime_gives(fmus, fmi):
    found = simulated(fmus["step", fmi])
    driver, expected = PythonDriver(interface=interface("step")), []
    for t, y in zip(found["time"], found["y"], strict=True):
        expected.append(tuple(float(driver.get(name)) for name in OUTPUTS))
        driver.set("y", float(signal()["y"][round(t / MACRO_STEP)]))
        assert driver.step(t, MACRO_STEP)
        assert y == pytest.approx(signal()["y"][max(round(t / MACRO_STEP) - 1, 0)])
    assert rows_of(found)[1:] == expected[1:]


@pytest.mark.parametrize("early", [False, True])
def test_in_event_mode_the_loop_shows_every_event_before_and_after_it(fmus, early):
    """At a macro point there are two rows: the end of the last step, then the estimate with the newest value."""
    found = simulated(fmus["event", "3"], use_event_mode=True, early_return_allowed=early)
    assert found.size == 2 * STEPS + 1
    driver, expected = PythonDriver(interface=interface("event")), []
    for n, y in enumerate(signal()["y"].tolist()):
        expected.append(tuple(float(driver.committed(name)) for name in OUTPUTS))
        driver.set("y", y)
        expected.append(tuple(float(driver.get(name)) for name in OUTPUTS))
        assert driver.step(n * MACRO_STEP, MACRO_STEP)
    assert rows_of(found)[1:] == expected[2:]


def test_steps_that_are_no_macro_steps_stop_at_macro_points(fmus):
    rows = signal()
    found = simulate_fmu(
        str(fmus["event", "3"]),
        stop_time=1.0,
        output_interval=0.05,
        input=rows,
        output=["y_hat"],
        use_event_mode=True,
        early_return_allowed=True,
    )
    assert set(np.round(MACRO_STEP * np.arange(51), 9)) <= set(np.round(found["time"], 9))


@pytest.mark.sample(1)
@pytest.mark.parametrize("fmi", ["2", "3"])
def test_the_probe_measures_the_delay_of_the_table(tmp_path, fmi):
    """Who sets, steps and reads adds nothing."""
    path = build_model_fmu("probe", tmp_path, fmi=fmi, macro_step=MACRO_STEP)
    description, folder = read_model_description(str(path)), extract(str(path), unzipdir=tmp_path / "probe")
    references = {v.name: v.valueReference for v in description.modelVariables}
    fmu = instantiate_fmu(str(folder), description, fmi_type="CoSimulation")
    get, put = (fmu.getReal, fmu.setReal) if fmi == "2" else (fmu.getFloat64, fmu.setFloat64)
    if fmi == "2":
        fmu.setupExperiment(startTime=0.0)
    fmu.enterInitializationMode()
    fmu.exitInitializationMode()
    for n in range(10):
        put([references["back"]], get([references["signal"]]))
        fmu.doStep(n * MACRO_STEP, MACRO_STEP)
    delays = get([references[name] for name in ("delay.steps", "delay.min", "delay.max")])
    assert delays == pytest.approx(3 * [checks.in_the_table("FMPy")[1]], abs=1e-15)
    fmu.terminate()
    fmu.freeInstance()
