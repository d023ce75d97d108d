"""The part of the page that is read first: headline, facts, the table, the figures of the scenario's own."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from couplant.base.arrays import Vector
from couplant.base.style import number, whole
from couplant.cosim.judgement.metrics import METRICS
from couplant.cosim.judgement.verdict import BORDERLINE, STABLE, UNKNOWN, UNSTABLE
from couplant.cosim.result import Result, Run
from couplant.report.headline import headline, join, sentence
from couplant.report.signals import signal_level

_GLYPH = (96.0, 22.0)  # width and height of the small picture in the table [px]
CREATED = "created"  # one more, where there are power bonds

VERDICT_TEXT = {
    STABLE: ("stable", "The coupling does not grow faster than the undelayed one."),
    BORDERLINE: ("borderline", "At the limit, or unstable by theory but too slowly to show: only a longer run tells."),
    UNSTABLE: ("unstable", "The coupling grows faster than the undelayed one."),
    UNKNOWN: ("not judged", "Too short for growth: that takes two windows of 5 s."),
}

FIGURE_HEADINGS = ("figure", "run", "value", "at / s", "difference / %")  # columns of `figure_rows`


@dataclass(frozen=True)
class Row:
    """One line of the table."""

    index: int
    algorithm: str
    verdict: str
    verdict_text: str
    verdict_title: str
    glyph: str
    figures: list[str]


@dataclass(frozen=True)
class Group:
    """The runs of one timing, best first."""

    timing: str
    rows: list[Row]


@dataclass(frozen=True)
class SignalFigures:
    """Figures of one signal for all runs (timing, algorithm, figures), and what happened to its output."""

    name: str
    unit: str
    rows: list[tuple[str, str, list[str]]]
    events: str


@dataclass(frozen=True)
class Summary:
    """Everything on the page that is text."""

    title: str
    headline: str
    facts: list[tuple[str, str]]
    groups: list[Group]
    signals: list[SignalFigures]
    metrics: tuple[str, ...]
    of_signals: tuple[str, ...]
    unit: str
    open_loop: bool


def summary(result: Result) -> Summary:
    """Collect the text of the page: names as they are, not escaped; figures as text."""
    signals = {name: trace.unit for run in result.runs for name, trace in run.traces.items()}
    ranked = {timing: result.ranked(timing) for timing in result.timings}
    return Summary(
        title=result.scenario_name,
        headline=headline(result),
        facts=_facts(result, list(signals)),
        groups=[Group(timing, _rows(result, runs)) for timing, runs in ranked.items()],
        signals=[_signal(result, name, unit, [*chain(*ranked.values())]) for name, unit in signals.items()],
        metrics=(*result.shown, CREATED) if any(run.bonds for run in result.runs) else result.shown,
        of_signals=_of_signals(result),
        unit=result.unit or "",
        open_loop=result.open_loop,
    )


def _facts(result: Result, signals: list[str]) -> list[tuple[str, str]]:
    ends = [trace.time[-1] - trace.time[0] for run in result.runs for trace in run.traces.values() if len(trace.time)]
    step = result.communication_step
    # figures may count from later than the start on
    first = [float(trace.time[trace.since]) for run in result.runs for trace in run.traces.values() if trace.since]
    added = [f"{name} {lead.steps:+d}" for name, lead in result.added.items() if lead.steps]
    facts = [
        ("macro step", f"{number(1e3 * result.macro_step)} ms"),
        ("communication step", "" if step is None else f"{number(1e3 * step)} ms"),
        ("latency", result.latency),
        ("lag made up for", _offsets(result)),
        ("network", _network(result)),
        ("duration", f"{number(float(max(ends, default=0.0)))} s"),
        ("judged from", f"{number(min(first))} s" if first else ""),
        ("timing", join(result.timings)),
        ("host", result.host + (f" (adds communication steps: {', '.join(added)})" if added else "")),
        ("signals" if len(signals) > 1 else "signal", join(signals)),
    ]
    return [(name, text) for name, text in facts if text]


def _offsets(result: Result) -> str:
    offsets = {name: trace.offset for run in result.runs for name, trace in run.traces.items() if trace.offset}
    if len(set(offsets.values())) == 1:
        return f"{join(list(offsets))} {number(1e3 * next(iter(offsets.values())))} ms"
    return join([f"{name} {number(1e3 * offset)} ms" for name, offset in offsets.items()])


def _network(result: Result) -> str:
    network = result.settings.get("network")
    if not isinstance(network, Mapping):
        return ""
    if network.get("latencies"):
        return join(["latencies of a list", *_repeated_figures(result)])
    for key, words in (("shape", "of the shape"), ("replay", "replayed from")):
        if network.get(key):
            return join([f"latencies {words} {network[key]}", *_repeated_figures(result)])
    jitter, loss = (float(network.get(key) or 0.0) for key in ("jitter_steps", "loss"))
    kind = "on average" if network.get("distribution") == "erlang" else "at most"
    parts = [f"{kind} {number(jitter)} macro steps more"] if jitter else []
    run, batch = float(network.get("loss_run") or 0.0), int(network.get("batch") or 1)
    parts += [f"{batch} messages at a time"] if batch > 1 else []
    in_a_row = f", {number(run)} in a row on the mean" if run else ""
    parts += [f"{number(100.0 * loss)} % lost{in_a_row}"] if loss else []
    return join(parts + _repeated_figures(result))


def _repeated_figures(result: Result) -> list[str]:
    coupling = result.settings.get("coupling")
    burst = coupling.get("burst", 1) if isinstance(coupling, Mapping) else 1
    return [f"messages repeat {burst - 1} values"] if burst > 1 else []


def _rows(result: Result, runs: Sequence[Run]) -> list[Row]:
    bonds = any(run.bonds for run in result.runs)
    order = result.shown
    return [_row(result.runs.index(run), run, result.open_loop, bonds, order) for run in runs]


def _of_signals(result: Result) -> tuple[str, ...]:
    """Return the figures of single signals: theirs have one unit each."""
    return tuple(name for name in METRICS if name in (*result.shown, "mae", "max"))


def _row(index: int, run: Run, open_loop: bool, bonds: bool, order: tuple[str, ...]) -> Row:
    text, title = VERDICT_TEXT[run.verdict]
    figures = _figures(run.metrics, order) + [number(run.energy.get(CREATED), fixed=True)] * bonds
    level = signal_level(run)[1]
    return Row(index, run.algorithm, "" if open_loop else run.verdict, text, title, glyph(level), figures)


def glyph(level: Vector) -> str:
    """Return an SVG polygon of a `level` at points evenly in time, shape (P,) [-], scaled to its own maximum.

    It is a band that opens like a trumpet where a coupling is unstable.
    """
    width, height = _GLYPH
    known = np.nan_to_num(level)
    top = float(known.max(initial=0.0)) or 1.0
    x = np.linspace(0.0, width, len(known))
    half = np.maximum(known / top, 0.03) * 0.46 * height
    upper = [f"{a:.1f},{height / 2 - b:.1f}" for a, b in zip(x, half, strict=True)]
    lower = [f"{a:.1f},{height / 2 + b:.1f}" for a, b in zip(x, half, strict=True)]
    return " ".join(upper + lower[::-1])


def _signal(result: Result, name: str, unit: str, ranked: Sequence[Run]) -> SignalFigures:
    runs = [run for run in ranked if name in run.traces]
    order = _of_signals(result)
    rows = [(run.timing, run.algorithm, _figures(run.per_signal.get(name, {}), order)) for run in runs]
    return SignalFigures(name, unit, rows, events(runs, name))


def _figures(metrics: Mapping[str, float | None], order: tuple[str, ...]) -> list[str]:
    return [number(metrics.get(key), fixed=True) for key in order]


def events(runs: list[Run], name: str) -> str:
    """Say in a sentence which marks a reader need not look for in the strips of a signal; empty if all occur."""
    traces = [run.traces[name] for run in runs]
    missing = {
        "no discontinuity was flagged": not any(trace.detected.any() for trace in traces),
        "the output was never held": not any((trace.state >= 3).any() for trace in traces),
        "the output was never limited": not any(trace.limited.any() for trace in traces),
    }
    return sentence(join([text for text, absent in missing.items() if absent]))


def figure_rows(result: Result) -> list[Sequence[str]]:
    """Return the figures one after the other, each without delay first, as text."""
    found: list[Sequence[str]] = []
    for name in dict.fromkeys(name for run in result.runs for name in run.figures):
        runs = [(run, run.figures[name]) for run in result.runs if name in run.figures]
        first = runs[0][1]
        title = name.replace("_", " ") + (f" / {first.unit}" if first.unit not in ("", "1") else "")
        found.append((title, "no delay", whole(first.reference), number(first.reference_time), "—"))
        for run, one in runs:
            found.append(("", result.title(run), whole(one.value), number(one.time), number(100.0 * one.change, 3)))
    return found
