"""Write a scenario for other tools: FMUs, a description in each format, and how to run them.

System Structure and Parameterization 1.0 is one archive that many tools read. Readers differ: some take elements by
their prefix, so the usual ones are written; some give every input that is listed a value of 0, so only connected inputs
are. libcosim, of the Open Simulation Platform, steps `OspSystemStructure.xml` with a fixed step. fmucontainer, which
makes one FMU, is part of the FMU Manipulation Toolbox.
"""

import io
import json
import string
import tempfile
import textwrap
import xml.etree.ElementTree as ET
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from couplant.base.files import write_atomic
from couplant.base.modules import make_callable
from couplant.base.notebook import Shows, Summary
from couplant.base.paths import resource
from couplant.config.hosts import SEQUENTIAL
from couplant.config.scenario import load_scenario
from couplant.elsewhere.export.system import KINDS, SETTABLE, Part, System, algorithm_of, system_of
from couplant.version import __version__

FMUS = "fmus"  # folder of the FMUs
NAME = "SystemStructure.ssd"  # of the description inside the archive

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

OSP = "OspSystemStructure.xml"  # the name that tools of the Open Simulation Platform look for in a folder

_OSP = "http://opensimulationplatform.com/MSMI/OSPSystemStructure"

CONTAINER = "container.json"  # of the file from which fmucontainer makes one FMU


@dataclass(frozen=True, repr=False)
class Exported(Shows):
    """Files that were written."""

    folder: Path
    files: tuple[str, ...]  # relative to the folder
    host: str  # kind of tool that the coupling FMUs are made for
    algorithm: str
    step: float  # communication step [s]
    duration: float  # [s]

    def to_dict(self) -> dict[str, Any]:
        """Return all of it as plain values."""
        return {**vars(self), "folder": str(self.folder), "files": list(self.files)}

    def _summary(self) -> Summary:
        """Return the files, as it is shown."""
        title = f"{self.folder}: {self.algorithm} for a host that is {self.host}, {self.duration:g} s"
        return Summary(title, ("file",), [[name] for name in self.files])


def export(
    path: str | Path,
    folder: str | Path,
    assignments: Sequence[str] = (),
    algorithm: str | None = None,
    platform: str = "host",
) -> Exported:
    """Write a scenario file into `folder` so that other tools can run it.

    `assignments` are changes in the form ``key=TOML value``, for instance ``network.latency_steps=4``; `algorithm` is
    needed where the scenario runs several; `platform` tells whose binaries the FMUs carry: ``"host"``, ``"all"``, or
    names of platforms with commas between them. Raise `UsageError` if the scenario is wrong, or has what other tools
    cannot run; nothing is written then. Raise `CouplantError` if a binary must be compiled and cannot be.
    """
    folder = Path(folder)
    chosen = [] if algorithm is None else [f"algorithms=[{json.dumps(algorithm)}]"]
    loaded = load_scenario(path, [*assignments, *chosen])
    name = algorithm_of(loaded)
    with tempfile.TemporaryDirectory(prefix="couplant-") as scratch:
        system = system_of(loaded, name, Path(scratch), platform)
        contents: dict[str, bytes | str] = {f"{FMUS}/{p.fmu.name}": p.fmu.read_bytes() for p in system.parts}
        contents["system.ssp"] = ssp(system)
    contents[OSP] = osp(system, FMUS)
    contents[CONTAINER] = container(system, FMUS)
    # how to run the system in each tool, with the values that some of them must be given
    template = string.Template(resource("templates/export/README.txt").read_text(encoding="utf-8"))
    rows = [f"    {p.name}.{port.name} = {value}" for p in system.parts for port, value in p.parameters]
    contents["README.txt"] = template.substitute(
        title=system.title,
        underline="=" * len(system.title),
        name=system.name,
        algorithm=name,
        host=system.host,
        step=repr(system.step),
        duration=repr(system.duration),
        order=textwrap.fill(", ".join(part.name for part in system.parts), 100, subsequent_indent=" " * 16),
        parameters="\n".join(rows) if rows else "    none: every FMU starts with the values of the scenario by itself",
    )
    for file, content in contents.items():
        write_atomic(folder / file, content)
    return Exported(folder, tuple(contents), system.host, name, system.step, system.duration)


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
        known = [(port, value) for port, value in part.parameters if port.kind in SETTABLE]
        if known:
            values = ET.SubElement(simulator, "InitialValues")
            for port, value in known:
                initial = ET.SubElement(values, "InitialValue", variable=port.name)
                ET.SubElement(initial, SETTABLE[port.kind], value=text_of(value))
    connections = ET.SubElement(root, "Connections")
    for connection in system.connections:
        pair = ET.SubElement(connections, "VariableConnection")
        for end in connection:
            ET.SubElement(pair, "Variable", simulator=end.part, name=end.name)
    ET.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"


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


make_callable(__name__, export)
