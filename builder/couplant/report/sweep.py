"""The pictures of a sweep, and one page that holds them with a table of the medians."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from couplant.files import write_atomic
from couplant.report.html import write_html
from couplant.report.maps import TITLES, draw_map
from couplant.report.pictures import figure_bytes
from couplant.style import label, number
from couplant.sweep.run import CSV, Sweep
from couplant.sweep.table import Median, best

PAGE = "index.html"
"""Name of the page."""
_HEADINGS = (
    "algorithm",
    "timing",
    "latency",
    "jitter",
    "loss",
    "seeds",
    "unstable",
    "failed",
    "MAE",
    "MAE over ZOH",
    "growth",
    "C",
)
_MOST_ROWS = 5000
"""Rows of the table of the page; sweep.csv has all."""


def write_pages(sweep: Sweep, folder: Path) -> list[Path]:
    """Write the heat maps and the page into a folder; return the CSV file, the page and the pictures."""
    medians, title = sweep.table.medians(), sweep.loaded.scenario.name
    pictures: dict[str, bytes] = {}
    for timing in sweep.axes.timing:
        for figure in TITLES:
            drawn = draw_map(sweep.axes, medians, figure, timing, title)
            if drawn is not None:
                pictures[f"{figure}_{timing}.png"] = figure_bytes(drawn)
    page = write_html(
        folder / PAGE,
        "sweep.html.j2",
        kind="sweep",
        title=title,
        headline=headline(medians),
        facts=_facts(sweep),
        pictures=pictures.items(),
        headings=_HEADINGS,
        rows=[_row(median) for median in medians[:_MOST_ROWS]],
    )
    return [folder / CSV, page, *(write_atomic(folder / name, content) for name, content in pictures.items())]


def headline(medians: list[Median]) -> str:
    """Say in one sentence which algorithm is best where."""
    places = len({(m.cell.timing, *m.cell[2:]) for m in medians})
    names = list(best(medians).values())
    ranking = sorted(dict.fromkeys(names), key=names.count, reverse=True)
    if not ranking:
        return f"No algorithm is stable with any of the {places} networks."
    parts = [f"{label(name)} in {names.count(name)}" for name in ranking]
    none = places - len(names)
    rest = f"; none is stable in {none}" if none else ""
    return f"Smallest error with {places} networks: {', '.join(parts)}{rest}."


def _facts(sweep: Sweep) -> list[tuple[str, str]]:
    axes, scenario = sweep.axes, sweep.loaded.scenario
    given = {
        "points": len(sweep.table.rows),
        "failed": sweep.failed,
        "macro step": f"{scenario.macro_step:g} s",
        "host": scenario.host,
        "latency / macro steps": _listed(axes.latency),
        "jitter / macro steps": _listed(axes.jitter),
        "share lost": _listed(axes.loss),
        "seeds": len(axes.seeds),
        "settings": sweep.settings,
    }
    return [(name, str(value)) for name, value in given.items()]


def _listed(values: Sequence[float]) -> str:
    texts = [f"{value:g}" for value in values]
    return ", ".join(texts if len(texts) <= 8 else [*texts[:3], "..", texts[-1]])


def _row(median: Median) -> list[str]:
    cell = median.cell
    counts = (cell.latency, cell.jitter, cell.loss, median.seeds, median.unstable, median.failed)
    figures = [number(getattr(median, name)) for name in TITLES]
    return [label(cell.algorithm), cell.timing, *(f"{value:g}" for value in counts), *figures]
