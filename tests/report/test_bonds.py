"""Power bonds in a report: a column, a table, a strip for each timing."""

from dataclasses import replace

import numpy as np
import pytest

from couplant.cosim.result import Energy
from couplant.cosim.traces import BondTrace
from couplant.report import bonds, html
from couplant.report.png import write_png
from couplant.report.simulation import content
from couplant.report.summary import summary


def trace(rate, budget=0.0, count=500):
    step = np.full(count, 0.02)
    given = 1e-3 * np.expm1(rate * np.cumsum(step))
    power = np.sin(np.cumsum(step))
    stage = {}
    if budget:
        left = budget - np.clip(given, 0.0, budget)
        stage = {"left_effort": left, "left_flow": 0.5 * left, "taken": 0.1 * given, "limited": left == 0.0}
    return BondTrace("shaft", np.cumsum(step), step, power, np.diff(given, prepend=0.0), 0.0 * given, **stage)


@pytest.fixture
def make(make_run, make_result):
    """Return a function that makes a result of two algorithms in some timings, with and without a budget."""

    def made(*timings, budget=0.0, rate=0.5):
        pairs = [(name, timing) for timing in timings for name in ("zoh", "eros3")]
        runs = [make_run(name, timing, 0.1) for name, timing in pairs]
        rates = [rate if run.algorithm == "zoh" else 0.1 for run in runs]
        return make_result(
            [replace(run, power=Energy({"shaft": trace(r, budget)})) for run, r in zip(runs, rates, strict=True)]
        )

    return made


def test_a_strip_for_each_timing_with_what_there_is(make):
    found = bonds.charts(make("event", "step"))
    assert [chart.title for chart in found] == ["shaft, event timing", "shaft, step timing"]
    assert [[panel.y for panel in chart.panels] for chart in found] == 2 * [["power / W", "created / J"]]
    (guarded,) = bonds.charts(make("step", budget=0.01))
    assert guarded.title == "shaft"
    assert [panel.y for panel in guarded.panels] == ["power / W", "created / J", "budget left / J", "limited"]


def test_what_is_limited_is_red_in_a_row_of_its_own(make):
    result = make("step", budget=0.002)
    (chart,) = bonds.charts(result)
    panel = chart.panels[-1]
    assert panel.rows == ["ZOH", "EROS3"]
    line, one = panel.lines[0], result.runs[0].bonds["shaft"]
    assert line.colour == "bad" and line.y[:2].tolist() == [0.5, 0.5] and np.isnan(line.y[2])
    assert line.x[0] == pytest.approx(one.time[np.argmax(one.limited)] - 0.02)


def test_runs_that_differ_widely_are_both_seen(make):
    for rate, wide in ((0.2, False), (2.0, True)):
        (chart,) = bonds.charts(make("step", rate=rate))
        assert chart.panels[1].log == (chart.panels[1].linear > 0.0) == wide


def test_the_table_and_the_column(make, make_run, make_result):
    result = make("step", budget=0.002)
    assert len(bonds.HEADINGS) == len(bonds.rows(result)[0])
    assert bonds.rows(result)[0][:3] == ["shaft", "ZOH", "500"]
    found = summary(result)
    assert found.metrics == (*result.shown, "created")
    assert found.groups[0].rows[0].figures[-1] == "0.1474"
    without = summary(make_result([make_run("zoh", "step", 0.1)]))
    assert without.metrics == ("error", "growth", "C", "M", "P") and len(without.groups[0].rows[0].figures) == 5


def test_the_page_and_the_picture(make, tmp_path):
    for result in (make("event", "step"), make("step", budget=0.01)):
        text = html.render("simulation.html.j2", **content(result))
        assert "Power bonds" in text and "created" in text
        assert write_png(result, tmp_path / "picture.png").read_bytes().startswith(b"\x89PNG")


def test_a_bond_of_which_nothing_is_known_makes_no_picture(make):
    result = make("step")
    runs = [replace(run, power=Energy({"shaft": trace(0.1, count=0)})) for run in result.runs]
    empty = replace(result, runs=runs)
    assert bonds.charts(empty) == []
    assert bonds.rows(empty)[0][3] == "0"
