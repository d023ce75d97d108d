"""The oscillator of example 9 with and without a budget of energy: MAE over the latency as CSV on standard output.

python benchmarks/guard.py [PICTURE.png], with fmu_src, builder and the root of the project on the path.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Mapping
from pathlib import Path

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from benchmarks.axes import figure_of, plain
from couplant.base.style import LIGHT, colour, label
from couplant.cosim import simulate
from couplant.cosim.result import Result
from couplant.report.pictures import FONT, write_figure

SCENARIO = Path(__file__).resolve().parents[1] / "examples" / "09_guard" / "scenario.toml"
LATENCIES = range(3, 21)
SHOWN = (8, 12, 20)
BUDGET = 0.0091
DASHES = (0, (2.0, 1.4))

Found = Mapping[tuple[int, bool], Result]
"""Results by latency in macro steps, and whether there is a budget."""


def measure() -> Found:
    """Simulate all latencies with and without budget; the plain wire keeps none."""
    found = {}
    for k in LATENCIES:
        for guarded in (True, False):
            words = [f"network.latency_steps={k}", f"bonds.spring.budget={BUDGET * guarded}"]
            found[k, guarded] = simulate(SCENARIO, [*words, f"wire={str(not guarded).lower()}"])
    return found


def draw(found: Found) -> Figure:
    """Draw the energy created over time at three latencies, and MAE over latency."""
    with matplotlib.rc_context(FONT):
        figure = figure_of(6.4)
        grid = figure.add_gridspec(2, len(SHOWN))
        upper = [figure.add_subplot(grid[0, i]) for i in range(len(SHOWN))]
        for axis, k in zip(upper, SHOWN, strict=True):
            _energy(axis, found, k)
        upper[0].set_ylabel("energy created / J")
        _errors(figure.add_subplot(grid[1, :]), found)
        names = [run.algorithm for run in found[SHOWN[0], False].runs]
        pens = [Line2D([], [], color=colour(name), lw=2.0, label=label(name)) for name in names]
        pens += [
            Line2D([], [], color=LIGHT.ink, lw=1.4, ls=ls, label=text)
            for text, ls in (("budget", "-"), ("none", DASHES))
        ]
        pens.append(Line2D([], [], color=LIGHT.muted, lw=4.0, alpha=0.4, label="two budgets"))
        figure.legend(handles=pens, loc="outside upper left", ncols=len(pens), frameon=False)
    return figure


def _energy(axis: Axes, found: Found, k: int) -> None:
    axis.axhline(2.0 * BUDGET, color=LIGHT.muted, lw=4.0, alpha=0.4)
    for guarded, pattern in ((True, "-"), (False, DASHES)):
        for run in found[k, guarded].runs:
            one = run.bonds["spring"]
            axis.plot(one.time, one.residual, color=colour(run.algorithm), lw=1.3, ls=pattern)
    axis.set_yscale("symlog", linthresh=0.03, linscale=2.0)
    axis.set_ylim(-0.03, 1e7)
    axis.set_yticks([-0.02, 0.0, 0.02, 1.0, 1e3, 1e6])
    axis.set_xlim(0.0, one.time[-1])
    axis.set_title(f"k = {k} ({20 * k} ms)", loc="left", fontsize=9.5)
    axis.set_xlabel("time / s")
    plain(axis)


def _errors(axis: Axes, found: Found) -> None:
    for guarded, pattern in ((True, "-"), (False, DASHES)):
        for i, run in enumerate(found[LATENCIES[0], guarded].runs):
            errors = [found[k, guarded].runs[i].metrics["mae"] for k in LATENCIES]
            axis.semilogy(LATENCIES, errors, color=colour(run.algorithm), lw=1.6, ls=pattern, marker="o", ms=3)
    axis.set_ylim(5e-3, 1e3)
    axis.set_xticks(LATENCIES)
    axis.set(xlabel="latency k / macro steps", ylabel="MAE")
    plain(axis)


def main() -> None:
    """Write the table, and the picture if a file is named for it."""
    found = measure()
    table = csv.writer(sys.stdout, lineterminator="\n")
    table.writerow(["k", "budget", "algorithm", "mae", "growth", "largest_created"])
    for (k, guarded), result in found.items():
        for run in result.runs:
            created = float(np.max(run.bonds["spring"].residual))
            table.writerow([k, guarded, run.algorithm, run.metrics["mae"], run.metrics["growth"], created])
    for path in sys.argv[1:2]:
        write_figure(draw(found), Path(path))


if __name__ == "__main__":
    main()
