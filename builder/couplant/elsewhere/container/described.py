"""Additions to the model description of a container that its tool writes.

The tool leaves out units, says of every output that it depends on every input, names who made the file and lists what
goes on inside. Here outputs depend on what acts on them at once, which is much less: an input is handed on to no other
part before the next step, or before the end of the initialisation.
"""

from __future__ import annotations

import uuid
import xml.etree.ElementTree as ET
from collections.abc import Mapping

from fmpy.model_description import ModelDescription, ScalarVariable

from couplant.base.archives import read_description
from couplant.base.units import unit_of
from couplant.elsewhere.export.side import Side
from couplant.elsewhere.export.system import Part
from couplant.pack.check.description import wrong_names
from couplant.version import __version__

_TOKENS = uuid.UUID("6d3b1f53-7a3e-5c1e-9a5e-5d8b5f4ad0c7")
_MAKER = ("author", "generationDateAndTime", "copyright")


def container_description(text: bytes, side: Side, title: str, tool: str, files: Mapping[str, bytes]) -> bytes:
    """Return the model description of a container.

    Parameters
    ----------
    text : bytes
        As the tool writes it.
    title : str
        What the container is, in a line.
    tool : str
        Name and version of the tool.
    files : mapping of str to bytes
        What else is in the container; its GUID follows from them.
    """
    root = ET.fromstring(text)
    for name in _MAKER:
        root.attrib.pop(name, None)
    own = {"description": title, "license": "see documentation/licenses"}
    root.attrib |= {**own, "generationTool": f"couplant {__version__} by {tool}", "guid": ""}
    ends = {end.name: end for end in (*side.inputs, *side.outputs)}
    variables = root.find("ModelVariables")
    assert variables is not None
    for variable in list(variables):
        name = variable.get("name", "")
        if name in ends and variable.get("causality") != "local":
            real, unit = variable.find("Real"), ends[name].port.unit
            if real is not None and unit:
                real.set("unit", unit)
        elif name == "time":
            variable.set("description", "simulation time")
            variable[0].set("unit", "s")
        else:
            variables.remove(variable)
    variables[:] = sorted(variables, key=lambda variable: int(variable.get("valueReference", "0")))
    _define_units(root, {"s"} | {end.port.unit for end in ends.values() if end.port.unit and end.port.kind == "real"})
    root.set("variableNamingConvention", _convention([v.get("name", "") for v in variables]))
    _set_structure(root, [v.get("name", "") for v in variables], side)
    content = ET.tostring(root) + b"".join(name.encode() + files[name] for name in sorted(files))
    root.set("guid", f"{{{uuid.uuid5(_TOKENS, content.hex())}}}")
    ET.indent(root)
    return b'<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, encoding="unicode").encode() + b"\n"


def _convention(names: list[str]) -> str:
    """Return the naming convention of the variables; behind the name of a part ``der(x)`` is no structured name."""
    listed = [ScalarVariable(name=name) for name in names]
    read = ModelDescription(variableNamingConvention="structured", modelVariables=listed)
    return "flat" if any(True for _ in wrong_names(read)) else "structured"


def _define_units(root: ET.Element, names: set[str]) -> None:
    """Add the units behind what the standard wants before them."""
    definitions = ET.Element("UnitDefinitions")
    for name in sorted(names):
        element, unit = ET.SubElement(definitions, "Unit", name=name), unit_of(name)
        if unit is not None:
            scale = {"factor": None if unit.factor == 1.0 else unit.factor, "offset": unit.offset or None}
            written = {**dict(unit.exponents), **scale}
            ET.SubElement(element, "BaseUnit", {key: str(value) for key, value in written.items() if value is not None})
    root.insert(1, definitions)


def _set_structure(root: ET.Element, names: list[str], side: Side) -> None:
    """Declare inputs that act on the outputs at once, and those that act before the first step."""
    structure = root.find("ModelStructure")
    assert structure is not None
    structure.clear()
    if not side.outputs:
        return
    places = {name: str(place) for place, name in enumerate(names, start=1)}
    initial = {part.name: _initial(part) for part in side.parts}
    lists = [(ET.SubElement(structure, tag), tag == "InitialUnknowns") for tag in ("Outputs", "InitialUnknowns")]
    for end in sorted(side.outputs, key=lambda end: int(places[end.name])):
        for parent, first in lists:
            known = initial[end.part].get(end.port.name) if first else end.port.dependencies
            acting = [i.name for i in side.inputs if i.part == end.part and (known is None or i.port.name in known)]
            indices = sorted((places[name] for name in acting), key=int)
            unknown = ET.SubElement(parent, "Unknown", index=places[end.name], dependencies=" ".join(indices))
            if not indices:
                unknown.set("dependenciesKind", "")


def _initial(part: Part) -> dict[str, list[str] | None]:
    """Return by output what acts on it before the first step; None, or no entry, where nothing is said of it."""
    unknowns = read_description(part.fmu).initialUnknowns
    return {
        one.variable.name: None if one.dependencies is None else [v.name for v in one.dependencies] for one in unknowns
    }
