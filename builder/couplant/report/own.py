"""The scenario's own figures, as a table."""

from __future__ import annotations

from collections.abc import Sequence

from couplant.base.style import number
from couplant.cosim.result import Result

HEADINGS = ("figure", "run", "value", "at / s", "difference / %")
"""Columns of `rows`."""


def rows(result: Result) -> list[Sequence[str]]:
    """Return the figures one after the other, each without delay first, as text."""
    found: list[Sequence[str]] = []
    for name in dict.fromkeys(name for run in result.runs for name in run.figures):
        runs = [(run, run.figures[name]) for run in result.runs if name in run.figures]
        first = runs[0][1]
        title = name.replace("_", " ") + (f" / {first.unit}" if first.unit not in ("", "1") else "")
        found.append((title, "no delay", whole(first.reference), number(first.reference_time), "—"))
        for run, one in runs:
            found.append(("", result.title(run), whole(one.value), number(one.time), number(100.0 * one.change, 3)))
    return found


def whole(value: float) -> str:
    """Write a `value` with five digits; one that has more before the point, with all of those."""
    if 1e4 <= abs(value) < 1e9:
        return f"{value:,.0f}".replace(",", "\u2009").replace("-", "−")
    return number(value, 5, fixed=True)
