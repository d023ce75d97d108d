"""Keys of settings files that are parameters of the coupling FMU."""

from __future__ import annotations

from .description import Description, Variable

TYPES = {"real": "Real", "integer": "Whole", "boolean": "Flag"}


def keys(d: Description) -> str:
    """Return the module with one table for each first part of structured names, its keys in their order."""
    rows = [row for group in d.groups if not group.names for row in group.rows if row.parameter and "." in row.name]
    lines = ['"""Keys that are parameters of the coupling FMU, a table for each first part of their names.', ""]
    lines += ["Written from coupling.toml by fmu_src/generator.", '"""', ""]
    lines += ["from typing import Annotated", "", "from couplant.config.frame.read import Flag, Real, Table, Whole"]
    lines += ["from couplant.config.parameters import items, parameter", ""]
    for section in dict.fromkeys(_section(row) for row in rows):
        lines += ["", f"class {section.capitalize()}Keys(Table):", f'    """Keys of ``{section}``."""', ""]
        lines += [_key(d, row) for row in rows if _section(row) == section]
        lines += [""]
    return "\n".join(lines)


def _section(row: Variable) -> str:
    return row.name.partition(".")[0]


def _key(d: Description, row: Variable) -> str:
    kind = f'Annotated[str, items("{row.name}")]' if row.kind in d.enumerations else TYPES[row.kind]
    return f'    {row.name.partition(".")[2]}: {kind} = parameter("{row.name}")'
