"""Figures of a scenario's own, from what a run has recorded."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from couplant.base.arrays import Vector
from couplant.config.figures import LARGEST, LAST, MEAN, FigureTable
from couplant.cosim.traces import Figure, Trace, Watched

_SLACK = 1e-6
"""Share of a macro step by which a time may be off. [-]"""


def figures_of(
    tables: Mapping[str, FigureTable], traces: Mapping[str, Trace], watched: Mapping[str, Watched]
) -> dict[str, Figure]:
    """Return the figures that `tables` of a scenario ask for, by name, of signals or of what else was kept."""
    return {name: _figure(table, traces, watched) for name, table in tables.items()}


def _figure(table: FigureTable, traces: Mapping[str, Trace], watched: Mapping[str, Watched]) -> Figure:
    one: Trace | Watched = traces[table.signal] if table.signal else watched[table.of]
    values = getattr(one, table.of.rpartition(".")[2] if table.signal else "values")
    return Figure(one.unit, *_taken(table, one.time, values), *_taken(table, one.time, one.reference))


def _taken(table: FigureTable, time: Vector, values: Vector) -> tuple[float, float]:
    """Return a figure of a course, shape (N,), and when it was largest or smallest [s]; NaN where there is none."""
    step = time[1] - time[0] if time.size > 1 else 1.0
    size = max(1, min(round(table.mean / step), time.size))
    with np.errstate(over="ignore", invalid="ignore"):
        at, means = (np.convolve(one, np.full(size, 1.0 / size), "valid") for one in (time, values.astype(float)))
    half = 0.5 * (size - 1) * step
    first = -np.inf if table.begin is None else table.begin - _SLACK * step
    last = np.inf if table.until is None else table.until + _SLACK * step
    chosen = np.isfinite(means) & (at - half >= first) & (at + half <= last)
    at, means = at[chosen], means[chosen]
    if not means.size:
        return math.nan, math.nan
    if table.take == MEAN:
        return float(means.mean()), math.nan
    if table.take == LAST:
        return float(means[-1]), math.nan
    place = int(np.argmax(means if table.take == LARGEST else -means))
    return float(means[place]), float(at[place])
