"""The description of a slave: dcpSlaveDescription.dcpx, by itself or in the archive .dcp; section 5 of the standard."""

import io
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

from couplant.base.errors import UsageError
from couplant.base.files import write_atomic
from couplant.elsewhere.dcp.codes import MAJOR, MINOR, Mode
from couplant.elsewhere.dcp.pdu import LARGEST
from couplant.elsewhere.dcp.values import TYPES

INSIDE = "v1.0/dcpSlaveDescription.dcpx"
"""Where an archive has the description."""

_MODES = {"HardRealTime": Mode.HRT, "SoftRealTime": Mode.SRT, "NonRealTime": Mode.NRT}
_KINDS = {"Input": "input", "Output": "output", "Parameter": "parameter", "StructuralParameter": "structural"}
_LONGEST = 16 * 1024 * 1024  # of a description [byte]


@dataclass(frozen=True)
class Variable:
    """An input, an output or a parameter."""

    name: str
    reference: int  # number by which PDUs name it
    kind: str  # input, output, parameter or structural
    type: str = "Float64"
    start: float = 0.0
    variability: str = "continuous"  # of a parameter fixed or tunable
    most_missed: int | None = None  # consecutively missed PDUs that an input tolerates, None: any number
    text: str = ""  # one line for people


@dataclass(frozen=True)
class Description:
    """The description of a slave, for masters."""

    name: str
    uuid: str
    variables: tuple[Variable, ...]
    modes: frozenset[Mode]
    resolution: tuple[int, int]  # numerator and denominator of the resolution of time [s]
    host: str = "127.0.0.1"
    port: int = 8080  # of control PDUs
    data_ports: tuple[int, int] = (2048, 65535)  # first and last port for data
    fixed_resolution: bool = True
    variable_steps: bool = True
    resets: bool = True
    heartbeat: tuple[int, int] | None = None  # longest time between two INF_state, numerator and denominator [s]
    log: Mapping[int, tuple[int, int, str]] | None = None  # templates: category, level and text by number
    accepts_configuration: bool = True
    largest: int = LARGEST  # length of the longest PDU [byte]
    log_on_request: bool = True  # whether entries of the log are kept for INF_log
    log_on_notification: bool = True  # whether they are sent at once

    @property
    def by_reference(self) -> dict[int, Variable]:
        """Return the variables by the numbers that PDUs use."""
        return {variable.reference: variable for variable in self.variables}

    def find(self, name: str, *kinds: str) -> Variable:
        """Return the variable with a `name` and one of these `kinds`.

        Raises UsageError if there is none.
        """
        allowed = [one for one in self.variables if one.kind in kinds]
        for variable in allowed:
            if variable.name == name:
                return variable
        listed = ", ".join(one.name for one in allowed) or "none"
        raise UsageError(f"{self.name}.{name}: no {' or '.join(kinds)} of this slave, allowed {listed}.")


def to_xml(description: Description) -> bytes:
    """Return the document of a `description`."""
    root = Element(
        "dcpSlaveDescription", dcpMajorVersion=str(MAJOR), dcpMinorVersion=str(MINOR), dcpSlaveName=description.name,
        uuid=description.uuid, generationTool="couplant", variableNamingConvention="flat",
    )  # fmt: skip
    modes = SubElement(root, "OpMode")
    for word, mode in _MODES.items():
        if mode in description.modes:
            fixed = "false" if description.variable_steps else "true"
            SubElement(modes, word, {} if mode != Mode.NRT else {"defaultSteps": "1", "fixedSteps": fixed})
    numerator, denominator = map(str, description.resolution)
    fixed = str(description.fixed_resolution).lower()
    times = SubElement(root, "TimeRes")
    SubElement(times, "Resolution", numerator=numerator, denominator=denominator, fixed=fixed, recommended="true")
    if description.heartbeat:
        longest = dict(zip(("numerator", "denominator"), map(str, description.heartbeat), strict=True))
        SubElement(SubElement(root, "Heartbeat"), "MaximumPeriodicInterval", longest)
    _add_transport(root, description)
    _add_flags(root, description)
    variables = SubElement(root, "Variables")
    for variable in description.variables:
        _add_variable(variables, variable)
    if description.log:
        _add_log(root, description.log)
    ElementTree.indent(root)
    document: bytes = ElementTree.tostring(root, encoding="UTF-8", xml_declaration=True)
    return document


def _add_transport(root: Element, description: Description) -> None:
    size = str(description.largest)
    udp = SubElement(SubElement(root, "TransportProtocols"), "UDP_IPv4", maxPduSize=size)
    SubElement(udp, "Control", host=description.host, port=str(description.port))
    first, last = map(str, description.data_ports)
    for name in ("DAT_input_output", "DAT_parameter"):
        ports = SubElement(udp, name, host=description.host)
        SubElement(ports, "AvailablePortRange", {"from": first, "to": last})


def _add_flags(root: Element, description: Description) -> None:
    flags = {
        "canAcceptConfigPdus": description.accepts_configuration, "canHandleReset": description.resets,
        "canHandleVariableSteps": description.variable_steps, "canMonitorHeartbeat": description.heartbeat is not None,
        "canProvideLogOnRequest": bool(description.log) and description.log_on_request,
        "canProvideLogOnNotification": bool(description.log) and description.log_on_notification,
    }  # fmt: skip
    SubElement(root, "CapabilityFlags", {name: str(value).lower() for name, value in flags.items()})


