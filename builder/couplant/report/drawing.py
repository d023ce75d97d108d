"""Charts as pictures, and Nyquist plots, drawn by matplotlib."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from couplant.analysis.open_loop import nyquist_curve
from couplant.analysis.system import System
from couplant.base.style import LIGHT, Theme, colour, label
from couplant.report.chart import NEUTRAL, Chart, Line, Panel, thin_curve
from couplant.report.pictures import DPI, FONT, write_figure

_WIDE, _HEAD = 8.0, 0.55
_PER_PIXEL = 1.0 / 80.0
_MARGIN = 0.05
_FAINT = 0.13
_COLUMN = 5
_SIDE, _CLOSE = 3.5, 3.0


def write_charts(charts: Sequence[Chart], path: Path) -> Path:
    """Write charts, one below the other, as png, svg or pdf; raise `UsageError` for others, `OSError` if it fails."""
    return write_figure(draw(charts), path)


def draw(charts: Sequence[Chart], make: Callable[..., Figure] = Figure) -> Figure:
    """Return a figure of some charts, one below the other, which `make` makes: pyplot knows those of its own only."""
    heights = [_HEAD + sum(panel.height for panel in chart.panels) * _PER_PIXEL for chart in charts]
    with matplotlib.rc_context(FONT):
        page = make(figsize=(_WIDE, sum(heights)), dpi=DPI, layout="constrained", facecolor=LIGHT.background)
        parts = page.subfigures(len(charts), 1, height_ratios=heights, squeeze=False)[:, 0]
        for part, chart in zip(parts, charts, strict=True):
            part.set_facecolor(LIGHT.background)
            ratios = [panel.height for panel in chart.panels]
            axes = part.subplots(len(ratios), 1, sharex=True, squeeze=False, height_ratios=ratios)[:, 0]
            _chart(axes, chart)
            part.align_ylabels(axes)
    return page


def _chart(axes: Sequence[Axes], chart: Chart) -> None:
    named: set[str] = set()
    for axis, panel in zip(axes, chart.panels, strict=True):
        draw_panel(axis, panel, chart.log)
        # lines that no panel above has named
        found = dict(zip(*reversed(axis.get_legend_handles_labels()), strict=True))
        fresh = {name: handle for name, handle in found.items() if name not in named}
        named.update(fresh)
        if fresh:
            axis.legend([*fresh.values()], [*fresh], fontsize=8, frameon=False, ncols=2 if len(fresh) > _COLUMN else 1)
    axes[0].set_title(chart.title, loc="left", fontsize=10, weight="bold")
    axes[-1].set_xlabel(chart.x)
    if chart.log:
        axes[0].set_xscale("log")
    ends = [(line.x[0], line.x[-1]) for panel in chart.panels for line in panel.lines if line.x.size > 1]
    if ends:
        axes[0].set_xlim(min(low for low, _ in ends), max(high for _, high in ends))


def draw_panel(axis: Axes, panel: Panel, log: bool = False) -> None:
    """Draw a `panel` on an `axis`, without legend and x; `log` tells that x is logarithmic."""
    axis.grid(True, which="major", color=LIGHT.grid, linewidth=0.8)
    axis.set_axisbelow(True)
    axis.spines[["top", "right"]].set_visible(False)
    axis.tick_params(colors=LIGHT.muted, labelcolor=LIGHT.ink)
    for band in panel.bands:
        span = axis.axhspan if band.upwards else axis.axvspan
        alpha = 1.0 if band.colour == NEUTRAL else _FAINT
        span(band.low, band.high, color=colour(band.colour), alpha=alpha, lw=0, zorder=0, label=band.label or None)
    for line in panel.lines:
        _line(axis, line, log)
    for mark in panel.marks:
        across = axis.axhline if mark.upwards else axis.axvline
        across(mark.at, color=colour(mark.colour), linewidth=1.1, linestyle="--", label=mark.label or None)
    if panel.linear:
        axis.set_yscale("symlog", linthresh=panel.linear)
    elif panel.log:
        axis.set_yscale("log")
    axis.set_ylabel(panel.y.replace("$", r"\$"))
    # fit the curves, without what is beyond the limits of the panel
    if panel.rows:
        axis.set_yticks([row + 0.5 for row in range(len(panel.rows))], [*panel.rows])
        axis.set_ylim(len(panel.rows), 0.0)
        axis.grid(False, axis="y")
        return
    known = [values for line in panel.lines if (values := line.y[np.isfinite(line.y)]).size]
    if panel.log or not known:
        return
    low = max(min(float(values.min()) for values in known), panel.limits[0])
    high = min(max(float(values.max()) for values in known), panel.limits[1])
    margin = _MARGIN * ((high - low) or abs(high) or 1.0)
    axis.set_ylim(low - margin, high + margin)


def _line(axis: Axes, line: Line, log: bool) -> None:
    x, y = (line.x, line.y) if log else thin_curve(line.x, line.y)
    text, shade = line.label.replace("$", r"\$") or None, colour(line.colour)
    if not line.width:
        axis.plot(x, y, ".", color=shade, markersize=2, label=text)
        return
    pattern = tuple(length / line.width for length in line.dash)
    style = (0, pattern) if pattern else "-"
    how = "steps-post" if line.steps else "default"
    pen: dict[str, Any] = {"color": shade, "linewidth": line.width, "linestyle": style, "solid_capstyle": "butt"}
    axis.plot(x, y, drawstyle=how, label=text, **pen)


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
    frame_plane(axis, LIGHT)
    return figure


def frame_plane(axis: Axes, theme: Theme) -> None:
    """Frame an `axis` of complex numbers, its parts to one scale, in the colours of a `theme`."""
    axis.set_aspect("equal")
    axis.grid(True, color=theme.grid, linewidth=0.8)
    axis.set_axisbelow(True)
    axis.set_facecolor(theme.background)
    axis.tick_params(colors=theme.muted)
    axis.spines[:].set_color(theme.muted)
