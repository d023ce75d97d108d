"""Simulate a coupling FMU with the inputs it carries and compare its outputs, bit for bit, with those it carries."""

from __future__ import annotations

import struct
from pathlib import Path

from fmpy.model_description import ModelDescription, ScalarVariable

from couplant.pack.check.instance import Instance
from couplant.pack.reference import INPUTS, OUTPUTS, STEP_SIZE, TIME
from couplant.tables import open_table

Row = dict[str, float]
Variables = dict[str, ScalarVariable]

_LARGEST = 2**24
_OF_COUPLINGS = {"y", "y_hat", "macro_step"}


def compare_reference(folder: str, description: ModelDescription) -> list[str]:
    """Return mistakes in an extracted coupling FMU or its reference result, one sentence at most."""
    variables = {variable.name: variable for variable in description.modelVariables}
    if not (description.generationTool or "").startswith("couplant") or not variables.keys() >= _OF_COUPLINGS:
        return []
    missing = [name for name in (INPUTS, OUTPUTS) if not Path(folder, name).is_file()]
    if missing:
        return [f"its reference result is incomplete: {missing[0]} is missing."]
    try:
        inputs = _read(Path(folder, INPUTS), {TIME, STEP_SIZE}, _names(variables, "input"))
        outputs = _read(Path(folder, OUTPUTS), {TIME} | _names(variables, "output"), set())
    except ValueError as error:
        return [f"its reference result is damaged: {str(error).removesuffix('.')}."]
    with Instance(folder, description) as instance:
        return _compare(instance, variables, inputs, outputs)


def _names(variables: Variables, causality: str) -> set[str]:
    return {name for name, variable in variables.items() if variable.causality == causality}


def _read(path: Path, needed: set[str], allowed: set[str]) -> list[Row]:
    if path.stat().st_size > _LARGEST:
        raise ValueError(f"{path.name} has {path.stat().st_size} bytes, allowed {_LARGEST}")
    table = open_table(path, delimiter=",", origin=path.name)
    columns = set(table.names)
    if not needed <= columns <= needed | allowed:
        odd = sorted((needed - columns) or (columns - needed - allowed))
        raise ValueError(f"{path.name} {'misses' if needed - columns else 'has'} the column {odd[0]}")
    return list(table.records())


def _compare(instance: Instance, variables: Variables, inputs: list[Row], outputs: list[Row]) -> list[str]:
    instance.begin()
    before = bool(outputs) and outputs[0][TIME] == inputs[0][TIME]  # event timing: read before the step
    for n, row in enumerate(inputs):
        time, size = row[TIME], row[STEP_SIZE]
        for name in row.keys() - {TIME, STEP_SIZE}:
            instance.set(variables[name], row[name])
        expected = outputs[n : n + 1]
        different = _differences(instance, variables, expected, time) if before else []
        if not different and not instance.goes_on(time, size):
            ends = n + before == len(outputs)
            return [] if ends else [f"it ends its run at {time!r} s, its reference result goes on."]
        if not expected:
            return [f"its run goes on at {time!r} s, where its reference result ends."]
        different = different if before else _differences(instance, variables, expected, time + size)
        if different:
            return different[:1]
    instance.end()
    return []


def _differences(instance: Instance, variables: Variables, expected: list[Row], time: float) -> list[str]:
    """Return how the FMU differs at `time` [s] from what is expected there: one row, or none."""
    return [text for row in expected for text in _of_row(instance, variables, row, time)]


def _of_row(instance: Instance, variables: Variables, row: Row, time: float) -> list[str]:
    if row[TIME] != time:
        return [f"its reference result is damaged: outputs at {row[TIME]!r} s, inputs for {time!r} s."]
    found = {name: float(instance.get(variables[name])) for name in row if name != TIME}
    return [
        f"{name} = {value!r} at {time!r} s, its reference result says {row[name]!r}."
        for name, value in found.items()
        if not _same(value, row[name])
    ]


def _same(one: float, other: float) -> bool:
    return struct.pack("<d", one) == struct.pack("<d", other)
