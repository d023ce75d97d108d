"""Speed of the analysis, as an engineer meets it: best of a few runs against the budget of each task."""

import time
from pathlib import Path

import numpy as np
import pytest

from couplant.analysis import GENERIC, generic, limit_frequencies, quality_table
from couplant.analysis.stability import stability, stable_share
from couplant.analysis.system_file import read_system
from couplant.design import DesignTask, design
from couplant.design.from_recording import inspect_recording
from couplant.tables import read_recording

SYSTEM = read_system(Path(__file__).parent.parent / "tests" / "analysis" / "oscillator.toml")


def best(work, runs):
    """Return the shortest duration of some runs, s."""
    durations = []
    for _ in range(runs):
        start = time.perf_counter()
        work()
        durations.append(time.perf_counter() - start)
    return min(durations)


def limits_of_all():
    for name in GENERIC:
        for k in range(11):
            limit_frequencies(generic(name, k))


def quality_of_all():
    for name in GENERIC:
        quality_table(name, "event")
        quality_table(name, "step")


TASKS = {
    "limits of all algorithms, k = 0 to 10": (limits_of_all, 2.0, 2),
    "quality parameters of all algorithms and horizons": (quality_of_all, 3.0, 1),
    "one design, m = 7": (lambda: design(DesignTask(0.02, 3, (0.5, 12.0), m=7)), 0.05, 10),
    "exact stability of the oscillator": (lambda: stability(SYSTEM), 0.005, 50),
    "scatter of 100 plants": (lambda: stable_share(SYSTEM), 1.0, 5),
}


def test_inspection_of_a_long_recording(tmp_path):
    """A million rows; ten times as many may take 30 s."""
    t = 0.01 * np.arange(1_000_000)
    y = np.sin(t) + 0.01 * np.random.default_rng(0).standard_normal(t.size)
    path = tmp_path / "long.csv"
    path.write_text("t,y\n" + "".join(map("{:.2f},{:.6f}\n".format, t.tolist(), y.tolist())), encoding="utf-8")
    duration = best(lambda: inspect_recording(read_recording(path), 6), 2)
    print(f"\ninspection of 10^6 rows: {duration:.2f} s, budget 3 s")
    assert duration < 3.0


@pytest.mark.parametrize("task", TASKS)
def test_duration(task):
    work, budget, runs = TASKS[task]
    duration = best(work, runs)
    print(f"\n{task}: {1e3 * duration:.2f} ms, budget {1e3 * budget:.0f} ms")
    assert duration < budget
