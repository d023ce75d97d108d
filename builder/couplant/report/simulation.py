"""The report of a simulation: one page with figures, signals and the library that draws them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from couplant.cosim.judgement.metrics import HEADINGS
from couplant.cosim.result import Result
from couplant.report import bonds
from couplant.report.charts.chart import Chart
from couplant.report.html import charts_script, write_html
from couplant.report.payload import payload, watched_units
from couplant.report.signals import run_looks
from couplant.report.summary import CREATED, FIGURE_HEADINGS, figure_rows, summary


def write_report(result: Result, path: Path) -> Path:
    """Write the report as one self-contained page, whole or not at all.

    Raises
    ------
    OSError
        If the page cannot be written.
    CouplantError
        If the installation lacks a template.
    """
    return write_html(path, "simulation.html.j2", **content(result))


def content(result: Result, more: Sequence[Chart] = ()) -> dict[str, Any]:
    """Return the content of the page of a `result`, by names in its template; charts of bonds come before `more`."""
    found, strips = summary(result), bonds.charts(result)
    return {
        "kind": "recording" if found.open_loop else "co-simulation",
        "title": found.title,
        "headline": found.headline,
        "facts": found.facts,
        "summary": found,
        "headings": HEADINGS | {CREATED: "created / J"},
        "looks": run_looks(result),
        "watched": [*watched_units(result).items()],
        "strips": strips,
        "charts": more,
        "bond_table": (bonds.HEADINGS, bonds.rows(result)),
        "own_table": (FIGURE_HEADINGS, figure_rows(result)),
        "settings": list(flatten(result.settings)),
        "said": [f"{run.algorithm}, {run.timing}: {line}" for run in result.runs for line in run.said],
        "script": charts_script("simulation"),
        "data": payload(result, [*strips, *more]),
    }


def flatten(settings: Mapping[str, Any], prefix: str = "") -> list[tuple[str, str]]:
    """List nested `settings` as rows ``a.b.c``, value as in JSON; `prefix` is that of the keys, with a point."""
    rows: list[tuple[str, str]] = []
    for key, value in settings.items():
        if isinstance(value, Mapping) and value:
            rows += flatten(value, f"{prefix}{key}.")
        else:
            rows.append((f"{prefix}{key}", json.dumps(value, ensure_ascii=False, default=str)))
    return rows
