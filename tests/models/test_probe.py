import fmpy
import pytest
from fmpy.fmi2 import FMU2Slave
from fmpy.validation import validate_fmu

from couplant.cli import main
from couplant.pack.models import build_model_fmu

STEP = 0.01
START = 5.0


@pytest.fixture(scope="module")
def probe(tmp_path_factory):
    return build_model_fmu("probe", tmp_path_factory.mktemp("probe"), macro_step=STEP)


@pytest.mark.parametrize("lag", [0, 1, 3])
def test_measures_the_delay_of_the_importer(probe, lag, tmp_path):
    values = _run(probe, tmp_path, [lag] * 20)
    assert values["delay.steps"] == pytest.approx(lag, abs=1e-9)
    assert values["delay.seconds"] == pytest.approx(lag * STEP, abs=1e-12)
    assert values["delay.max"] == pytest.approx(values["delay.min"], abs=1e-12)


def test_tells_a_delay_that_changes(probe, tmp_path):
    values = _run(probe, tmp_path, [1] * 10 + [2] * 10)
    assert values["delay.min"] == pytest.approx(STEP, abs=1e-12)
    assert values["delay.max"] == pytest.approx(2 * STEP, abs=1e-12)


def test_without_a_connection_nothing_is_measured(probe, tmp_path):
    assert _run(probe, tmp_path, [1000] * 10)["measured"] == 0


def test_fmpy_finds_nothing_wrong(probe):
    assert validate_fmu(str(probe)) == []


@pytest.mark.parametrize("wrong", [["--macro-step", "0"], ["--fmi", "1"], ["--macro-step", "x"]])
def test_wrong_use(wrong, tmp_path, capsys):
    assert main(["probe", "-o", str(tmp_path), *wrong]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert not list(tmp_path.iterdir())


def _run(path, folder, lags):
    """Step the probe and hand its output back `lags[n]` steps later; return all its outputs by name."""
    description = fmpy.read_model_description(str(path))
    reference = {v.name: v.valueReference for v in description.modelVariables}
    identifier = description.coSimulation.modelIdentifier
    directory = fmpy.extract(str(path), str(folder))
    fmu = FMU2Slave(guid=description.guid, unzipDirectory=directory, modelIdentifier=identifier, instanceName="probe")
    fmu.instantiate()
    fmu.setupExperiment(startTime=START)
    fmu.enterInitializationMode()
    fmu.exitInitializationMode()
    given = []
    for n, lag in enumerate(lags):
        given.append(fmu.getReal([reference["signal"]])[0])
        fmu.setReal([reference["back"]], [given[n - lag] if n >= lag else -1e9])
        fmu.doStep(START + n * STEP, STEP)
    outputs = [v for v in description.modelVariables if v.causality == "output" and v.type == "Real"]
    values = {v.name: fmu.getReal([v.valueReference])[0] for v in outputs}
    values["measured"] = fmu.getBoolean([reference["measured"]])[0]
    fmu.terminate()
    fmu.freeInstance()
    return values
