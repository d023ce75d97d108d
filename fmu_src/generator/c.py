"""Headers of the C kernel."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable
from dataclasses import replace

from .description import PARTS, UNLIMITED, WIDTHS, Description, Field, Group, Record, Variable
from .text import PLACE, wrap

TYPES = {"f64": "double", "i64": "int64_t", "i32": "int32_t", "u8": "uint8_t"}
SPECIAL = {"unlimited": "CP_UNLIMITED", "-unlimited": "-CP_UNLIMITED", "no stamp": "-CP_UNLIMITED"}
WITHOUT = {
    "energy": "#if !defined(CP_WITHOUT_ENERGY) || !defined(CP_WITHOUT_NEURAL)",
    "neural": "#ifndef CP_WITHOUT_NEURAL",
}
"""Where the rows of a part's variables are: rows keep their numbers, so none is missing before one that is there."""
WITH_CODE = {"neural": "CP_WITHOUT_NEURAL", "plant": "CP_WITHOUT_ENERGY", "phasor": "CP_WITHOUT_ENERGY"}
"""What algorithms need that FMUs may be compiled without, with the macro."""
ROLES = {"input": "INPUT", "output": "OUTPUT", "fixed": "FIXED", "tunable": "TUNABLE", "independent": "TIME"}


def numbers(d: Description) -> str:
    """Return the header of sizes, enumerations and events."""
    lines = ["/* Sizes of lists, and the numbers of enumerations and events. */", *_guard("NUMBERS"), "enum {"]
    lines += [f"    CP_{name} = {value}, /* {d.size_words[name]} */" for name, value in d.sizes.items()]
    numbers = {"none": 0} | {row.module or name: row.number for name, row in d.algorithms.items() if row.native}
    lines += [f"    CP_ALGORITHMS = {1 + max(numbers.values())}, /* numbers of algorithms, none included */"]
    counts = [sum(variable.part == part for variable in d.native_variables) for part in ("", *PARTS)]
    for i, part in enumerate(("PLAIN", *(part.upper() for part in PARTS))):
        lines.append(f"    CP_{part}_VARIABLES = {sum(counts[: i + 1])}, /* in rows of all, up to the last of these */")
    lines[-1] = lines[-1].replace(",", "", 1)
    lines += ["};", ""]
    items = [f"CP_{name.upper()} = {number}" for name, number in numbers.items()]
    lines += wrap("enum { ", items, " }; /* Algorithm */")
    for name, prefix in d.prefixes.items():
        items = [f"CP_{prefix}{item.upper()} = {number}" for item, number in d.enumerations[name].items()]
        lines += wrap("enum { ", items, f" }}; /* {name} */")
    lines += ["", "/* events */", "enum {"]
    lines += [f"    CP_{name} = 1 << {bit}," for bit, (name, _, _) in enumerate(d.events)]
    lines[-1] = lines[-1].rstrip(",")
    return "\n".join([*lines, "};", "", "#endif", ""])


def algorithms(d: Description) -> str:
    """Return the header of the rows of the algorithms."""
    lines = ["/* The algorithms: ROW(number, functions, name, needs, is), NEURAL_ROW, PLANT_ROW, PHASOR_ROW so too"]
    lines += ["   for those that FMUs may be compiled without, NO_ROW(number) for those without a twin in C. */"]
    lines += _guard("ALGORITHMS")
    lines += ["#define CP_ALGORITHM_ROWS(ROW, NEURAL_ROW, PLANT_ROW, PHASOR_ROW, NO_ROW) \\"]
    for name, row in d.algorithms.items():
        if row.native:
            kinds = [f"CP_{kind.upper()}" for kind in row.kinds if kind not in ("pure", "abbreviation")]
            macro = f"{row.needs.upper()}_ROW" if row.needs in WITH_CODE else "ROW"
            code = row.module or name
            cells = [code.upper(), code, f'"{name}"', row.needs.upper() or "NOTHING", " | ".join(kinds) or "0"]
            lines.append(f"    {macro}({', '.join(cells)}) \\")
        else:
            lines.append(f"    NO_ROW({row.number}) \\")
    lines[-1] = lines[-1].removesuffix(" \\")
    members = ", ".join(f"CP_{name.upper()}" for name in d.members)
    lines += ["", "/* what `auto` blends */", f"#define CP_MEMBERS {members}"]
    return "\n".join([*lines, "", "#endif", ""])


