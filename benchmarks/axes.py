"""What the axes of all pictures have in common."""

from __future__ import annotations

from matplotlib.axes import Axes

from couplant.style import LIGHT


def plain(axis: Axes) -> None:
    """Take off all but a light grid and the two lines that have numbers."""
    axis.minorticks_off()
    axis.grid(True, color=LIGHT.grid, lw=0.7)
    axis.set_axisbelow(True)
    axis.spines[["top", "right"]].set_visible(False)
