"""Nyquist plots."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from couplant.analysis.open_loop import nyquist_curve
from couplant.analysis.system import System
from couplant.base.style import LIGHT, Theme, colour, label
from couplant.report.pictures import DPI

_SIDE, _CLOSE = 3.5, 3.0


def nyquist_figure(system: System, cut: str) -> Figure:
    """Draw the open loop cut at an input, ``prototype.signal``, beside the ideal one (dissertation figure 4.8)."""
    figure = Figure(figsize=(8.0, 5.6), dpi=DPI, layout="constrained", facecolor=LIGHT.background)
    axis = figure.subplots()
    name = next((c.algorithm.name for c in system.connections if c.target == cut), "")
    for ideal, text, shade in ((True, "ideal coupling", LIGHT.none), (False, label(name), colour(name))):
        loop = nyquist_curve(system, cut, ideal)[1]
        axis.plot(loop.real, loop.imag, color=shade, label=text, linewidth=1.4)
        axis.plot(loop.real, -loop.imag, color=shade, linewidth=0.9, linestyle="--")
    axis.plot(-1, 0, "x", color=LIGHT.ink, markersize=9, markeredgewidth=2, label="critical point")
    axis.set(xlim=(-_SIDE, _SIDE), ylim=(-_CLOSE, _CLOSE), xlabel="real part", ylabel="imaginary part")
    axis.set_title(f"Open loop cut at {cut}, {system.timing} timing")
    axis.legend(fontsize=8, loc="upper right")
    axis.spines[["top", "right"]].set_visible(False)
    _finish(axis, LIGHT)
    return figure


def nyquist_figures(systems: Sequence[System], cut: str, theme: Theme = LIGHT) -> Figure:
    """Draw Nyquist plots of one plant with several algorithms, the ideal coupling first (dissertation figure 4.8)."""
    rows = (len(systems) + 3) // 3
    figure = Figure(figsize=(9.0, 3.1 * rows), dpi=DPI, layout="constrained", facecolor=theme.background)
    names = [one.connections[0].algorithm.name for one in systems]
    loops = [(nyquist_curve(systems[0], cut, True)[1], "ideal coupling", theme.muted)]
    loops += [(nyquist_curve(one, cut)[1], label(n), colour(n, theme)) for one, n in zip(systems, names, strict=True)]
    for place, (loop, text, shade) in enumerate(loops, start=1):
        axis = figure.add_subplot(rows, 3, place)
        axis.plot(loop.real, loop.imag, color=shade, linewidth=1.3)
        axis.plot(loop.real, -loop.imag, color=shade, linewidth=0.8, linestyle="--")
        axis.plot(-1, 0, "x", color=theme.ink, markersize=8, markeredgewidth=2)
        axis.plot(loop.real[0], loop.imag[0], "o", color=theme.ink, markersize=4)
        axis.set(xlim=(-_CLOSE, _CLOSE), ylim=(-_CLOSE, _CLOSE))
        axis.set_title(text, color=theme.ink)
        _finish(axis, theme)
    return figure


def _finish(axis: Axes, theme: Theme) -> None:
    axis.set_aspect("equal")
    axis.grid(True, color=theme.grid, linewidth=0.8)
    axis.set_axisbelow(True)
    axis.set_facecolor(theme.background)
    axis.tick_params(colors=theme.muted)
    axis.spines[:].set_color(theme.muted)
