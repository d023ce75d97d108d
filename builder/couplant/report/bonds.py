"""Power bonds of a simulation: the table, and the strip of power, energy created, budget left and steps."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from couplant.arrays import Vector
from couplant.cosim.result import BondTrace, Result
from couplant.cosim.verdict import UNSTABLE, verdict
from couplant.report.headline import timings
from couplant.report.own import whole
from couplant.report.payload import intervals
from couplant.report.pictures import DPI
from couplant.style import LIGHT, colour, label, number

HEADINGS = (
    "bond",
    "run",
    "steps",
    "sent / J",
    "received / J",
    "created / J",
    "of transmitted / %",
    "taken / J",
    "limited / %",
    "residual power / W",
    "largest / W",
)
"""Columns of `rows`."""

LIMITED = "#d0021b"
"""Colour of what is kept within the budget."""

_WIDTH, _ROW, _BARS, _EDGE = 6.6, 1.5, 0.9, 0.75
_SPREAD = 30.0
_POINTS = 4000

Draw = Callable[[Axes], None]
"""What draws a plot on the axes it is given."""


def names(result: Result) -> list[str]:
    """Return the names of all bonds."""
    return list(dict.fromkeys(name for run in result.runs for name in run.bonds))


def rows(result: Result) -> list[list[str]]:
    """Return steps and energies by bond and run, as text."""
    several = len(timings(result)) > 1
    found = []
    for name in names(result):
        for run in result.runs:
            if name in run.bonds:
                one = run.bonds[name]
                title = f"{label(run.algorithm)}, {run.timing}" if several else label(run.algorithm)
                found.append([name, title, str(one.step.size), *_figures(one.figures())])
    return found


def _figures(figures: dict[str, float]) -> list[str]:
    keys = ("created", "created_share", "taken", "limited_share", "residual_power", "residual_power_max")
    ends = [whole(figures[key]) for key in ("sent", "received")]
    return [*ends, *(number(figures[key] * (100.0 if key.endswith("share") else 1.0)) for key in keys)]


def bond_figures(result: Result, name: str) -> list[tuple[str, Figure]]:
    """Draw the strip of a bond for each timing; each has a title."""
    found = []
    for timing in timings(result):
        if _runs(result, name, timing):
            title = f"{name}, {timing} timing" if len(timings(result)) > 1 else name
            found.append((title, _strip(strip_plots(result, name, timing))))
    return found


def strip_plots(result: Result, name: str, timing: str) -> list[partial[None]]:
    """Return what draws the strip of the bond `name` in a `timing` of a `result`: only what the runs have."""
    bonds = [one for _, one, _ in _runs(result, name, timing)]
    budget = any(one.left_effort is not None and np.nanmax(one.left_effort, initial=0.0) > 0.0 for one in bonds)
    direct = any(run.steps is not None for run in result.runs)
    drawn = [*([] if direct else [power]), residual, *([left, limited] if budget else []), *([step] if direct else [])]
    return [partial(one, result, name, timing) for one in drawn]


def _strip(plots: list[partial[None]]) -> Figure:
    heights = [_BARS if one.func is limited else _ROW for one in plots]
    size = (_WIDTH, sum(heights) + _EDGE)
    figure = Figure(figsize=size, dpi=DPI, layout="constrained", facecolor=LIGHT.background)
    axes = figure.subplots(len(plots), 1, sharex=True, squeeze=False, height_ratios=heights)[:, 0]
    for axis, draw in zip(axes, plots, strict=True):
        draw(axis)
    for axis in axes[:-1]:
        axis.set_xlabel("")
    figure.align_ylabels(axes)
    axes[0].legend(loc="lower left", bbox_to_anchor=(0.0, 1.0), fontsize=9, frameon=False, ncols=4)
    return figure


def power(result: Result, name: str, timing: str, axis: Axes) -> None:
    """Draw the power that is transmitted through the bond `name` into an `axis`; the axis fits runs that are stable."""
    runs = _runs(result, name, timing)
    for algorithm, one, _ in runs:
        axis.plot(*_thinned(one.time, one.power), color=colour(algorithm), lw=1.0, label=label(algorithm))
    tame = [one for _, one, tame in runs if tame] or [one for _, one, _ in runs]
    top = 1.08 * max((float(np.abs(one.power).max(initial=0.0)) for one in tame), default=0.0)
    axis.set_ylim(-top or -1.0, top or 1.0)
    _finish(axis, "power / W")


def residual(result: Result, name: str, timing: str, axis: Axes) -> None:
    """Draw the energy created since the start in the bond `name` into an `axis`.

    Where runs differ widely the axis is logarithmic but for a range about 0 that the smallest one fits.
    """
    runs = _runs(result, name, timing)
    for algorithm, one, _ in runs:
        axis.plot(*_thinned(one.time, one.residual), color=colour(algorithm), lw=1.4, label=label(algorithm))
    sizes = [size for _, one, _ in runs if (size := float(np.abs(one.residual).max(initial=0.0))) > 0.0]
    if sizes and max(sizes) > _SPREAD * min(sizes):
        axis.set_yscale("symlog", linthresh=10.0 ** np.ceil(np.log10(min(sizes))))
    _finish(axis, "created / J")


def left(result: Result, name: str, timing: str, axis: Axes) -> None:
    """Draw what is left of the budget of the bond `name` into an `axis`: at that end where it is less."""
    for algorithm, one, _ in _runs(result, name, timing):
        if one.left_effort is not None and one.left_flow is not None:
            least = np.fmin(one.left_effort, one.left_flow)
            axis.plot(*_thinned(one.time, least), color=colour(algorithm), lw=1.0, label=label(algorithm))
    axis.set_ylim(min(0.0, axis.get_ylim()[0]), None)
    _finish(axis, "budget left / J")


def limited(result: Result, name: str, timing: str, axis: Axes) -> None:
    """Draw into an `axis`, in red, when estimates in the bond `name` were kept within the budget, run by run."""
    runs = _runs(result, name, timing)
    for row, (_, one, _) in enumerate(runs):
        if one.limited is not None and one.limited.any():
            pairs = [(start, end - start) for start, end, held in intervals(one.time - one.step, one.limited) if held]
            axis.broken_barh(pairs, (row + 0.15, 0.7), color=LIMITED, linewidth=0.0)
    axis.set_yticks([row + 0.5 for row in range(len(runs))], [label(algorithm) for algorithm, _, _ in runs])
    axis.set_ylim(len(runs), 0.0)
    _finish(axis, "limited")
    axis.grid(False, axis="y")


def step(result: Result, name: str, timing: str, axis: Axes) -> None:
    """Draw the communication steps of the bond `name` into an `axis`."""
    for algorithm, one, _ in _runs(result, name, timing):
        whole = slice(max(one.step.size - 1, 1))  # the last step is cut to fit
        axis.plot(one.time[whole], 1e3 * one.step[whole], color=colour(algorithm), lw=1.2, drawstyle="steps-pre")
    axis.set_ylim(0.0, None)
    _finish(axis, "step / ms")


def _runs(result: Result, name: str, timing: str) -> list[tuple[str, BondTrace, bool]]:
    """Return algorithm and bond of the runs that have one, and whether the run is not unstable."""
    runs = [run for run in result.runs if run.timing == timing and name in run.bonds]
    found = [(run.algorithm, run.bonds[name], verdict(run) != UNSTABLE) for run in runs]
    return [one for one in found if one[1].time.size and np.isfinite(one[1].residual).all()]


def _thinned(time: Vector, values: Vector) -> tuple[Vector, Vector]:
    every = -(-time.size // _POINTS)
    return time[::every], values[::every]


def _finish(axis: Axes, text: str) -> None:
    axis.set(xlabel="time / s", ylabel=text)
    axis.margins(x=0.0)
    axis.set_xlim(0.0 if axis.get_xlim()[0] < 0.05 * axis.get_xlim()[1] else None, None)
    axis.grid(True, color=LIGHT.grid, linewidth=0.8)
    axis.set_axisbelow(True)
    axis.spines[["top", "right"]].set_visible(False)
