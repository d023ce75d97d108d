"""Fields of keys. Those that are parameters of an FMU take start value, limits and unit from its list of variables."""

from functools import cache
from typing import Annotated, Any

from pydantic import Field, PlainSerializer, PlainValidator, WithJsonSchema

from couplant.base.paths import fmu_source
from couplant.config.frame.read import Content, OneOf, allow, read_toml
from couplant.config.ref import WRITTEN_REF, Ref, ref_of
from couplant_runtime.generated.numbers import ENUMERATIONS
from couplant_runtime.generated.variables import ALL
from couplant_runtime.guard import UNLIMITED

_COUPLING = {variable.name: variable for variable in ALL}
_UNITS = {"": "-", "signal": "signal unit", "d signal": "signal unit", "signal/s": "signal unit/s"}

WrittenRef = Annotated[
    Ref,
    PlainValidator(ref_of),
    PlainSerializer(str),
    WithJsonSchema({"type": "string", "pattern": f"^{WRITTEN_REF.pattern}$"}),
    allow('"component.variable"'),
]
"""The type of a key that names a variable of a component."""


def setting(default: Any, words: str, **limits: Any) -> Any:
    """Return the field of a key that may be left out: its `default` then, what it means, with its unit.

    The `limits` are those of a field of pydantic: ge, gt, le.
    """
    return Field(default=default, description=words, **limits)


def items(name: str) -> OneOf:
    """Return the items of the parameter `name` of the coupling FMU, an enumeration."""
    return OneOf(tuple(ENUMERATIONS[_COUPLING[name].items]))


def parameter(name: str, words: str = "", **limits: float | None) -> Any:
    """Return the field of a key that is a parameter of the coupling FMU.

    `words` are what it means, without the unit; not given: as the variable says. `limits` are ge, gt, le where the file
    allows other values than the FMU; None lifts a limit.
    """
    row = _COUPLING[name]
    words = words or row.description
    if row.items:
        start = next(item for item, number in ENUMERATIONS[row.items].items() if number == row.start)
        return Field(default=start, description=words)
    if row.kind == "boolean":
        return Field(default=bool(row.start), description=words)
    low = None if row.minimum == -UNLIMITED else row.minimum
    high = None if row.maximum == UNLIMITED else row.maximum
    return _number(row.kind == "integer", row.start, {"ge": low, "le": high} | limits, words, row.unit)


def network_parameter(name: str, words: str = "", **given: Any) -> Any:
    """Return the field of a key that is a parameter of the network FMU.

    `words` are what it means, without the unit; not given: as the variable says. `given` are default, ge, gt, le where
    the file has others than the FMU; None lifts a limit.
    """
    row = _network()[name]
    words = words or row["description"][0].lower() + row["description"][1:]
    start, kind = given.pop("default", row["start"]), row.get("type")
    if kind == "Boolean":
        return Field(default=start, description=words)
    limits = {"ge": row.get("min"), "le": row.get("max")} | given
    return _number(kind == "Integer", start, limits, words, row.get("unit", ""))


@cache
def _network() -> dict[str, Content]:
    rows = read_toml(fmu_source("models") / "network" / "model.toml")["variables"]
    return {row["name"]: row for row in rows}


def _number(whole: bool, start: Any, limits: dict[str, float | None], words: str, unit: str) -> Any:
    kind = int if whole else float
    given: dict[str, Any] = {name: kind(limit) for name, limit in limits.items() if limit is not None}
    return Field(default=kind(start), description=f"{words} [{_UNITS.get(unit, unit)}]", **given)
