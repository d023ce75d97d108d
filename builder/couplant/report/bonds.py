"""Power bonds of direct runs: the table and the picture of steps and residual energy."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from couplant.cosim.result import BondTrace, Result
from couplant.report.pictures import DPI
from couplant.style import LIGHT, colour, label, number

HEADINGS = ("bond", "run", "steps", "residual energy / J", "mean residual power / W", "largest / W")
"""Columns of `rows`."""

_RESIDUALS = ("residual", "residual_power", "residual_power_max")


def names(result: Result) -> list[str]:
    """Return the names of all bonds."""
    return list(dict.fromkeys(name for run in result.runs for name in run.bonds))


def rows(result: Result) -> list[list[str]]:
    """Return steps and energies by bond and run, as text."""
    return [
        [name, label(run.algorithm), str(run.steps), *(number(run.bonds[name].figures()[key]) for key in _RESIDUALS)]
        for name in names(result)
        for run in result.runs
        if name in run.bonds
    ]


def bond_figure(result: Result, name: str) -> Figure:
    """Draw the residual energy of a bond since the start and the step over time, of all runs."""
    figure = Figure(figsize=(8.0, 4.6), dpi=DPI, layout="constrained", facecolor=LIGHT.background)
    for axis, draw in zip(figure.subplots(2, 1, sharex=True), (residual, step), strict=True):
        draw(result, name, axis)
    figure.axes[0].set_xlabel("")
    return figure


def residual(result: Result, name: str, axis: Axes) -> None:
    """Draw the residual energy since the start of the bond `name` into an `axis`."""
    for algorithm, one in _runs(result, name):
        axis.plot(one.time, one.residual, color=colour(algorithm), lw=1.5, label=label(algorithm))
    _finish(axis, "residual energy / J")
    axis.legend(fontsize=8, frameon=False)


def step(result: Result, name: str, axis: Axes) -> None:
    """Draw the communication steps of the bond `name` into an `axis`."""
    for algorithm, one in _runs(result, name):
        whole = slice(max(one.step.size - 1, 1))  # the last step is cut to fit
        axis.plot(one.time[whole], 1e3 * one.step[whole], color=colour(algorithm), lw=1.2, drawstyle="steps-pre")
    axis.set_ylim(0.0, None)
    _finish(axis, "step / ms")


def _runs(result: Result, name: str) -> list[tuple[str, BondTrace]]:
    found = [(run.algorithm, run.bonds[name]) for run in result.runs if name in run.bonds]
    return [(algorithm, one) for algorithm, one in found if np.isfinite(one.residual).all()]


def _finish(axis: Axes, text: str) -> None:
    axis.set(xlabel="time / s", ylabel=text)
    axis.set_xlim(0.0 if axis.get_xlim()[0] < 0.0 else None, None)
    axis.grid(True, color=LIGHT.grid, linewidth=0.8)
    axis.set_axisbelow(True)
    axis.spines[["top", "right"]].set_visible(False)
