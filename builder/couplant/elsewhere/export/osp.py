"""`OspSystemStructure.xml`, the format of the Open Simulation Platform: libcosim steps it with a fixed step."""

from __future__ import annotations

import xml.etree.ElementTree as ET

from couplant.elsewhere.export.ssp import text_of
from couplant.elsewhere.export.system import SETTABLE, Part, System

NAME = "OspSystemStructure.xml"
"""The name that tools look for in a folder."""

_NAMESPACE = "http://opensimulationplatform.com/MSMI/OSPSystemStructure"


def osp(system: System, folder: str) -> str:
    """Return the text of the file; the FMUs lie in `folder`, relative to it."""
    root = ET.Element("OspSystemStructure", xmlns=_NAMESPACE, version="0.1")
    experiment = {"StartTime": "0.0", "EndTime": repr(system.duration), "BaseStepSize": repr(system.step)}
    for tag, text in {**experiment, "Algorithm": "fixedStep"}.items():
        ET.SubElement(root, tag).text = text
    simulators = ET.SubElement(root, "Simulators")
    for part in system.parts:
        source = f"{folder}/{part.fmu.name}"
        simulator = ET.SubElement(simulators, "Simulator", name=part.name, source=source)
        _initial_values(simulator, part)
    connections = ET.SubElement(root, "Connections")
    for connection in system.connections:
        pair = ET.SubElement(connections, "VariableConnection")
        for end in connection:
            ET.SubElement(pair, "Variable", simulator=end.part, name=end.name)
    ET.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"


def _initial_values(simulator: ET.Element, part: Part) -> None:
    known = [(port, value) for port, value in part.parameters if port.kind in SETTABLE]
    if known:
        values = ET.SubElement(simulator, "InitialValues")
        for port, value in known:
            initial = ET.SubElement(values, "InitialValue", variable=port.name)
            ET.SubElement(initial, SETTABLE[port.kind], value=text_of(value))
