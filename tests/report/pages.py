"""A page of every kind, made in a second or two, for the browser."""

from __future__ import annotations

import zipfile
from dataclasses import replace
from pathlib import Path

import numpy as np

from couplant.analysis import generic
from couplant.bench.record import Pace
from couplant.bench.result import BenchResult, Direction
from couplant.cli import main
from couplant.config import parse_interface
from couplant.config.network import RelayTable
from couplant.cosim.result import Energy
from couplant.cosim.traces import BondTrace
from couplant.lab.arena.entries import find_entries
from couplant.lab.arena.scores import Arena, Curve, Played, Score
from couplant.pack import build_coupling_fmu
from couplant.pack.describe.shown import PAGE
from couplant.report import bench, simulation
from couplant.report.arena import write_arena
from couplant.report.curves import bode_chart
from couplant.report.page import Page, write_page
from couplant.report.sweep import write_pages
from couplant.sweep import Sweep
from couplant.sweep.axes import Axes
from couplant.sweep.table import Row, Table
from examples.published import frequency
from examples.published.build import write_paper
from tests.report.conftest import build_result, build_run

ODD = "</script>\"'`<b>&ä€"
"""A unit that is nothing but trouble in a page."""

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
TORQUE = EXAMPLES / "03_recording" / "torque_a.csv"

VERBS = {
    "inspect": ("inspect", TORQUE, "--steps", "3"),
    "lag": ("lag", "{lag}", "--column", "a", "--response", "b"),
    "latencies": ("macro-step", "{latencies}", "--micro-step", "0.001"),
    "design": ("design", "--recording", TORQUE, "--steps", "3", "--steps", "6"),
    "learn": ("learn", TORQUE, "--steps", "3"),
    "energy": ("energy", "{bond}", "--effort", "f", "--flow", "x", "--effort-received", "fh", "--flow-received", "xh"),
}
"""Verbs with a page, and what they are asked; names in braces are recordings of `write_recordings`."""


def write_recordings(folder: Path) -> dict[str, Path]:
    """Write a command with its response, latencies and a bond."""
    t = 0.01 * np.arange(1500)
    late = np.maximum(t - 0.06, 0.0)
    columns = {
        "lag": {"time": t, "a": np.sin(2.0 * t), "b": np.sin(2.0 * (t - 0.05))},
        "latencies": {"sent_s": t, "received_s": t + 0.02 + 0.004 * np.abs(np.sin(31.0 * t))},
        "bond": {"time": t, "f": np.cos(t), "x": np.sin(t), "fh": np.cos(late), "xh": np.sin(late)},
    }
    for name, table in columns.items():
        rows = np.stack(list(table.values()), axis=1)
        np.savetxt(folder / f"{name}.csv", rows, "%.9g", ",", header=",".join(table), comments="")
    return {name: folder / f"{name}.csv" for name in columns}


def write_all(folder: Path, loaded) -> dict[str, Path]:
    """Write a page of every kind; `loaded` loads the scenario of the sweep."""
    given = {f"{{{name}}}": path for name, path in write_recordings(folder).items()}
    pages = {name: folder / f"{name}.html" for name in (*VERBS, "document", "simulate", "bench", "paper")}
    for name, words in VERBS.items():
        assert main([*(str(given.get(word, word)) for word in words), "-o", str(pages[name])]) == 0, name
    page, charts = document()
    write_page(page, pages["document"], charts)
    simulation.write_report(result(), pages["simulate"])
    bench.write_page(bench_result(), pages["bench"])
    write_paper([frequency.bode(), frequency.torque(EXAMPLES)], pages["paper"])
    write_pages(sweep(loaded), folder / "sweep")
    write_arena(arena(), folder / "arena")
    pages["arena"] = folder / "arena" / "index.html"
    return pages | {"sweep": folder / "sweep" / "index.html", "fmu": unpacked(folder / "fmu") / PAGE}


def unpacked(folder: Path) -> Path:
    """Return the folder of an FMU with what importers show."""
    signal = {"algorithm": "auto", "unit": ODD, "latency": {"mode": "stamps"}, "burst": 3, "debug": True}
    head = {"name": "bench", "macro_step": 0.01}
    settings = parse_interface({"interface": head, "signals": {"torque": signal}}, "test")
    with zipfile.ZipFile(build_coupling_fmu(settings, "torque", folder, backend="python")) as archive:
        archive.extractall(folder)
    return folder


