"""Speed of the analysis: computing time against other work of the same machine, with one thread for matrices."""

import time
from pathlib import Path

import numpy as np
import pytest

from couplant.analysis import GENERIC, generic, limit_frequencies, quality_table
from couplant.analysis.stability import stability, stable_share
from couplant.analysis.system_file import read_system
from couplant.design import DesignTask, design

SYSTEM = read_system(Path(__file__).parent.parent / "tests" / "analysis" / "oscillator.toml")


def best(work, runs):
    """Return the shortest duration of some runs, s."""
    durations = []
    for _ in range(runs):
        start = time.thread_time()
        work()
        durations.append(time.thread_time() - start)
    return min(durations)


def limits_of_all():
    for name in GENERIC:
        for k in range(11):
            limit_frequencies(generic(name, k))


def quality_of_all():
    for name in GENERIC:
        quality_table(name, "event")
        quality_table(name, "step")


def yardstick():
    """Do what the analysis does most, by itself: eigenvalues, arrays of a thousand numbers, calls of functions."""
    matrix = np.add.outer(np.arange(100.0), np.sqrt(np.arange(100.0)))
    for i in range(5):
        np.linalg.eigvals(matrix + i * np.eye(100))
    for i in range(50):
        np.abs(np.exp(1j * np.linspace(0.0, float(i), 1000))).sum()


TASKS = {
    "limits of all algorithms, k = 0 to 10": (limits_of_all, 20.0),
    "quality parameters of all algorithms and horizons": (quality_of_all, 240.0),
    "one design, m = 7": (lambda: design(DesignTask(0.02, 3, (0.5, 12.0), m=7)), 4.0),
    "exact stability of the oscillator": (lambda: stability(SYSTEM), 0.5),
    "scatter of 100 plants": (lambda: stable_share(SYSTEM), 20.0),
}
"""Work, and the most that it may take as a multiple of the yardstick."""


def ratio(work, measure, rounds=3):
    """Return how many times as long as the measure the work takes; they take turns, the median of some rounds."""
    return float(np.median([best(work, 1) / best(measure, 3) for _ in range(rounds)]))


@pytest.mark.parametrize("task", TASKS)
def test_duration(task):
    work, most = TASKS[task]
    work()
    found = ratio(work, yardstick)
    print(f"\n{task}: {found:.2f} yardsticks, at most {most:g}")
    assert found < most
