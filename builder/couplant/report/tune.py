"""The page of a bench that was tuned: what measured best, every candidate, what was taken back, errors in time."""

from collections.abc import Sequence
from math import isfinite

import numpy as np

from couplant.base.style import less_in_words, number
from couplant.bench.tune.result import TUNED, Tuned, Way
from couplant.bench.tune.tuner import Window
from couplant.report.chart import Chart, Line, Mark, Panel
from couplant.report.page import Page, Table

_CANDIDATES = (
    "settings",
    "what became of it",
    "expected / %",
    "recording",
    "given at / s",
    "to",
    "over in force",
    "over wire",
)
_WAYS = ("direction", "latency / ms", "age / macro steps", "lost", "overtaken", "doubled")


def describe_tuned(found: Tuned) -> Page:
    """Return the page of a bench that was tuned."""
    tables = [Table("Candidates", _CANDIDATES, _rows(found))]
    if found.ways:
        h = found.loaded.scenario.macro_step
        tables.insert(0, Table("Messages", _WAYS, [_way(one, h) for one in found.ways]))
    back = [
        (f"{time:.2f} s", side, found.name_of(key), why)
        for side, rows in found.taken_back.items()
        for time, key, why in rows
    ]
    if back:
        tables.append(Table("Taken back", ("at", "side", "settings", "why"), sorted(back)))
    return Page("tune", headline(found), _paragraphs(found), _warnings(found), tables)


def headline(found: Tuned) -> str:
    """Say in one sentence what to do."""
    if not found.is_new:
        return f"Keep {found.name_of(found.chosen)}: nothing measured better on this bench."
    one = next((trial for trial in reversed(found.trials) if trial.key == found.chosen), None)
    if one is None or not one.wire:
        return f"Use {found.settings.name}."
    less = f"{less_in_words(one.wire)} less error than the plain wire on the same messages"
    return f"Use {found.settings.name}: {less}."


def tuned_charts(found: Tuned) -> list[Chart]:
    """Return the errors of what was given and of the plain wire over the time, a panel for each side."""
    panels = []
    for side, windows in found.windows.items():
        if windows:
            panels.append(Panel(f"{side}: error / size", _lines(windows), marks=_marks(found, side), log=True))
    return [Chart("Errors in windows", "time in s", panels)] if panels else []


def _lines(windows: Sequence[Window]) -> list[Line]:
    time = np.array([one.time for one in windows])
    given, wire = (np.maximum([getattr(one, name) for one in windows], 1e-6) for name in ("error", "wire"))
    return [
        Line("plain wire, same messages", time, wire, "zoh"),
        Line("given to the prototype", time, given, "auto", width=2.0),
    ]


def _marks(found: Tuned, side: str) -> list[Mark]:
    given = [Mark(one.given, label="given") for one in found.trials if one.given is not None]
    back = [Mark(time, "ink", label="taken back") for time, _, _ in found.taken_back.get(side, ())]
    shown: list[Mark] = []
    for marks in (given, back):
        shown += [*marks[:1], *(Mark(one.at, one.colour) for one in marks[1:])]
    return shown


def _paragraphs(found: Tuned) -> list[str]:
    h, count = found.loaded.scenario.macro_step, len(found.trials)
    kind = "a dry run on a clock that waits for nobody" if found.dry else "in real time"
    text = [
        f"{found.time:.3g} s of the bench, {kind}, macro step {1e3 * h:g} ms; {count} candidates were given to the "
        f"prototypes or refused before. Before: {found.name_of(1)}.",
        "Errors are those of the estimates against the values that arrived later, rms over the size of each signal, "
        "mean of the signals of a side; ratios are of the same messages.",
    ]
    if latency := found.latency_settings():
        text.append(
            f"The messages suggest latency.mode = {latency['mode']}, latency.coast_steps = {latency['coast_steps']}, "
            f"burst = {latency['burst']}."
        )
    if found.is_new:
        text.append(f"{TUNED} is the bench with these settings.")
        if found.ways and not any(one.models or isfinite(one.expected) for one in found.candidates.values()):
            text.append(f"Both sides are still unknown: with these settings couplant tune {TUNED} may identify them.")
    return text


def _warnings(found: Tuned) -> list[str]:
    chosen = [one for one in found.trials if one.key == found.chosen and one.verdict.startswith("taken back")]
    text = (
        [f"{found.settings.name} measured best on the whole, and was taken back in a window: see below"]
        if chosen
        else []
    )
    return text + ([found.reason] if found.reason else [])


def _rows(found: Tuned) -> list[list[str]]:
    rows = []
    tried = {one.key: one for one in found.trials}
    names = {key: one.name for key, one in found.candidates.items()} | {key: found.name_of(key) for key in tried}
    for key in sorted(names, key=lambda key: tried[key].begun if key in tried else np.inf):
        one, candidate = tried.get(key), found.candidates.get(key)
        expected = candidate.expected if candidate else np.inf
        times = ["-" if t is None else f"{t:.2f}" for t in ((one.given, one.ended) if one else (None, None))]
        ratios = [
            "-" if r is None or not np.isfinite(r) else number(r)
            for r in ((one.ratio, one.wire) if one else (None, None))
        ]
        shadow = found.shadow.get(names[key])
        rows.append([
            names[key], one.verdict.partition(":")[0] if one else "not tried",
            "-" if not np.isfinite(expected) else number(100.0 * expected),
            "-" if shadow is None or not np.isfinite(shadow) else number(shadow), *times, *ratios,
        ])  # fmt: skip
    return rows


def _way(one: Way, macro_step: float) -> list[str]:
    latency, age = (np.quantile(values, (0.05, 0.95)) if values.size else None for values in (one.latency, one.age))
    texts = ["-" if latency is None else f"{1e3 * latency[0]:.1f}-{1e3 * latency[1]:.1f}"]
    texts += ["-" if age is None else f"{age[0] / macro_step:.1f}-{age[1] / macro_step:.1f}"]
    return [
        f"{one.sender}-{one.receiver}",
        *texts,
        *(str(one.counts.get(name, 0)) for name in ("lost", "overtaken", "doubled")),
    ]