def units(d: Description) -> str:
    """Return the part of a translation unit that includes all algorithms."""
    lines = ["/* All algorithms, as part of one translation unit. */"]
    native = [(row.module or name, row.needs) for name, row in d.algorithms.items() if row.native]
    lines += [f'#include "../algorithms/{name}.c"' for name, needs in native if needs not in WITH_CODE]
    for part, macro in WITH_CODE.items():
        own = [f'#include "../algorithms/{name}.c"' for name, needs in native if needs == part]
        lines += [f"#ifndef {macro}", *own, "#endif"]
    return "\n".join([*lines, ""])


def constants(d: Description) -> str:
    """Return the header of the constants of the method."""
    lines = ["/* Constants of the method, by where they are used. */", *_guard("CONSTANTS")[:-1]]
    for group, rows in d.constants.items():
        lines += ["", f"/* {group} */"]
        for name, (value, unit, words) in rows.items():
            number = f"({value!r})" if value < 0 else repr(value)
            lines.append(f"#define CP_{name} {number} /* {words}, {unit} */")
    return "\n".join([*lines, "", "#endif", ""])


def state(d: Description) -> str:
    """Return the header of the state."""
    lines = [
        "/* All run-time state of one coupling FMU, parameters included: one record for each stage and for what stages",
        "   share, without padding. NaN is in inputs only, as one bit pattern. Records of a feature come last: FMUs",
        "   without it do without them. */",
        *_guard("STATE"),
        "#include <stdint.h>",
        "",
        '#include "numbers.h"',
        "",
        "typedef struct {",
    ]
    for record in d.records:
        if not record.optional:
            lines += [f"    struct {{ /* {record.words} */", *_fields(d, record, " " * 8), f"    }} {record.name};"]
    lines += ["} cp_state;"]
    for record in d.records:
        if record.optional and record.native:
            lines += ["", f"/* {record.words} */", "typedef struct {", *_fields(d, record, "    ")]
            lines += [f"}} cp_{record.name};", ""]
            lines += ["/* The state of an FMU with it; its first member is what functions take. */", "typedef struct {"]
            lines += ["    cp_state state;", f"    cp_{record.name} {record.name};"]
            lines += [f"}} cp_state_with_{record.name};"]
    size = sum(_size(d, record) for record in d.records if not record.optional)
    featured = sum(_size(d, record) for record in d.records if record.feature)
    neural = sum(_size(d, record) for record in d.records if record.optional and record.native)
    sizes = {"PLAIN_STATE": size - featured, "STATE": size, "STATE_WITH_NEURAL": size + neural}
    lines += ["", *wrap("enum { ", [f"CP_{name}_BYTES = {number}" for name, number in sizes.items()], " };")]
    return "\n".join([*lines, "", "#endif", ""])


def _fields(d: Description, record: Record, indent: str) -> list[str]:
    lines = [f"{indent}{TYPES[one.type]} {one.name}{_count(one)}; /* {one.said} */" for one in record.fields]
    filler = record.filler(d.sizes)
    return [*lines, f"{indent}uint8_t filler[{filler}];"] if filler else lines


def _count(one: Field) -> str:
    words = re.sub(r"([A-Z_]+)", r"CP_\1", re.sub(r"([*+])", r" \1 ", one.count))
    return f"[{words}]" if words else ""


def _size(d: Description, record: Record) -> int:
    return sum(WIDTHS[one.type] * one.number(d.sizes) for one in record.fields) + record.filler(d.sizes)


