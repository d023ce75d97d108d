"""Finished FMUs of prototypes and network: valid, reproducible, and nothing but the standard visible."""

import re
import shutil
import zipfile

import pytest
from fmpy import read_model_description, simulate_fmu
from fmpy.validation import validate_fmu

from couplant.base import paths
from couplant.base.errors import UsageError
from couplant.pack.binaries.platforms import host
from couplant.pack.describe.xml import VERSIONS
from couplant.pack.models import build_model_fmu
from tests import commands
from tests.pack.entries import entries
from tests.prototypes import MODELS, model

NAMES = MODELS
linux_only = pytest.mark.skipif(not host().name.endswith("linux"), reason="nm of binutils")


@pytest.fixture(scope="module")
def fmus(tmp_path_factory):
    folder = tmp_path_factory.mktemp("fmus")
    pairs = [(name, fmi) for name in NAMES for fmi in VERSIONS]
    return {(name, fmi): build_model_fmu(model(name), folder / fmi, fmi=fmi) for name, fmi in pairs}


@pytest.mark.sample(6)
@pytest.mark.parametrize("fmi", VERSIONS)
@pytest.mark.parametrize("name", NAMES)
def test_fmpy_finds_nothing(fmus, name, fmi):
    assert validate_fmu(str(fmus[name, fmi])) == []


@pytest.mark.parametrize("fmi", VERSIONS)
@pytest.mark.parametrize("name", NAMES)
def test_runs_in_fmpy(fmus, name, fmi):
    rows = simulate_fmu(str(fmus[name, fmi]), stop_time=2.0, output_interval=0.02)
    assert len(rows) == 101


@pytest.mark.parametrize("fmi", VERSIONS)
@pytest.mark.parametrize("name", NAMES)
def test_the_description_is_complete(fmus, name, fmi):
    description = read_model_description(str(fmus[name, fmi]))
    variables = description.modelVariables
    assert [int(v.valueReference) for v in variables] == list(range(1, len(variables) + 1))
    assert all(v.description for v in variables)
    assert variables[-1].causality == "independent"
    assert all(unknown.dependencies is not None for unknown in (*description.outputs, *description.initialUnknowns))
    assert float(description.defaultExperiment.stepSize) > 0
    flags = description.coSimulation
    assert flags.canGetAndSetFMUstate and flags.canSerializeFMUstate and not flags.needsExecutionTool
    assert flags.canHandleVariableCommunicationStepSize and not flags.canBeInstantiatedOnlyOncePerProcess


@pytest.mark.sample(12)
@linux_only
@pytest.mark.parametrize("fmi", VERSIONS)
@pytest.mark.parametrize("name", NAMES)
def test_only_the_functions_of_the_standard_are_visible(fmus, name, fmi, tmp_path):
    headers = (paths.resource(f"headers/fmi{fmi}") / f"fmi{fmi}Functions.h").read_text(encoding="utf-8")
    standard = set(re.findall(rf"fmi{fmi}FullName\((fmi{fmi}\w+)\)", headers))
    visible, needed = symbols(fmus[name, fmi], tmp_path)
    assert visible <= standard
    if fmi == "3":
        assert visible == standard
    else:
        me_only = "EnterEventMode NewDiscreteStates EnterContinuousTimeMode CompletedIntegratorStep SetTime"
        me_only += " SetContinuousStates GetDerivatives GetEventIndicators GetContinuousStates"
        assert standard - visible == {f"fmi2{each}" for each in f"{me_only} GetNominalsOfContinuousStates".split()}
    assert not needed & {"sin", "cos", "exp", "log", "pow", "sqrt", "floor", "ceil", "rint", "fmod", "ldexp"}


def symbols(path, folder):
    """Return the names that the binary of an FMU shows and those it needs."""
    with zipfile.ZipFile(path) as archive:
        (binary,) = [name for name in archive.namelist() if name.startswith("binaries/")]
        file = archive.extract(binary, folder)
    nm = shutil.which("nm")
    if nm is None:
        pytest.skip("needs nm")
    kinds = []
    for which in ("--defined-only", "--undefined-only"):
        text = commands.run([nm, "-D", which, file], capture_output=True, text=True, check=True).stdout
        kinds.append({line.split()[-1].split("@")[0] for line in text.splitlines()})
    return kinds


def test_equal_input_gives_equal_entries(tmp_path):
    settings = {"latencies": [0.1, 0.2], "latency.mode": "replay", "unit": "N.m"}
    one, other = (build_model_fmu("network", tmp_path / each, **settings) for each in ("a", "some other folder"))
    assert entries(one) == entries(other)
    third = build_model_fmu("network", tmp_path, **{**settings, "latencies": [0.1, 0.3]})
    assert read_model_description(str(third)).guid != read_model_description(str(one)).guid


def test_the_macro_step_goes_into_the_default_experiment(tmp_path):
    description = read_model_description(str(build_model_fmu("network", tmp_path, macro_step=0.005)))
    assert float(description.defaultExperiment.stepSize) == 0.005
    assert {v.name: v.start for v in description.modelVariables}["sample_time"] == "0.005"


def test_the_unit_of_what_the_network_carries(tmp_path):
    description = read_model_description(str(build_model_fmu("network", tmp_path, unit="N.m")))
    found = {v.name for v in description.modelVariables if v.unit == "N.m"}
    assert found == {"value", "received", "received.start", *(f"received[{i}]" for i in range(2, 9))}


@pytest.mark.parametrize(("name", "fmi"), [("mass_3", "2"), ("../fmi", "2"), ("mass_1", "1")])
def test_unknown_models_and_versions_are_refused(tmp_path, name, fmi):
    with pytest.raises(UsageError, match="allowed"):
        build_model_fmu(name, tmp_path, fmi=fmi)
