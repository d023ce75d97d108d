"""Lines of the width that the project has."""

from __future__ import annotations

import re

WIDTH = 120
PLACE = re.compile(r"\{(\w+\.\w+)\}")
"""A number of the state in the sentence of an event: record and field."""


def wrap(start: str, parts: list[str], end: str) -> list[str]:
    """Return the parts between start and end, with commas, on one line or on as many as the width asks for."""
    line = start + ", ".join(parts) + end
    if len(line) <= WIDTH:
        return [line]
    outer = " " * (len(start) - len(start.lstrip()))
    lines = [""]
    for part in parts:
        longer = f"{lines[-1]} {part}," if lines[-1] else f"{outer}    {part},"
        if len(longer) <= WIDTH or not lines[-1]:
            lines[-1] = longer
        else:
            lines.append(f"{outer}    {part},")
    return [start.rstrip(), *lines, outer + end.lstrip()]
