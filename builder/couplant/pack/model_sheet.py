"""The variables of a prototype or network as `model.toml` in its source folder lists them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import tomlkit

from couplant import paths
from couplant.errors import UsageError
from couplant.pack.xml import EnumType, Value, Variable

UNLIMITED = 1.7976931348623157e308

_CAUSALITIES = {"input": "input", "output": "output", "fixed": "parameter", "tunable": "parameter"}
_KINDS = {"Real": float, "Integer": int, "Boolean": bool, "Enumeration": int}


@dataclass(frozen=True)
class Sheet:
    """A model as its list of variables describes it.

    Attributes
    ----------
    step_size, stop_time : float
        Default experiment, s.
    variables : tuple of Variable
        With `time` as the last one.
    any_value : frozenset of str
        Names of the inputs that take NaN and infinity.
    """

    name: str
    description: str
    step_size: float
    stop_time: float
    variables: tuple[Variable, ...]
    any_value: frozenset[str]

    def started(self, starts: Mapping[str, Value | str]) -> Sheet:
        """Return the sheet with other start values, `starts` by name.

        Raises
        ------
        UsageError
            If a name is unknown or an output, or a value is of the wrong type or out of range.
        """
        names = {variable.name for variable in self.variables}
        for name in starts:
            if name not in names:
                raise UsageError(f"{self.name} has no variable {name}")
        return replace(
            self, variables=tuple(_started(v, starts[v.name]) if v.name in starts else v for v in self.variables)
        )


def read_sheet(name: str) -> Sheet:
    """Read the list of variables of the model `name` in `fmu_src/models`."""
    text = (paths.fmu_source("models") / name / "model.toml").read_text(encoding="utf-8")
    document = tomlkit.parse(text).unwrap()
    rows = [row for listed in document["variables"] for row in _listed(listed)]
    references = {row["name"]: index for index, row in enumerate(rows, start=1)}
    variables = [_variable(row, references) for row in rows]
    variables.append(Variable("time", len(rows) + 1, "Real", "independent", "continuous", "Time", unit="s"))
    any_value = frozenset(row["name"] for row in rows if row.get("any_value"))
    keys = ("name", "description", "step_size", "stop_time")
    return Sheet(*(document[key] for key in keys), tuple(variables), any_value)


def _listed(row: Mapping[str, object]) -> list[Mapping[str, object]]:
    """Return the row, and with `list` = n those of its entries 2 to n."""
    entries = range(2, int(row.get("list", 1)) + 1)
    words = str(row.get("list_description", ""))
    more = ({**row, "name": f"{row['name']}[{i}]", "description": words.format(i=i)} for i in entries)
    return [row, *more]


def limits(variable: Variable) -> tuple[float, float]:
    """Return smallest and largest value that `variable` takes."""
    if variable.enum is not None:
        values = [value for _, value, _ in variable.enum.items]
        return min(values), max(values)
    if variable.type == "Boolean":
        return 0, 1
    unlimited = UNLIMITED if variable.type == "Real" else 2147483647
    low = -unlimited if variable.min is None else variable.min
    return low, unlimited if variable.max is None else variable.max


def _variable(row: Mapping[str, object], references: Mapping[str, int]) -> Variable:
    kind, type_ = row["kind"], row.get("type", "Real")
    output = kind == "output"
    initial = tuple(references[name] for name in row.get("initial_dependencies", ()))
    return Variable(
        name=row["name"],
        reference=references[row["name"]],
        type=type_,
        causality=_CAUSALITIES[kind],
        variability=_variability(row, kind, type_),
        description=row["description"],
        initial="calculated" if output else None,
        start=None if output else _KINDS[type_](row.get("start", 0)),
        unit=row.get("unit"),
        min=row.get("min"),
        max=row.get("max"),
        enum=_enum(row) if type_ == "Enumeration" else None,
        dependencies=tuple(references[name] for name in row.get("dependencies", ())),
        initial_dependencies=initial if output else None,
    )


def _variability(row: Mapping[str, object], kind: str, type_: str) -> str:
    if kind in ("fixed", "tunable"):
        return kind
    return row.get("variability", "continuous" if type_ == "Real" else "discrete")


def _enum(row: Mapping[str, object]) -> EnumType:
    name = "".join(part.capitalize() for part in row["name"].replace("_", ".").split("."))
    return EnumType(name, tuple((item, value, text) for value, (item, text) in enumerate(row["items"], start=1)))


def _started(variable: Variable, start: Value | str) -> Variable:
    if variable.start is None:
        raise UsageError(f"{variable.name} has no start value")
    value = _converted(variable, start)
    low, high = limits(variable)
    if not low <= value <= high:
        raise UsageError(f"{variable.name} = {start}, allowed {low} to {high}")
    return replace(variable, start=value)


def _converted(variable: Variable, start: Value | str) -> Value:
    if variable.enum is not None and isinstance(start, str):
        names = {item: value for item, value, _ in variable.enum.items}
        if start not in names:
            raise UsageError(f"{variable.name} = {start}, allowed {', '.join(names)}")
        return names[start]
    kind = _KINDS[variable.type]
    if not isinstance(start, (int, float)) or not abs(start) <= UNLIMITED or kind(start) != start:
        raise UsageError(f"{variable.name} = {start!r} is not of type {variable.type}")
    return kind(start)
