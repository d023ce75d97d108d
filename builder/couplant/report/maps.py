"""Heat maps: a panel for each algorithm, one with the best; latency to the right, jitter or loss upwards."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import matplotlib
import numpy as np
from matplotlib.axes import Axes as Plot
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Colormap, LogNorm, to_hex, to_rgb
from matplotlib.figure import Figure
from matplotlib.patches import Patch, Rectangle
from matplotlib.ticker import FuncFormatter, NullFormatter
from numpy.typing import NDArray

from couplant.base.style import LIGHT, colour, label, number
from couplant.report.pictures import DPI, FONT
from couplant.sweep.axes import Axes
from couplant.sweep.table import Cell, Median, best

TITLES = {
    "error": "mean error in % of the signals",
    "ratio": "error over that of the plain wire",
    "growth": "growth",
    "C": "C of Sprague & Geers in %",
}
"""Figures that are drawn, with their titles."""

_AROUND_ONE = ("ratio", "growth")
_MOST_GROWTH = 2.0  # growth at which the colours end: one run that explodes must not hide the others
_MOST_TEXTS = 220  # cells of a panel up to which each shows its number
_SPARE = ("#3d8099", "#6b5b4a", "#d96aa0", "#7a8a1f", "#3a3f8f", "#e08a5a")
"""For algorithms that have no colour of their own."""
_CELL, _HEAD, _FOOT, _BETWEEN, _WIDEST = 0.52, 0.95, 0.62, 0.75, 12.5  # sizes of the pictures [inch]

Scale = tuple[LogNorm, Colormap]


@dataclass(frozen=True)
class Tile:
    """Field of a map at one place; nothing is known where there is no cell."""

    text: str
    face: str = ""
    ink: str = LIGHT.muted
    strokes: int = 0  # that cross it out
    cell: Cell | None = None


@dataclass(frozen=True)
class Layout:
    """Layout of the axes of the pictures."""

    up: str  # axis of the panels besides latency: jitter or loss
    rows: str  # the other one: a row of panels for each of its values


def layout(axes: Axes) -> Layout:
    """Return jitter upwards unless only loss varies."""
    return Layout("loss", "jitter") if len(axes.jitter) == 1 and len(axes.loss) > 1 else Layout("jitter", "loss")


def draw_map(axes: Axes, medians: Sequence[Median], figure: str, timing: str, title: str) -> Figure | None:
    """Draw a figure of `TITLES` in one `timing`, event or step, of the scenario `title`; None if no cell has it."""
    picture = Map(axes, [m for m in medians if m.cell.timing == timing], figure)
    if not picture.shown:
        return None
    with matplotlib.rc_context(FONT):
        return picture.draw(f"{title}, {timing} timing: {TITLES[figure]}")


class Map:
    """Panels of one figure: algorithms side by side, or one below the other if they are only one cell high.

    Made of the `medians` of one timing and a `figure` of `TITLES`, over `axes`.
    """

    def __init__(self, axes: Axes, medians: Sequence[Median], figure: str) -> None:
        self.axes, self.figure, self.layout = axes, figure, layout(axes)
        self.cells = {m.cell: m for m in medians}
        self.timing = medians[0].cell.timing if medians else ""
        self.best = best(medians)
        values = [getattr(m, figure) for m in medians if not m.is_unstable or figure == "growth"]
        self.shown = [v for v in values if v is not None and math.isfinite(v) and v > 0.0]
        self.right = sorted(axes.latency)
        self.up: list[float] = sorted(getattr(axes, self.layout.up))
        self.strips = len(self.up) == 1
        self.texts = len(self.right) * len(self.up) <= _MOST_TEXTS and len(self.right) <= 16
        self.scale = self._scale()

    def draw(self, title: str) -> Figure:
        """Return the picture."""
        groups: list[float] = sorted(getattr(self.axes, self.layout.rows))
        panels = [*self.axes.algorithms, ""]
        columns = self._columns(len(panels))
        lines = math.ceil(len(panels) / columns)
        width, height = self._size(lines * len(groups), columns)
        page = Figure(figsize=(width, height), dpi=DPI, facecolor=LIGHT.background)
        grid = page.subplots(lines * len(groups), columns, squeeze=False)
        page.subplots_adjust(
            left=(1.15 if self.strips else 0.75) / width,
            right=1 - 1.15 / width,
            top=1 - _HEAD / height,
            bottom=_FOOT / height,
            hspace=0.18 if self.strips else _BETWEEN / self._panel_size()[1],
            wspace=0.12,
        )
        norm, colours = self.scale
        for i, group in enumerate(groups):
            for j, name in enumerate(panels):
                place = (i * lines + j // columns, j % columns)
                self._panel(grid[place], name, group)
                self._labels(grid, place, name, group)
            for empty in grid[i * lines :, :].flat[len(panels) : lines * columns]:
                empty.set_axis_off()
        self._colour_bar(page, norm, colours, (width, height))
        self._texts(page, title, (width, height))
        return page

    def _columns(self, panels: int) -> int:
        """Return how many panels lie side by side: as many as fit, about as many in each line."""
        if self.strips:
            return 1
        fit = max(2, int(_WIDEST / (1.12 * self._panel_size()[0])))
        return math.ceil(panels / math.ceil(panels / fit))

    def _panel_size(self) -> tuple[float, float]:
        wide = _CELL if len(self.right) <= 12 else max(0.12, _CELL * 12 / len(self.right))
        tall = min(_CELL, max(0.12, _CELL * 8 / len(self.up)))
        return max(wide * len(self.right), 3.4 if self.strips else 1.25), tall * len(self.up)

    def _size(self, rows: int, columns: int) -> tuple[float, float]:
        wide, tall = self._panel_size()
        between = 0.18 * tall if self.strips else _BETWEEN
        width = 1.9 + columns * wide + 0.12 * wide * (columns - 1)
        return max(width, 7.4), _HEAD + _FOOT + rows * tall + (rows - 1) * between

    def _scale(self) -> Scale:
        """Return one colour scale for all panels: logarithmic, and around 1 where 1 is the border."""
        if not self.shown:
            return LogNorm(0.1, 1.0), matplotlib.colormaps["viridis_r"]
        low, high = min(self.shown), max(self.shown)
        if self.figure in _AROUND_ONE:
            reach = min(max(high, 1.0 / low, 1.05), _MOST_GROWTH if self.figure == "growth" else math.inf)
            return LogNorm(1.0 / reach, reach), matplotlib.colormaps["PuOr_r"]
        return LogNorm(low, high if high > low else 1.01 * low), matplotlib.colormaps["viridis_r"]

    def _panel(self, axis: Plot, name: str, group: float) -> None:
        axis.set(xlim=(-0.5, len(self.right) - 0.5), ylim=(-0.5, len(self.up) - 0.5), facecolor=LIGHT.grid)
        for x, latency in enumerate(self.right):
            for y, up in enumerate(self.up):
                self._draw_tile(axis, (x, y), self.tile(name, latency, up, group))

    def tile(self, name: str, latency: int, up: float, group: float) -> Tile:
        """Return the field of an algorithm, of the best one if `name` is empty, at a `latency` in macro steps.

        `up` and `group` are values of the other two axes, by `Layout`.
        """
        jitter, loss = (up, group) if self.layout.up == "jitter" else (group, up)
        if name:
            return self._tile(Cell(self.timing, name, latency, jitter, loss))
        found = self.best.get((self.timing, latency, jitter, loss))
        if found is None:
            return Tile("none")
        face = _colour(found, self.axes.algorithms)
        return Tile(label(found), face, _readable(face), cell=Cell(self.timing, found, latency, jitter, loss))

    def _tile(self, cell: Cell) -> Tile:
        median = self.cells.get(cell)
        value = None if median is None else getattr(median, self.figure)
        if median is None or value is None:
            return Tile("–", cell=None if median is None else cell)
        norm, colours = self.scale
        hidden = median.is_unstable and self.figure != "growth"
        shade = colours(float(np.clip(norm(np.clip(value, 1e-300, 1e300)), 0.0, 1.0)))
        face = LIGHT.none if hidden else to_hex(shade)
        strokes = 0 if not median.unstable else 2 if median.is_unstable else 1
        return Tile("" if median.is_unstable else number(value, 2), face, _readable(face), strokes, cell)

    def _draw_tile(self, axis: Plot, place: tuple[int, int], tile: Tile) -> None:
        if tile.face:
            _square(axis, place, tile.face)
        if tile.strokes:
            _mark(axis, place, tile.ink, tile.strokes)
        if self.texts and tile.text:
            size = 7.0 if len(tile.text) <= 5 else 6.0
            axis.text(*place, tile.text, ha="center", va="center", color=tile.ink, fontsize=size)

    def steps(self) -> list[tuple[str, str]]:
        """Return values of the scale as text, each with its colour."""
        norm, colours = self.scale
        ticks = _steps(float(norm.vmin or 1.0), float(norm.vmax or 1.0))
        return [(number(value, 2), to_hex(colours(float(norm(value))))) for value in ticks]

    def _labels(self, grid: NDArray[Any], place: tuple[int, int], name: str, group: float) -> None:
        axis, last = grid[place], place[0] == grid.shape[0] - 1
        first = place[1] == 0
        axis.tick_params(length=0, colors=LIGHT.muted, labelsize=8, labelbottom=not self.strips or last)
        for side in axis.spines.values():
            side.set_visible(False)
        axis.set_xticks(*_ticks(self.right))
        axis.set_yticks(*(((), ()) if self.strips or not first else _ticks(self.up)))
        if not self.strips or last:
            axis.set_xlabel("latency / macro steps", fontsize=8.5)
        heading = label(name) if name else "best"
        several = len(getattr(self.axes, self.layout.rows)) > 1
        text = f"{heading}, {self.layout.rows} {group:g}" if several else heading
        if self.strips:
            axis.set_ylabel(text, rotation=0, ha="right", va="center")
            return
        axis.set_title(text, fontsize=9.5, loc="left")
        if first:
            axis.set_ylabel({"jitter": "jitter / macro steps", "loss": "share lost"}[self.layout.up], fontsize=8.5)

    def _colour_bar(self, page: Figure, norm: LogNorm, colours: Colormap, size: tuple[float, float]) -> None:
        width, height = size
        tall = min(height - _HEAD - _FOOT, 2.6)
        place = (1 - 0.85 / width, 1 - (_HEAD + tall) / height, 0.14 / width, tall / height)
        ticks = _steps(float(norm.vmin or 1.0), float(norm.vmax or 1.0))
        bar = page.colorbar(ScalarMappable(norm, colours), cax=page.add_axes(place), ticks=ticks)
        bar.ax.yaxis.set_major_formatter(FuncFormatter(lambda value, _: number(value, 2)))
        bar.ax.yaxis.set_minor_formatter(NullFormatter())
        bar.ax.tick_params(labelsize=8, colors=LIGHT.muted)
        bar.outline.set_visible(False)

    def _texts(self, page: Figure, title: str, size: tuple[float, float]) -> None:
        width, height = size
        seeds = len(self.axes.seeds)
        median = f"Median of {seeds} seeds where the network is random. " if seeds > 1 else ""
        marks = "× unstable" + (", / unstable with some seeds" if seeds > 1 else "")
        if not self.texts:
            # the colours of the best where the cells are too small for names
            names = [name for name in self.axes.algorithms if name in self.best.values()]
            handles = [Patch(color=_colour(name, self.axes.algorithms), label=f"{label(name)} best") for name in names]
            place = (1 - 0.05 / size[0], 1 - 0.28 / size[1])
            page.legend(handles=handles, loc="upper right", bbox_to_anchor=place, ncols=5, frameon=False, fontsize=8)
        page.text(0.12 / width, 1 - 0.1 / height, title, fontsize=11.5, weight="bold", va="top")
        page.text(0.12 / width, 1 - 0.36 / height, f"{median}{marks}, – no result.", va="top", color=LIGHT.muted)


def _square(axis: Plot, place: tuple[int, int], face: str) -> None:
    axis.add_patch(Rectangle((place[0] - 0.5, place[1] - 0.5), 1, 1, facecolor=face, edgecolor="white", linewidth=0.4))


def _mark(axis: Plot, place: tuple[int, int], ink: str, strokes: int) -> None:
    """Cross a cell out, with one stroke or two."""
    (x, y), a = place, 0.3
    for rise in (1, -1)[:strokes]:
        axis.plot([x - a, x + a], [y - rise * a, y + rise * a], color=ink, lw=0.9, alpha=0.75 if strokes == 2 else 0.4)


def _readable(face: str) -> str:
    red, green, blue = to_rgb(face)
    return LIGHT.ink if 0.299 * red + 0.587 * green + 0.114 * blue > 0.5 else "#ffffff"


def _colour(name: str, names: Sequence[str]) -> str:
    """Return the fixed colour of an algorithm, or one of the spare ones."""
    if name in LIGHT.algorithms:
        return colour(name)
    others = [other for other in names if other not in LIGHT.algorithms]
    return _SPARE[others.index(name) % len(_SPARE)]


def _ticks(values: Sequence[float]) -> tuple[list[int], list[str]]:
    every = math.ceil(len(values) / 16)
    return list(range(0, len(values), every)), [f"{value:g}" for value in values[::every]]


def _steps(low: float, high: float) -> list[float]:
    """Return round numbers for a logarithmic scale: 1, 2, 5 of each power of ten, or evenly spaced ones."""
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    per_decade = (1, 2, 5) if len(powers) <= 4 else (1,)
    steps = [f * 10.0**p for p in powers for f in per_decade if low <= f * 10.0**p <= high]
    return steps if len(steps) >= 3 else list(np.geomspace(low, high, 5))
