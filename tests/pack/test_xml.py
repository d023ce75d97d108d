"""The model description writer against the schemas and checks of FMPy."""

from dataclasses import replace
from io import BytesIO
from zipfile import ZipFile

import pytest
from fmpy import read_model_description
from fmpy.validation import validate_fmu

from couplant.pack.describe.xml import Capabilities, EnumType, ModelDescription, Variable, write_xml

MODE = EnumType("Mode", (("slow", 1, "one"), ("fast", 2, "")))

VARIABLES = (
    Variable("u", 1, "Real", "input", "continuous", "an input", start=0.5, unit="N.m"),
    Variable("on", 2, "Boolean", "input", "discrete", start=True),
    Variable("y", 3, "Real", "output", "continuous", "torque & more", "calculated", unit="N.m", dependencies=(1,)),
    Variable("y.slope", 4, "Real", "output", "continuous", "", "calculated", unit="N.m/s"),
    Variable("y.error", 5, "Real", "output", "discrete", "", "calculated", unit="N.m", relative=True),
    Variable("mode", 6, "Enumeration", "parameter", "fixed", start=2, enum=MODE),
    Variable("a[1]", 7, "Real", "parameter", "tunable", start=1e-9, min=-1.7976931348623157e308, max=3.0),
    Variable("count", 8, "Integer", "parameter", "fixed", start=3, min=0, max=64),
    Variable("time", 9, "Real", "independent", "continuous", unit="s"),
)

DESCRIPTION = ModelDescription(
    "shaft", VARIABLES, "a <test>", "{token}", step_size=0.01, log_categories=(("events", "jumps"),)
)


def packed(text):
    file = BytesIO()
    with ZipFile(file, "w") as archive:
        archive.writestr("modelDescription.xml", text)
    file.seek(0)
    return file


def fmi2(description=DESCRIPTION):
    return write_xml(description, "2")


def fmi3(description=DESCRIPTION):
    return write_xml(description, "3")


@pytest.mark.parametrize("write", [fmi2, fmi3])
def test_fmpy_finds_nothing(write):
    assert validate_fmu(packed(write())) == []


@pytest.mark.parametrize("write", [fmi2, fmi3])
def test_reads_back_what_was_written(write):
    read = read_model_description(packed(write()))
    assert [v.name for v in read.modelVariables] == [v.name for v in VARIABLES]
    assert [int(v.valueReference) for v in read.modelVariables] == list(range(1, 10))
    assert [[d.name for d in u.dependencies] for u in read.outputs] == [["u"], [], []]
    by_name = {v.name: v for v in read.modelVariables}
    assert float(by_name["a[1]"].start) == 1e-9
    assert float(by_name["a[1]"].min) == -1.7976931348623157e308
    assert by_name["y"].description == "torque & more"
    assert by_name["mode"].declaredType.items[1].name == "fast"
    assert {u.name for u in read.unitDefinitions} == {"N.m", "N.m/s", "s"}
    assert float(read.defaultExperiment.stepSize) == 0.01


def test_flags_are_written():
    flags = Capabilities(needs_execution_tool=True, event_mode=True, max_output_derivative_order=1)
    read = read_model_description(packed(fmi3(replace(DESCRIPTION, capabilities=flags)))).coSimulation
    assert (read.needsExecutionTool, read.hasEventMode, read.maxOutputDerivativeOrder) == (True, True, 1)
    read = read_model_description(packed(fmi2(replace(DESCRIPTION, source_files=("all.c",))))).coSimulation
    assert read.canGetAndSetFMUstate and read.canSerializeFMUstate and not read.needsExecutionTool
    assert "<SourceFiles>" in fmi2(replace(DESCRIPTION, source_files=("all.c",)))


def test_everything_is_the_default_dependency_only_when_asked_for():
    open_ended = replace(VARIABLES[2], dependencies=None)
    text = fmi2(replace(DESCRIPTION, variables=(*VARIABLES[:2], open_ended, *VARIABLES[3:])))
    assert '<Unknown index="3" />' in text and 'dependencies=""' in text


@pytest.mark.parametrize("change", [{"reference": 7}, {"type": "Enumeration"}, {"name": "u"}])
def test_contradictions_are_refused(change):
    broken = replace(VARIABLES[2], **change)
    with pytest.raises(ValueError):
        fmi2(replace(DESCRIPTION, variables=(*VARIABLES[:2], broken, *VARIABLES[3:])))


def test_fmi3_needs_time():
    with pytest.raises(ValueError, match="independent"):
        fmi3(replace(DESCRIPTION, variables=VARIABLES[:-1]))
