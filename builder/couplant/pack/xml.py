"""Write `modelDescription.xml` of FMI 2.0 and FMI 3.0 from one description.

The description is a frozen record; value references ascend in the order of the variables. Where none is left out they
are 1..n, so that importers that read FMI 3 dependencies as indices and those that read them as references agree.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from couplant.errors import UsageError
from couplant.units import unit_of
from couplant.version import __version__

VERSIONS = ("2", "3")
"""Versions of the standard that there are FMUs for."""

Value = float | int | bool
Type = Literal["Real", "Integer", "Boolean", "Enumeration"]

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
    """In what FMUs of couplant differ; version 2 of the standard has no Event Mode."""

    needs_execution_tool: bool = False
    directional_derivatives: bool = False
    max_output_derivative_order: int = 0
    event_mode: bool = False


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

    Raises
    ------
    ValueError
        If value references do not ascend, a variable contradicts itself, or FMI 3 misses its one independent variable.
    """
    variables = description.variables
    _check(variables, fmi)
    root = _root(description, fmi)
    _co_simulation(root, description, fmi)
    _units(root, variables)
    _types(root, variables, fmi)
    _named_texts(root, "LogCategories", "Category", description.log_categories)
    _add(root, "DefaultExperiment", startTime=0.0, stopTime=description.stop_time, stepSize=description.step_size)
    listed = _add(root, "ModelVariables")
    for variable in variables:
        _variable(listed, variable, fmi)
    _structure(root, variables, fmi)
    ET.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"


def check_version(fmi: str) -> None:
    """Refuse what is none of `VERSIONS`.

    Raises
    ------
    UsageError
        If `fmi` is not ``"2"`` or ``"3"``.
    """
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


def _add(parent: ET.Element, tag: str, **attributes: str | Value | None) -> ET.Element:
    """Add an element with those of the attributes that are neither None nor empty."""
    written = {key: _text(value) for key, value in attributes.items() if value is not None and value != ""}
    return ET.SubElement(parent, tag, written)


def _text(value: str | Value) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return value if isinstance(value, str) else repr(value)


def _root(description: ModelDescription, fmi: str) -> ET.Element:
    token = {"guid" if fmi == "2" else "instantiationToken": description.token}
    maker = {"version": __version__, "license": "MIT", "generationTool": "couplant"}
    texts = {"fmiVersion": f"{fmi}.0", "modelName": description.name, **token, "description": description.description}
    return ET.Element("fmiModelDescription", {**texts, **maker, "variableNamingConvention": "structured"})


def _co_simulation(root: ET.Element, description: ModelDescription, fmi: str) -> None:
    can = description.capabilities
    flags: dict[str, Value] = {
        "needsExecutionTool": can.needs_execution_tool,
        "maxOutputDerivativeOrder": can.max_output_derivative_order,
        "providesDirectionalDerivative": can.directional_derivatives,
        "providesDirectionalDerivatives": can.directional_derivatives,
        "hasEventMode": can.event_mode,
        "canInterpolateInputs": False,
        "canBeInstantiatedOnlyOncePerProcess": False,
    }
    own = {name: flags.get(name, True) for name in _FLAGS[fmi]}
    element = _add(root, "CoSimulation", modelIdentifier=description.name, **own)
    if fmi == "2":
        _named_texts(element, "SourceFiles", "File", [(name, "") for name in description.source_files])


def _units(root: ET.Element, variables: tuple[Variable, ...]) -> None:
    names = sorted({variable.unit for variable in variables if variable.unit})
    definitions = _add(root, "UnitDefinitions") if names else root
    for name in names:
        element, unit = _add(definitions, "Unit", name=name), unit_of(name)
        if unit is not None:
            scale = {"factor": None if unit.factor == 1.0 else unit.factor, "offset": unit.offset or None}
            _add(element, "BaseUnit", **dict(unit.exponents), **scale)


def _types(root: ET.Element, variables: tuple[Variable, ...], fmi: str) -> None:
    types: dict[str, EnumType] = {}
    for variable in variables:
        if variable.enum is not None and types.setdefault(variable.enum.name, variable.enum) != variable.enum:
            raise ValueError(f"two enumeration types called {variable.enum.name}")
    definitions = _add(root, "TypeDefinitions") if types else root
    for name, enum in types.items():
        if fmi == "2":
            element = _add(_add(definitions, "SimpleType", name=name), "Enumeration")
        else:
            element = _add(definitions, "EnumerationType", name=name)
        for item, value, text in enum.items:
            _add(element, "Item", name=item, value=value, description=text)


def _named_texts(root: ET.Element, tag: str, entry: str, texts: Sequence[tuple[str, str]]) -> None:
    """Add a list of (name, description), if there are any."""
    parent = _add(root, tag) if texts else root
    for name, text in texts:
        _add(parent, entry, name=name, description=text)


def _variable(parent: ET.Element, variable: Variable, fmi: str) -> None:
    head = {key: getattr(variable, key) for key in ("description", "causality", "variability", "initial")}
    head = {"name": variable.name, "valueReference": variable.reference, **head}
    typed: dict[str, str | Value | None] = {"declaredType": variable.enum.name if variable.enum else None}
    if variable.type == "Real" and variable.unit:
        typed |= {"unit": variable.unit, "relativeQuantity": variable.relative or None}
    if variable.type in ("Real", "Integer"):
        typed |= {"min": variable.min, "max": variable.max}
    typed["start"] = variable.start
    if fmi == "2":
        _add(_add(parent, "ScalarVariable", **head), variable.type, **typed)
    else:
        _add(parent, _FMI3_ELEMENTS[variable.type], **head, **typed)


def _structure(root: ET.Element, variables: tuple[Variable, ...], fmi: str) -> None:
    structure = _add(root, "ModelStructure")
    # FMI 2 counts variables from 1, FMI 3 takes their references
    places = {v.reference: i if fmi == "2" else v.reference for i, v in enumerate(variables, start=1)}
    outputs = [variable for variable in variables if variable.causality == "output"]
    initial = [v for v in outputs if v.initial == "calculated" or (v.initial is None and v.start is None)]
    for tag, unknowns in (("Output", outputs), ("InitialUnknown", initial)):
        parent = _add(structure, f"{tag}s") if unknowns and fmi == "2" else structure
        for v in unknowns:
            own = tag == "InitialUnknown" and v.initial_dependencies is not None
            dependencies = v.initial_dependencies if own else v.dependencies
            if fmi == "2":
                element = _add(parent, "Unknown", index=places[v.reference])
            else:
                element = _add(parent, tag, valueReference=v.reference)
            if dependencies is not None:
                element.set("dependencies", " ".join(str(places[reference]) for reference in dependencies))
                if not dependencies:
                    element.set("dependenciesKind", "")
