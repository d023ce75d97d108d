"""One picture of a result for documents: a row for each signal, a column for each timing."""

import textwrap
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import NullFormatter

from couplant.base.style import LIGHT, Look, axis_label, colour, label, number
from couplant.cosim.result import Result, Run
from couplant.report import bonds
from couplant.report.chart import Panel
from couplant.report.drawing import draw_panel
from couplant.report.headline import headline, share_of_signals
from couplant.report.pictures import FONT, write_figure
from couplant.report.signals import error_level, limits, thin_trace

WIDTH = 1600  # width of the picture [px]

_DPI = 160
_ROW, _HEAD, _LEVEL, _BELOW = 1.75, 0.78, 1.7, 2.2
_POINTS = 3000

_STYLE = FONT | {
    "axes.edgecolor": LIGHT.muted,
    "axes.linewidth": 0.6,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": LIGHT.grid,
    "grid.linewidth": 0.7,
    "xtick.color": LIGHT.muted,
    "ytick.color": LIGHT.muted,
    "legend.frameon": False,
}


_BOND_PLOTS = ("created / J", "budget left / J", "step / ms")

_LINE = 0.2
_BEGINNING = 0.05  # share of a run from which a picture still begins at 0 [-]
Draw = Callable[[Axes], None]  # what draws a plot on the axes it is given
Pens = Mapping[str, Look]  # looks by algorithm


def write_png(result: Result, path: Path, below: Sequence[Draw] = ()) -> Path:
    """Write a picture of all signals, 1600 px wide, whole or not at all; `below` are more plots, side by side.

    Raise `OSError` if the picture cannot be written, `UsageError` if the name of the file has not the ending of a
    picture.
    """
    below = below or _bond_plots(result)
    signals = list(dict.fromkeys(name for run in result.runs for name in run.traces))
    columns = result.timings or [""]
    sentence = textwrap.wrap(headline(result), 96)[:4]
    head = _HEAD + _LINE * (len(sentence) + _legend_rows(result) - 1)
    foot = _BELOW if below else 0.0
    height = head + _ROW * max(len(signals), 1) + _LEVEL + foot
    with matplotlib.rc_context(_STYLE):
        figure = Figure(figsize=(WIDTH / _DPI, height), dpi=_DPI, facecolor=LIGHT.background)
        _draw(figure, result, (signals, columns), (height, head, foot))
        _head(figure, result, sentence, height)
        left, right, gap = 0.075, 0.985, 0.1
        width = (right - left + gap) / max(len(below), 1) - gap
        for i, draw in enumerate(below):
            place = (left + i * (width + gap), 0.5 / height, width, (_BELOW - 0.9) / height)
            draw(figure.add_axes(place))
        return write_figure(figure, path)


def _bond_plots(result: Result) -> list[Draw]:
    """Return plots of the first bond: energy created in each timing, in a single one also what is left or the steps."""
    several, found = result.timings, bonds.names(result)[:1]
    if len(several) > 1:
        panels = [panel for name in found for at in several for panel in bonds.strip(result, name, at)]
        return [partial(_bond_plot, panel) for panel in panels if panel.y == _BOND_PLOTS[0]]
    panels = [panel for name in found for panel in bonds.strip(result, name, several[0])]
    return [partial(_bond_plot, panel) for panel in panels if panel.y in _BOND_PLOTS]


def _bond_plot(panel: Panel, axis: Axes) -> None:
    draw_panel(axis, panel)
    axis.set_xlabel("time / s")
    axis.margins(x=0.0)
    low, high = axis.get_xlim()
    axis.set_xlim(0.0 if low < _BEGINNING * high else low, high)


