"""The report of a simulation: one page with figures, signals and the library that draws them.

Every column of the signals is stored once, as base64 of 32-bit floats; flags and algorithms as intervals of time. Runs
too long for a page are thinned to the smallest and largest value of groups of rows.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from couplant.base.arrays import Vector
from couplant.base.files import write_atomic
from couplant.base.style import Look, label, shade
from couplant.cosim.judgement.metrics import HEADINGS
from couplant.cosim.result import Result, Run
from couplant.cosim.traces import Trace
from couplant.report import bonds
from couplant.report.chart import Chart, Store
from couplant.report.chart import payload as chart_payload
from couplant.report.html import charts_script, write_html
from couplant.report.signals import error_level, intervals, thin
from couplant.report.summary import CREATED, FIGURE_HEADINGS, figure_rows, summary
from couplant_runtime.algorithms import ALL

FILES = ("report.html", "report.png", "metrics.json")  # what `write_result` writes


def write_report(result: Result, path: Path) -> Path:
    """Write the report as one page; raise `OSError` if it cannot be written, `CouplantError` without its template."""
    shown = content(result)
    return write_html(path, "simulation.html.j2", **shown)


def write_result(result: Result, folder: Path) -> Path:
    """Write `FILES` of a simulation into a folder; return the report; raise `OSError` if one cannot be written."""
    from couplant.report.png import write_png  # loads matplotlib

    page, picture, metrics = (folder / name for name in FILES)
    write_report(result, page)
    write_png(result, picture)
    write_atomic(metrics, result.to_json() + "\n")
    return page


def content(result: Result, more: Sequence[Chart] = ()) -> dict[str, Any]:
    """Return the content of the page of a `result`, by names in its template; charts of bonds come before `more`."""
    found, own = summary(result), figure_rows(result)
    strips, bond_rows = bonds.charts(result), bonds.rows(result)
    return {
        "kind": "recording" if found.open_loop else "co-simulation",
        "title": found.title,
        "headline": found.headline,
        "facts": found.facts,
        "summary": found,
        "headings": HEADINGS | {CREATED: "created / J"},
        "looks": result.looks,
        "watched": [*watched_units(result).items()],
        "strips": strips,
        "charts": more,
        "bond_table": (bonds.HEADINGS, bond_rows),
        "own_table": (FIGURE_HEADINGS, own),
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
            rows.append((f"{prefix}{key}", _text(value)))
    return rows


def _text(value: Any) -> str:
    """Return a setting as in JSON; of a long list its first entries."""
    if isinstance(value, list | tuple) and len(value) > _LISTED:
        return f"{_text(list(value[:_LISTED]))[:-1]}, .. {len(value)} in all]"
    return json.dumps(value, ensure_ascii=False, default=str)


FLOATS = 1_200_000  # numbers a page may hold: 6.4 MB of base64
POINTS = 60_000  # points a curve may have: more are slow to draw and none are seen

_OWN = "own"  # an algorithm of the user's, that of the run
_LISTED = 20  # entries of a setting that are shown at most
_COLUMNS = 4


def payload(result: Result, charts: Sequence[Chart] = ()) -> dict[str, Any]:
    """Pack the signals of all runs, and some charts of the same page.

    These are ``columns`` (base64), ``palette``, ``charts``, ``runs`` whose traces name columns by number, ``signals``,
    ``group`` (rows behind two points, 1 if nothing was thinned), ``names`` of the numbers of algorithms, ``looks`` of
    names, ``open_loop``.
    """
    store, group = Store(), group_size(result)
    signals = {name: trace.unit for run in result.runs for name, trace in run.traces.items()}
    watched = watched_units(result)
    return {
        "runs": [_run(run, result.looks[run.algorithm], store, group) for run in result.runs],
        "signals": [{"name": name, "unit": unit} for name, unit in signals.items()]
        + [{"name": name, "unit": unit, "watched": True} for name, unit in watched.items()],
        "group": group,
        "open_loop": result.open_loop,
        "macro_step": result.macro_step,
        "names": ["none", *ALL, _OWN],
        "looks": {name: {"label": label(name), "colour": shade(name)} for name in (*ALL, _OWN)},
        **chart_payload(charts, store),
    }


def watched_units(result: Result) -> dict[str, str]:
    """Return the kept variables besides the signals, by name, with their units."""
    return {name: one.unit for run in result.runs for name, one in run.watched.items()}


def group_size(result: Result) -> int:
    """Return how many rows share two points of a curve; 1 if the page can hold every row."""
    times = [one.time for run in result.runs for one in run.traces.values()]
    times += [one.time for run in result.runs for one in run.watched.values()]
    rows = max(map(len, times), default=0)
    points = min(POINTS, max(FLOATS // max(_COLUMNS * len(times), 1), 400))
    return 1 if rows <= points else int(np.ceil(2.0 * rows / points))


def _run(run: Run, look: Look, store: Store, group: int) -> dict[str, Any]:
    time, level = error_level(run)
    traces = {name: _trace(trace, store, group) for name, trace in run.traces.items()}
    for name, one in run.watched.items():
        traces[name] = _course(one.time, one.reference, one.values, {}, store, group)
    return {
        "algorithm": run.algorithm,
        "label": run.label,
        "colour": look.colour,
        "dash": look.dash,
        "timing": run.timing,
        "verdict": run.verdict,
        "level": {"time": store.add(time), "value": store.add(level)},
        "traces": traces,
    }


def _trace(trace: Trace, store: Store, group: int) -> dict[str, Any]:
    others = {"sent": trace.sent, "received": trace.received}
    return _course(trace.time, trace.reference, trace.estimate, others, store, group) | {
        "active": intervals(trace.time, trace.active, group, np.minimum),
        "state": intervals(trace.time, trace.state, group),
        "detected": [part[:2] for part in intervals(trace.time, trace.detected, group) if part[2]],
        "limited": [part[:2] for part in intervals(trace.time, trace.limited, group) if part[2]],
    }


def _course(
    time: Vector, reference: Vector, estimate: Vector, others: dict[str, Vector], store: Store, group: int
) -> dict[str, Any]:
    """Return a course next to that without delay, and other ones of the same times."""
    with np.errstate(invalid="ignore", over="ignore"):
        error = estimate - reference
    columns, at = {"reference": reference, **others, "error": error}, _time(time, group)
    if group > 1:
        columns |= {"estimate": estimate}
        columns = {name: thin(values, group) for name, values in columns.items()}
    return {name: store.add(values) for name, values in columns.items()} | {"time": at}


def _time(time: Vector, group: int) -> list[float]:
    if group > 1:
        starts = time[::group]
        step = float(time[1] - time[0]) * group / 2.0
        return [float(starts[0]), step, 2 * len(starts)]
    step = float((time[-1] - time[0]) / (len(time) - 1)) if len(time) > 1 else 1.0
    return [float(time[0]), step, len(time)] if len(time) else [0.0, 1.0, 0]