def tables(d: Description) -> str:
    """Return the header of the tables of variables, items and events."""
    lines = ["/* Every variable that a coupling FMU can have, and the items of enumerations; part of variables.c. */"]
    lines += ["", "/* by the number in the flags of a variable */", "static const cp_items cp_enumerations[] = {"]
    lines += ['    {0, ""},']
    lines += _part_lines((_part_of(d, kind), [_enumeration(d, kind)]) for kind in _kinds(d))
    lines += ["};", ""]
    for group in _native(d):
        lines += _family(d, group) if group.count else []
    lines += ["static const cp_variable cp_rows[CP_VARIABLES] = {"]
    lines += _part_lines((group.rows[0].part, _group(d, group)) for group in _native(d))
    return "\n".join([*lines, "};", ""])


def _part_of(d: Description, kind: str) -> str:
    """Return the part that all parameters of an enumeration belong to, "" if there is more than one."""
    parts = {variable.part for variable in d.native_variables if variable.kind == kind and variable.parameter}
    return parts.pop() if len(parts) == 1 else ""


def _enumeration(d: Description, kind: str) -> str:
    items = _items(d, kind)
    text = ", ".join(f"{number} ({name})" for number, name in items.items())
    words = ' "\n        "'.join(textwrap.wrap(text, 100))
    return f'    {{{sum(1 << number for number in items):#x}, "{words}"}},'


def _part_lines(rows: Iterable[tuple[str, list[str]]]) -> list[str]:
    """Return the lines of rows, each with its part, those of parts last and only where these are needed."""
    every = list(rows)
    lines = [line for part, said in every if not part for line in said]
    for part in PARTS:
        own = [line for one, said in every if one == part for line in said]
        lines += [WITHOUT[part], *own, "#endif"] if own else []
    return lines


def _native(d: Description) -> list[Group]:
    return [group for group in d.groups if group.rows[0].record in d.native_records]


def _group(d: Description, group: Group) -> list[str]:
    if group.count:
        return [f"    CP_EACH_{_family_name(group)}(CP_ROWS_{_family_name(group)})"]
    return [f"    {_row(d, variable, str(variable.index))}" for variable in group.variables()]


def _family(d: Description, group: Group) -> list[str]:
    """Return the macros of rows that are counted: those for one number, and one that makes them for all."""
    name = _family_name(group)
    every = (_row(d, replace(row, name=row.name.replace("{i}", '" #i "')), f"i - {group.first}") for row in group.rows)
    rows = [line for row in every for line in textwrap.wrap(row, 113, break_long_words=False, break_on_hyphens=False)]
    each = [f"ROW({number})" for number in group.names]
    twelves = [" ".join(each[i : i + 12]) for i in range(0, len(each), 12)]
    lines = [f"#define CP_ROWS_{name}(i) \\", *(f"    {row} \\" for row in rows)]
    lines += [f"#define CP_EACH_{name}(ROW) \\", *(f"    {twelve} \\" for twelve in twelves)]
    ends = [len(rows), len(lines) - 1]
    return [line.removesuffix(" \\") if i in ends else line for i, line in enumerate(lines)] + [""]


def _family_name(group: Group) -> str:
    return group.rows[0].place.replace(".", "_").upper()


def bounds(d: Description) -> str:
    """Return the header of the least and the most that fields have in a saved state; small, without pointers."""
    rows = [
        (record, one, limits)
        for record in d.records
        if record.native
        for one in record.fields
        if (limits := d.bound(record, one)) is not None
    ]
    numbers = list(dict.fromkeys(number for *_, limits in rows for number in limits))
    lines = ["/* The least and the most that a field has in a saved state; part of sound.c. */", ""]
    lines += wrap("static const double cp_limits[] = {", [_limit(number) for number in numbers], "};")
    lines += ["", "static const cp_bound cp_bounds[] = {"]
    places = [[numbers.index(number) for number in limits] for *_, limits in rows]
    lines += _part_lines((row[0].part, _bound(d, *row[:2], at)) for row, at in zip(rows, places, strict=True))
    lines += ["};", "", "/* names of these fields in this order, after that of their record, which ends with a dot */"]
    lines += ["static const char cp_names[] ="]
    before = [None, *(record for record, *_ in rows)]
    named = zip(rows, before, strict=False)
    lines += _part_lines((record.part, [_name(record, one, record is not last)]) for (record, one, _), last in named)
    return "\n".join([*lines, '    "";', ""])


