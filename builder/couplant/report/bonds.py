"""Power bonds of a simulation: the table, and the strip of power, energy created, budget left and steps."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from couplant.base.arrays import Vector
from couplant.base.style import Look, label, number, whole
from couplant.cosim.result import Result
from couplant.cosim.traces import BondTrace
from couplant.report.chart import Chart, Line, Mark, Panel
from couplant.report.signals import intervals

ENERGIES = {
    "sent / J": "sent",
    "received / J": "received",
    "created / J": "created",
    "of transmitted / %": "created_share",
    "taken / J": "taken",
    "limited / %": "limited_share",
    "residual power / W": "residual_power",
    "largest / W": "residual_power_max",
}
"""Figures of a bond by the headings of their columns; shares are shown in per cent."""

HEADINGS = ("bond", "run", "steps", *ENERGIES)  # columns of `rows`
_WHOLE = ("sent", "received")  # figures that are shown with all digits before the point: their difference is small
Runs = Sequence[tuple[str, BondTrace, bool]]  # algorithm, bond and whether it is stable, of each run
Pens = Mapping[str, Look]  # looks by algorithm

_SPREAD = 30.0
_BAR, _ROOM = 18.0, 16.0  # height of a row of what is limited, and of the rest [px]


def names(result: Result) -> list[str]:
    """Return the names of all bonds."""
    return list(dict.fromkeys(name for run in result.runs for name in run.bonds))


def rows(result: Result) -> list[list[str]]:
    """Return steps and energies by bond and run, as text."""
    found = []
    for name in names(result):
        for run in result.runs:
            if name in run.bonds:
                one = run.bonds[name]
                figures = [(whole if key in _WHOLE else number)(value) for key, value in energies(one).items()]
                found.append([name, result.title(run), str(one.step.size), *figures])
    return found


def energies(bond: BondTrace) -> dict[str, float]:
    """Return the figures of a bond by the values of `ENERGIES`, shares in per cent."""
    figures = bond.figures()
    return {key: figures[key] * (100.0 if key.endswith("share") else 1.0) for key in ENERGIES.values()}


def charts(result: Result) -> list[Chart]:
    """Return the strip of each bond of a `result` for each timing."""
    several = len(result.timings) > 1
    found = []
    for name in names(result):
        for timing in result.timings:
            if panels := strip(result, name, timing):
                found.append(Chart(f"{name}, {timing} timing" if several else name, "time / s", panels))
    return found


def strip(result: Result, name: str, timing: str) -> list[Panel]:
    """Return the panels of the bond `name` in a `timing` of a `result`: only what the runs have."""
    runs = _runs(result, name, timing)
    if not runs:
        return []
    budget = any(one.left_effort is not None and np.nanmax(one.left_effort, initial=0.0) > 0.0 for _, one, _ in runs)
    direct = any(run.steps is not None for run in result.runs)
    made = [_created_panel, _step] if direct else [_power, _created_panel]
    return [one(runs, result.looks) for one in (*made, *([_left_panel, _limited_panel] if budget else []))]


def _line(algorithm: str, time: Vector, values: Vector, pens: Pens, **how: Any) -> Line:
    look = pens[algorithm]
    return Line(label(algorithm), time, values, look.colour, dash=look.dash, **how)


def _power(runs: Runs, pens: Pens) -> Panel:
    """Return the power that is transmitted; the axis fits runs that are stable."""
    tame = [one for _, one, tame in runs if tame] or [one for _, one, _ in runs]
    top = 1.08 * max((float(np.abs(one.power).max(initial=0.0)) for one in tame), default=0.0) or 1.0
    return Panel("power / W", [_line(name, one.time, one.power, pens) for name, one, _ in runs], limits=(-top, top))


def _created_panel(runs: Runs, pens: Pens) -> Panel:
    """Return the energy created; where runs differ widely the axis is logarithmic but for what the smallest fits."""
    lines = [_line(name, one.time, one.residual, pens) for name, one, _ in runs]
    sizes = [size for _, one, _ in runs if (size := float(np.abs(one.residual).max(initial=0.0))) > 0.0]
    wide = bool(sizes) and max(sizes) > _SPREAD * min(sizes)
    return Panel("created / J", lines, log=wide, linear=10.0 ** np.ceil(np.log10(min(sizes))) if wide else 0.0)


def _left_panel(runs: Runs, pens: Pens) -> Panel:
    """Return the rest of the budget: at that end where it is less."""
    known = [(name, one.time, one.left_effort, one.left_flow) for name, one, _ in runs]
    lines = [
        _line(name, time, np.fmin(effort, flow), pens)
        for name, time, effort, flow in known
        if effort is not None and flow is not None
    ]
    return Panel("budget left / J", lines, marks=[Mark(0.0, upwards=True)])


def _limited_panel(runs: Runs, pens: Pens) -> Panel:
    """Return, in red, when estimates were kept within the budget, run by run."""
    lines = []
    for row, (_, one, _) in enumerate(runs):
        held = [] if one.limited is None else intervals(one.time - one.step, one.limited)
        gap = 0.2 * float(one.step.min())
        times = [np.array([start, end, end + gap]) for start, end, code in held if code]
        values = np.tile([row + 0.5, row + 0.5, np.nan], len(times))
        lines.append(Line("", np.concatenate(times) if times else one.time[:0], values, "bad", width=10.0))
    height = _BAR * len(runs) + _ROOM
    return Panel("limited", lines, rows=[label(name) for name, _, _ in runs], height=height)


def _step(runs: Runs, pens: Pens) -> Panel:
    lines = []
    for name, one, _ in runs:
        whole = slice(max(one.step.size - 1, 1))  # the last step is cut to fit
        lines.append(_line(name, (one.time - one.step)[whole], 1e3 * one.step[whole], pens, steps=True))
    return Panel("step / ms", lines)


def _runs(result: Result, name: str, timing: str) -> list[tuple[str, BondTrace, bool]]:
    """Return the runs that have a bond and whose energies have bounds."""
    runs = [run for run in result.runs if run.timing == timing and name in run.bonds]
    found = [(run.algorithm, run.bonds[name], not run.judgement.is_unstable) for run in runs]
    return [one for one in found if one[1].time.size and np.isfinite(one[1].residual).all()]
