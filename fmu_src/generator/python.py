"""Modules of the Python runtime."""

from __future__ import annotations

import re

from .description import UNLIMITED, Description, Group, Record, Variable
from .text import PLACE, wrap

CODES = {"f64": ("d", "float"), "i64": ("q", "int"), "i32": ("i", "int"), "u8": ("B", "int")}
"""For each type of a field its code in `struct` and its type."""
SPECIAL = {"unlimited": "UNLIMITED", "-unlimited": "-UNLIMITED", "no stamp": "-UNLIMITED"}


def numbers(d: Description) -> str:
    """Return the module of sizes and enumerations."""
    lines = ['"""Sizes of lists, and the numbers of enumerations."""', ""]
    lines += [f"{name} = {value}  # {d.size_words[name]}" for name, value in d.sizes.items()]
    for name, items in d.enumerations.items():
        if name in d.prefixes:
            lines += ["", f"# {name}"]
            lines += [f"{d.prefixes[name]}{item.upper()} = {number}" for item, number in items.items()]
    lines += ["", "ENUMERATIONS: dict[str, dict[str, int]] = {"]
    for name, items in d.enumerations.items():
        lines += wrap(f'    "{name}": {{', [f'"{item}": {number}' for item, number in items.items()], "},")
    return "\n".join([*lines, "}", ""])


def constants(d: Description) -> str:
    """Return the module of the constants of the method."""
    lines = ['"""Constants of the method, by where they are used."""']
    for group, rows in d.constants.items():
        lines += ["", f"# {group}"]
        lines += [f"{name} = {value!r}  # {words} [{unit}]" for name, (value, unit, words) in rows.items()]
    return "\n".join([*lines, ""])


def algorithms(d: Description) -> str:
    """Return the module of algorithms."""
    lines = ['"""The algorithms, numbered as in the FMU."""', "", "from ..row import Row", ""]
    codes = ["none", *(row.module or name for name, row in d.algorithms.items())]
    lines += [f"{code.upper()} = {number}" for number, code in enumerate(codes)]
    members = ", ".join(f'"{name}"' for name in d.members)
    lines += ["", f"MEMBERS = ({members})", '"""What `auto` blends."""', "", "ROWS: tuple[Row, ...] = ("]
    for name, row in d.algorithms.items():
        parts = [f'"{name}"', str(row.number), f'"{row.words}"', f"k_max={row.k_max}"]
        parts += [f'{key}="{getattr(row, key)}"' for key in ("module", "needs") if getattr(row, key)]
        parts += [f"{kind}=True" for kind in row.kinds] + [f"native={row.native}"] * (not row.native)
        parts += [f'colours=("{row.colours[0]}", "{row.colours[1]}")'] if row.colours else []
        lines += wrap("    Row(", parts, "),")
    return "\n".join([*lines, ")", ""])


def events(d: Description) -> str:
    """Return the module of events."""
    lines = ['"""Events of a step: bits, with log category, sentence and the numbers in it."""', ""]
    lines += [f"{name} = 1 << {bit}" for bit, (name, _, _) in enumerate(d.events)]
    lines += ["", "MESSAGES: dict[int, tuple[str, str]] = {"]
    for name, category, words in d.events:
        lines += wrap(f"    {name}: (", [f'"{category}"', f'"{PLACE.sub("%g", words)}"'], "),")
    lines += ["}", "", "NUMBERS: dict[int, tuple[str, ...]] = {"]
    for name, _, words in d.events:
        places = [f'"{place}"' for place in PLACE.findall(words)]
        lines += [f"    {name}: ({', '.join(places)},),"] if places else []
    return "\n".join([*lines, "}", '"""Where the state has them."""', ""])


def state(d: Description) -> str:
    """Return the module of the records."""
    counts = {word for record in d.records for one in record.fields for word in re.findall(r"[A-Z_]+", one.count)}
    lines = ['"""The state of a coupling FMU: one record for each stage and for what stages share."""', ""]
    lines += ["from __future__ import annotations", ""]
    lines += ["from ..record import Record, slots", *wrap("from .numbers import (", sorted(counts), ")"), ""]
    for record in d.records:
        lines += ["", *_record(record), ""]
    return "\n".join([*lines, "", *_stages(d), ""])


def bounds(d: Description) -> str:
    """Return the module of the least and the most that fields have in a saved state."""
    lines = ['"""The least and the most that a field has in a saved state."""', "", "from ..guard import UNLIMITED", ""]
    lines += ["BOUNDS: dict[str, dict[str, tuple[float, float]]] = {"]
    for record in d.records:
        lines.append(f'    "{record.name}": {{')
        for one in record.fields:
            if (limits := d.bound(record, one)) is not None:
                lines.append(f'        "{one.name}": ({", ".join(map(_limit, limits))}),')
        lines.append("    },")
    return "\n".join([*lines, "}", '"""By record and field."""', ""])


