"""The page of the arena: standings and errors as tables that can be sorted, a part of each task as a chart."""

import math
from pathlib import Path

from couplant.base.files import write_atomic
from couplant.base.style import WIRE, axis_label, number
from couplant.lab.arena.entries import OURS
from couplant.lab.arena.scores import HEADINGS, Arena, Played, Standing, figures
from couplant.report.chart import Chart, Line, Panel, payload
from couplant.report.html import charts_script, write_html

PAGE, CSV = "index.html", "arena.csv"
"""Names of the files."""

Cell = tuple[str, float | str]
"""Text of a cell, and the key by which its column is sorted."""


def write_arena(arena: Arena, folder: Path) -> list[Path]:
    """Write page and CSV file into a folder and return them; raise `OSError` if one cannot be written."""
    charts = arena_charts(arena)
    page = write_html(
        folder / PAGE,
        "arena.html.j2",
        kind="arena",
        title="Arena",
        headline=headline(arena),
        facts=_facts(arena),
        left_out=arena.left_out,
        tables=[("Standings", *_standings(arena)), ("Errors over that of the wire", *_errors(arena))],
        charts=charts,
        script=charts_script("arena"),
        data=payload(charts),
    )
    return [page, write_atomic(folder / CSV, arena.csv())]


def arena_charts(arena: Arena) -> list[Chart]:
    """Return a part of each task, with the wire, the best of ours and the best of all others."""
    return [chart for task in arena.tasks if (chart := _chart(arena, task)) is not None]


def headline(arena: Arena) -> str:
    """Say in one sentence who errs least."""
    best = arena.standings[0]
    count = f"{len(arena.tasks)} tasks" if len(arena.tasks) > 1 else arena.tasks[0].name
    return f"{best.entry.label} errs least on {count}: {number(best.mean, 3)} of the error of the plain wire."


def _facts(arena: Arena) -> list[tuple[str, str]]:
    loops = sum(task.closed for task in arena.tasks)
    counts = {"tasks": len(arena.tasks), "of them loops": loops, "entries": len(arena.entries)}
    return [
        *((name, str(value)) for name, value in counts.items()),
        ("set", "held out" if arena.hidden else "published"),
    ]


def _standings(arena: Arena) -> tuple[list[str], list[list[Cell]]]:
    """Return headings and rows of all entries, the least mean first."""
    times = ["ns a step, here"] if arena.times else []
    headings = [HEADINGS[0], "of", *HEADINGS[1:], *arena.families, *times, "must be known", "source"]
    return headings, [_standing_row(arena, one) for one in arena.standings]


def _standing_row(arena: Arena, one: Standing) -> list[Cell]:
    entry = one.entry
    keys: tuple[float | str, ...] = (
        one.mean,
        one.worst,
        one.where,
        -one.tasks,
        -one.first,
        one.lost / max(1, one.loops),
    )
    families = [(number(one.families[name], 3), _last(one.families[name])) for name in arena.families]
    times = [(number(arena.times.get(entry.name), 3), _last(arena.times.get(entry.name, math.nan)))]
    return [
        (entry.label, entry.label.lower()), (entry.side, entry.side), *zip(figures(one), keys, strict=True), *families,
        *(times if arena.times else []), (entry.knows, entry.knows), (entry.source, entry.source),
    ]  # fmt: skip


def _last(value: float) -> float:
    """Return a key that puts what is not known at the end."""
    return value if math.isfinite(value) else 1e300


def _errors(arena: Arena) -> tuple[list[str], list[list[Cell]]]:
    """Return headings and rows of all tasks, the entries in the order of their standings."""
    entries = [one.entry for one in arena.standings]
    rows = []
    for task in arena.tasks:
        lost = {score.entry for score in task.scores if task.is_lost(score)}
        cells: list[Cell] = [(task.name, task.name), (task.family, task.family), (_label(arena, task.best), task.best)]
        for entry in entries:
            ratio = task.ratios.get(entry.name, math.nan)
            cells.append(("lost" if entry.name in lost else number(ratio, 3), _last(ratio)))
        rows.append(cells)
    return ["task", "family", "best", *(entry.label for entry in entries)], rows


def _label(arena: Arena, name: str) -> str:
    return next((entry.label for entry in arena.entries if entry.name == name), name)


def _chart(arena: Arena, task: Played) -> Chart | None:
    """Return a part of a task: the signal, the wire, the best of ours and the best of all others."""
    curves = {curve.entry: curve for curve in task.curves}
    if "" not in curves:
        return None
    ours = {entry.name for entry in arena.entries if entry.side == OURS}
    ranked = [name for name in sorted(task.ratios, key=lambda name: task.ratios[name]) if name in curves]
    best = [next((n for n in ranked if n != WIRE and (n in ours) == own), None) for own in (True, False)]
    truth = curves[""]
    lines = [Line("without latency", truth.time, truth.values, "ink", width=2.4)]
    for name, colour in zip((WIRE, *best), (WIRE, "eros3", "foh"), strict=True):
        if name in curves and curves[name].time.size:
            dash = (2, 3) if name == WIRE else ()
            text = f"{_label(arena, name)}, {number(task.ratios[name], 3)}"
            lines.append(Line(text, curves[name].time, curves[name].values, colour, dash=dash))
    reach = float(max(abs(truth.values.min()), abs(truth.values.max())))
    panel = Panel(axis_label(truth.signal, truth.unit), lines, limits=(-3.0 * reach, 3.0 * reach), height=190.0)
    return Chart(task.name, f"time of {task.name} / s", [panel], note=task.about)
