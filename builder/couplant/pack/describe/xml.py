"""Write `modelDescription.xml` of FMI 2.0 and FMI 3.0 from one description.

The description is a frozen record; value references ascend in the order of the variables. Where none is left out they
are 1..n, so that importers that read FMI 3 dependencies as indices and those that read them as references agree.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from couplant.base.errors import UsageError
from couplant.base.units import unit_of
from couplant.base.written import real
from couplant.version import __version__

VERSIONS = ("2", "3")  # versions of the standard that there are FMUs for

Value = float | int | bool
Type = Literal["Real", "Integer", "Boolean", "Enumeration"]

_ESCAPES = (
    ("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;"), ("\r", "&#13;"), ("\n", "&#10;"), ("\t", "&#09;")
)  # fmt: skip
_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'

_FMI3_ELEMENTS = {"Real": "Float64", "Integer": "Int32", "Boolean": "Boolean", "Enumeration": "Enumeration"}
_FLAGS = {
    "2": (
        *("needsExecutionTool", "canHandleVariableCommunicationStepSize", "canInterpolateInputs"),
        *("maxOutputDerivativeOrder", "canBeInstantiatedOnlyOncePerProcess", "canGetAndSetFMUstate"),
        *("canSerializeFMUstate", "providesDirectionalDerivative"),
    ),
    "3": (
        *("needsExecutionTool", "canBeInstantiatedOnlyOncePerProcess", "canGetAndSetFMUState", "canSerializeFMUState"),
        *("providesDirectionalDerivatives", "canHandleVariableCommunicationStepSize", "maxOutputDerivativeOrder"),
        "hasEventMode",
    ),
}
"""Attributes of the element CoSimulation in their order."""


class Element:
    """An element with attributes, in their order, and elements inside."""

    def __init__(self, tag: str, attributes: Mapping[str, str]) -> None:
        """Make one of a kind, its `tag`, with `attributes` and nothing inside."""
        self.tag = tag
        self.attributes = dict(attributes)
        self.inside: list[Element] = []

    def add(self, tag: str, attributes: Mapping[str, str | None]) -> "Element":
        """Put an element of a kind, its `tag`, inside, with those `attributes` that are neither None nor empty."""
        found = Element(tag, {key: value for key, value in attributes.items() if value is not None and value != ""})
        self.inside.append(found)
        return found


@dataclass(frozen=True)
class EnumType:
    """A named list of items, `items` as (name, value, description)."""

    name: str
    items: tuple[tuple[str, int, str], ...]


@dataclass(frozen=True)
class Variable:
    """One scalar variable."""

    name: str
    reference: int  # value reference, equal to the index (first variable 1) unless one before it is left out
    type: Type
    causality: str
    variability: str
    description: str = ""
    initial: str | None = None  # None leaves the default of the standard
    start: Value | None = None  # enumerations start with the integer of an item
    unit: str | None = None
    min: Value | None = None
    max: Value | None = None
    relative: bool = False  # the unit is that of a difference (`relativeQuantity`)
    enum: EnumType | None = None
    # references an output depends on at a communication point; () for none, None leaves "everything"
    dependencies: tuple[int, ...] | None = ()
    # the same in Initialization Mode, parameters included; None takes `dependencies`
    initial_dependencies: tuple[int, ...] | None = None


@dataclass(frozen=True)
class Capabilities:
    """Capabilities in which FMUs of couplant differ; version 2 of the standard has no Event Mode."""

    needs_execution_tool: bool = False
    directional_derivatives: bool = False
    max_output_derivative_order: int = 0
    event_mode: bool = False
    states: str = "serialised"  # what becomes of states: serialised, kept in the process, or none


@dataclass(frozen=True)
class ModelDescription:
    """All that `modelDescription.xml` says about an FMU."""

    name: str  # of the model, and its identifier
    variables: tuple[Variable, ...]  # in the order of their references
    description: str
    token: str = ""  # GUID of FMI 2, instantiation token of FMI 3
    stop_time: float | None = None  # stop time of the default experiment, s
    step_size: float | None = None  # preferred communication step of the default experiment, s
    log_categories: tuple[tuple[str, str], ...] = ()  # name and description
    capabilities: Capabilities = Capabilities()
    source_files: tuple[str, ...] = ()  # files to compile, for FMI 2 `SourceFiles`


def write_xml(description: ModelDescription, fmi: str) -> str:
    """Return the text of a co-simulation `modelDescription.xml` of version `fmi`, ``"2"`` or ``"3"``.

    Raise `ValueError` if value references do not ascend, a variable contradicts itself, or FMI 3 misses its one
    independent variable.
    """
    variables = description.variables
    _check(variables, fmi)
    token = {"guid" if fmi == "2" else "instantiationToken": description.token}
    maker = {"version": __version__, "license": "MIT", "generationTool": "couplant"}
    texts = {"fmiVersion": f"{fmi}.0", "modelName": description.name, **token, "description": description.description}
    root = Element("fmiModelDescription", {**texts, **maker, "variableNamingConvention": "structured"})
    _co_simulation(root, description, fmi)
    names = sorted({variable.unit for variable in variables if variable.unit})
    definitions = root.add("UnitDefinitions", {}) if names else root
    for name in names:
        element, unit = definitions.add("Unit", {"name": name}), unit_of(name)
        if unit is not None:
            exponents = {base: str(exponent) for base, exponent in unit.exponents}
            factor = None if unit.factor == 1.0 else real(unit.factor)
            offset = real(unit.offset) if unit.offset else None
            element.add("BaseUnit", {**exponents, "factor": factor, "offset": offset})
    _types(root, variables, fmi)
    _named_texts(root, "LogCategories", "Category", description.log_categories)
    times = {"stopTime": written_real(description.stop_time), "stepSize": written_real(description.step_size)}
    root.add("DefaultExperiment", {"startTime": real(0.0), **times})
    listed = root.add("ModelVariables", {})
    for variable in variables:
        _variable(listed, variable, fmi)
    _structure(root, variables, fmi)
    return document(root)


def check_version(fmi: str) -> None:
    """Refuse versions other than `VERSIONS`; raise `UsageError` if `fmi` is not ``"2"`` or ``"3"``."""
    if fmi not in VERSIONS:
        raise UsageError(f"fmi = {fmi}, allowed {', '.join(VERSIONS)}")


def _check(variables: tuple[Variable, ...], fmi: str) -> None:
    last = 0
    for variable in variables:
        if variable.reference <= last:
            raise ValueError(f"{variable.name}: value reference {variable.reference}, expected above {last}")
        last = variable.reference
        if (variable.type == "Enumeration") != (variable.enum is not None):
            raise ValueError(f"{variable.name}: an enumeration needs its type, and nothing else has one")
    names = [variable.name for variable in variables]
    doubles = sorted({name for name in names if names.count(name) > 1})
    if doubles:
        raise ValueError(f"names used twice: {', '.join(doubles)}")
    if fmi == "3" and sum(v.causality == "independent" for v in variables) != 1:
        raise ValueError("FMI 3 needs exactly one independent variable")


def _flag(value: bool) -> str:
    return "true" if value else "false"


def _value(variable: Variable, value: Value | None) -> str | None:
    if value is None:
        return None
    if variable.type == "Real":
        return real(value)
    return _flag(bool(value)) if variable.type == "Boolean" else str(int(value))


def written_real(value: float | None) -> str | None:
    """Return a `value` as files have it, None where there is none."""
    return None if value is None else real(value)


def _co_simulation(root: Element, description: ModelDescription, fmi: str) -> None:
    can = description.capabilities
    flags = {
        "needsExecutionTool": _flag(can.needs_execution_tool),
        "maxOutputDerivativeOrder": str(can.max_output_derivative_order),
        "providesDirectionalDerivative": _flag(can.directional_derivatives),
        "providesDirectionalDerivatives": _flag(can.directional_derivatives),
        "hasEventMode": _flag(can.event_mode),
        "canGetAndSetFMUstate": _flag(can.states != "none"),
        "canGetAndSetFMUState": _flag(can.states != "none"),
        "canSerializeFMUstate": _flag(can.states == "serialised"),
        "canSerializeFMUState": _flag(can.states == "serialised"),
        "canInterpolateInputs": _flag(False),
        "canBeInstantiatedOnlyOncePerProcess": _flag(False),
    }
    own = {name: flags.get(name, _flag(True)) for name in _FLAGS[fmi]}
    element = root.add("CoSimulation", {"modelIdentifier": description.name, **own})
    if fmi == "2":
        _named_texts(element, "SourceFiles", "File", [(name, "") for name in description.source_files])


def _types(root: Element, variables: tuple[Variable, ...], fmi: str) -> None:
    types: dict[str, EnumType] = {}
    for variable in variables:
        if variable.enum is not None and types.setdefault(variable.enum.name, variable.enum) != variable.enum:
            raise ValueError(f"two enumeration types called {variable.enum.name}")
    definitions = root.add("TypeDefinitions", {}) if types else root
    for name, enum in types.items():
        if fmi == "2":
            element = definitions.add("SimpleType", {"name": name}).add("Enumeration", {})
        else:
            element = definitions.add("EnumerationType", {"name": name})
        for item, value, text in enum.items:
            element.add("Item", {"name": item, "value": str(value), "description": text})


def _named_texts(root: Element, tag: str, entry: str, texts: Sequence[tuple[str, str]]) -> None:
    """Add a list of (name, description), if there are any."""
    parent = root.add(tag, {}) if texts else root
    for name, text in texts:
        parent.add(entry, {"name": name, "description": text})


def _variable(parent: Element, variable: Variable, fmi: str) -> None:
    head = {
        "name": variable.name,
        "valueReference": str(variable.reference),
        "description": variable.description,
        "causality": variable.causality,
        "variability": variable.variability,
        "initial": variable.initial,
    }
    typed: dict[str, str | None] = {"declaredType": variable.enum.name if variable.enum else None}
    if variable.type == "Real" and variable.unit:
        typed |= {"unit": variable.unit, "relativeQuantity": _flag(True) if variable.relative else None}
    if variable.type in ("Real", "Integer"):
        typed |= {"min": _value(variable, variable.min), "max": _value(variable, variable.max)}
    typed["start"] = _value(variable, variable.start)
    if fmi == "2":
        parent.add("ScalarVariable", head).add(variable.type, typed)
    else:
        parent.add(_FMI3_ELEMENTS[variable.type], {**head, **typed})


def _structure(root: Element, variables: tuple[Variable, ...], fmi: str) -> None:
    structure = root.add("ModelStructure", {})
    # FMI 2 counts variables from 1, FMI 3 takes their references
    places = {v.reference: i if fmi == "2" else v.reference for i, v in enumerate(variables, start=1)}
    outputs = [variable for variable in variables if variable.causality == "output"]
    initial = [v for v in outputs if v.initial == "calculated" or (v.initial is None and v.start is None)]
    for tag, unknowns in (("Output", outputs), ("InitialUnknown", initial)):
        parent = structure.add(f"{tag}s", {}) if unknowns and fmi == "2" else structure
        for v in unknowns:
            own = tag == "InitialUnknown" and v.initial_dependencies is not None
            dependencies = v.initial_dependencies if own else v.dependencies
            if fmi == "2":
                element = parent.add("Unknown", {"index": str(places[v.reference])})
            else:
                element = parent.add(tag, {"valueReference": str(v.reference)})
            if dependencies is not None:
                element.attributes["dependencies"] = " ".join(str(places[one]) for one in dependencies)
                if not dependencies:
                    element.attributes["dependenciesKind"] = ""


def document(root: Element) -> str:
    """Return the text of a document whose outermost element is `root`."""
    lines: list[str] = []
    _add_lines(lines, root, "")
    return _HEAD + "\n".join(lines) + "\n"


def _add_lines(lines: list[str], element: Element, indent: str) -> None:
    head = "".join([f' {key}="{_escape(value)}"' for key, value in element.attributes.items()])
    if not element.inside:
        lines.append(f"{indent}<{element.tag}{head} />")
        return
    lines.append(f"{indent}<{element.tag}{head}>")
    for one in element.inside:
        _add_lines(lines, one, indent + "  ")
    lines.append(f"{indent}</{element.tag}>")


def _escape(text: str) -> str:
    for sign, written in _ESCAPES:
        text = text.replace(sign, written)
    return text
