"""Pictures of results in notebooks and scripts: the charts of each kind, for ``plot()``."""

from collections.abc import Sequence
from functools import singledispatch
from itertools import groupby

import numpy as np
from matplotlib.figure import Figure

from couplant.analysis.assessment import Assessment
from couplant.analysis.certify import Certificate
from couplant.analysis.model_map import senders_of
from couplant.base.errors import UsageError
from couplant.base.style import axis_label, label
from couplant.cosim.result import Result, Run
from couplant.design.ask_signals import Energy
from couplant.design.ask_theory import Bode, Eros, LimitTable
from couplant.design.identify import Identification
from couplant.design.inspection import Inspection
from couplant.design.neural.offline import Lesson
from couplant.design.request import Answers
from couplant.lab.arena import Arena
from couplant.report.advice import advice_charts
from couplant.report.arena import arena_charts
from couplant.report.chart import Chart, Line, Mark, Panel
from couplant.report.curves import (
    bode_chart,
    design_charts,
    energy_charts,
    inspection_charts,
    lesson_charts,
    open_loop_chart,
)
from couplant.report.drawing import draw
from couplant.report.signals import limits
from couplant.sweep import Sweep
from couplant.sweep.candidates import Advice
from couplant.sweep.table import Median
from couplant.tables import Channels

_CHANNELS = 12
"""Channels of a recording that are drawn, the first ones."""
_PENS = ("eros3", "foh", "auto", "smb", "eros4", "zoh")


def figure_of(found: object) -> Figure:
    """Return a figure of what a command or a function has `found`, in matplotlib's list of figures.

    Raises UsageError if there is nothing to draw.
    """
    charts = charts_of(found)
    # pyplot takes long to load and chooses a window system: only who draws for a user needs it
    from matplotlib import pyplot

    return draw(charts, pyplot.figure)


@singledispatch
def charts_of(found: object) -> list[Chart]:
    """Return the charts of a result; raise `UsageError` if `found` has none."""
    raise UsageError(f"{type(found).__name__}: nothing to draw, allowed are results with a course or a curve")


charts_of.register(Advice)(advice_charts)
charts_of.register(Arena)(arena_charts)
charts_of.register(Answers)(design_charts)
charts_of.register(Energy)(energy_charts)
charts_of.register(Inspection)(inspection_charts)
charts_of.register(Lesson)(lesson_charts)


@charts_of.register
def _result(found: Result) -> list[Chart]:
    """Draw the signals as they are and as they are estimated, a chart for each timing."""
    return [_signals(found, timing, found.ranked(timing)) for timing in found.timings]


def _signals(found: Result, timing: str, runs: Sequence[Run]) -> Chart:
    panels = []
    for name, first in runs[0].traces.items():
        # the best lies above the others
        lines = [Line("without delay", first.time, first.reference, "ink", width=2.0)]
        for run in reversed(runs):
            if (trace := run.traces.get(name)) is not None:
                lines.append(Line(label(run.algorithm), trace.time, trace.estimate, run.algorithm))
        panels.append(Panel(axis_label(name, first.unit), lines, limits=limits(first)))
    return Chart(f"{found.scenario_name}, {timing} timing, latency {found.latency}", "time / s", panels)


@charts_of.register
def _sweep(found: Sweep) -> list[Chart]:
    """Draw the medians of each algorithm over the axis that has most values, a chart for each timing."""
    axes = found.axes
    across = max(("latency", "jitter", "loss"), key=lambda axis: len(getattr(axes, axis)))
    words = {"latency": "latency / macro steps", "jitter": "jitter / macro steps", "loss": "lost / %"}
    charts, medians = [], found.table.medians()
    for timing in axes.timing:
        lines = []
        for name in axes.algorithms:
            own = [one for one in medians if (one.cell.timing, one.cell.algorithm) == (timing, name)]
            x, y = _medians(own, across)
            if x.size:
                lines.append(Line(label(name), x, y, name))
        title = f"{found.loaded.scenario.name}, {timing} timing"
        charts.append(Chart(title, words[across], [Panel("error / %", lines, log=True, height=300.0)]))
    return charts