def document():
    """Return a page and two charts of two panels each over one quantity."""
    page = Page("design", "Two latencies", ["text"], toml="steps = 3\n")
    return page, [bode_chart([generic(name, k) for name in ("zoh", "eros3")], title=f"k = {k}") for k in (3, 6)]


def result():
    """Return runs of one family, one of which is unstable, with a bond."""
    names = {"zoh": 0.3, "network_off": 0.02, "network_embedded": 0.01, "configured": 0.015}
    return build_result(
        [
            replace(build_run(name, timing, error, rate=rate), power=Energy({"shaft": bond(error)}))
            for timing in ("event", "step")
            for name, error in names.items()
            for rate in [0.1 if name == "zoh" else -0.01]
        ]
    )


def bond(rate, count=1000):
    """Return a bond that creates energy and was limited."""
    step = np.full(count, 0.02)
    given = 1e-3 * np.expm1(rate * np.cumsum(step))
    left = np.clip(0.002 - given, 0.0, None)
    stage = {"left_effort": left, "left_flow": 0.5 * left, "taken": 0.1 * given}
    stage["limited"] = np.arange(count) % 300 > 280
    power = np.sin(np.cumsum(step))
    return BondTrace("shaft", np.cumsum(step), step, power, np.diff(given, prepend=0.0), 0.0 * given, **stage)


def bench_result():
    """Return a bench of two runs."""
    runs = [build_run(name, "event", 0.1, signals=("f",)) for name in ("zoh", "eros3")]
    delays = 0.02 + 0.01 * np.random.default_rng(1).random(400)
    counts = dict.fromkeys(("sent", "arrived", "lost", "overtaken", "doubled"), 400)
    ways = [Direction(a, b, delays, delays + 1e-4, delays, counts) for a, b in (("left", "right"), ("right", "left"))]
    times = [1e-3 * delays, 2e-3 * delays, 3e-3 * delays, 2e-3 * delays]
    paces = [Pace(side, *times, 0.01, 1e-3) for side in ("left", "right")]
    found = build_result(runs)
    return BenchResult(found, [ways] * 2, [paces] * 2, RelayTable(), [["zoh: held"], []])


def arena():
    """Return scores of a recording and a loop, in which an entry grows and one of a user fails."""
    t = 0.01 * np.arange(160)
    errors = {"wire": 40.0, "auto": 2.0, "kalman": 80.0, "ridge": 8.0}
    curves = [Curve(name, "y", ODD, t, np.sin(9.0 * t - 0.01 * errors.get(name, 0.0))) for name in ("", *errors)]
    verdicts = {"kalman": "unstable"}
    recorded = [Score(*one, "open loop") for one in errors.items()]
    loop = [Score(name, error, verdicts.get(name, "stable")) for name, error in errors.items()]
    played = [
        Played("engine_2", "recordings", f"An engine {ODD}.", False, recorded, curves),
        Played("pendulum_3", "loops", "A pendulum.", True, [*loop, Score("ats", reason=ODD)], curves),
    ]  # fmt: skip
    entries = find_entries([*list(errors)[1:], "ats"])
    return Arena(played, entries, ("lightgbm is left out: it is missing",), times={"auto": 900.0, "ridge": 1.2e5})


def sweep(loaded):
    """Return a sweep over three axes, in which one run failed."""
    axes = Axes(("zoh", "eros3", "mine"), ("event",), (1, 2, 3), (0.0, 1.0), (0.0, 0.1), (1, 2))
    rows = {}
    for point in axes.points(lambda jitter, loss: jitter + loss > 0):
        grown = point.algorithm == "zoh" and point.latency > 2
        figures = {"error": 0.1 * point.latency + 0.01 * point.seed, "growth": 1.2 if grown else 0.9, "C": 1.0}
        rows[point] = Row(point, verdict="unstable" if grown else "stable", **figures)
    return Sweep(loaded(), axes, Table(rows), "abc", len(rows))
