"""Processes: the same rows whatever their number; an FMU that crashes costs one point."""

import multiprocessing
import os
from contextlib import closing

import pytest

from couplant.sweep import processes
from couplant.sweep.axes import Point
from couplant.sweep.job import make_job
from couplant.sweep.processes import cpus, in_processes
from couplant.sweep.table import Cell, Row

POINTS = [Point("event", a, k, 0.0, 0.0, 1) for a in ("zoh", "foh") for k in (1, 2, 3)]


@pytest.fixture(scope="module")
def job(loaded, tmp_path_factory):
    folder = tmp_path_factory.mktemp("job")
    return make_job(loaded(), "settings", [Cell(*p[:-1]) for p in POINTS], folder, lambda share, text: None)[0], folder


def rows(job, workers, points=POINTS):
    with closing(in_processes(*job, points, workers)) as found:
        return {row.point: row for row in found}


def test_rows_do_not_depend_on_the_number_of_processes(job):
    one, two = rows(job, 1), rows(job, 2, POINTS[::-1])
    assert set(one) == set(POINTS)
    assert one == two
    assert all(row.mae is not None for row in one.values())


def crash_at_2(point):
    """Stand in for an FMU that takes its process down."""
    if point.latency == 2:
        os.abort()
    return Row(point, mae=1.0, verdict="stable")


def alone(job, folder, point):
    """Stand in for what is tried again in a process of its own."""
    return Row(point, reason="ended alone too") if point.latency == 2 else crash_at_2(point)


def test_a_crash_costs_one_point(job, monkeypatch):
    monkeypatch.setattr(processes, "_run", crash_at_2)
    monkeypatch.setattr(processes, "run_alone", alone)
    found = rows(job, 2)
    assert set(found) == set(POINTS)
    assert {p for p, row in found.items() if row.verdict == "failed"} == {p for p in POINTS if p.latency == 2}
    assert {row.reason for row in found.values()} == {"", "ended alone too"}


def wait_for_ever(point):
    """Stand in for an FMU that never comes back."""
    if point.latency == 2:
        multiprocessing.Event().wait()
    return Row(point, verdict="stable")


def test_closing_ends_processes_that_are_busy(job, monkeypatch):
    monkeypatch.setattr(processes, "_run", wait_for_ever)
    before = multiprocessing.active_children()
    with closing(in_processes(*job, POINTS, 2)) as found:
        assert next(found).point.latency != 2
    assert multiprocessing.active_children() == before


def test_there_is_a_processor():
    assert cpus() >= 1
