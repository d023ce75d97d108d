"""The pictures of a sweep, and one page that holds them with a table of the medians."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure

from couplant.base.style import WIRE, label, number
from couplant.report.headline import name_of
from couplant.report.html import script_of, write_html
from couplant.report.maps import TITLES, Map, draw_map
from couplant.report.pictures import kind_of, write_figure
from couplant.sweep import CSV, Sweep
from couplant.sweep.axes import Axes
from couplant.sweep.table import Cell, Median, Row, best

PAGE = "index.html"  # name of the page
_HEADINGS = (
    *("algorithm", "timing", "latency", "jitter", "loss", "seeds", "unstable", "failed"),
    *("error / %", "error over the wire", "growth", "C"),
)
ALONE = " (leave the FMU out there)"  # what the headline says of places where the plain wire is best
_MOST_ROWS = 5000  # rows of the table of the page; sweep.csv has all. With more than that the maps are pictures


def write_pages(sweep: Sweep, folder: Path, picture: Path | None = None) -> list[Path]:
    """Write the heat maps and the page into a folder; return the CSV file, the page and the pictures.

    The pictures are png; with a `picture` they lie beside it, in the format of its ending, their names begin with its.
    Raise `UsageError` if the name of the picture does not end in .png, .svg or .pdf, `OSError` if one cannot be
    written.
    """
    medians, title = sweep.table.medians(), sweep.loaded.scenario.name
    kind = "png" if picture is None else kind_of(picture)
    drawn: dict[str, Figure] = {}
    for timing in sweep.axes.timing:
        for figure in TITLES:
            one = draw_map(sweep.axes, medians, figure, timing, title)
            if one is not None:
                drawn[f"{figure}_{timing}"] = one
    few = len(medians) <= _MOST_ROWS
    # each with the command of the run whose error is nearest to the median
    cells: dict[Cell, list[Row]] = {}
    reasons: dict[Cell, str] = {}
    for row in sweep.table.sorted():
        reasons.setdefault(Cell(*row.point[:-1]), row.reason)
        if row.error is not None:
            cells.setdefault(Cell(*row.point[:-1]), []).append(row)
    page = write_html(
        folder / PAGE,
        "sweep.html.j2",
        kind="sweep",
        title=title,
        headline=headline(medians),
        facts=_facts(sweep),
        maps=_maps(sweep, medians) if few else [],
        pictures=[] if few else drawn.items(),
        headings=_HEADINGS,
        rows=[
            (_row(one), _command(sweep, one, cells.get(one.cell, [])), reasons[one.cell])
            for one in medians[:_MOST_ROWS]
        ],
        script=script_of("sweep"),
    )
    start = folder if picture is None else picture.parent
    prefix = "" if picture is None else f"{picture.stem}_"
    files = [write_figure(one, start / f"{prefix}{name}.{kind}") for name, one in drawn.items()]
    return [folder / CSV, page, *files]


def _maps(sweep: Sweep, medians: list[Median]) -> list[dict[str, Any]]:
    """Return the content of each map; a row of the table is known by its number."""
    rows = {median.cell: i for i, median in enumerate(medians)}
    several = len(sweep.axes.seeds) > 1
    note = "Crossed out: unstable" + (", one stroke: with some seeds. Medians over the seeds." if several else ".")
    found = []
    for timing in sweep.axes.timing:
        for figure, words in TITLES.items():
            one = Map(sweep.axes, [median for median in medians if median.cell.timing == timing], figure)
            if one.shown:
                title = f"{words}, {timing} timing"
                found.append({"title": title, "note": note, "steps": one.steps(), **_panels(sweep.axes, one, rows)})
    return found


def _panels(axes: Axes, one: Map, rows: Mapping[Cell, int]) -> dict[str, Any]:
    groups: list[float] = sorted(getattr(axes, one.layout.rows))
    panels = []
    for group in groups:
        for name in (*axes.algorithms, ""):
            heading = label(name) if name else "best"
            lines = [(up, [one.tile(name, k, up, group) for k in one.right]) for up in reversed(one.up)]
            cells = [(f"{up:g}", [(tile, tile.cell and rows.get(tile.cell)) for tile in tiles]) for up, tiles in lines]
            shown = f"{heading}, {one.layout.rows} {group:g}" if len(groups) > 1 else heading
            panels.append({"name": shown, "rows": cells})
    return {"right": one.right, "x": "latency / macro steps", "y": one.layout.up, "panels": panels}


def _command(sweep: Sweep, median: Median, rows: Sequence[Row]) -> str:
    if not rows:
        return ""
    point = min(rows, key=lambda row: abs(float(row.error or 0.0) - float(median.error or 0.0))).point
    network = {"latency_steps": point.latency, "jitter_steps": point.jitter, "loss": point.loss, "seed": point.seed}
    words = [f"algorithms=['{point.algorithm}']", f"timing=['{point.timing}']"]
    words += [f"network.{key}={value}" for key, value in network.items()]
    return " ".join(["couplant simulate", _quote(str(sweep.loaded.path)), *map(_set, [*sweep.assignments, *words])])


def _set(assignment: str) -> str:
    return f"--set {_quote(assignment)}"


def _quote(word: str) -> str:
    """Quote a word as all shells understand, if it has not quotes itself."""
    if re.fullmatch(r"[\w./:=+-]+", word):
        return word
    return f"'{word}'" if '"' in word else f'"{word}"'


def headline(medians: list[Median]) -> str:
    """Say in one sentence which algorithm is best where."""
    places = len({(m.cell.timing, *m.cell[2:]) for m in medians})
    names = list(best(medians).values())
    ranking = sorted(dict.fromkeys(names), key=names.count, reverse=True)
    if not ranking:
        return f"No algorithm is stable with any of the {places} networks."
    parts = [f"{name_of(name)} in {names.count(name)}" + ALONE * (name == WIRE) for name in ranking]
    none = places - len(names)
    rest = f"; none is stable in {none}" if none else ""
    return f"Smallest error with {places} networks: {', '.join(parts)}{rest}."


def _facts(sweep: Sweep) -> list[tuple[str, str]]:
    axes, scenario = sweep.axes, sweep.loaded.scenario
    given = {
        "points": len(sweep.table.rows),
        "failed": sweep.failed,
        "macro step": f"{scenario.macro_step:g} s",
        "communication step": f"{scenario.micro_step or scenario.macro_step:g} s",
        "host": scenario.host,
        "latency / macro steps": _list_values(axes.latency),
        "jitter / macro steps": _list_values(axes.jitter),
        "share lost": _list_values(axes.loss),
        "seeds": len(axes.seeds),
        "settings": sweep.settings,
    }
    return [(name, str(value)) for name, value in given.items()]


def _list_values(values: Sequence[float]) -> str:
    texts = [f"{value:g}" for value in values]
    return ", ".join(texts if len(texts) <= 8 else [*texts[:3], "..", texts[-1]])


def _row(median: Median) -> list[str]:
    cell = median.cell
    counts = (cell.latency, cell.jitter, cell.loss, median.seeds, median.unstable, median.failed)
    figures = [number(getattr(median, name)) for name in TITLES]
    return [label(cell.algorithm), cell.timing, *(f"{value:g}" for value in counts), *figures]
