"""Write `modelDescription.xml` of FMI 2.0 and FMI 3.0 from one description.

The description is a frozen record; value references must be 1..n in the order of the variables, so that importers that
read FMI 3 dependencies as indices and those that read them as references agree.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from dataclasses import dataclass
from typing import Literal

from .units import Unit, unit_of

Value = float | int | bool
Type = Literal["Real", "Integer", "Boolean", "Enumeration"]

_FMI3_ELEMENTS = {"Real": "Float64", "Integer": "Int32", "Boolean": "Boolean", "Enumeration": "Enumeration"}


@dataclass(frozen=True)
class EnumType:
    """A named list of items, `items` as (name, value, description)."""

    name: str
    items: tuple[tuple[str, int, str], ...]
    description: str = ""


@dataclass(frozen=True)
class Variable:
    """One scalar variable.

    Attributes
    ----------
    reference : int
        Value reference, equal to the index (first variable 1).
    initial : str or None
        None leaves the default of the standard.
    start : float, int, bool or None
        Enumerations start with the integer of an item.
    relative : bool
        The unit is that of a difference (`relativeQuantity`).
    derivative : int or None
        Reference of the variable of which this one is the time derivative.
    dependencies : tuple of int or None
        References an output depends on at a communication point; () for none, None leaves "everything".
    dependency_kinds : tuple of str
        `dependenciesKind`, one for each dependency, or empty.
    initial_dependencies : tuple of int or None
        The same in Initialization Mode, parameters included; None takes `dependencies`.
    """

    name: str
    reference: int
    type: Type
    causality: str
    variability: str
    description: str = ""
    initial: str | None = None
    start: Value | None = None
    unit: str | None = None
    min: Value | None = None
    max: Value | None = None
    relative: bool = False
    enum: EnumType | None = None
    derivative: int | None = None
    dependencies: tuple[int, ...] | None = ()
    dependency_kinds: tuple[str, ...] = ()
    initial_dependencies: tuple[int, ...] | None = None


@dataclass(frozen=True)
class Capabilities:
    """Capability flags of a co-simulation FMU; those of one version only are ignored by the other."""

    needs_execution_tool: bool = False
    variable_step_size: bool = True
    get_and_set_state: bool = True
    serialize_state: bool = True
    only_once_per_process: bool = False
    directional_derivatives: bool = False
    max_output_derivative_order: int = 0
    interpolate_inputs: bool = False
    event_mode: bool = False


@dataclass(frozen=True)
class ModelDescription:
    """All that `modelDescription.xml` says about an FMU.

    Attributes
    ----------
    token : str
        GUID of FMI 2, instantiation token of FMI 3.
    step_size : float or None
        Preferred communication step of the default experiment, s.
    stop_time : float or None
        Stop time of the default experiment, s.
    log_categories : tuple of (str, str)
        Name and description.
    source_files : tuple of str
        Files to compile, for FMI 2 `SourceFiles`.
    """

    model_name: str
    model_identifier: str
    token: str
    variables: tuple[Variable, ...]
    description: str = ""
    version: str = ""
    author: str = ""
    license: str = ""
    generation_tool: str = "couplant"
    start_time: float = 0.0
    stop_time: float | None = None
    step_size: float | None = None
    log_categories: tuple[tuple[str, str], ...] = ()
    capabilities: Capabilities = Capabilities()
    source_files: tuple[str, ...] = ()


def write_fmi2(description: ModelDescription) -> str:
    """Return the text of an FMI 2.0 co-simulation `modelDescription.xml` from its `description`.

    Raises
    ------
    ValueError
        If value references are not 1..n, or a variable contradicts itself.
    """
    _check(description.variables)
    root = _root(description, "2.0", "guid")
    _co_simulation_2(root, description)
    _units(root, description.variables)
    _types_2(root, description.variables)
    _categories(root, description)
    _experiment(root, description)
    variables = ET.SubElement(root, "ModelVariables")
    for variable in description.variables:
        _variable_2(variables, variable)
    _structure_2(root, description.variables)
    return _text(root)


def write_fmi3(description: ModelDescription) -> str:
    """Return the text of an FMI 3.0 co-simulation `modelDescription.xml` from its `description`.

    Raises
    ------
    ValueError
        If value references are not 1..n, a variable contradicts itself, or not exactly one variable is independent.
    """
    _check(description.variables)
    if sum(v.causality == "independent" for v in description.variables) != 1:
        raise ValueError("FMI 3 needs exactly one independent variable")
    root = _root(description, "3.0", "instantiationToken")
    _co_simulation_3(root, description)
    _units(root, description.variables)
    _types_3(root, description.variables)
    _categories(root, description)
    _experiment(root, description)
    variables = ET.SubElement(root, "ModelVariables")
    for variable in description.variables:
        _variable_3(variables, variable)
    _structure_3(root, description.variables)
    return _text(root)


def initial_unknowns(variables: tuple[Variable, ...]) -> list[Variable]:
    """Return those of `variables` that both standards want in `InitialUnknowns`, in their order."""
    states = {v.derivative for v in variables if v.derivative is not None}
    return [v for v in variables if _is_initial_unknown(v, states)]


def _is_initial_unknown(variable: Variable, states: set[int | None]) -> bool:
    if variable.causality == "calculatedParameter":
        return True
    exposed = variable.causality == "output" or variable.derivative is not None or variable.reference in states
    calculated = variable.initial in ("calculated", "approx") or (variable.initial is None and variable.start is None)
    return exposed and calculated


def _check(variables: tuple[Variable, ...]) -> None:
    for index, variable in enumerate(variables, start=1):
        if variable.reference != index:
            raise ValueError(f"{variable.name}: value reference {variable.reference}, expected {index}")
        if (variable.type == "Enumeration") != (variable.enum is not None):
            raise ValueError(f"{variable.name}: an enumeration needs its type, and nothing else has one")
        if variable.dependency_kinds and len(variable.dependency_kinds) != len(variable.dependencies or ()):
            raise ValueError(f"{variable.name}: one kind for each dependency")
    names = [variable.name for variable in variables]
    doubles = sorted({name for name in names if names.count(name) > 1})
    if doubles:
        raise ValueError(f"names used twice: {', '.join(doubles)}")


def _root(description: ModelDescription, version: str, token: str) -> ET.Element:
    root = ET.Element("fmiModelDescription", {"fmiVersion": version, "modelName": description.model_name})
    root.set(token, description.token)
    for key in ("description", "author", "version", "license"):
        if getattr(description, key):
            root.set(key, getattr(description, key))
    root.set("generationTool", description.generation_tool)
    root.set("variableNamingConvention", "structured")
    return root


def _co_simulation_2(root: ET.Element, description: ModelDescription) -> None:
    flags = description.capabilities
    element = ET.SubElement(root, "CoSimulation", {"modelIdentifier": description.model_identifier})
    _set(element, "needsExecutionTool", flags.needs_execution_tool)
    _set(element, "canHandleVariableCommunicationStepSize", flags.variable_step_size)
    _set(element, "canInterpolateInputs", flags.interpolate_inputs)
    _set(element, "maxOutputDerivativeOrder", flags.max_output_derivative_order)
    _set(element, "canBeInstantiatedOnlyOncePerProcess", flags.only_once_per_process)
    _set(element, "canGetAndSetFMUstate", flags.get_and_set_state)
    _set(element, "canSerializeFMUstate", flags.serialize_state)
    _set(element, "providesDirectionalDerivative", flags.directional_derivatives)
    if description.source_files:
        sources = ET.SubElement(element, "SourceFiles")
        for name in description.source_files:
            ET.SubElement(sources, "File", {"name": name})


def _co_simulation_3(root: ET.Element, description: ModelDescription) -> None:
    flags = description.capabilities
    element = ET.SubElement(root, "CoSimulation", {"modelIdentifier": description.model_identifier})
    _set(element, "needsExecutionTool", flags.needs_execution_tool)
    _set(element, "canBeInstantiatedOnlyOncePerProcess", flags.only_once_per_process)
    _set(element, "canGetAndSetFMUState", flags.get_and_set_state)
    _set(element, "canSerializeFMUState", flags.serialize_state)
    _set(element, "providesDirectionalDerivatives", flags.directional_derivatives)
    _set(element, "canHandleVariableCommunicationStepSize", flags.variable_step_size)
    _set(element, "maxOutputDerivativeOrder", flags.max_output_derivative_order)
    _set(element, "hasEventMode", flags.event_mode)


def _units(root: ET.Element, variables: tuple[Variable, ...]) -> None:
    names = sorted({variable.unit for variable in variables if variable.unit})
    if not names:
        return
    definitions = ET.SubElement(root, "UnitDefinitions")
    for name in names:
        _unit(definitions, name, unit_of(name))


def _unit(definitions: ET.Element, name: str, unit: Unit | None) -> None:
    element = ET.SubElement(definitions, "Unit", {"name": name})
    if unit is None:
        return
    base = ET.SubElement(element, "BaseUnit", {symbol: str(power) for symbol, power in unit.exponents})
    if unit.factor != 1.0:
        base.set("factor", repr(unit.factor))
    if unit.offset != 0.0:
        base.set("offset", repr(unit.offset))


def _enum_types(variables: tuple[Variable, ...]) -> list[EnumType]:
    types: dict[str, EnumType] = {}
    for variable in variables:
        if variable.enum is not None and types.setdefault(variable.enum.name, variable.enum) != variable.enum:
            raise ValueError(f"two enumeration types called {variable.enum.name}")
    return list(types.values())


def _types_2(root: ET.Element, variables: tuple[Variable, ...]) -> None:
    types = _enum_types(variables)
    if not types:
        return
    definitions = ET.SubElement(root, "TypeDefinitions")
    for enum in types:
        simple = ET.SubElement(definitions, "SimpleType", {"name": enum.name})
        _set_text(simple, "description", enum.description)
        _items(ET.SubElement(simple, "Enumeration"), enum)


def _types_3(root: ET.Element, variables: tuple[Variable, ...]) -> None:
    types = _enum_types(variables)
    if not types:
        return
    definitions = ET.SubElement(root, "TypeDefinitions")
    for enum in types:
        element = ET.SubElement(definitions, "EnumerationType", {"name": enum.name})
        _set_text(element, "description", enum.description)
        _items(element, enum)


def _items(parent: ET.Element, enum: EnumType) -> None:
    for name, value, text in enum.items:
        item = ET.SubElement(parent, "Item", {"name": name, "value": str(value)})
        _set_text(item, "description", text)


def _categories(root: ET.Element, description: ModelDescription) -> None:
    if not description.log_categories:
        return
    categories = ET.SubElement(root, "LogCategories")
    for name, text in description.log_categories:
        _set_text(ET.SubElement(categories, "Category", {"name": name}), "description", text)


def _experiment(root: ET.Element, description: ModelDescription) -> None:
    experiment = ET.SubElement(root, "DefaultExperiment")
    _set(experiment, "startTime", description.start_time)
    _set(experiment, "stopTime", description.stop_time)
    _set(experiment, "stepSize", description.step_size)


def _variable_2(parent: ET.Element, variable: Variable) -> None:
    scalar = ET.SubElement(parent, "ScalarVariable", {"name": variable.name})
    _set(scalar, "valueReference", variable.reference)
    _set_text(scalar, "description", variable.description)
    scalar.set("causality", variable.causality)
    scalar.set("variability", variable.variability)
    _set_text(scalar, "initial", variable.initial or "")
    element = ET.SubElement(scalar, variable.type)
    _typed_attributes(element, variable)
    _set(element, "start", variable.start)
    _set(element, "derivative", variable.derivative)


def _variable_3(parent: ET.Element, variable: Variable) -> None:
    element = ET.SubElement(parent, _FMI3_ELEMENTS[variable.type], {"name": variable.name})
    _set(element, "valueReference", variable.reference)
    _set_text(element, "description", variable.description)
    element.set("causality", variable.causality)
    element.set("variability", variable.variability)
    _set_text(element, "initial", variable.initial or "")
    _typed_attributes(element, variable)
    _set(element, "start", variable.start)
    _set(element, "derivative", variable.derivative)


def _typed_attributes(element: ET.Element, variable: Variable) -> None:
    if variable.enum is not None:
        element.set("declaredType", variable.enum.name)
    if variable.type == "Real" and variable.unit:
        element.set("unit", variable.unit)
        if variable.relative:
            _set(element, "relativeQuantity", True)
    if variable.type in ("Real", "Integer"):
        _set(element, "min", variable.min)
        _set(element, "max", variable.max)


def _structure_2(root: ET.Element, variables: tuple[Variable, ...]) -> None:
    structure = ET.SubElement(root, "ModelStructure")
    outputs = [v for v in variables if v.causality == "output"]
    for tag, unknowns in (("Outputs", outputs), ("InitialUnknowns", initial_unknowns(variables))):
        if unknowns:
            parent = ET.SubElement(structure, tag)
            for variable in unknowns:
                element = ET.SubElement(parent, "Unknown", {"index": str(variable.reference)})
                _dependencies(element, variable, initial=tag == "InitialUnknowns")


def _structure_3(root: ET.Element, variables: tuple[Variable, ...]) -> None:
    structure = ET.SubElement(root, "ModelStructure")
    outputs = [v for v in variables if v.causality == "output"]
    for tag, unknowns in (("Output", outputs), ("InitialUnknown", initial_unknowns(variables))):
        for variable in unknowns:
            element = ET.SubElement(structure, tag, {"valueReference": str(variable.reference)})
            _dependencies(element, variable, initial=tag == "InitialUnknown")


def _dependencies(element: ET.Element, variable: Variable, initial: bool) -> None:
    own = initial and variable.initial_dependencies is not None
    references = variable.initial_dependencies if own else variable.dependencies
    if references is None:
        return
    element.set("dependencies", " ".join(str(reference) for reference in references))
    kinds = () if own else variable.dependency_kinds
    if kinds or not references:
        element.set("dependenciesKind", " ".join(kinds))


def _set(element: ET.Element, key: str, value: Value | None) -> None:
    if value is not None:
        element.set(key, _number(value))


def _set_text(element: ET.Element, key: str, text: str) -> None:
    if text:
        element.set(key, text)


def _number(value: Value) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return repr(value)


def _text(root: ET.Element) -> str:
    ET.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"
