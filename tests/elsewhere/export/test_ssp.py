"""system.ssp, as FMPy reads it: against the schema of SSP 1.0, which FMPy carries, and element by element."""

import io
import xml.etree.ElementTree as ET
import zipfile

from fmpy.ssp.ssd import read_ssd

from couplant.config.scenario import load_scenario
from couplant.elsewhere.export import ssd, ssp
from couplant.elsewhere.export.system import system_of

SPACES = {
    "ssd": "http://ssp-standard.org/SSP1/SystemStructureDescription",
    "ssc": "http://ssp-standard.org/SSP1/SystemStructureCommon",
    "ssv": "http://ssp-standard.org/SSP1/SystemStructureParameterValues",
}


def read(system, tmp_path):
    path = tmp_path / "system.ssp"
    path.write_bytes(ssp(system))
    return read_ssd(str(path), validate=True)


def test_fmpy_reads_the_parts_with_their_connectors(system, tmp_path):
    elements = {element.name: element for element in read(system, tmp_path).system.elements}
    assert list(elements) == [part.name for part in system.parts]
    for part in system.parts:
        found = [(connector.name, connector.kind) for connector in elements[part.name].connectors]
        assert found == [(port.name, port.causality) for port in (*part.inputs, *part.outputs)]


def test_fmpy_reads_the_connections(system, tmp_path):
    found = read(system, tmp_path).system.connections
    ends = [((c.startElement, c.startConnector), (c.endElement, c.endConnector)) for c in found]
    assert ends == [tuple(map(tuple, connection)) for connection in system.connections]


def test_the_archive_has_every_fmu_that_the_description_names(system):
    with zipfile.ZipFile(io.BytesIO(ssp(system))) as archive:
        sources = [c.get("source") for c in ET.fromstring(ssd(system)).iter(f"{{{SPACES['ssd']}}}Component")]
        assert sorted(archive.namelist()) == sorted(["SystemStructure.ssd", *sources])
        assert archive.read("resources/mass_1.fmu") == system.parts[0].fmu.read_bytes()


def test_types_and_step_are_told(system):
    root = ET.fromstring(ssd(system))
    (connectors,) = root.findall(".//ssd:Component[@name='f_coupling']/ssd:Connectors", SPACES)
    kinds = {c.get("name"): c[0].tag.rpartition("}")[2] for c in connectors}
    assert (kinds["y"], kinds["y_valid"], kinds["latency.steps"]) == ("Real", "Boolean", "Integer")
    steps = [e.get(key) for e in root.iter() for key in ("stepSize", "baseStepSize") if e.get(key)]
    assert steps == ["0.02", "0.02"]
    assert root.find("ssd:DefaultExperiment", SPACES).get("stopTime") == "2.0"


def test_elements_have_the_prefixes_that_some_readers_go_by(system):
    text = ssd(system)
    assert '<ssd:Component name="mass_1"' in text and "<ssc:Real />" in text and "ns0" not in text


def test_parameters_of_fmus_from_elsewhere_are_bound(foreign, tmp_path):
    system = system_of(load_scenario(foreign), "zoh", tmp_path, "host")
    read(system, tmp_path)
    root = ET.fromstring(ssd(system))
    bound = root.findall(".//ssd:Component[@name='wire']//ssv:Parameter", SPACES)
    values = {p.get("name"): (p[0].tag.rpartition("}")[2], p[0].get("value")) for p in bound}
    assert values == {
        "reordering": ("Boolean", "false"),
        "seed": ("Integer", "5"),
        "latency.mode": ("Enumeration", "uniform"),
    }


def test_equal_systems_give_equal_bytes(system):
    assert ssp(system) == ssp(system)
