"""Pages of a bench: the report, as of a simulation with network and clock; the one that is served meanwhile."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from couplant.base.arrays import Vector
from couplant.base.files import write_atomic
from couplant.base.style import LIGHT, family, label, number, palette
from couplant.bench.record import Pace
from couplant.bench.result import BenchResult, Direction
from couplant.config.bench import SIDES, LoadedBench
from couplant.report.chart import Chart, Line, Panel
from couplant.report.html import charts_script, render, write_html
from couplant.report.png import write_png
from couplant.report.simulation import content

_COUNTS = ("sent", "lost", "overtaken", "doubled")
_HEIGHT = 150.0  # of a histogram on the page [px]
_BINS = 50
_TAIL = 0.002


@dataclass(frozen=True, eq=False)
class Histogram:
    """Latencies of one direction in all runs."""

    title: str
    edges: Vector  # shape (B + 1,): edges of the bins [s]
    measured: Vector  # shape (B,): share of the messages in each bin [-]
    set: Vector | None  # shape (B,): the same for the relay's delays [-]; None without an account of the relay


def write_page(result: BenchResult, path: Path) -> Path:
    """Write the page of a simulation with what network and clock did; raise `OSError` if it cannot be written."""
    # timing, algorithm, direction and figures of each direction of each run
    rows = []
    for run, directions, paces in zip(result.result.runs, result.directions, result.paces, strict=True):
        for direction, pace in zip(directions, paces, strict=True):
            figures = direction.to_dict()
            texts = [_range(figures["latency_set"]), _range(figures["latency_measured"])]
            texts += [str(direction.counts[name]) for name in _COUNTS] + [f"{number(100.0 * pace.share, 3)} %"]
            rows.append((run.timing, run.algorithm, f"{direction.sender} → {direction.receiver}", texts))
    return write_html(
        path,
        "bench.html.j2",
        **content(result.result, [_chart(histogram) for histogram in histograms(result)]),
        counts=_COUNTS,
        late=number(1e3 * result.paces[0][0].late),
        rows=rows,
        shift=result.shift_text,
        log=[line for record in result.log for line in record],
    )


def live_page(loaded: LoadedBench, seen: list[dict[str, Any]] | None = None) -> str:
    """Return the page of a bench as text.

    Without what was `seen`, as `couplant.bench.live.history.History` tells it, the page asks the server that it comes
    from, again and again; else it shows that and asks nobody.
    """
    scenario = loaded.scenario
    signals = [
        {"name": name, "unit": table.unit, "from": table.source.component}
        for name, table in scenario.signals.items()
    ]  # fmt: skip
    cases = [
        {"name": f"{label(algorithm)}, {timing}", "colour": family(algorithm)} for timing, algorithm in scenario.cases
    ]
    told = {"signals": signals, "cases": cases, "bonds": [*loaded.bonds], "seen": seen}
    data = {"palette": palette(), "sides": SIDES, "charts": [], **told}
    shown = {"macro step": f"{1e3 * scenario.macro_step:g} ms", "each run": f"{scenario.duration:g} s"}
    asking: dict[str, Any] = {"live": True} if seen is None else {}
    return render(
        "live.html.j2", kind="bench", title=scenario.name, headline=f"{scenario.name}, as it runs", facts=shown.items(),
        script=charts_script("live"), data=data, bonds=[*loaded.bonds], **asking,
    )  # fmt: skip


def write_live(loaded: LoadedBench, seen: list[dict[str, Any]], path: Path) -> Path:
    """Write the page with what was `seen` to a file; raise `OSError` if it cannot be written."""
    return write_atomic(path, live_page(loaded, seen))


def write_picture(result: BenchResult, path: Path) -> Path:
    """Write the picture of all signals, with latencies and pace below; raise `OSError` if it cannot be written."""
    below = [_latency_plot(histogram) for histogram in histograms(result)]
    return write_png(result.result, path, [*below, _pace_plot([pace for paces in result.paces for pace in paces])])


def histograms(result: BenchResult) -> list[Histogram]:
    """Return the latencies of both directions, over all runs; the last thousandths are left out of the picture."""
    return [_histogram([directions[i] for directions in result.directions]) for i in (0, 1)]


def _histogram(directions: list[Direction]) -> Histogram:
    measured = np.concatenate([direction.measured for direction in directions])
    known = [direction.set for direction in directions if direction.set is not None]
    told = np.concatenate(known) if known else np.zeros(0)
    top = max(float(np.quantile(values, 1.0 - _TAIL)) if values.size else 0.0 for values in (measured, told))
    low = min(0.0, float(measured.min(initial=0.0)))
    edges = np.linspace(low, 1.15 * max(top, 1e-3), _BINS + 1)
    title = f"{directions[0].sender} to {directions[0].receiver}"
    return Histogram(title, edges, _shares(measured, edges), _shares(told, edges) if told.size else None)


def _shares(values: Vector, edges: Vector) -> Vector:
    return np.histogram(values, edges)[0] / max(values.size, 1)


def _range(spread: Any) -> str:
    return "—" if spread is None else f"{1e3 * spread['q05']:.1f} – {1e3 * spread['q95']:.1f}"


def _chart(histogram: Histogram) -> Chart:
    edges = 1e3 * histogram.edges
    both = (("measured", histogram.measured, "none", 4.0), ("set", histogram.set, "ink", 1.2))
    lines = [
        Line(name, edges, 100.0 * np.append(shares, shares[-1]), shade, width, steps=True)
        for name, shares, shade, width in both
        if shares is not None
    ]
    panel = Panel("messages / %", lines, height=_HEIGHT)
    return Chart(f"Latency {histogram.title}, all runs", "latency / ms", [panel])


def _latency_plot(histogram: Histogram) -> Any:
    def draw(axis: Any) -> None:
        edges = 1e3 * histogram.edges
        axis.stairs(100.0 * histogram.measured, edges, fill=True, color=LIGHT.none, label="measured")
        if histogram.set is not None:
            axis.stairs(100.0 * histogram.set, edges, color=LIGHT.ink, lw=1.2, label="set")
        axis.set_title(f"latency, {histogram.title}", loc="left", fontsize=9.5)
        axis.set_xlabel("latency / ms")
        axis.set_ylabel("messages / %")
        axis.set_axisbelow(True)
        axis.legend(fontsize=8, loc="upper left", handlelength=1.0)

    return draw


def _pace_plot(paces: list[Pace]) -> Any:
    def draw(axis: Any) -> None:
        shares = np.linspace(100.0, 0.0, 400)
        for style, side in (("-", "left"), ("--", "right")):
            values = np.concatenate([pace.done for pace in paces if pace.side == side])
            known = np.maximum(values[np.isfinite(values)], 1e-6)
            if known.size:
                quantiles = np.quantile(known, 1.0 - shares / 100.0)
                axis.loglog(1e3 * quantiles, np.maximum(shares, 100.0 / known.size), style, color=LIGHT.ink, label=side)
        axis.axvline(1e3 * paces[0].late, color=LIGHT.algorithms["zoh"], lw=1.0, label="late")
        axis.set_title("values leave after their due time", loc="left", fontsize=9.5)
        axis.set_xlabel("by more than / ms")
        axis.set_ylabel("steps / %")
        axis.legend(fontsize=8)

    return draw
