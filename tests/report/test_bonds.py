"""Power bonds in a report: a column, a table, a strip for each timing."""

from dataclasses import replace

import numpy as np
import pytest

from couplant.cosim.result import BondTrace
from couplant.report import bonds, html
from couplant.report.png import write_png
from couplant.report.simulation import content
from couplant.report.summary import ORDER, summary


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
            [replace(run, bonds={"shaft": trace(r, budget)}) for run, r in zip(runs, rates, strict=True)]
        )

    return made


def test_a_strip_for_each_timing_with_what_there_is(make):
    found = bonds.bond_figures(make("event", "step"), "shaft")
    assert [title for title, _ in found] == ["shaft, event timing", "shaft, step timing"]
    labels = [[axis.get_ylabel() for axis in figure.axes] for _, figure in found]
    assert labels == 2 * [["power / W", "created / J"]]
    ((title, guarded),) = bonds.bond_figures(make("step", budget=0.01), "shaft")
    assert title == "shaft"
    assert [axis.get_ylabel() for axis in guarded.axes] == ["power / W", "created / J", "budget left / J", "limited"]


def test_what_is_limited_is_red_in_a_row_of_its_own(make):
    result = make("step", budget=0.002)
    ((_, figure),) = bonds.bond_figures(result, "shaft")
    axis = figure.axes[-1]
    assert [text.get_text() for text in axis.get_yticklabels()] == ["ZOH", "EROS3"]
    (bars,) = axis.collections
    (start,) = (path.vertices[:, 0].min() for path in bars.get_paths())
    one = result.runs[0].bonds["shaft"]
    assert start == pytest.approx(one.time[np.argmax(one.limited)] - 0.02)


def test_runs_that_differ_widely_are_both_seen(make):
    for rate, scale in ((0.2, "linear"), (2.0, "symlog")):
        ((_, figure),) = bonds.bond_figures(make("step", rate=rate), "shaft")
        assert figure.axes[1].get_yscale() == scale


def test_the_table_and_the_column(make, make_run, make_result):
    result = make("step", budget=0.002)
    assert len(bonds.HEADINGS) == len(bonds.rows(result)[0])
    assert bonds.rows(result)[0][:3] == ["shaft", "ZOH", "500"]
    found = summary(result)
    assert found.metrics == (*ORDER, "created")
    assert found.groups[0].rows[0].figures[-1] == "0.1474"
    without = summary(make_result([make_run("zoh", "step", 0.1)]))
    assert without.metrics == ORDER and len(without.groups[0].rows[0].figures) == len(ORDER)


def test_the_page_and_the_picture(make, tmp_path):
    for result in (make("event", "step"), make("step", budget=0.01)):
        text = html.render("simulation.html.j2", **content(result))
        assert "Power bonds" in text and "created" in text
        assert write_png(result, tmp_path / "picture.png").read_bytes().startswith(b"\x89PNG")


def test_a_bond_of_which_nothing_is_known_makes_no_picture(make):
    result = make("step")
    runs = [replace(run, bonds={"shaft": trace(0.1, count=0)}) for run in result.runs]
    empty = replace(result, runs=runs)
    assert bonds.bond_figures(empty, "shaft") == []
    assert bonds.rows(empty)[0][3] == "0"
