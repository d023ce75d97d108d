"""The signals of a result as compact JSON for the page.

Every column is stored once, as base64 of 32-bit floats; flags and algorithms as intervals of time. Runs too long for a
page are thinned to the smallest and largest value of groups of rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from couplant.base.arrays import Vector
from couplant.base.style import Look, label, shade
from couplant.cosim.result import Result, Run
from couplant.cosim.traces import Trace
from couplant.report.charts.chart import Chart, Store
from couplant.report.charts.chart import payload as chart_payload
from couplant.report.signals import error_level, run_looks, thin
from couplant_runtime.algorithms import ALL

FLOATS = 1_200_000
"""Numbers a page may hold: 6.4 MB of base64."""

POINTS = 60_000
"""Points a curve may have: more are slow to draw and none are seen."""

_COLUMNS = 4


def payload(result: Result, charts: Sequence[Chart] = ()) -> dict[str, Any]:
    """Pack the signals of all runs, and some charts of the same page.

    Returns
    -------
    dict
        ``columns`` (base64), ``palette``, ``charts``, ``runs`` whose traces name columns by number, ``signals``,
        ``group`` (rows behind two points, 1 if nothing was thinned), ``names`` of the numbers of algorithms, ``looks``
        of names, ``open_loop``.
    """
    store, group = Store(), group_size(result)
    signals = {name: trace.unit for run in result.runs for name, trace in run.traces.items()}
    watched = watched_units(result)
    drawn = run_looks(result)
    return {
        "runs": [_run(run, drawn[run.algorithm], store, group) for run in result.runs],
        "signals": [{"name": name, "unit": unit} for name, unit in signals.items()]
        + [{"name": name, "unit": unit, "watched": True} for name, unit in watched.items()],
        "group": group,
        "open_loop": result.open_loop,
        "macro_step": result.macro_step,
        "names": ["none", *ALL],
        "looks": {name: {"label": label(name), "colour": shade(name)} for name in ALL},
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
    return {
        "algorithm": run.algorithm,
        "label": run.label,
        "colour": look.colour,
        "dash": look.dash,
        "timing": run.timing,
        "verdict": run.verdict,
        "level": _level(run, store),
        "traces": _traces(run, store, group),
    }


def _level(run: Run, store: Store) -> dict[str, int]:
    time, level = error_level(run)
    return {"time": store.add(time), "value": store.add(level)}


def _traces(run: Run, store: Store, group: int) -> dict[str, Any]:
    """Return the signals, and what is kept besides them, which has no marks of a coupling FMU."""
    found = {name: _trace(trace, store, group) for name, trace in run.traces.items()}
    for name, one in run.watched.items():
        found[name] = _course(one.time, one.reference, one.values, {}, store, group)
    return found


def _trace(trace: Trace, store: Store, group: int) -> dict[str, Any]:
    others = {"sent": trace.sent, "received": trace.received}
    return _course(trace.time, trace.reference, trace.estimate, others, store, group) | _marks(trace, group)


def _course(
    time: Vector, reference: Vector, estimate: Vector, others: dict[str, Vector], store: Store, group: int
) -> dict[str, Any]:
    """Return a course next to that without delay, and other ones of the same times."""
    with np.errstate(invalid="ignore", over="ignore"):
        error = estimate - reference
    columns = {"reference": reference, **others, "error": error}
    if group > 1:
        columns |= {"estimate": estimate}
        columns = {name: thin(values, group) for name, values in columns.items()}
    stored = {name: store.add(values) for name, values in columns.items()}
    return stored | {"time": _time(time, group)}


def _time(time: Vector, group: int) -> list[float]:
    if group > 1:
        starts = time[::group]
        step = float(time[1] - time[0]) * group / 2.0
        return [float(starts[0]), step, 2 * len(starts)]
    step = float((time[-1] - time[0]) / (len(time) - 1)) if len(time) > 1 else 1.0
    return [float(time[0]), step, len(time)] if len(time) else [0.0, 1.0, 0]


def _marks(trace: Trace, group: int) -> dict[str, list[list[float]]]:
    return {
        "active": intervals(trace.time, trace.active, group, np.minimum),
        "state": intervals(trace.time, trace.state, group),
        "detected": [part[:2] for part in intervals(trace.time, trace.detected, group) if part[2]],
        "limited": [part[:2] for part in intervals(trace.time, trace.limited, group) if part[2]],
    }


def intervals(
    time: Vector, codes: NDArray[Any], group: int = 1, chosen: np.ufunc = np.maximum
) -> list[list[float]]:
    """Find the times between which a code stays the same.

    Parameters
    ----------
    time : ndarray, shape (N,)
        Macro points [s].
    codes : ndarray, shape (N,)
        Numbers or flags; each counts from its macro point to the next.
    group : int
        Rows that are joined.
    chosen : ufunc
        Which code of joined rows counts: the largest state (lost), the smallest algorithm (a fallback).

    Returns
    -------
    list of [from, to, code]
        In the order of time [s, s, -].
    """
    if not len(time):
        return []
    starts = np.arange(0, len(time), group)
    values = chosen.reduceat(codes.astype(int), starts)
    first = np.flatnonzero(np.diff(values, prepend=values[0] - 1))
    step = time[1] - time[0] if len(time) > 1 else 1.0
    edges = np.append(time[starts[first]], time[-1] + step)
    return [
        [float(f"{left:.9g}"), float(f"{right:.9g}"), int(values[index])]
        for left, right, index in zip(edges[:-1], edges[1:], first, strict=True)
    ]
