"""Sheet of a prototype, of the network or of the probe, from `model.toml` in its source folder, and its page."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Literal

from pydantic import Field

from couplant.base import paths
from couplant.base.errors import UsageError
from couplant.config.frame.read import Table, check, read_toml
from couplant.config.system import PrototypeTable
from couplant.pack.describe.shown import Shown, Terminal
from couplant.pack.describe.xml import Capabilities, EnumType, Type, Value, Variable
from couplant_runtime.guard import UNLIMITED

_KINDS: dict[Type, type[float]] = {"Real": float, "Integer": int, "Boolean": bool, "Enumeration": int}
_FOLDER = "models"
SHEET, CODE = "model.toml", "model.c"  # the two files of a model

_FIRST, _SLOPE = "[1]", ".slope"


class _Row(Table):
    """A variable, or with `list` = n the n entries of one; of the unit "signal" is what the model carries.

    Entry i of `NAME` is called ``NAME[i]``, the first one too if the row calls it so; then what it depends on with
    ``[1]`` at the end is that of entry i.

    Inputs with `any_value` take NaN and infinity; a start `at_macro_step` is the macro step where one is given.
    """

    name: str
    kind: Literal["input", "output", "fixed", "tunable"]
    description: str
    type: Type = "Real"
    unit: str | None = None
    variability: str | None = None
    start: Value = 0
    min: Value | None = None
    max: Value | None = None
    items: tuple[tuple[str, str], ...] = ()
    list: int = 1
    list_description: str = ""
    any_value: bool = False
    at_macro_step: bool = False
    dependencies: tuple[str, ...] = ()
    initial_dependencies: tuple[str, ...] = ()


class Joined(Table):
    """A terminal: variables that are connected together, by what they are called there; lists have all entries."""

    description: str
    members: dict[str, str]


class _Document(Table):
    """A whole `model.toml`."""

    description: str
    step_size: float  # of the default experiment, s
    stop_time: float  # of the default experiment, s
    capabilities: tuple[Literal["directional_derivatives", "event_mode"], ...] = ()
    variables: tuple[_Row, ...]
    linear: PrototypeTable | None = None
    terminals: dict[str, Joined] = Field(default_factory=dict)


@dataclass(frozen=True)
class Sheet:
    """A model as its list of variables describes it."""

    name: str
    description: str
    step_size: float  # of the default experiment, s
    stop_time: float  # of the default experiment, s
    capabilities: Capabilities
    variables: tuple[Variable, ...]  # with `time` as the last one
    any_value: frozenset[str]  # names of the inputs that take NaN and infinity
    at_macro_step: tuple[str, ...]  # names of the parameters that start with the macro step where one is given
    linear: PrototypeTable | None  # the model at rest, if it is linear; its expressions know the parameters
    terminals: dict[str, Joined]  # by name, those that FMUs of version 3 of the standard have

    def with_starts(self, starts: Mapping[str, Value | str], macro_step: float | None = None) -> "Sheet":
        """Return the sheet with other start values, `starts` by name, and for a `macro_step` [s], if it is given.

        Raise `UsageError` if a name is unknown or an output, or a value is of the wrong type or out of range.
        """
        if macro_step is not None:
            starts = {**dict.fromkeys(self.at_macro_step, macro_step), **starts}
        unknown = starts.keys() - {variable.name for variable in self.variables}
        if unknown:
            raise UsageError(f"{self.name} has no variable {min(unknown)}")
        variables = tuple(_with_start(v, starts[v.name]) if v.name in starts else v for v in self.variables)
        return replace(self, variables=variables, step_size=self.step_size if macro_step is None else macro_step)

    def parameters(self) -> dict[str, float]:
        """Return the start values of the parameters by name."""
        return {v.name: float(v.start or 0.0) for v in self.variables if v.causality == "parameter"}


def model_names() -> tuple[str, ...]:
    """Return the models that there are: folders with a `model.toml`."""
    return tuple(sorted(path.parent.name for path in paths.fmu_source(_FOLDER).glob(f"*/{SHEET}")))


def read_sheet(model: str | Path, unit: str | None = None) -> Sheet:
    """Return the sheet of a model, by its name or by the path of its `model.toml`; it carries a signal of `unit`.

    Raise `UsageError` if there is no such model, or its sheet is wrong.
    """
    if isinstance(model, str) and model not in model_names():
        raise UsageError(f"model = {model}, allowed {', '.join(model_names())}")
    path = model if isinstance(model, Path) else paths.fmu_source(_FOLDER) / model / SHEET
    found = path.stat() if path.is_file() else None
    return _read(path, found and (found.st_mtime_ns, found.st_size), unit)


@lru_cache(maxsize=64)
def _read(path: Path, state: tuple[int, int] | None, unit: str | None) -> Sheet:
    """Return the sheet in the file `path`, read again only after its time or size, its `state`, has changed."""
    document = check(_Document, read_toml(path), path)
    rows = []
    for row in document.variables:
        rows += [row, *(row.model_copy(update=_entry(row, i)) for i in range(2, row.list + 1))]
    references = {row.name: index for index, row in enumerate(rows, start=1)}
    variables = [_variable(row, references, unit) for row in rows]
    return Sheet(
        name=path.parent.name,
        description=document.description,
        step_size=document.step_size,
        stop_time=document.stop_time,
        capabilities=Capabilities(
            directional_derivatives="directional_derivatives" in document.capabilities,
            event_mode="event_mode" in document.capabilities,
        ),
        variables=(*variables, Variable("time", len(rows) + 1, "Real", "independent", "continuous", "Time", unit="s")),
        any_value=frozenset(row.name for row in rows if row.any_value),
        at_macro_step=tuple(row.name for row in rows if row.at_macro_step),
        linear=document.linear,
        terminals=document.terminals,
    )


def _entry(row: _Row, i: int) -> dict[str, object]:
    words = row.list_description.format(i=i)
    own: dict[str, object] = {"name": f"{row.name.removesuffix(_FIRST)}[{i}]", "description": words}
    if not row.name.endswith(_FIRST):
        return own
    needed = {key: getattr(row, key) for key in ("dependencies", "initial_dependencies")}
    return own | {
        key: tuple(f"{name.removesuffix(_FIRST)}[{i}]" if name.endswith(_FIRST) else name for name in names)
        for key, names in needed.items()
    }


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


def _variable(row: _Row, references: Mapping[str, int], unit: str | None) -> Variable:
    parameter, output = row.kind in ("fixed", "tunable"), row.kind == "output"
    usual = "continuous" if row.type == "Real" else "discrete"
    return Variable(
        name=row.name,
        reference=references[row.name],
        type=row.type,
        causality="parameter" if parameter else row.kind,
        variability=row.kind if parameter else row.variability or usual,
        description=row.description,
        initial="calculated" if output else None,
        start=None if output else _KINDS[row.type](row.start),
        unit=unit if row.unit == "signal" else row.unit,
        min=row.min,
        max=row.max,
        enum=_enum(row) if row.type == "Enumeration" else None,
        dependencies=tuple(references[name] for name in row.dependencies),
        initial_dependencies=tuple(references[name] for name in row.initial_dependencies) if output else None,
    )


def _enum(row: _Row) -> EnumType:
    name = "".join(part.capitalize() for part in row.name.replace("_", ".").split("."))
    return EnumType(name, tuple((item, value, text) for value, (item, text) in enumerate(row.items, start=1)))


def _with_start(variable: Variable, start: Value | str) -> Variable:
    if variable.start is None:
        raise UsageError(f"{variable.name} has no start value")
    value = _convert(variable, start)
    low, high = limits(variable)
    if not low <= value <= high:
        raise UsageError(f"{variable.name} = {start}, allowed {low} to {high}")
    return replace(variable, start=value)


def _convert(variable: Variable, start: Value | str) -> Value:
    if variable.enum is not None and isinstance(start, str):
        names = {item: value for item, value, _ in variable.enum.items}
        if start not in names:
            raise UsageError(f"{variable.name} = {start}, allowed {', '.join(names)}")
        return names[start]
    kind = _KINDS[variable.type]
    if not isinstance(start, (int, float)) or not abs(start) <= UNLIMITED or kind(start) != start:
        raise UsageError(f"{variable.name} = {start!r} is not of type {variable.type}")
    return kind(start)


def model_page(sheet: Sheet) -> Shown:
    """Return the page of the model of a `sheet`."""
    inputs = [variable.name for variable in sheet.variables if variable.causality == "input"]
    sloped = [name for name in inputs if name + _SLOPE in inputs]
    pairs = [Terminal(name, f"Input {name}", {name: "value", name + _SLOPE: "slope"}) for name in sloped]
    return Shown(
        kind=f"model `{sheet.name}`",
        facts={"communication step": f"{sheet.step_size:g} s", "stop time": f"{sheet.stop_time:g} s"},
        connect=_connect(sheet, sloped),
        terminals=(*pairs, *_terminals(sheet)),
    )


def _connect(sheet: Sheet, sloped: list[str]) -> dict[str, str]:
    found = {"communication step": f"{sheet.step_size:g} s is what it was made for; any constant step will do."}
    if sloped:
        names = ", ".join(f"`{name}{_SLOPE}`" for name in sloped)
        found["slopes"] = f"{names}: per s, over the step that begins. Importers that know none leave them at 0."
    names_of = {variable.reference: variable.name for variable in sheet.variables}
    direct = [
        f"`{one.name}` ({', '.join(names_of[reference] for reference in one.dependencies)})"
        for one in sheet.variables
        if one.causality == "output" and one.dependencies and ("[" not in one.name or one.name.endswith(_FIRST))
    ]
    if direct:
        found["at once"] = f"Outputs that follow inputs without a step between: {', '.join(direct)}."
    return found


def _terminals(sheet: Sheet) -> list[Terminal]:
    """Return the terminals that the sheet names; members that are lists have all their entries."""
    names = [variable.name for variable in sheet.variables]
    return [
        Terminal(name, one.description, {
            variable: member + variable.removeprefix(base)
            for member, base in one.members.items()
            for variable in names
            if variable == base or variable.startswith(base + "[")
        })
        for name, one in sheet.terminals.items()
    ]  # fmt: skip
