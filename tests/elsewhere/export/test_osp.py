"""OspSystemStructure.xml; tests/importers has libcosim read and run it."""

import xml.etree.ElementTree as ET

from couplant.config.scenario import load_scenario
from couplant.elsewhere.export import osp
from couplant.elsewhere.export.system import system_of

SPACE = {"": "http://opensimulationplatform.com/MSMI/OSPSystemStructure"}


def test_the_file_lists_all_parts_and_connections(system):
    root = ET.fromstring(osp(system, "fmus"))
    simulators = [(s.get("name"), s.get("source")) for s in root.findall("Simulators/Simulator", SPACE)]
    assert simulators == [(part.name, f"fmus/{part.name}.fmu") for part in system.parts]
    pairs = [
        tuple((v.get("simulator"), v.get("name")) for v in pair)
        for pair in root.findall("Connections/VariableConnection", SPACE)
    ]
    assert pairs == [tuple(map(tuple, connection)) for connection in system.connections]


def test_the_step_is_fixed_and_no_part_has_one_of_its_own(system):
    root = ET.fromstring(osp(system, "fmus"))
    told = {tag: root.findtext(tag, None, SPACE) for tag in ("BaseStepSize", "Algorithm", "EndTime")}
    assert told == {"BaseStepSize": "0.02", "Algorithm": "fixedStep", "EndTime": "2.0"}
    assert not any(s.get("stepSize") for s in root.findall("Simulators/Simulator", SPACE))


def test_initial_values_are_told_but_not_those_of_enumerations(foreign, tmp_path):
    root = ET.fromstring(osp(system_of(load_scenario(foreign), "zoh", tmp_path, "host"), "fmus"))
    found = {
        (s.get("name"), v.get("variable")): (v[0].tag.rpartition("}")[2], v[0].get("value"))
        for s in root.findall("Simulators/Simulator", SPACE)
        for v in s.findall("InitialValues/InitialValue", SPACE)
    }
    assert found == {
        ("first", "m1"): ("Real", "2.0"),
        ("first", "x1.start"): ("Real", "0.5"),
        ("wire", "reordering"): ("Boolean", "false"),
        ("wire", "seed"): ("Integer", "5"),
    }
