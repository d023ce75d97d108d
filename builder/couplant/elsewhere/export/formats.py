"""Formats of a system for other tools: SSP 1.0, the Open Simulation Platform, and one FMU made by fmucontainer.

System Structure and Parameterization is one archive that many tools read. Readers differ: some take elements by their
prefix, so the usual ones are written; some give every input that is listed a value of 0, so only connected inputs are.
libcosim steps `OspSystemStructure.xml` with a fixed step. fmucontainer is part of the FMU Manipulation Toolbox.
"""

from __future__ import annotations

import io
import json
import xml.etree.ElementTree as ET
import zipfile
from typing import Any

from couplant.config.hosts import SEQUENTIAL
from couplant.elsewhere.export.system import KINDS, SETTABLE, Part, System
from couplant.version import __version__

NAME = "SystemStructure.ssd"
"""Of the description inside the archive."""

_FMU = "application/x-fmu-sharedlibrary"
_SSP = "http://ssp-standard.org/SSP1/SystemStructure"
_NAMESPACES = {
    "xmlns:ssc": f"{_SSP}Common",
    "xmlns:ssd": f"{_SSP}Description",
    "xmlns:ssv": f"{_SSP}ParameterValues",
    "xmlns:osp": "http://opensimulationplatform.com/SSP/OSPAnnotations",
    "xmlns:oms": "https://raw.githubusercontent.com/OpenModelica/OMSimulator/master/schema/oms.xsd",
}
_TOLERANCES = {"absoluteTolerance": "1e-4", "relativeTolerance": "1e-4"}
_DATE = (1980, 1, 1, 0, 0, 0)

OSP = "OspSystemStructure.xml"
"""The name that tools of the Open Simulation Platform look for in a folder."""

_OSP = "http://opensimulationplatform.com/MSMI/OSPSystemStructure"

CONTAINER = "container.json"
"""Of the file from which fmucontainer makes one FMU."""


def ssp(system: System) -> bytes:
    """Return the archive `system.ssp`: the description and all FMUs; equal systems give equal bytes."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr(zipfile.ZipInfo(NAME, _DATE), ssd(system))
        for part in system.parts:
            archive.writestr(zipfile.ZipInfo(_source(part), _DATE), part.fmu.read_bytes())
    return stream.getvalue()


def ssd(system: System) -> str:
    """Return the text of `SystemStructure.ssd`; the step is in the annotations that OMSimulator and libcosim read."""
    root = ET.Element("ssd:SystemStructureDescription", _NAMESPACES, version="1.0", name=system.name)
    root.set("generationTool", f"couplant {__version__}")
    top = ET.SubElement(root, "ssd:System", name=system.name, description=system.title)
    elements = ET.SubElement(top, "ssd:Elements")
    for part in system.parts:
        _component(elements, part)
    connections = ET.SubElement(top, "ssd:Connections")
    for source, target in system.connections:
        ends = {"startElement": source.part, "startConnector": source.name}
        ET.SubElement(connections, "ssd:Connection", ends, endElement=target.part, endConnector=target.name)
    master = _annotation(top, "org.openmodelica", "oms:Annotations", "oms:SimulationInformation")
    ET.SubElement(master, "oms:FixedStepMaster", _TOLERANCES, description="oms-ma", stepSize=repr(system.step))
    experiment = ET.SubElement(root, "ssd:DefaultExperiment", startTime="0.0", stopTime=repr(system.duration))
    algorithm = _annotation(experiment, "com.opensimulationplatform", "osp:Algorithm")
    ET.SubElement(algorithm, "osp:FixedStepAlgorithm", baseStepSize=repr(system.step))
    ET.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"


def _source(part: Part) -> str:
    return f"resources/{part.fmu.name}"


def _component(elements: ET.Element, part: Part) -> None:
    component = ET.SubElement(elements, "ssd:Component", name=part.name, type=_FMU, source=_source(part))
    connectors = ET.SubElement(component, "ssd:Connectors")
    for port in (*part.inputs, *part.outputs):
        connector = ET.SubElement(connectors, "ssd:Connector", name=port.name, kind=port.causality)
        ET.SubElement(connector, f"ssc:{KINDS[port.kind]}")
    if part.parameters:
        bindings = ET.SubElement(component, "ssd:ParameterBindings")
        values = ET.SubElement(ET.SubElement(bindings, "ssd:ParameterBinding"), "ssd:ParameterValues")
        chosen = ET.SubElement(values, "ssv:ParameterSet", version="1.0", name="scenario")
        listed = ET.SubElement(chosen, "ssv:Parameters")
        for port, value in part.parameters:
            parameter = ET.SubElement(listed, "ssv:Parameter", name=port.name)
            ET.SubElement(parameter, f"ssv:{KINDS.get(port.kind, port.kind.capitalize())}", value=text_of(value))


def _annotation(parent: ET.Element, kind: str, *inside: str) -> ET.Element:
    """Add an annotation with nested elements and return the innermost."""
    last = ET.SubElement(ET.SubElement(parent, "ssd:Annotations"), "ssc:Annotation", type=kind)
    for tag in inside:
        last = ET.SubElement(last, tag)
    return last


def text_of(value: Any) -> str:
    """Return a value of a parameter as XML writes it: `value` is a number, a truth value or a text."""
    if isinstance(value, bool):
        return str(value).lower()
    return repr(value) if isinstance(value, float) else str(value)


def osp(system: System, folder: str) -> str:
    """Return the text of the file; the FMUs lie in `folder`, relative to it."""
    root = ET.Element("OspSystemStructure", xmlns=_OSP, version="0.1")
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


def container(system: System, folder: str) -> str:
    """Return the text of the description; the FMUs lie in `folder`, relative to it.

    FMUs are listed in the order in which they step where the container is sequential. Its outputs are those of the
    prototypes and coupling FMUs, named as in a scenario: `mass_1.x1`, `f_coupling.y_hat`.
    """
    files = {part.name: f"{folder}/{part.fmu.name}" for part in system.parts}
    content = {
        "name": f"{system.name}.fmu",
        "step_size": system.step,
        "sequential": system.host == SEQUENTIAL,
        **dict.fromkeys(("auto_link", "auto_input", "auto_output"), False),
        "fmu": [*files.values()],
        "link": [[files[a.part], a.name, files[b.part], b.name] for a, b in system.connections],
        "output": [[files[p.name], v.name, f"{p.name}.{v.name}"] for p in system.parts for v in p.outputs],
        "start": [
            [files[part.name], port.name, text_of(value)]
            for part in system.parts
            for port, value in part.parameters
            if port.kind in SETTABLE
        ],
    }
    return json.dumps(content, indent=2) + "\n"
