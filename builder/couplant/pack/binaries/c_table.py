"""The table of variables that the C code of a model is compiled with."""

from __future__ import annotations

import re
from collections.abc import Set

from couplant.pack.describe.model_sheet import Sheet, limits
from couplant.pack.describe.xml import Variable

_TYPES = {"Real": "CP_REAL", "Integer": "CP_INTEGER", "Boolean": "CP_BOOLEAN", "Enumeration": "CP_ENUMERATION"}


def c_table(sheet: Sheet) -> str:
    """Return a C header with the variables of a model in the order of their value references.

    A variable `a.b` lives in the member `a_b` of `cp_state`; where there are `c`, `c[2]`, .. these live in `c[0]`,
    `c[1]`, ..
    """
    lists = {variable.name.partition("[")[0] for variable in sheet.variables if "[" in variable.name}
    rows = "".join(
        f"    {_row(variable, _member(variable.name, lists), variable.name in sheet.any_value)},\n"
        for variable in sheet.variables
    )
    count = len(sheet.variables)
    return f"static const cp_variable cp_variables[] = {{\n{rows}}};\nenum {{ CP_N_VARIABLES = {count} }};\n"


def _member(name: str, lists: Set[str]) -> str:
    base, _, entry = name.removesuffix("]").partition("[")
    place = f"[{int(entry or 1) - 1}]" if base in lists else ""
    return re.sub(r"[^A-Za-z0-9]", "_", base) + place


def _row(variable: Variable, member: str, any_value: bool) -> str:
    numbers = ", ".join(repr(float(value)) for value in (variable.start or 0.0, *limits(variable)))
    words = f'"{variable.name}", "{variable.unit or ""}", {_TYPES[variable.type]}, {_role(variable)}'
    return f"{{{words}, {'CP_ANY_VALUE' if any_value else '0'}, offsetof(cp_state, {member}), {numbers}}}"


def _role(variable: Variable) -> str:
    if variable.causality == "parameter":
        return f"CP_{variable.variability.upper()}"
    return {"input": "CP_INPUT", "output": "CP_OUTPUT", "independent": "CP_TIME"}[variable.causality]