def _name(record: Record, one: Field, begins: bool) -> str:
    head = f'"{record.name}.\\0" ' if begins else ""
    return f'    {head}"{one.name}\\0"'


def _bound(d: Description, record: Record, one: Field, limits: list[int]) -> list[str]:
    whole = "cp_state_with_neural" if record.optional else "cp_state"
    cells = [f"offsetof({whole}, {record.name}.{one.name})", str(one.number(d.sizes)), f"CP_{one.type.upper()}"]
    return wrap("    {", [*cells, *map(str, limits)], "},")


def _limit(value: float) -> str:
    return {UNLIMITED: "CP_UNLIMITED", -UNLIMITED: "-CP_UNLIMITED"}.get(value, repr(float(value)))


def events(d: Description) -> str:
    """Return the header of the table of events."""
    lines = ["/* What the event bits of a step mean. */", "", "static const cp_event cp_events[] = {"]
    lines += _part_lines((_event_part(row), _event(*row)) for row in d.events)
    lines += ["};", "", "/* where the state has the numbers of an event's sentence */"]
    lines += ["static const uint32_t cp_event_numbers[][CP_EVENT_NUMBERS] = {"]
    lines += _part_lines((_event_part(row), _event_numbers(row[2])) for row in d.events)
    lines += ["};", "", "enum { CP_EVENTS = sizeof cp_events / sizeof *cp_events }; /* kinds of events */"]
    return "\n".join([*lines, ""])


def _event_part(row: list[str]) -> str:
    """Return the part that an event belongs to, by its log category."""
    part = "energy" if row[1] == "model" else row[1]
    return part if part in PARTS else ""


def _event_numbers(words: str) -> list[str]:
    return wrap("    {", [f"offsetof(cp_state, {place})" for place in PLACE.findall(words)] or ["0"], "},")


def _event(name: str, category: str, words: str) -> list[str]:
    status = "CP_DISCARD" if name == "QUALITY_ENDS" else "CP_OK" if name == "DISCONTINUITY" else "CP_WARNING"
    return wrap("    {", [status, f'"{category}"', f'"{PLACE.sub("%g", words)}"'], "},")


def _kinds(d: Description) -> list[str]:
    """Return the enumerations of parameters; the number of one in a row is its place from 1."""
    return list(dict.fromkeys(v.kind for v in d.native_variables if v.parameter and v.kind in d.enumerations))


def _items(d: Description, kind: str) -> dict[int, str]:
    items = d.enumerations[kind].items()
    return {number: name for name, number in items if kind != "Algorithm" or d.algorithms[name].native}


def _row(d: Description, variable: Variable, index: str) -> str:
    kinds = _kinds(d)
    macro = "CP_NEURAL_ROW" if variable.record == "neural" else "CP_ROW"
    place = variable.place.partition(".")[2] if variable.record == "neural" else variable.place
    place += f"[{index}]" if index != "-1" else ""
    kind = "ENUMERATION" if variable.kind in d.enumerations else variable.kind.upper()
    items = 1 + kinds.index(variable.kind) if variable.parameter and variable.kind in kinds else 0
    start, (low, high) = variable.more.get("start", 0), d.limits(variable)
    numbers = [SPECIAL[start] if isinstance(start, str) else repr(float(start))]
    numbers += ["-CP_UNLIMITED" if low is None else repr(float(low))]
    numbers += ["CP_UNLIMITED" if high is None else repr(float(high))]
    return f'{macro}("{variable.name}", {kind}, {ROLES[variable.role]}, {place}, {items}, {", ".join(numbers)})'


def _guard(name: str) -> list[str]:
    return [f"#ifndef CP_GENERATED_{name}_H", f"#define CP_GENERATED_{name}_H", ""]
