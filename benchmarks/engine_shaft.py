"""Example 15: its recordings, by numpy from the equations, and its picture.

python benchmarks/engine_shaft.py FOLDER, with fmu_src, builder and the root of the project on the path.
"""

from __future__ import annotations

import sys
from itertools import pairwise
from pathlib import Path

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray
from scipy.linalg import expm

from benchmarks.axes import figure_of, legend, plain
from couplant.base.style import LIGHT, colour
from couplant.cosim import simulate
from couplant.cosim.result import Result
from couplant.report.pictures import FONT, write_figure

Floats = NDArray[np.float64]
FOLDER = Path(__file__).resolve().parents[1] / "examples" / "15_engine_shaft"
TORQUES = FOLDER.parent / "03_recording"
H = 0.01
NOISE = (0.15, 0.02)
SHOWN = ("wire", "zoh", "eros3", "auto", "model")
TORQUE, ERROR = (-150.0, 200.0), (-40.0, 40.0)
"""What the picture shows, N.m."""
MATRIX = np.array(
    [
        [0.0, 1.0, -1.0, 0.0, 0.0],
        [-200.0 / 0.15, -1.05 / 0.15, 1.0 / 0.15, 0.0, 0.0],
        [200.0 / 0.8, 1.0 / 0.8, -5.0 / 0.8, -400.0 / 0.8, 4.0 / 0.8],
        [0.0, 0.0, 1.0, 0.0, -1.0],
        [0.0, 0.0, 4.0 / 6.0, 400.0 / 6.0, -4.3 / 6.0],
    ]
)
"""Of twist and speed of the engine, speed of the gearbox, twist of the shafts to the wheels, their speed."""


def recorded(name: str, seed: int) -> Floats:
    """Return torque and speed, shape (N, 2), of shaft and gearbox without latency, as they are measured."""
    force = np.loadtxt(TORQUES / f"torque_{name}.csv", delimiter=",", skiprows=1)[:, 1]
    whole = np.zeros((7, 7))
    whole[:5, :5], whole[1, 5], whole[5, 6] = MATRIX, 1.0 / 0.15, 1.0 / H
    step, z, rows = expm(whole * H), np.zeros(5), []
    for now, then in pairwise(force):
        rows.append([200.0 * z[0] + z[1] - z[2], z[2]])
        z = (step @ np.concatenate([z, [now, then - now]]))[:5]
    return np.array(rows) + np.random.default_rng(seed).standard_normal((len(rows), 2)) * NOISE


def write(name: str, seed: int, folder: Path) -> None:
    """Write a recording with a row of units."""
    lines = ["time,torque,speed", "s,N.m,rad/s"]
    lines += [f"{H * n:.2f},{torque:.3f},{speed:.4f}" for n, (torque, speed) in enumerate(recorded(name, seed))]
    (folder / f"recorded_{name}.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")


def draw(result: Result) -> Figure:
    """Draw the torque that the vehicle gets, by algorithm, and its error with the model."""
    with matplotlib.rc_context(FONT):
        figure = figure_of(6.0)
        upper, lower = figure.subplots(2, 1, sharex=True)
        _course(upper, result)
        _errors(lower, result)
        legend(figure, SHOWN)
    return figure


def _course(axis: Axes, result: Result) -> None:
    for run in result.runs:
        trace = run.traces["torque"]
        _curve(axis, run.algorithm, trace.time, trace.estimate, TORQUE)
    axis.plot(trace.time, trace.reference, color=LIGHT.ink, lw=4.0, alpha=0.3)
    axis.set(ylim=TORQUE, xlim=(0.0, 6.0), ylabel="torque at the vehicle / N.m")
    axis.set_title("k = 3, 30 ms each way; unstable loops end where they leave the picture", loc="left", fontsize=9.5)
    plain(axis)


def _errors(axis: Axes, result: Result) -> None:
    for run in result.runs:
        trace = run.traces["torque"]
        _curve(axis, run.algorithm, trace.time, trace.estimate - trace.reference, ERROR)
    axis.set(ylim=ERROR, xlim=(0.0, 6.0), xlabel="time / s", ylabel="error / N.m")
    plain(axis)


def _curve(axis: Axes, algorithm: str, time: Floats, values: Floats, limits: tuple[float, float]) -> None:
    """Draw a course; that of an unstable loop ends where it leaves the limits."""
    far = np.flatnonzero(np.abs(values) > 4.0 * max(map(abs, limits)))
    out = np.flatnonzero((values < limits[0]) | (values > limits[1]))
    end = out[0] + 1 if far.size else len(values)
    axis.plot(time[:end], values[:end], color=colour(algorithm), lw=1.2)


def main() -> None:
    """Write recordings and picture into the folder that is named."""
    folder = Path(sys.argv[1])
    for seed, name in enumerate("abc"):
        write(name, seed, folder)
    write_figure(draw(simulate(FOLDER / "scenario.toml")), folder / "picture.png")


if __name__ == "__main__":
    main()
