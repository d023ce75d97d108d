"""Contents of coupling.toml, as records."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import tomlkit

SOURCE = Path(__file__).resolve().parents[1] / "coupling.toml"
WIDTHS = {"f64": 8, "i64": 8, "i32": 4, "u8": 1}
"""Types of fields with their sizes [bytes], in the order in which a record has them."""
WIDEST = {"i64": (-(2.0**63), 2.0**63), "i32": (-(2.0**31), 2.0**31 - 1), "u8": (0, 255)}
"""Ranges of whole numbers."""
PARTS = ("energy", "neural")
"""What the kernel can be compiled without."""
WITH = {name: "energy" for name in ("follow", "latency.follow", "phasor", "plant")}
"""Records and features that are in a part of another name."""
UNLIMITED = 1.7976931348623157e308


@dataclass(frozen=True)
class Field:
    """A field of a record; `count` is an expression of sizes, "" for a single number."""

    name: str
    type: str
    count: str
    unit: str
    words: str
    bound: dict[str, float | str] | None = None  # what its row says of the least and the most in a saved state

    @property
    def said(self) -> str:
        """Return words and unit as a comment says them."""
        return f"{self.words}, {self.unit}" if self.unit else self.words

    def number(self, sizes: dict[str, int]) -> int:
        """Return how many numbers it has: its count is a size, a product or a sum of two."""
        if "*" in self.count:
            left, right = self.count.split("*")
            return sizes[left] * sizes[right]
        return sum(sizes[word] if word in sizes else int(word) for word in (self.count or "1").split("+"))


@dataclass(frozen=True)
class Record:
    """A record of the state, its fields sorted by width; one of a `feature` is used in FMUs with it only."""

    name: str
    words: str
    feature: str
    optional: bool
    native: bool
    fields: tuple[Field, ...]

    @property
    def part(self) -> str:
        """Return the part of the kernel that it belongs to, one of `PARTS` or ""."""
        return _part(self.name, self.feature)

    def filler(self, sizes: dict[str, int]) -> int:
        """Return the bytes that fill it up to a whole number of doubles."""
        return -sum(WIDTHS[one.type] * one.number(sizes) for one in self.fields) % 8


@dataclass(frozen=True)
class Variable:
    """A variable of the FMU; `index` is -1 where its place is no list."""

    name: str
    kind: str
    role: str
    place: str
    words: str
    more: dict[str, Any]
    feature: str
    index: int = -1

    @property
    def record(self) -> str:
        """Return the record that holds its value."""
        return self.place.partition(".")[0]

    @property
    def part(self) -> str:
        """Return the part of the kernel without which there is no such variable, one of `PARTS` or ""."""
        return _part(self.record, self.feature)

    @property
    def parameter(self) -> bool:
        """Return whether the variable is a parameter."""
        return self.role in ("fixed", "tunable")


@dataclass(frozen=True)
class Group:
    """Variables that a feature asks for; with `names` each row stands for one variable by name, "{i}" in its texts."""

    feature: str
    names: tuple[str, ...]
    count: str
    first: int
    rows: tuple[Variable, ...]

    def variables(self) -> Iterator[Variable]:
        """Return all variables, in order."""
        for index, name in enumerate(self.names):
            for row in self.rows:
                yield replace(row, name=row.name.format(i=name), words=row.words.format(i=name), index=index)
        yield from () if self.names else self.rows


@dataclass(frozen=True)
class Algorithm:
    """An algorithm; `m`, the values that it needs, is for people."""

    number: int
    m: str
    k_max: int
    words: str
    kinds: tuple[str, ...]
    needs: str = ""
    module: str = ""
    colours: tuple[str, ...] = ()
    runtime: str = "both"

    @property
    def native(self) -> bool:
        """Return whether the variable exists in C."""
        return self.runtime == "both"


@dataclass(frozen=True)
class Description:
    """All that coupling.toml says."""

    sizes: dict[str, int]
    size_words: dict[str, str]
    constants: dict[str, dict[str, tuple[float, str, str]]]
    algorithms: dict[str, Algorithm]
    enumerations: dict[str, dict[str, int]]
    prefixes: dict[str, str]
    events: list[list[str]]
    records: tuple[Record, ...]
    groups: tuple[Group, ...]

    def bound(self, record: Record, one: Field) -> tuple[float, float] | None:
        """Return the least and the most that a saved state may have in a field; None if nothing bounds it.

        A field of whole numbers that is bounded by neither its row nor its kind has the range of its type here, and a
        test that fails.
        """
        shown = [v for group in self.groups for v in group.rows if v.place == f"{record.name}.{one.name}"]
        if any((v.parameter and v.kind != "boolean") or (v.role == "input" and one.type == "f64") for v in shown):
            return None
        if one.bound is not None:
            default = UNLIMITED if one.type == "f64" else WIDEST[one.type][1]
            return self._number(one.bound.get("min", 0)), self._number(one.bound.get("max", default))
        if one.type == "f64":
            return -UNLIMITED, UNLIMITED
        return (0, most) if (most := self.most(one)) is not None else WIDEST[one.type]

    def most(self, one: Field) -> int | None:
        """Return the largest number of a flag, an enumeration or bits; None of any other field."""
        if one.unit == "Algorithm":
            return len(self.algorithms)
        if one.unit in self.enumerations:
            return max(self.enumerations[one.unit].values())
        return {"": 1, "bits": (1 << len(self.events)) - 1}.get(one.unit)

    def _number(self, text: float | str) -> float:
        """Return the value of a number, of the name of a size or constant, or of two of them and a sign between."""
        if not isinstance(text, str):
            return text
        left, *rest = re.split(r" ([-+*/]) ", text)
        value = self._number_named(left)
        for sign, right in zip(rest[::2], rest[1::2], strict=True):
            other = self._number_named(right)
            value = {"+": value + other, "-": value - other, "*": value * other, "/": value / other}[sign]
        return value

    def _number_named(self, name: str) -> float:
        every = self.sizes | {key: row[0] for group in self.constants.values() for key, row in group.items()}
        return every[name] if name in every else float(name)

    def limits(self, variable: Variable) -> tuple[float | None, float | None]:
        """Return the smallest and the largest value that a variable may be given, None where there is no limit."""
        if variable.parameter and variable.kind in self.enumerations:
            items = self.enumerations[variable.kind].values()
            return min(items), max(items)
        return variable.more.get("min"), variable.more.get("max")

    @property
    def members(self) -> tuple[str, ...]:
        """Return the algorithms that `auto` blends: those that have a variable with their share."""
        return next(group.names for group in self.groups if group.names and not group.count)

    @property
    def native_variables(self) -> list[Variable]:
        """Return the variables that exist in C."""
        every = (variable for group in self.groups for variable in group.variables())
        return [variable for variable in every if variable.record in self.native_records]

    @property
    def native_records(self) -> set[str]:
        """Return the names of the records that exist in C."""
        return {record.name for record in self.records if record.native}


def read(path: Path = SOURCE) -> Description:
    """Return the description in a file."""
    document = tomlkit.parse(path.read_text(encoding="utf-8")).unwrap()
    sizes = {name: value for name, (value, _) in document["sizes"].items()}
    algorithms = {
        name: Algorithm(number, kinds=tuple(row.pop("is", ())), **row)
        for number, (name, row) in enumerate(document["algorithms"].items(), start=1)
    }
    records = tuple(sorted(map(_record, document["record"]), key=_rank))
    return Description(
        sizes=sizes,
        size_words={name: words for name, (_, words) in document["sizes"].items()},
        constants=document["constants"],
        algorithms=algorithms,
        enumerations=_enumerations(algorithms, document["enumerations"]),
        prefixes={name: row.get("prefix", "") for name, row in document["enumerations"].items()},
        events=document["events"]["rows"],
        records=records,
        groups=_order(records, [_group(row, sizes) for row in document["variables"]]),
    )


def _part(*names: str) -> str:
    """Return the part of the kernel that a record and a feature with these names belong to, or ""."""
    parts = {WITH.get(name, name) for name in names}
    return next((part for part in PARTS if part in parts), "")


def _order(records: tuple[Record, ...], groups: list[Group]) -> tuple[Group, ...]:
    """Return the groups with those last that a kernel may be compiled without, then those not in C."""
    rank = {record.name: _rank(record) for record in records}
    features = {record.feature: _rank(record) for record in records if record.feature}
    return tuple(sorted(groups, key=lambda group: features.get(group.feature, rank[group.rows[0].record])))


def _rank(record: Record) -> int:
    """Return where a record stands: those that all FMUs use come first, those that are not in C last."""
    return bool(record.feature) + 2 * record.optional + (not record.native)


def _enumerations(algorithms: dict[str, Algorithm], rows: dict[str, Any]) -> dict[str, dict[str, int]]:
    """Return the items of all enumerations; algorithms that only some FMUs have are left out."""
    common = {name: row.number for name, row in algorithms.items() if row.needs != "model"}
    enumerations = {"Algorithm": common, "ActiveAlgorithm": {"none": 0, **common}}
    for name, row in rows.items():
        enumerations[name] = {item: row.get("first", 1) + i for i, item in enumerate(row["items"])}
    return enumerations


def _record(row: dict[str, Any]) -> Record:
    fields = []
    for name, kind, unit, words, *bound in row["fields"]:
        base, _, count = kind.partition("[")
        fields.append(Field(name, base, count.rstrip("]"), unit, words, *bound))
    fields.sort(key=lambda one: list(WIDTHS).index(one.type))
    native = row.get("runtime") != "python"
    return Record(row["name"], row["words"], row.get("feature", ""), row.get("optional", False), native, tuple(fields))


def _group(row: dict[str, Any], sizes: dict[str, int]) -> Group:
    feature, each = row.get("feature", ""), row.get("each", {})
    count, first = each.get("i", ""), each.get("first", 1)
    names = tuple(str(first + i) for i in range(sizes[count])) if isinstance(count, str) and count else tuple(count)
    rows = tuple(Variable(*cells[:5], (*cells[5:], {})[0], feature) for cells in row["rows"])
    return Group(feature, names, count if isinstance(count, str) else "", first, rows)
