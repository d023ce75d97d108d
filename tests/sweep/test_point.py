"""A point of a sweep is the run that `couplant simulate` makes with the same settings."""

import math
from pathlib import Path

import pytest

from couplant.sweep.axes import Point
from couplant.sweep.job import make_job
from couplant.sweep.point import forget, run_point
from couplant.sweep.table import Cell
from tests.unwired import simulate


@pytest.fixture
def row_of(tmp_path):
    """Return a function that runs one point of a scenario."""

    def run(loaded, point):
        job, _ = make_job(loaded, "settings", [Cell(*point[:-1])], tmp_path, lambda share, text: None)
        return run_point(job, tmp_path, point)

    yield run
    forget(tmp_path)
    assert not Path(tmp_path).exists()


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    "point",
    [
        Point("event", "eros3", 2, 0.0, 0.0, 1),
        Point("step", "foh", 1, 2.0, 0.1, 5),
        Point("step", "zoh", 0, 0.0, 0.0, 1),
    ],
)
def test_a_point_is_the_run_of_simulate(loaded, oscillator, short, row_of, point):
    settings = (
        f'algorithms=["{point.algorithm}"]',
        f'timing=["{point.timing}"]',
        f"network.latency_steps={point.latency}",
        f"network.jitter_steps={point.jitter:g}",
        f"network.loss={point.loss}",
        f"network.seed={point.seed}",
    )
    (run,) = simulate(oscillator, (*short, *settings)).runs
    row = row_of(loaded(), point)
    assert {name: getattr(row, name) for name in run.metrics} == run.metrics
    assert (row.radius, row.reason) == (run.radius, "")


def test_a_recording_is_an_open_loop_and_is_sent_along(oscillator, tmp_path, row_of):
    from couplant.cosim import load_scenario

    example = oscillator.parents[1] / "03_recording" / "scenario.toml"
    point = Point("event", "foh", 6, 0.0, 0.0, 1)
    changes = ("duration=1.0", 'timing=["event"]', 'algorithms=["foh"]', "network.latency_steps=6")
    (run,) = simulate(example, changes).runs
    row = row_of(load_scenario(example, changes), point)
    assert (row.mae, row.C, row.verdict) == (run.metrics["mae"], run.metrics["C"], "open loop")


def test_a_run_that_diverges_is_unstable_and_not_failed(loaded, row_of):
    exploding = loaded("coupling.algorithm.a=[9000.0]", "coupling.algorithm.A=[0.0]", "duration=10.0")
    row = row_of(exploding, Point("event", "linear", 1, 0.0, 0.0, 1))
    assert (row.verdict, row.reason) == ("unstable", "")
    assert (row.mae, row.max, row.growth) == (math.inf, math.inf, math.inf)
    assert (row.C, row.M, row.P) == (None, None, None)


def test_a_run_that_an_fmu_ends_is_failed_with_its_reason(loaded, row_of, caplog):
    strict = loaded('coupling.quality.action="stop"', "coupling.quality.zeta=1e-9", "coupling.quality.delta=0.0")
    row = row_of(strict, Point("event", "zoh", 3, 0.0, 0.0, 1))
    assert (row.verdict, row.mae, row.growth) == ("failed", None, None)
    assert "ended the run at t = " in row.reason
    assert caplog.records == []
