"""The oscillators of example 8: energy over time without correction, with the published one, with take-back.

python benchmarks/oscillators.py [PICTURE.png], with fmu_src, builder and the root of the project on the path. Mean
energies of the last second over those at the start go to standard output as CSV.
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

from couplant.analysis.energy_published import Published, co_simulate
from couplant.arrays import Vector
from couplant.report.paper.correction import EXACT, through_fmus
from couplant.report.pictures import FONT, write_figure
from couplant.style import LIGHT

SCENARIO = Path(__file__).resolve().parents[1] / "examples" / "08_oscillators" / "scenario.toml"
SHOWN = {
    "force read again": "no network",
    "each signal a step late": "1 ms each way",
    "each signal three steps late": "3 ms each way",
}
PENS = {"without": "#9aa1a9", "published": "#c1542e", "take-back": "#1f6f8b"}

Found = Mapping[str, Mapping[str, Vector]]
"""Energies over that at the start, by case and by what is done."""


def measure() -> Found:
    """Simulate all cases."""
    found = {}
    for name, oscillator, schedule, words in EXACT:
        found[name] = {
            "without": through_fmus(SCENARIO, oscillator, [*words, "bonds.spring.take_back=0.0"]),
            "published": co_simulate(oscillator, schedule, Published()),
            "take-back": through_fmus(SCENARIO, oscillator, words),
        }
    return found


def draw(found: Found) -> Figure:
    """Draw the energies of three cases over time."""
    with matplotlib.rc_context(FONT):
        figure = Figure(figsize=(10.0, 3.6), dpi=160, layout="constrained", facecolor=LIGHT.background)
        axes = figure.subplots(1, len(SHOWN), sharey=True)
        for axis, (name, title) in zip(axes, SHOWN.items(), strict=True):
            for what, energies in found[name].items():
                time = np.linspace(0.0, 10.0, len(energies))
                axis.semilogy(time, energies, color=PENS[what], lw=1.4, label=what)
            axis.set_title(title, loc="left", fontsize=9.5)
            _plain(axis)
        axes[0].set_ylabel("energy of the masses / that at the start")
        figure.legend(*axes[0].get_legend_handles_labels(), loc="outside upper left", ncols=3, frameon=False)
    return figure


def _plain(axis: Axes) -> None:
    axis.axhline(1.0, color=LIGHT.ink, lw=0.8, zorder=0)
    axis.set(xlim=(0.0, 10.0), ylim=(0.5, 1000.0), xlabel="time / s")
    axis.set_yticks([1.0, 10.0, 100.0, 1000.0], ["1", "10", "100", "1000"])
    axis.minorticks_off()
    axis.grid(True, color=LIGHT.grid, lw=0.7)
    axis.set_axisbelow(True)
    axis.spines[["top", "right"]].set_visible(False)


def main() -> None:
    """Write the table, and the picture if a file is named for it."""
    found = measure()
    table = csv.writer(sys.stdout, lineterminator="\n")
    table.writerow(["case", *PENS])
    for name, energies in found.items():
        table.writerow([name, *(f"{energies[what][-1000:].mean():.4f}" for what in PENS)])
    for path in sys.argv[1:2]:
        write_figure(draw(found), Path(path))


if __name__ == "__main__":
    main()
