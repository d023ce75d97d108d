"""The oscillators of example 8: energy over time without correction, with the published one, with take-back.

python benchmarks/oscillators.py [PICTURE.png [OTHERS.png]], with fmu_src, builder and the root of the project on the
path. The second picture has other rates and more masses. Mean energies of the last second over those at the start go to
standard output as CSV.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Mapping
from copy import deepcopy
from pathlib import Path

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from benchmarks.axes import figure_of, plain
from couplant.base.arrays import Vector
from couplant.base.style import LIGHT
from couplant.report.pictures import FONT, write_figure
from examples.published.correction import EXACT, through_fmus
from examples.published.energy import Damper, Oscillator, Published, Schedule, co_simulate, published_mu

SCENARIO = Path(__file__).resolve().parents[1] / "examples" / "08_oscillators" / "scenario.toml"
SHOWN = {
    "force read again": "no network",
    "each signal a step late": "1 ms each way",
    "each signal three steps late": "3 ms each way",
}
PENS = {"without": "#9aa1a9", "published": "#c1542e", "take-back": "#1f6f8b"}
OTHERS = {
    "R = 10": (
        Oscillator(),
        Schedule(parts=(1, 10)),
        Published(published_mu(10.0, line=False)),
        Damper(velocities=False),
    ),
    "R = 1/10": (Oscillator(), Schedule(parts=(10, 1)), Published(published_mu(0.1, line=False)), Damper()),
    "3 masses": (Oscillator(left=2), Schedule(), Published(cap=0.25), Damper()),
    "5 masses": (Oscillator(left=4), Schedule(), Published(cap=0.25), Damper()),
}
"""Symplectic Euler without network: what is simulated, how, and both corrections.

With ten Euler steps on the right the displacement is no longer the last velocity, so that its own books are kept.
"""

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


def others() -> Found:
    """Simulate other rates and more masses; the take-back is that of `Damper`."""
    found = {}
    for name, (oscillator, schedule, published, damper) in OTHERS.items():
        runs = zip(PENS, (None, deepcopy(published), deepcopy(damper)), strict=True)
        found[name] = {what: co_simulate(oscillator, schedule, one) for what, one in runs}
    return found


def draw(found: Found, shown: Mapping[str, str], top: float) -> Figure:
    """Draw the energies of the cases `shown`, with their titles, over time, up to `top`."""
    with matplotlib.rc_context(FONT):
        figure = figure_of(3.6)
        axes = figure.subplots(1, len(shown), sharey=True)
        for axis, (name, title) in zip(axes, shown.items(), strict=True):
            for what, energies in found[name].items():
                time = np.linspace(0.0, 10.0, len(energies))
                axis.semilogy(time, energies, color=PENS[what], lw=1.4, label=what)
            axis.set_title(title, loc="left", fontsize=9.5)
            _plain(axis, top)
        axes[0].set_ylabel("energy of the masses / that at the start")
        figure.legend(*axes[0].get_legend_handles_labels(), loc="outside upper left", ncols=3, frameon=False)
    return figure


def _plain(axis: Axes, top: float) -> None:
    axis.axhline(1.0, color=LIGHT.ink, lw=0.8, zorder=0)
    axis.set(xlim=(0.0, 10.0), ylim=(0.5, top), xlabel="time / s")
    ticks = [tick for tick in (1, 10, 100, 1000) if tick <= top]
    axis.set_yticks(ticks, [str(tick) for tick in ticks])
    plain(axis)


def main() -> None:
    """Write the table, and the pictures for which files are named."""
    found, further = measure(), others()
    table = csv.writer(sys.stdout, lineterminator="\n")
    table.writerow(["case", *PENS])
    for name, energies in {**found, **further}.items():
        table.writerow([name, *(f"{energies[what][-1000:].mean():.4f}" for what in PENS)])
    figures = draw(found, SHOWN, 1000.0), draw(further, {name: name for name in further}, 30.0)
    for figure, path in zip(figures, sys.argv[1:], strict=False):
        write_figure(figure, Path(path))


if __name__ == "__main__":
    main()
