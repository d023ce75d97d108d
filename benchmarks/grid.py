"""Example 16: its recording, the errors in its windows, and its picture.

python benchmarks/grid.py FOLDER, with fmu_src, builder and the root of the project on the path.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from benchmarks.axes import figure_of, legend, plain
from couplant.base.style import LIGHT, colour
from couplant.cosim import simulate
from couplant.cosim.result import Result, Run
from couplant.report.pictures import FONT, write_figure

Floats = NDArray[np.float64]
FOLDER = Path(__file__).resolve().parents[1] / "examples" / "16_grid"
H, LAST = 5e-4, 1.6
SAG, JUMP = (0.6003, 0.9003), 1.2003
HARMONICS = ((1, 1.0, 0.0), (5, 0.03, 0.3), (7, 0.02, 1.0))
PEAK, RISE = 325.0, 0.2
"""Of the voltage, V, and how long it takes from rest, s."""

WINDOWS = {"before": (0.45, 0.6), "sag": (0.78, 0.9), "jump": (1.45, 1.6)}
"""When errors are told: with nothing happening, late in the sag, a quarter of a second after the jump. [s]"""

SHOWN = ("wire", "auto", "configured")


def source() -> tuple[Floats, Floats]:
    """Return times and voltages of the three phases, shape (N, 3), behind the impedance of the grid."""
    t = np.arange(0.0, LAST + 0.5 * H, H)
    frequency = 50.2 + 0.3 * np.sin(0.6 * np.pi * t)
    turned = np.concatenate(([0.0], np.cumsum(0.5 * (frequency[1:] + frequency[:-1])))) * H
    angle = 2.0 * np.pi * turned + (np.pi / 6.0) * (t > JUMP)
    size = PEAK * np.where((t > SAG[0]) & (t < SAG[1]), 0.4, np.clip(t / RISE, 0.0, 1.0))
    phases = [angle - 2.0 * np.pi * phase / 3.0 for phase in range(3)]
    return t, np.array([size * sum(a * np.cos(h * one + p) for h, a, p in HARMONICS) for one in phases]).T


def write(folder: Path) -> None:
    """Write the recording."""
    rows = [f"{t:.4f}," + ",".join(f"{value:.2f}" for value in row) for t, row in zip(*source(), strict=True)]
    (folder / "grid.csv").write_text("\n".join(["time_s,e_a_V,e_b_V,e_c_V", *rows, ""]), encoding="utf-8")


def error(run: Run, window: str) -> float:
    """Return the rms of the error of voltages at the load in a `window`, over the rms of their reference [%]."""
    wrong, true = [], []
    for name in ("v_a", "v_b", "v_c"):
        trace = run.traces[name]
        begin, end = WINDOWS[window]
        part = (trace.time >= begin) & (trace.time < end)
        wrong.append((trace.estimate - trace.reference)[part])
        true.append(trace.reference[part])
    return float(100.0 * np.sqrt(np.mean(np.square(wrong)) / np.mean(np.square(true))))


def table(scenario: str, steps: int, algorithms: tuple[str, ...]) -> dict[str, dict[str, float]]:
    """Return the errors of a `scenario` at a latency of `steps` macro steps by algorithm and window [%]."""
    words = [f"network.latency_steps={steps}", f"algorithms={json.dumps(algorithms)}"]
    runs = simulate(FOLDER / scenario, words).runs
    return {run.algorithm: {name: error(run, name) for name in WINDOWS} for run in runs}


def draw(result: Result) -> Figure:
    """Draw the voltage of a phase at the load around the sag, and its error."""
    with matplotlib.rc_context(FONT):
        figure = figure_of(6.0)
        upper, lower = figure.subplots(2, 1, sharex=True)
        runs = {run.algorithm: run for run in result.runs}
        trace = runs["wire"].traces["v_a"]
        upper.plot(trace.time, trace.reference, color=LIGHT.ink, lw=4.0, alpha=0.3)
        for name in SHOWN:
            _curves(upper, lower, name, runs[name])
        upper.set(ylabel="voltage at the load / V", xlim=(0.54, 0.78), ylim=(-320.0, 320.0))
        upper.set_title("60 ms each way: a sag to 40 % at .6 s; grey: without latency", loc="left", fontsize=9.5)
        lower.set(ylabel="error / V", xlabel="time / s", ylim=(-320.0, 320.0))
        for axis in (upper, lower):
            plain(axis)
        legend(figure, ("wire", "auto", "phasor"))
    return figure


def _curves(upper: Axes, lower: Axes, name: str, run: Run) -> None:
    trace, shade = run.traces["v_a"], colour("phasor" if name == "configured" else name)
    upper.plot(trace.time, trace.estimate, color=shade, lw=1.1)
    lower.plot(trace.time, trace.estimate - trace.reference, color=shade, lw=1.1)


def main(folder: Path) -> None:
    """Write the recording and the picture to a `folder`, and print the errors."""
    write(folder)
    words = ["network.latency_steps=60", 'algorithms=["auto", "configured"]']
    write_figure(draw(simulate(FOLDER / "scenario.toml", words)), folder / "picture.png")
    for scenario in ("scenario.toml", "damping.toml"):
        for steps in (20, 60):
            print(scenario, steps, json.dumps(table(scenario, steps, ("auto", "configured"))))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
