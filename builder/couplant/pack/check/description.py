"""Rules for a model description of couplant beyond the standard (docs/variables.md)."""

import re
from collections.abc import Collection, Iterator, Mapping
from itertools import pairwise

from fmpy.model_description import ModelDescription, ScalarVariable

_LONGEST_NAME = 55
_TOKEN = re.compile(r"\{?[0-9a-f]{8}(-?[0-9a-f]{4}){3}-?[0-9a-f]{12}\}?", re.IGNORECASE)
_REALS = ("Real", "Float32", "Float64")

_PLAIN = r"[A-Za-z_][A-Za-z0-9_]*"
_QUOTED = r"'(?:[A-Za-z0-9_!#$%&()*+,\-./:;<>=?@\[\]^{}|~ ]|\\['\"?\\abfnrtv])+'"
_INDICES = r"(?:\[[0-9]+(?:,[0-9]+)*\])?"
_PART = rf"(?:{_PLAIN}|{_QUOTED}){_INDICES}"
_IDENTIFIER = rf"{_PART}(?:\.{_PART})*"
_STRUCTURED = re.compile(rf"{_IDENTIFIER}|der\({_IDENTIFIER}(?:,[0-9]+)?\)")
_FLAT = re.compile(r"[^\r\n\t]*")


def rules(description: ModelDescription) -> list[str]:
    """Return a sentence for each rule that is broken."""
    found = list(_whole(description))
    items = {kind.name: {int(item.value) for item in kind.items} for kind in description.typeDefinitions}
    for variable in description.modelVariables:
        found += _variable(variable, items)
    return [*found, *_units(description)]


def _variable(variable: ScalarVariable, items: Mapping[str, Collection[int]]) -> Iterator[str]:
    name = variable.name
    if len(name) > _LONGEST_NAME:
        yield f"the name {name} has {len(name)} characters, allowed {_LONGEST_NAME}."
    if not variable.description:
        yield f"{name} has no description."
    if variable.type == "Enumeration":
        allowed = items[variable.declaredType.name] if variable.declaredType is not None else ()
        if not allowed:
            yield f"{variable.name} is an enumeration without items."
        elif variable.start is not None and int(variable.start) not in allowed:
            yield f"{variable.name} starts with {variable.start}, which is no item of its enumeration."
    elif variable.start is not None and variable.type != "Boolean":
        low = float(variable.min) if variable.min is not None else -float("inf")
        high = float(variable.max) if variable.max is not None else float("inf")
        if not low <= float(variable.start) <= high:
            yield f"{variable.name} starts with {variable.start}, allowed {low:g} to {high:g}."


def _units(description: ModelDescription) -> Iterator[str]:
    defined = {unit.name for unit in description.unitDefinitions}
    for variable in description.modelVariables:
        if variable.type in _REALS and variable.unit and variable.unit not in defined:
            yield f"the unit {variable.unit} of {variable.name} is not defined."
    units = {variable.name: variable.unit for variable in description.modelVariables}
    if "y" in units and "y_hat" in units and units["y"] != units["y_hat"]:
        yield f"y has the unit {units['y']} and y_hat the unit {units['y_hat']}."


def _whole(description: ModelDescription) -> Iterator[str]:
    """Yield the mistakes in token, references, structure and default experiment."""
    token = description.guid or getattr(description, "instantiationToken", None) or ""
    if not _TOKEN.fullmatch(token):
        yield f'the GUID "{token}" does not consist of 32 hexadecimal digits.'
    for one, after in pairwise(description.modelVariables):
        if not one.valueReference < after.valueReference:
            where = f"expected below {after.valueReference}, that of {after.name}"
            yield f"{one.name} has the value reference {one.valueReference}, {where}."
            break
    listed = {unknown.variable.name: unknown for unknown in description.outputs}
    outputs = [variable.name for variable in description.modelVariables if variable.causality == "output"]
    yield from (f"the output {name} is missing from the model structure." for name in outputs if name not in listed)
    unknowns = [("output", unknown) for unknown in description.outputs]
    unknowns += [("initial unknown", unknown) for unknown in description.initialUnknowns]
    for kind, unknown in unknowns:
        if unknown.dependencies is None:
            yield f"the {kind} {unknown.variable.name} declares no dependencies: importers see an algebraic loop."
    starts = {variable.name: variable.start for variable in description.modelVariables}
    step = description.defaultExperiment.stepSize if description.defaultExperiment is not None else None
    macro_step = float(starts.get("macro_step") or 0.0)
    parts = macro_step / float(step) if step and float(step) > 0.0 else 0.0
    if macro_step > 0.0 and (round(parts) < 1 or abs(parts - round(parts)) > 1e-6 * parts):
        yield f"the step size of the default experiment is {step}, macro_step is {macro_step!r}."


def wrong_names(description: ModelDescription) -> Iterator[str]:
    """Yield a sentence for each name that does not keep to the convention that the model description names."""
    convention = "flat" if description.variableNamingConvention == "flat" else "structured"
    allowed = _FLAT if convention == "flat" else _STRUCTURED
    for variable in description.modelVariables:
        if not allowed.fullmatch(variable.name):
            yield f'"{variable.name}" is no name of the naming convention "{convention}".'
