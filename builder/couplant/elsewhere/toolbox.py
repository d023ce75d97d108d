"""FMU Manipulation Toolbox makes one FMU of several: the only place that calls it, and imports it when called.

It leaves units out of the model description, says of every output that it depends on every input, names who made the
file and lists what goes on inside. Here outputs depend on what acts on them at once, which is much less: an input is
handed on to no other part before the next step, or before the end of the initialisation.
"""

import logging
import tempfile
import uuid
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from math import isfinite
from pathlib import Path
from typing import Any

from fmpy.model_description import ModelDescription, ScalarVariable

from couplant.base.archives import read_description
from couplant.base.errors import CouplantError, UsageError
from couplant.base.modules import load_extra
from couplant.base.units import unit_of
from couplant.cosim.fmu.instance import parameter_value
from couplant.elsewhere.export import text_of
from couplant.elsewhere.export.side import Side
from couplant.elsewhere.export.system import Part
from couplant.pack.check.description import wrong_names
from couplant.version import __version__

NAME = "FMU Manipulation Toolbox"
PACKAGE = "fmu_manipulation_toolbox"

_TOKENS = uuid.UUID("6d3b1f53-7a3e-5c1e-9a5e-5d8b5f4ad0c7")
_MAKER = ("author", "generationDateAndTime", "copyright")


def require() -> Any:
    """Return the module of the tool that makes containers; raise `UsageError` if it is not installed."""
    load_extra(PACKAGE, f"a container needs {NAME}: pip install 'couplant[container]'.")
    from fmu_manipulation_toolbox import container

    return container


def container_files(side: Side, name: str, sequential: bool, threads: bool) -> dict[str, bytes]:
    """Return the files of a container, contents by name inside the FMU, as the tool makes them.

    Its model identifier is `name`; its parts take turns if it is `sequential`, each has its own thread with `threads`.
    Raise `UsageError` if a part has a value that the tool cannot set, `CouplantError` if the tool refuses.
    """
    tool = require()
    with tempfile.TemporaryDirectory(prefix="couplant-") as scratch, _quiet() as critical:
        try:
            container = tool.FMUContainer(name, scratch, fmi_version=2)
            _fill(container, side)
            file = Path(scratch) / f"{name}.fmu"
            container.make_fmu(file, step_size=side.step, sequential=sequential, mt=threads, debug=True)
        except UsageError:
            raise
        except Exception as error:  # it raises what it likes, and bare errors of what it calls
            raise CouplantError(f"{NAME} refuses: {_reason(error)}.") from None
        if critical:
            raise CouplantError(f"{NAME} refuses: {critical[0].rstrip('.')}.")
        folder = file.with_suffix("")
        return {p.relative_to(folder).as_posix(): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def _fill(container: Any, side: Side) -> None:
    container.start_time, container.stop_time = 0.0, side.duration
    fmus = {part.name: container.get_fmu(str(part.fmu.resolve())) for part in side.parts}
    for a, b in side.connections:
        # variables, also where terminals have their names
        container.add_link_regular(fmus[a.part], a.name, fmus[b.part], b.name)
    for end in side.inputs:
        container.add_input(end.name, fmus[end.part].name, end.port.name)
    for end in side.outputs:
        container.add_output(fmus[end.part].name, end.port.name, end.name)
    for part in side.parts:
        for name, text in _starts(part):
            try:
                container.add_start_value(fmus[part.name].name, name, text)
            except Exception as error:
                raise UsageError(f"{part.name}: {name} = {text} is refused: {_reason(error)}.") from None


def _starts(part: Part) -> Iterator[tuple[str, str]]:
    """Yield the values of a part that it does not start with by itself."""
    variables = {v.name: v for v in read_description(part.fmu).modelVariables} if part.parameters else {}
    for port, given in part.parameters:
        value, what = parameter_value(variables[port.name], given), f"{part.name}: {port.name} = {given}"
        if port.causality not in ("parameter", "input"):
            raise UsageError(f"{what}: it is no parameter.")
        if port.kind == "string" and str(value).split() != [str(value)]:
            raise UsageError(f"{what}: a container sets texts of one word only; give it to the FMU when it is made.")
        if isinstance(value, float) and not isfinite(value):
            raise UsageError(f"{what}, allowed a finite number")
        if port.kind == "enumeration" and type(value) is not int:
            items = ", ".join(item.name for item in variables[port.name].declaredType.items)
            raise UsageError(f"{what}, allowed {items}")
        yield port.name, text_of(value)


@contextmanager
def _quiet() -> Iterator[list[str]]:
    """Keep the log of the tool from the screen; yield the list of errors that it calls critical and ignores."""
    log, critical = logging.getLogger(PACKAGE), _Critical()
    before = log.propagate
    log.addHandler(critical)
    log.propagate = False
    try:
        yield critical.lines
    finally:
        log.removeHandler(critical)
        log.propagate = before


class _Critical(logging.Handler):
    def __init__(self) -> None:
        super().__init__(logging.CRITICAL)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep a message."""
        self.lines.append(record.getMessage())


def _reason(error: Exception) -> str:
    text = str(getattr(error, "reason", "") or error) or type(error).__name__
    return " ".join(text.split()).rstrip(".")


def container_description(text: bytes, side: Side, title: str, tool: str, files: Mapping[str, bytes]) -> bytes:
    """Return the model description of a container, of the `text` that the tool writes.

    `title` says in a line what the container is, `tool` is the name and version of the tool; the GUID follows from what
    else is in the container, its `files`.
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
    # behind the name of a part ``der(x)`` is no structured name
    listed = [ScalarVariable(name=v.get("name", "")) for v in variables]
    read = ModelDescription(variableNamingConvention="structured", modelVariables=listed)
    root.set("variableNamingConvention", "flat" if any(True for _ in wrong_names(read)) else "structured")
    _set_structure(root, [v.get("name", "") for v in variables], side)
    content = ET.tostring(root) + b"".join(name.encode() + files[name] for name in sorted(files))
    root.set("guid", f"{{{uuid.uuid5(_TOKENS, content.hex())}}}")
    ET.indent(root)
    return b'<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, encoding="unicode").encode() + b"\n"


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
    initial = {part.name: _initial_unknowns(part) for part in side.parts}
    lists = [(ET.SubElement(structure, tag), tag == "InitialUnknowns") for tag in ("Outputs", "InitialUnknowns")]
    for end in sorted(side.outputs, key=lambda end: int(places[end.name])):
        for parent, first in lists:
            known = initial[end.part].get(end.port.name) if first else end.port.dependencies
            acting = [i.name for i in side.inputs if i.part == end.part and (known is None or i.port.name in known)]
            indices = sorted((places[name] for name in acting), key=int)
            unknown = ET.SubElement(parent, "Unknown", index=places[end.name], dependencies=" ".join(indices))
            if not indices:
                unknown.set("dependenciesKind", "")


def _initial_unknowns(part: Part) -> dict[str, list[str] | None]:
    """Return by output what acts on it before the first step; None, or no entry, where nothing is said of it."""
    unknowns = read_description(part.fmu).initialUnknowns
    return {
        one.variable.name: None if one.dependencies is None else [v.name for v in one.dependencies] for one in unknowns
    }