def _limit(value: float) -> str:
    return {UNLIMITED: "UNLIMITED", -UNLIMITED: "-UNLIMITED"}.get(value, repr(float(value)))


def _record(record: Record) -> list[str]:
    lines = [f"class {_class(record)}(Record):", f'    """{_sentence(record.words)}"""', ""]
    rows = [f'("{one.name}", "{CODES[one.type][0]}", {_count(one.count)})' for one in record.fields]
    lines += [*wrap("    FIELDS = (", rows, ")"), "    __slots__ = slots(FIELDS)", ""]
    for one in record.fields:
        kind = CODES[one.type][1]
        kind = f"list[{kind}]" if one.count else kind
        lines.append(f"    {one.name}: {kind}  # {one.said}")
    return lines


def _stages(d: Description) -> list[str]:
    needed = [record for record in d.records if not record.optional]
    optional = [record for record in d.records if record.optional]
    lines = ["class Stages:", '    """All records; those that only some FMUs have are None in the others."""', ""]
    lines += [*wrap("    __slots__ = (", [f'"{record.name}"' for record in d.records], ")"), ""]
    arguments = "".join(f", with_{record.name}: bool = False" for record in optional)
    lines.append(f"    def __init__(self{arguments}) -> None:")
    lines += [f"        self.{record.name} = {_class(record)}()" for record in needed]
    for record in optional:
        made = f"{_class(record)}() if with_{record.name} else None"
        lines.append(f"        self.{record.name}: {_class(record)} | None = {made}")
    return lines


def variables(d: Description) -> str:
    """Return the module of the rows of all variables."""
    lines = ['"""Every variable that a coupling FMU can have, in the order that settings count on."""', ""]
    lines += ["from ..guard import UNLIMITED", "from ..variable import Variable"]
    lines += wrap("from .numbers import ", sorted({group.count for group in d.groups if group.count}), "")
    lines += ["", "ALL: tuple[Variable, ...] = ("]
    for group in d.groups:
        lines += _family(d, group) if group.names else _rows(d, group, "    ")
    return "\n".join([*lines, ")", ""])


def _family(d: Description, group: Group) -> list[str]:
    """Return one row for each of its names."""
    count = f"range({group.count})" if group.count else f"enumerate({group.names!r})".replace("'", '"')
    index = "i" if group.count else "i, name"
    one = len(group.rows) == 1
    rows = _rows(d, group, " " * (8 if one else 12))
    if one:
        rows[-1] = rows[-1].removesuffix(",")
        return ["    *(", *rows, f"        for {index} in {count}", "    ),"]
    begin = ["    *(", "        variable", f"        for {index} in {count}", "        for variable in ("]
    return [*begin, *rows, "        )", "    ),"]


def _rows(d: Description, group: Group, indent: str) -> list[str]:
    return [line for row in group.rows for line in wrap(f"{indent}Variable(", _row(d, group, row), "),")]


def _row(d: Description, group: Group, row: Variable) -> list[str]:
    counted = "name" if not group.count else f"i + {group.first}"
    kind = "enumeration" if row.kind in d.enumerations else row.kind
    parts = [_text(row.name, counted), *(f'"{word}"' for word in (kind, row.role, *row.place.split(".")))]
    parts += ["None" if row.role in ("output", "independent") else _start(row, kind), _text(row.words, counted)]
    parts += [f'{key}="{row.more[key]}"' for key in ("unit",) if key in row.more]
    limits = zip(("minimum", "maximum"), d.limits(row), strict=True)
    parts += [f"{key}={float(limit)!r}" for key, limit in limits if limit is not None]
    parts += [f'items="{row.kind}"'] if kind == "enumeration" else []
    parts += ["index=i"] if group.names else []
    return [*parts, f'feature="{group.feature}"'] if group.feature else parts


def _text(text: str, counted: str) -> str:
    return f'f"{text.replace("{i}", "{" + counted + "}")}"' if "{i}" in text else f'"{text}"'


def _start(row: Variable, kind: str) -> str:
    start = row.more.get("start", 0)
    if isinstance(start, str):
        return SPECIAL[start]
    return repr(float(start)) if kind == "real" else repr(start)


def _class(record: Record) -> str:
    """Return the name of its class; what only some FMUs have is told from what it is the state of."""
    return record.name.capitalize() + ("State" if record.optional else "")


def _count(count: str) -> str:
    return re.sub(r"([*+])", r" \1 ", count) or "1"


def _sentence(words: str) -> str:
    return words[0].upper() + words[1:] + ("" if words.endswith(("?", ".")) else ".")
