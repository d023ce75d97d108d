"""What the axes of all pictures have in common."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from couplant.base.style import LIGHT, colour, label


def figure_of(height: float) -> Figure:
    """Return an empty figure, ten inches wide and of this `height` in inches."""
    return Figure(figsize=(10.0, height), dpi=160, layout="constrained", facecolor=LIGHT.background)


def legend(figure: Figure, algorithms: Sequence[str]) -> None:
    """Name the courses above: the one without delay, then the `algorithms`."""
    pens = [Line2D([], [], color=LIGHT.ink, lw=3.0, alpha=0.35, label="without delay")]
    pens += [Line2D([], [], color=colour(name), lw=2.0, label=label(name)) for name in algorithms]
    figure.legend(handles=pens, loc="outside upper left", ncols=len(pens), frameon=False)


def plain(axis: Axes) -> None:
    """Take off all but a light grid and the two lines that have numbers."""
    axis.minorticks_off()
    axis.grid(True, color=LIGHT.grid, lw=0.7)
    axis.set_axisbelow(True)
    axis.spines[["top", "right"]].set_visible(False)
