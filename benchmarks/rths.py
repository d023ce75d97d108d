"""The bench of example 13: error of the specimen without compensation, with the published phase lead, with an FMU.

python benchmarks/rths.py [PICTURE.png [NETWORK.png]], with fmu_src, builder and the root of the project on the path.
J4 [%] goes to standard output as CSV. It takes some minutes.
"""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Mapping
from pathlib import Path

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from benchmarks.axes import figure_of, plain
from couplant.base.style import LIGHT
from couplant.cosim import simulate
from couplant.cosim.traces import Trace
from couplant.report.pictures import FONT, write_figure
from tests.cosim.rths import CASES, frame_model
from tests.cosim.test_rths import error_of

SCENARIO = Path(__file__).resolve().parents[1] / "examples" / "13_rths" / "scenario.toml"
NETWORK = SCENARIO.with_name("network_model.toml")
BARE = ("macro_step=0.000244140625", 'algorithms=["zoh"]', "signals.x.coupling.latency.offset=0.0")
WAYS = {"without": BARE, "phase lead": (*BARE, "compensated=true"), "coupling FMU": ()}
PENS = {"without": "#9aa1a9", "phase lead": "#c1542e", "coupling FMU": "#1f6f8b"}

DERIVED = [f'signals.{signal}.coupling.algorithm="linear"' for signal in "xv"]
DERIVED += ['signals.a.coupling.algorithm="auto"', 'signals.f.coupling.algorithm="model"']
NETWORK_WAYS = {
    "auto with derivatives": ['algorithms=["auto"]'],
    "derivatives, model of the specimen": ['algorithms=["configured"]', *DERIVED],
    "model of the frame": ['algorithms=["configured"]'],
}

Found = dict[tuple[int, str], Trace]
"""The measured displacement of the specimen, by case and by what makes up for the lag."""


def measure() -> Found:
    """Simulate all cases in all ways, but for what is unstable."""
    found: Found = {}
    for case, (mass, damping) in CASES.items():
        for way, words in WAYS.items():
            if (case, way) not in ((3, "without"), (4, "without")):
                (run,) = simulate(SCENARIO, ["wire=false", f"mass={mass}", f"damping={damping}", *words]).runs
                found[case, way] = run.traces["x_m"]
    return found


def j4(trace: Trace) -> float:
    """Return the standard deviation of the error over that of the frame in one piece [%]."""
    return 100.0 * float(np.std(trace.sent - trace.reference, ddof=1) / np.std(trace.reference, ddof=1))


def over_the_network() -> dict[tuple[int, str], float]:
    """Return J4 with 9.8 ms each way [%], by case and by what makes up for it."""
    found = {}
    for case, (mass, damping) in CASES.items():
        frame = [f"models.frame.{key}={json.dumps(value)}" for key, value in frame_model(case).items()]
        for way, words in NETWORK_WAYS.items():
            (run,) = simulate(NETWORK, ["wire=false", f"mass={mass}", f"damping={damping}", *frame, *words]).runs
            found[case, way] = error_of(run)
    return found


def draw_network(found: Mapping[tuple[int, str], float]) -> Figure:
    """Draw the errors of all cases over the network."""
    with matplotlib.rc_context(FONT):
        figure = Figure(figsize=(7.0, 3.4), dpi=160, layout="constrained", facecolor=LIGHT.background)
        axis = figure.subplots()
        for i, (way, pen) in enumerate(zip(NETWORK_WAYS, PENS.values(), strict=True)):
            own = [found[case, way] for case in CASES]
            shown = axis.bar([case + 0.27 * (i - 1) for case in CASES], own, width=0.25, color=pen, label=way)
            axis.bar_label(shown, fmt="%.2g", fontsize=7.5)
        axis.set(xticks=[*CASES], xlabel="case", ylabel="J4: error of the specimen / %")
        figure.legend(loc="outside upper left", ncols=3, frameon=False)
        plain(axis)
    return figure


def draw(found: Found) -> Figure:
    """Draw two seconds of case 1, and the errors of all cases."""
    with matplotlib.rc_context(FONT):
        figure = figure_of(3.8)
        course, bars = figure.subplots(1, 2, width_ratios=[1.7, 1.0])
        _course(course, found)
        _bars(bars, found)
        figure.legend(*course.get_legend_handles_labels(), loc="outside upper left", ncols=4, frameon=False)
    return figure


def _course(axis: Axes, found: Found) -> None:
    truth = found[1, "coupling FMU"]
    axis.plot(truth.time, 1e3 * truth.reference, color=LIGHT.ink, lw=3.0, alpha=0.3, label="frame in one piece")
    for way, pen in PENS.items():
        axis.plot(found[1, way].time, 1e3 * found[1, way].sent, color=pen, lw=1.3, label=way)
    middle = truth.time[np.argmax(np.abs(truth.reference))]
    near = np.abs(truth.time - middle) < 1.0
    top = 1.7e3 * float(np.abs(truth.reference[near]).max())
    axis.set(xlim=(middle - 1.0, middle + 1.0), ylim=(-top, top), xlabel="time / s", ylabel="storey 1 / mm")
    plain(axis)


def _bars(axis: Axes, found: Found) -> None:
    for i, (way, pen) in enumerate(PENS.items()):
        own = {case: j4(trace) for (case, of), trace in found.items() if of == way}
        shown = axis.bar([case + 0.27 * (i - 1) for case in own], [*own.values()], width=0.25, color=pen)
        axis.bar_label(shown, fmt="%.3g", fontsize=7.5)
    axis.set_yscale("log")
    axis.set(xticks=[*CASES], ylim=(1.0, 300.0), xlabel="case", ylabel="J4: error of the specimen / %")
    axis.set_yticks([1.0, 10.0, 100.0], ["1", "10", "100"])
    for case in (3, 4):
        axis.text(case - 0.27, 1.1, "unstable", rotation=90.0, ha="center", va="bottom", fontsize=7.5)
    plain(axis)


def main() -> None:
    """Write the table, and the picture if a file is named for it."""
    found = measure()
    table = csv.writer(sys.stdout, lineterminator="\n")
    table.writerow(["case", "way", "J4"])
    for (case, way), trace in found.items():
        table.writerow([case, way, f"{j4(trace):.3f}"])
    for path in sys.argv[1:2]:
        write_figure(draw(found), Path(path))
    for path in sys.argv[2:3]:
        write_figure(draw_network(over_the_network()), Path(path))


if __name__ == "__main__":
    main()
