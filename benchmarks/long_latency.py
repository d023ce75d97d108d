"""The oscillator of example 14 over the latency: MAE as CSV on standard output, and its picture.

python benchmarks/long_latency.py [PICTURE.png], with fmu_src, builder and the root of the project on the path.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Mapping
from pathlib import Path

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from benchmarks.axes import figure_of, legend, plain
from couplant.base.style import LIGHT, colour
from couplant.cosim import simulate
from couplant.cosim.result import Result
from couplant.report.pictures import FONT, write_figure

SCENARIO = Path(__file__).resolve().parents[1] / "examples" / "14_long_latency" / "scenario.toml"
LATENCIES = (1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 15, 20, 25)
SHOWN = 15

Found = Mapping[int, Result]
"""Results by latency in macro steps."""


def measure() -> Found:
    """Simulate all latencies in step timing."""
    return {k: simulate(SCENARIO, [f"network.latency_steps={k}", 'timing=["step"]']) for k in LATENCIES}


def draw(found: Found) -> Figure:
    """Draw what mass 1 does at a latency of 0.3 s, by algorithm, and MAE over latency."""
    with matplotlib.rc_context(FONT):
        figure = figure_of(6.4)
        upper, lower = figure.subplots(2, 1)
        _motion(upper, found[SHOWN])
        _errors(lower, found)
        legend(figure, [run.algorithm for run in found[SHOWN].runs])
    return figure


def _motion(axis: Axes, result: Result) -> None:
    for run in result.runs:
        trace = run.traces["x1"]
        axis.plot(trace.time, trace.sent, color=colour(run.algorithm), lw=1.5)
    axis.plot(trace.time, trace.reference, color=LIGHT.ink, lw=4.0, alpha=0.3)
    axis.set(ylim=(-0.45, 0.45), xlim=(0.0, trace.time[-1]), xlabel="time / s", ylabel="position of mass 1 / m")
    axis.set_title(f"k = {SHOWN} ({20 * SHOWN} ms each way)", loc="left", fontsize=9.5)
    plain(axis)


def _errors(axis: Axes, found: Found) -> None:
    for i, run in enumerate(found[SHOWN].runs):
        errors = [found[k].runs[i].metrics["mae"] for k in LATENCIES]
        axis.semilogy(LATENCIES, errors, color=colour(run.algorithm), lw=1.6, marker="o", ms=3)
    axis.set(ylim=(5e-3, 1e3), xlabel="latency k / macro steps", ylabel="MAE", xticks=LATENCIES)
    plain(axis)


def main() -> None:
    """Write the table, and the picture if a file is named for it."""
    found = measure()
    table = csv.writer(sys.stdout, lineterminator="\n")
    table.writerow(["k", "algorithm", "mae", "growth"])
    for k, result in found.items():
        for run in result.runs:
            table.writerow([k, run.algorithm, run.metrics["mae"], run.metrics["growth"]])
    for path in sys.argv[1:2]:
        write_figure(draw(found), Path(path))


if __name__ == "__main__":
    main()