def _draw(figure: Figure, result: Result, grid: tuple[list[str], list[str]], size: tuple[float, float, float]) -> None:
    (signals, columns), (height, head, foot) = grid, size
    ratios = [_ROW] * len(signals) + [_LEVEL * 0.85]
    axes = figure.subplots(
        len(signals) + 1, len(columns), sharex=True, squeeze=False, gridspec_kw={"height_ratios": ratios}
    )
    figure.subplots_adjust(
        left=0.075, right=0.985, top=1.0 - head / height, bottom=(0.5 + foot) / height, hspace=0.16, wspace=0.13
    )
    for column, timing in enumerate(columns):
        runs = result.ranked(timing)
        for row, name in enumerate(signals):
            _signal(axes[row][column], [run for run in runs if name in run.traces], name, result.looks, column == 0)
        axis = axes[-1][column]
        for rank, run in reversed(list(enumerate(runs))):
            time, level = error_level(run)
            known = level > 0.0
            if known.any():
                axis.semilogy(time[known], level[known], **_pen(result.looks[run.algorithm], 2.0 if rank == 0 else 1.3))
        axis.yaxis.set_minor_formatter(NullFormatter())  # wide, and off the picture
        low, high = axis.get_ylim()
        axis.set_ylim(max(low, 1e-5 * high), high)
        axis.set_xlabel("time / s")
        if column == 0:
            axis.set_ylabel("error / signal, rms")
        step = result.communication_step
        stepping = " timing" if step is None else f", {number(1e3 * step)} ms steps"
        title = _column_title(timing, runs, result.open_loop, stepping)
        axes[0][column].set_title(title, loc="left", fontsize=8.2)
    figure.align_ylabels(axes[:, 0])


def _column_title(timing: str, runs: list[Run], open_loop: bool, step: str = " timing") -> str:
    if not runs:
        return ""
    best, worst = runs[0], runs[-1]
    text = f"{timing}{step}: best {best.label}, error {share_of_signals(best)}"
    if worst is best:
        return text
    unstable = worst.judgement.is_unstable and not open_loop
    rest = "unstable" if unstable else share_of_signals(worst)
    return f"{text}; worst {worst.label}, {rest}"


def _head(figure: Figure, result: Result, lines: Sequence[str], height: float) -> None:
    figure.text(0.012, 1.0 - 0.12 / height, "\n".join(lines), va="top", fontsize=11.5, weight="bold")
    shown = [Line2D([], [], color=LIGHT.ink, alpha=0.25, lw=5, label="reference")]
    shown += [Line2D([], [], color=LIGHT.muted, ls=(0, (4, 3)), lw=1.0, label="late value (of the best)")]
    shown += [Line2D([], [], **_pen(look, 2.0), label=label(name)) for name, look in result.looks.items()]
    place = (0.008, 1.0 - (0.14 + _LINE * len(lines)) / height)
    columns = -(-len(shown) // _legend_rows(result))
    figure.legend(handles=shown, loc="upper left", bbox_to_anchor=place, ncols=columns, handlelength=1.8, fontsize=9)


def _legend_rows(result: Result) -> int:
    """Return how many lines the legend takes: two signals, and each algorithm with its pen."""
    letters = 46 + sum(len(label(name)) + 6 for name in result.looks)
    return -(-letters // 120)


def _signal(axis: Axes, runs: list[Run], name: str, pens: Pens, first: bool) -> None:
    if not runs:
        axis.set_visible(False)
        return
    best = runs[0].traces[name]
    tame = tuple(run.traces[name].estimate for run in runs if not run.judgement.is_unstable)
    axis.plot(*thin_trace(best, best.reference, _POINTS), color=LIGHT.ink, alpha=0.25, lw=5, solid_capstyle="butt")
    axis.plot(*thin_trace(best, best.received, _POINTS), color=LIGHT.muted, ls=(0, (4, 3)), lw=0.9)
    for rank, run in reversed(list(enumerate(runs))):
        trace = run.traces[name]
        axis.plot(*thin_trace(trace, trace.estimate, _POINTS), **_pen(pens[run.algorithm], 1.7 if rank == 0 else 1.0))
    axis.set_ylim(limits(best, tame))
    if len(best.time) > 1:
        axis.set_xlim(best.time[0], best.time[-1])
    if first:
        axis.set_ylabel(axis_label(name, best.unit).replace("$", r"\$"))


def _pen(look: Look, width: float) -> dict[str, Any]:
    # matplotlib counts dashes in widths of the line
    pattern = tuple(length / width for length in look.dash)
    return {"color": colour(look.colour), "lw": width, "ls": (0, pattern) if pattern else "-"}
