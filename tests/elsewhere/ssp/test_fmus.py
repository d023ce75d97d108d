"""What is taken from the model descriptions of the FMUs of an SSP."""

import io
import zipfile

import pytest

from couplant.config.ref import Ref
from couplant.elsewhere.ssp.description import Description
from couplant.elsewhere.ssp.fmus import Fmus
from couplant.elsewhere.ssp.package import Package
from tests.elsewhere.ssp import systems
from tests.elsewhere.ssp.systems import Way, connectors, description

HEAD = '<?xml version="1.0"?><fmiModelDescription fmiVersion="{}" modelName="m" {}>'
END = "</fmiModelDescription>"
IDLE = 'modelIdentifier="m" guid="1" numberOfContinuousStates="0" numberOfEventIndicators="0"'
ENDS = (
    '<ModelVariables><ScalarVariable name="u" valueReference="0" causality="input"><Real start="0"/></ScalarVariable>'
    '<ScalarVariable name="y" valueReference="1" causality="output"><Real/>{}</ScalarVariable></ModelVariables>'
)
DEPENDS = "<DirectDependency><Name>u</Name></DirectDependency>"
TWO = HEAD.format("2.0", 'guid="1"') + '<CoSimulation modelIdentifier="m"/>' + ENDS.format("")
VARIABLES = (
    '<ModelVariables><Float64 name="u" valueReference="0" causality="input" start="0"/>'
    '<Float64 name="y" valueReference="1" causality="output"><Alias name="z"/></Float64></ModelVariables>'
)
THREE = HEAD.format("3.0", 'instantiationToken="1"') + '<CoSimulation modelIdentifier="m"/>' + VARIABLES
TEXTS = {
    "FMI 1.0": (HEAD.format("1.0", IDLE) + ENDS.format(DEPENDS) + END, {"y": ["u"]}),
    "no structure": (f"{TWO}<ModelStructure/>{END}", {"y": ["u"]}),
    "said": (f'{TWO}<ModelStructure><Outputs><Unknown index="2" dependencies=""/></Outputs></ModelStructure>{END}',
             {"y": []}),
    "an alias": (f'{THREE}<ModelStructure><Output valueReference="1" dependencies=""/></ModelStructure>{END}',
                 {"y": [], "z": []}),
}  # fmt: skip


def fmus(tmp_path, text, fmu):
    """Return a description and the FMUs of its archive, each of which is `fmu`."""
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as target:
        target.writestr("modelDescription.xml", fmu)
    path = systems.archive(tmp_path / "in.ssp", text, {"resources/a.fmu": held.getvalue()})
    found = Fmus(Package(path), tmp_path)
    return Description("SystemStructure.ssd", text.encode(), found.connectors), found


@pytest.mark.parametrize("name", TEXTS)
def test_silence_means_that_all_inputs_act_on_all_outputs(tmp_path, name):
    text, expected = TEXTS[name]
    part = '<ssd:Component name="a" source="resources/a.fmu"/>'
    read, found = fmus(tmp_path, description(systems.system([part], [])), text)
    (component,) = read.components
    named = {Ref("a", output): tuple(Ref("a", i) for i in inputs) for output, inputs in expected.items()}
    assert found.feedthrough(component) == named


def test_a_system_is_no_component_without_a_source(tmp_path):
    text = description(systems.system([systems.MASS_1], [Way(("", "u"), ("mass_1", "f"))], own=connectors(["u"], [])))
    read, found = fmus(tmp_path, text, "")
    assert not found.is_network(read.top)
    assert "" not in found.unread