def _add_variable(parent: Element, variable: Variable) -> None:
    words = {"name": variable.name, "valueReference": str(variable.reference), "variability": variable.variability}
    words |= {"description": variable.text} if variable.text else {}
    words |= {} if variable.most_missed is None else {"maxConsecMissedPdus": str(variable.most_missed)}
    tag = next(tag for tag, kind in _KINDS.items() if kind == variable.kind)
    one = SubElement(SubElement(parent, "Variable", words), tag)
    start = repr(variable.start) if variable.type.startswith("Float") else str(int(variable.start))
    SubElement(one, variable.type, start=start)


def _add_log(root: Element, templates: Mapping[int, tuple[int, int, str]]) -> None:
    log = SubElement(root, "Log")
    categories, lines = SubElement(log, "Categories"), SubElement(log, "Templates")
    for category in sorted({category for category, _, _ in templates.values()}):
        SubElement(categories, "Category", id=str(category), name=f"couplant {category}")
    for number, (category, level, text) in templates.items():
        SubElement(lines, "Template", id=str(number), category=str(category), level=str(level), msg=text)


def write_description(description: Description, path: Path) -> None:
    """Write a `description` to a `path`: with the ending .dcp into an archive, else as the document itself."""
    document = to_xml(description)
    if path.suffix != ".dcp":
        write_atomic(path, document)
        return
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        # a fixed date: equal slaves give equal archives
        entry = zipfile.ZipInfo(INSIDE, (1980, 1, 1, 0, 0, 0))
        archive.writestr(entry, document, zipfile.ZIP_DEFLATED)
    write_atomic(path, content.getvalue())


def read_description(path: Path) -> Description:
    """Return the description in a file at a `path`, an archive .dcp or the document itself.

    Raises UsageError if it cannot be read, or describes nothing that speaks DCP 1.0 over UDP.
    """
    try:
        content = path.read_bytes()
        if zipfile.is_zipfile(io.BytesIO(content)):
            with zipfile.ZipFile(io.BytesIO(content)) as archive, archive.open(INSIDE) as entry:
                content = entry.read(_LONGEST + 1)
        if len(content) > _LONGEST:
            raise UsageError(f"{path}: a description of more than {_LONGEST} bytes.")
        if b"<!DOCTYPE" in content or b"<!ENTITY" in content:
            raise UsageError(f"{path}: a description with a document type, allowed is one without.")
        return _description(ElementTree.fromstring(content))
    except (OSError, KeyError, zipfile.BadZipFile, ElementTree.ParseError, ValueError, AttributeError) as error:
        if isinstance(error, UsageError):
            raise
        text = " ".join(str(error).split()) or type(error).__name__
        raise UsageError(f"{path}: no description of a DCP slave: {text}.") from None


def _description(root: Element) -> Description:
    if root.tag != "dcpSlaveDescription":
        raise ValueError(f"the document is {root.tag}, allowed dcpSlaveDescription")
    udp = root.find("TransportProtocols/UDP_IPv4")
    if udp is None:
        raise ValueError("no UDP_IPv4 under TransportProtocols")
    control, flags, resolution = udp.find("Control"), root.find("CapabilityFlags"), root.find("TimeRes/Resolution")
    where = {} if control is None else control.attrib
    able = {} if flags is None else flags.attrib
    times = {} if resolution is None else resolution.attrib
    ports = udp.find("DAT_input_output/AvailablePortRange")
    heartbeat = root.find("Heartbeat/MaximumPeriodicInterval")
    return Description(
        root.attrib["dcpSlaveName"], root.attrib["uuid"], tuple(_variables(root)),
        frozenset(mode for word, mode in _MODES.items() if root.find(f"OpMode/{word}") is not None),
        (int(times.get("numerator", "1")), int(times.get("denominator", "1000"))),
        where.get("host", "127.0.0.1"), int(where.get("port", "0")),
        (2048, 65535) if ports is None else (int(ports.attrib["from"]), int(ports.attrib["to"])),
        times.get("fixed", "true") == "true", able.get("canHandleVariableSteps") == "true",
        able.get("canHandleReset") == "true",
        None if heartbeat is None else (int(heartbeat.get("numerator", "1")), int(heartbeat.get("denominator", "1"))),
        _templates(root), able.get("canAcceptConfigPdus") == "true", int(udp.get("maxPduSize", str(LARGEST))),
        able.get("canProvideLogOnRequest") == "true", able.get("canProvideLogOnNotification") == "true",
    )  # fmt: skip


def _templates(root: Element) -> dict[int, tuple[int, int, str]] | None:
    found = root.findall("Log/Templates/Template")
    words = ((one.attrib["id"], one.attrib["category"], one.attrib["level"], one.attrib["msg"]) for one in found)
    return {int(number): (int(category), int(level), text) for number, category, level, text in words} or None


def _variables(root: Element) -> Iterator[Variable]:
    for one in root.findall("Variables/Variable"):
        for tag, kind in _KINDS.items():
            part = one.find(tag)
            if part is None:
                continue
            value = next((child for child in part if child.tag in TYPES), None)
            if value is None or part.find("Dimensions") is not None:  # texts and arrays are no signals
                continue
            words: dict[str, Any] = dict(one.attrib)
            missed = words.get("maxConsecMissedPdus")
            yield Variable(
                words["name"], int(words["valueReference"]), kind, value.tag, float(value.get("start", "0").split()[0]),
                words.get("variability", "continuous"), None if missed is None else int(missed),
                words.get("description", ""),
            )  # fmt: skip
