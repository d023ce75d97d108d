"""What the C frame of a native FMU is given: its table of variables and its settings."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence, Set

from couplant.pack.model_sheet import limits
from couplant.pack.xml import Variable

_TYPES = {"Real": "CP_REAL", "Integer": "CP_INTEGER", "Boolean": "CP_BOOLEAN", "Enumeration": "CP_ENUMERATION"}


def c_table(variables: Sequence[Variable], any_value: Set[str] = frozenset()) -> str:
    """Return a C header with the table of variables of a model.

    Parameters
    ----------
    variables : sequence of Variable
        In the order of their value references. A variable `a.b` lives in the member `a_b` of `cp_state`; where there
        are `c`, `c[2]`, .. these live in `c[0]`, `c[1]`, ..
    any_value : set of str
        Names of those that take NaN and infinity.
    """
    lists = {variable.name.partition("[")[0] for variable in variables if "[" in variable.name}
    rows = "".join(
        f"    {_row(variable, _member(variable.name, lists), variable.name in any_value)},\n" for variable in variables
    )
    return f"static const cp_variable cp_variables[] = {{\n{rows}}};\nenum {{ CP_N_VARIABLES = {len(variables)} }};\n"


def _member(name: str, lists: Set[str]) -> str:
    base, _, entry = name.removesuffix("]").partition("[")
    place = f"[{int(entry or 1) - 1}]" if base in lists else ""
    return re.sub(r"[^A-Za-z0-9]", "_", base) + place


def _row(variable: Variable, member: str, any_value: bool) -> str:
    flags = "CP_ANY_VALUE" if any_value else "0"
    low, high = limits(variable)
    role = _role(variable)
    offset = f"offsetof(cp_state, {member})"
    numbers = ", ".join(repr(float(value)) for value in (variable.start or 0.0, low, high))
    words = f'"{variable.name}", "{variable.unit or ""}", {_TYPES[variable.type]}, {role}'
    return f"{{{words}, {flags}, {offset}, {numbers}}}"


def _role(variable: Variable) -> str:
    if variable.causality == "parameter":
        return "CP_FIXED" if variable.variability == "fixed" else "CP_TUNABLE"
    return {"input": "CP_INPUT", "output": "CP_OUTPUT", "independent": "CP_TIME"}[variable.causality]


def settings_text(token: str, fingerprint: int, lists: Mapping[str, Sequence[float]]) -> str:
    """Return `settings.txt`, which a native FMU reads once at instantiation.

    Parameters
    ----------
    token : str
        GUID or instantiation token.
    fingerprint : int
        64 bits; states of FMUs that differ in it do not fit each other.
    lists : dict of str to sequence of float
        Numbers by key; written exactly.
    """
    lines = ["couplant settings 1", f"token {token}", f"hash {fingerprint:016x}"]
    for key, values in lists.items():
        lines.append(" ".join([key, str(len(values)), *(float(value).hex() for value in values)]))
    return "\n".join(lines) + "\n"
