"""A chart, said once: a script draws it on a page, matplotlib as a picture.

Charts of a page that have one quantity to the right are linked: what is zoomed in one is zoomed in all.
"""

import base64
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from couplant.base.arrays import Vector
from couplant.base.style import palette, shade
from couplant.report.signals import thin

POINTS = 8000  # points of a curve: more are slow to draw and none are seen
GOOD, BAD, NEUTRAL = "good", "bad", "grid"  # colours of a `Band`

_LARGEST = float(np.finfo(np.float32).max)


@dataclass(frozen=True, eq=False)
class Line:
    """A curve; one without a label is not in the legend."""

    label: str
    x: Vector  # shape (N,): to the right, in ascending order, in the unit of the axis
    y: Vector  # shape (N,): upwards, in the unit of the axis; what is not finite is a gap
    colour: str  # an algorithm, ink, muted or none
    width: float = 1.4  # px; 0: dots only
    dash: Sequence[float] = ()  # lengths of dash and gap, px
    steps: bool = False  # each value stays until the next


@dataclass(frozen=True)
class Band:
    """A part of the axes, along x unless `upwards`, behind the curves."""

    low: float
    high: float
    colour: str = NEUTRAL
    label: str = ""  # in the legend
    upwards: bool = False


@dataclass(frozen=True)
class Mark:
    """A dashed line across the axes, at a place on x unless `upwards`."""

    at: float
    colour: str = "muted"
    label: str = ""  # in the legend
    upwards: bool = False


@dataclass(frozen=True)
class Panel:
    """One of the axes of a chart."""

    y: str  # quantity and unit
    lines: Sequence[Line]
    bands: Sequence[Band] = ()
    marks: Sequence[Mark] = ()
    log: bool = False
    linear: float = 0.0  # size up to which a logarithmic axis is linear, on both sides of 0, in the unit of y
    rows: Sequence[str] = ()  # names from the top down in place of numbers, of rows one high
    limits: tuple[float, float] = (-np.inf, np.inf)  # beyond which curves are cut off
    height: float = 210.0  # px


@dataclass(frozen=True)
class Chart:
    """Panels one below the other, over one quantity."""

    title: str
    x: str  # quantity and unit
    panels: Sequence[Panel]
    log: bool = False
    note: str = ""  # what a reader must know


def look_closer(chart: Chart, first: float, last: float) -> Chart:
    """Return the part of a chart over time from `first` to `last` [s], zoomed by itself."""
    panels = [
        replace(
            panel,
            lines=[_cut(line, first, last) for line in panel.lines],
            bands=[band for band in panel.bands if band.upwards],
            marks=[mark for mark in panel.marks if mark.upwards or first <= mark.at <= last],
        )
        for panel in chart.panels
    ]
    # charts of one quantity are zoomed together: this one is of another
    return replace(chart, title=f"{chart.title}, {last - first:.3g} s of it", x=f"{chart.x} (closer)", panels=panels)


def _cut(line: Line, first: float, last: float) -> Line:
    inside = (line.x >= first) & (line.x <= last)
    return replace(line, x=line.x[inside], y=line.y[inside])


def payload(charts: Sequence[Chart], store: "Store | None" = None) -> dict[str, Any]:
    """Return the data of some charts for the script; columns are stored once, in the `store` if it is given."""
    kept = store or Store()
    return {"charts": [_chart(one, kept) for one in charts], "columns": kept.columns, "palette": palette()}


def _chart(chart: Chart, store: "Store") -> dict[str, Any]:
    panels = [_panel(panel, chart.log, store) for panel in chart.panels]
    return {"title": chart.title, "x": chart.x, "log": chart.log, "panels": panels}


def _panel(panel: Panel, log: bool, store: "Store") -> dict[str, Any]:
    low, high = ((limit if np.isfinite(limit) else None) for limit in panel.limits)
    return vars(panel) | {
        "lines": [_line(line, log, store) for line in panel.lines],
        "bands": [vars(band) for band in panel.bands],
        "marks": [vars(mark) | {"colour": shade(mark.colour)} for mark in panel.marks],
        "rows": list(panel.rows),
        "limits": [low, high],
    }


def _line(line: Line, log: bool, store: "Store") -> dict[str, Any]:
    x, y = (line.x, line.y) if log else thin_curve(line.x, line.y)
    drawn = {"label": line.label, "colour": shade(line.colour), "width": line.width, "dash": list(line.dash)}
    return drawn | {"steps": line.steps, "x": store.add(x), "y": store.add(y)}


def thin_curve(x: Vector, y: Vector) -> tuple[Vector, Vector]:
    """Return at most `POINTS` points that look like the curve of `y`, shape (N,), over `x`, shape (N,)."""
    size = -(-2 * y.size // POINTS)
    if size <= 2:
        return x, y
    starts = np.arange(0, x.size, size)
    middles = np.minimum(starts + size // 2, x.size - 1)
    return x[np.stack([starts, middles], axis=1).reshape(-1)], thin(y, size)


@dataclass
class Store:
    """Columns by their bytes, so that a reference shared by all runs is stored once."""

    columns: list[str] = field(default_factory=list)
    index: dict[bytes, int] = field(default_factory=dict)

    def add(self, values: Vector) -> int:
        """Keep the column `values`, shape (N,), and return its number."""
        data = np.clip(values, -_LARGEST, _LARGEST).astype("<f4").tobytes()
        if data not in self.index:
            self.index[data] = len(self.columns)
            self.columns.append(base64.b64encode(data).decode("ascii"))
        return self.index[data]
