"""Tables of the documentation."""

from __future__ import annotations

from .description import Description, Variable
from .text import PLACE

TABLES = {"switching.md": ("algorithms",), "variables.md": ("variables", "events")}
"""Pages in `docs` with tables of coupling.toml."""


def with_tables(d: Description, name: str, page: str) -> str:
    """Return the page `name` with its tables written anew, between comments that name them."""
    made = {"algorithms": _algorithms_table, "variables": _variables_table, "events": _events_table}
    for table in TABLES[name]:
        begin, end = f"<!-- table: {table} -->\n", "<!-- end of table -->"
        before, found, rest = page.partition(begin)
        if not found:
            raise ValueError(f"docs/{name} has no line {begin.strip()}")
        page = before + begin + "\n" + "\n".join(made[table](d)) + "\n\n" + end + rest.partition(end)[2]
    return page


def _algorithms_table(d: Description) -> list[str]:
    rows = [f"| {name} | {row.m} | {row.words} |" for name, row in d.algorithms.items()]
    return ["| `algorithm.selected` | values m | good for |", "|---|---|---|", *rows]


def _variables_table(d: Description) -> list[str]:
    lines = ["| variable | | start | range | unit | |", "|---|---|---|---|---|---|"]
    for group in d.groups:
        for row in group.rows:
            name, words = (text.replace("{i}", "i") for text in (row.name, row.words))
            start = "" if row.role in ("output", "independent") else _start_in_words(d, row)
            unit = row.more.get("unit", "").removeprefix("d ").replace("signal", "of the signal")
            role = f"{row.role} ({row.feature})" if row.feature else row.role
            lines.append(f"| {' | '.join([f'`{name}`', role, start, _range_in_words(d, row), unit, words])} |")
    return lines


def _start_in_words(d: Description, variable: Variable) -> str:
    start = variable.more.get("start", 0)
    if isinstance(start, str):
        return "none" if "stamp" in start else start.removeprefix("-")
    if variable.kind == "boolean":
        return "true" if start else "false"
    names = {number: name for name, number in d.enumerations.get(variable.kind, {}).items()}
    return names.get(start, f"{start:g}")


def _range_in_words(d: Description, variable: Variable) -> str:
    if variable.kind in d.enumerations:
        return ", ".join(d.enumerations[variable.kind])
    low, high = variable.more.get("min"), variable.more.get("max")
    if low is None:
        return ""
    return f"{low:g} or more" if high is None else f"{low:g} to {high:g}"


def _events_table(d: Description) -> list[str]:
    rows = [(category, PLACE.sub(r"[\1]", words)) for _, category, words in d.events]
    return ["| category | message |", "|---|---|", *(f"| {category} | {words} |" for category, words in rows)]