def _medians(rows: Sequence[Median], across: str) -> tuple[np.ndarray, np.ndarray]:
    """Return the places on an axis and the medians of the errors there, without runs that diverge."""
    errors = ((float(getattr(one.cell, across)), one.error) for one in rows)
    known = sorted((place, error) for place, error in errors if error and np.isfinite(error))
    groups = [(place, [error for _, error in some]) for place, some in groupby(known, key=lambda pair: pair[0])]
    scale = 100.0 if across == "loss" else 1.0
    return np.array([scale * place for place, _ in groups]), np.array([float(np.median(some)) for _, some in groups])


@charts_of.register
def _bode(found: Bode) -> list[Chart]:
    return [bode_chart(found.algorithms, found.timing, latency=found.latency)]


@charts_of.register
def _eros(found: Eros) -> list[Chart]:
    return [bode_chart(list(found.algorithms.values()), found.timing)]


@charts_of.register
def _limits(found: LimitTable) -> list[Chart]:
    lines = []
    for name in dict.fromkeys(row["algorithm"] for row in found.rows):
        rows = sorted((row["steps"], row["limit"]) for row in found.rows if row["algorithm"] == name and row["limit"])
        if rows:
            x, y = (np.array(column, dtype=float) for column in zip(*rows, strict=True))
            lines.append(Line(label(name), x, y, name))
    return [Chart(found.title, "latency / macro steps", [Panel("limit / % of Nyquist", lines, log=True, height=300.0)])]


@charts_of.register
def _assessment(found: Assessment) -> list[Chart]:
    """Draw the open loop cut at each input."""
    if senders_of(found.system):
        raise UsageError("the system has models of its senders: its open loops are not drawn")
    return [open_loop_chart([found.system], connection.target) for connection in found.system.connections]


@charts_of.register
def _certificate(found: Certificate) -> list[Chart]:
    """Draw the pattern of messages that grows: how late arrives what was sent in each macro step."""
    if found.cycle is None:
        raise UsageError(f"{found.words()}: there is no pattern to draw")
    steps = np.arange(len(found.cycle.events), dtype=float)
    panels = []
    for way, name in enumerate(found.cycle.names):
        late = np.array(found.cycle.latencies(way), dtype=float)
        panels.append(Panel(f"{name} / macro steps", [Line("", steps, late, _PENS[way % len(_PENS)], steps=True)]))
    return [Chart("Latencies of a pattern that grows", "macro step in which it is sent", panels)]


@charts_of.register
def _identification(found: Identification) -> list[Chart]:
    """Draw the error of each number of states over that of doing nothing."""
    states = np.array([one.states for one in found.candidates], dtype=float)
    lines = []
    for i, name in enumerate(found.outputs):
        for words, part, dash in (("1 step", "one", (2, 3)), (f"{found.steps} steps", "ahead", ())):
            ratio = np.array([getattr(one, part)[i] / max(one.zoh[i], 1e-300) for one in found.candidates])
            lines.append(Line(f"{name}, {words} ahead", states, ratio, _PENS[i % len(_PENS)], dash=dash))
    panel = Panel("error / that of doing nothing", lines, marks=[Mark(1.0, upwards=True)], log=True, height=300.0)
    return [Chart("Models by their number of states", "states", [panel])]


@charts_of.register
def _channels(found: Channels) -> list[Chart]:
    """Draw the first channels over their times."""
    channels = found.select(found.numeric()[:_CHANNELS])
    panels = [Panel(axis_label(c.name, c.unit), [Line("", c.time, c.value, "eros3")], height=120.0) for c in channels]
    if not panels:
        raise UsageError(f"{found.origin}: no channel of numbers to draw")
    return [Chart(found.origin, "time / s", panels)]
