"""``python -m docs.site.parameters``: write docs/parameters.md from the schemas of the settings files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from couplant.base.files import write_atomic
from couplant.config.frame.read import Content
from couplant_runtime.generated.variables import ALL
from couplant_runtime.guard import UNLIMITED
from docs.site.schemas import OF_A_COUPLING, json_schema

_HEAD = """# All parameters

Every key of every settings file: interfaces (`couplant build`), scenarios (`couplant simulate`), benches (`couplant
bench`), coupled systems (`couplant stability`), sides and masters of DCP (`couplant dcp`). A `variable` is the
parameter of the coupling FMU that a key sets; [behaviour](behaviour.md) says what it does.
[Scenarios](scenarios.md), [bench](bench.md), [system](system.md) and [DCP](dcp.md) show the files. `NAME` stands
for a name of your own. A key that is not *needed* and has no default may be left out; its meaning says what holds
then. `--set KEY=VALUE` changes a key on the command line.

`make generate` writes this page, from what the files are checked against; `couplant schema` gives editors the same.
"""
_FILES = {
    "interface": "Interfaces: `couplant init`, `couplant build`",
    "scenario": "Scenarios: `couplant simulate`, `couplant sweep`",
    "bench": "Benches: `couplant bench`",
    "system": "Coupled systems: `couplant stability`, `couplant design --system`",
    "dcp-side": "Sides of DCP: `couplant dcp describe`, `couplant dcp slave`",
    "dcp-master": "Masters of DCP: `couplant dcp master`",
}
_WORDS = {
    "scenario": "Keys that `[parameters]` names stand at the top too, with the value of a parameter of components.",
    "bench": "A bench has the keys of a scenario but `network`, `connections` and `watch`, the components `left` and "
    "`right`, bonds that are watched only, and:",
}
_COLUMNS = ("key", "variable", "type", "unit", "default", "range", "meaning")
_TYPES = {"integer": "whole number", "boolean": "true, false", "string": "text", "array": "list", "object": "table"}
_BOND = {"flow_is": "conjugate_is", "sign": "reversed"}
_LIMITS = {
    "minimum": "{} or more",
    "exclusiveMinimum": "above {}",
    "maximum": "up to {}",
    "exclusiveMaximum": "below {}",
}
_UNIT = re.compile(r" \[([^\]]+)\]$")


class _Section(NamedTuple):
    path: str  # with dots, empty at the top of the file
    table: Content
    listed: bool = False


def parameters_page() -> str:
    """Return the page."""
    parts = [_HEAD]
    for kind, title in _FILES.items():
        parts.append(f"## {title}\n")
        parts += [f"{_WORDS[kind]}\n"] if kind in _WORDS else []
        parts += [text for section in _sections(json_schema(kind)) if (text := _text(kind, section))]
    return "\n".join(parts)


def _sections(schema: Content) -> Iterator[_Section]:
    """Yield the tables of a file from the outside to the inside, each where it is met first."""
    seen: set[str] = set()
    waiting = [_Section("", schema)]
    for path, node, listed in waiting:
        yield _Section(path, node, listed)
        for key, entry in node["properties"].items():
            for tail, inner, many in _inner(entry):
                name = inner.get("$ref", "").rpartition("/")[2]
                found = schema["$defs"][name] if name else inner
                if "properties" in found and name not in seen:
                    seen.update({name} - {""})
                    waiting.append(_Section(f"{path}.{key}{tail}".lstrip("."), found, many))


def _inner(entry: Content) -> Iterator[tuple[str, Content, bool]]:
    """Yield the tables that a key may hold: how their names go on, their schema, if there is a list of them."""
    if "$ref" in entry or "properties" in entry:
        yield "", entry, False
    for one in (*entry.get("patternProperties", {}).values(), entry.get("additionalProperties")):
        if isinstance(one, dict) and ("$ref" in one or "properties" in one):
            yield ".NAME", one, False
    if entry.get("type") == "array" and "$ref" in entry.get("items", {}):
        yield "", entry["items"], True
    for one in entry.get("anyOf", ()):
        if "$ref" in one:
            yield "", one, False


def _text(kind: str, section: _Section) -> str:
    path, table = section.path, section.table
    if (kind == "bench" and path not in ("relay", "bench", "bench.transport")) or path.startswith("coupling."):
        return ""  # as in a scenario, as in an interface
    keys: Content = table["properties"]
    lines = []
    if kind == "scenario" and path == "coupling":
        keys = {key: keys[key] for key in OF_A_COUPLING}
        lines = ["All keys of `[signals.NAME]` of an interface, and:", ""]
    head = f"[[{path}]]" if section.listed else f"[{path}]"
    rows = [_row(kind, path, key, entry, key in table.get("required", ())) for key, entry in keys.items()]
    table_lines = [_line(_COLUMNS), "|---" * len(_COLUMNS) + "|", *map(_line, rows)]
    return "\n".join([f"### `{head}`" if path else "### At the top", "", *lines, *table_lines, ""])


def _line(cells: Any) -> str:
    return f"| {' | '.join(str(cell).replace('|', chr(92) + '|') for cell in cells)} |"


def _row(kind: str, path: str, key: str, entry: Content, needed: bool) -> list[str]:
    words = entry["description"]
    unit = _UNIT.search(words)
    variable = _variable(kind, path, key)
    default = "*needed*" if needed else _value(entry["default"]) if "default" in entry else ""
    cells = [f"`{key}`", f"`{variable}`" if variable else "", _type(entry), unit[1] if unit else ""]
    return [*cells, default, _range(entry), _UNIT.sub("", words)]


_PARAMETERS = {re.sub(r"\[\d+\]$", "[i]", one.name) for one in ALL if one.causality == "parameter"}


def _variable(kind: str, path: str, key: str) -> str:
    """Return the parameter of the coupling FMU that a key of an interface or a power bond sets, empty for none."""
    if path == "bonds.NAME":
        name = f"energy.{_BOND.get(key, key)}"
    elif kind == "interface" and path == "interface":
        name = key
    elif kind == "interface" and path.startswith("signals.NAME"):
        name = f"{path}.{key}".removeprefix("signals.NAME.")
    else:
        return ""
    return next((one for one in (name, f"{name}[i]") if one in _PARAMETERS), "")


def _type(entry: Content) -> str:
    """Return in words what a key takes."""
    if "type" in entry:
        kinds: list[str] = entry["type"] if isinstance(entry["type"], list) else [entry["type"]]
        return " or ".join(_TYPES.get(one, one) for one in kinds)
    if "anyOf" in entry and "$ref" not in entry:
        return " or ".join(dict.fromkeys(map(_type, entry["anyOf"])))
    return "text" if "enum" in entry else "table"


def _range(entry: Content) -> str:
    """Return in words which values a key takes."""
    choices = entry.get("enum") or next((one["enum"] for one in entry.get("anyOf", ()) if "enum" in one), None)
    choices = choices or entry.get("items", {}).get("enum")
    if choices:
        return ", ".join(map(_value, choices))
    limits = [_limit(one) for one in ([entry] if "anyOf" not in entry else entry["anyOf"])]
    return " or ".join(filter(None, limits))


def _limit(entry: Content) -> str:
    if "const" in entry:
        return _value(entry["const"])
    if "minimum" in entry and "maximum" in entry:
        return f"{_value(entry['minimum'])} to {_value(entry['maximum'])}"
    return ", ".join(words.format(_value(entry[key])) for key, words in _LIMITS.items() if key in entry)


def _value(value: Any) -> str:
    """Return a value as a settings file writes it, ``none`` for what is unlimited or empty."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if value in ([], (), UNLIMITED, -UNLIMITED):
        return "none"
    if isinstance(value, (int, float)):
        return f"{value:.10g}"
    return f"`{value}`" if isinstance(value, str) else ", ".join(map(_value, value))


if __name__ == "__main__":
    write_atomic(Path(__file__).parents[1] / "parameters.md", parameters_page())
