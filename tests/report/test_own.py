"""Figures of a scenario's own and watched outputs on the page."""

import math
import re
from dataclasses import replace

import numpy as np
import pytest

from couplant.cosim.traces import Figure, Watched
from couplant.report import summary
from couplant.report.html import render
from couplant.report.simulation import content, group_size, payload
from tests.report.test_payload import column

TIME = np.arange(1251) * 0.02


@pytest.fixture
def result(make_run, make_result):
    """Return two runs that keep a speed and an energy, with a peak and an energy as figures."""
    runs = []
    for name, late in (("zoh", 1.0), ("eros3", 0.1)):
        watched = {
            "car.v": Watched(TIME, TIME + late, TIME, "m/s"),
            "car.on": Watched(TIME, (TIME > late).astype(int), np.ones(TIME.size), ""),
        }
        figures = {
            "first_peak": Figure("N.m", 100.0 + late, 2.0 + late, 100.0, 2.0),
            "energy": Figure("J", 146829.4, math.nan, 146411.0, math.nan),
        }
        run = make_run(name, "event", 0.1 * late)
        courses, numbers = replace(run.courses, watched=watched), replace(run.numbers, own=figures)
        runs.append(replace(run, courses=courses, numbers=numbers))
    return make_result(runs)


def test_what_is_watched_comes_after_the_signals_with_its_reference(result):
    data = payload(result)
    assert [one["name"] for one in data["signals"]] == ["f", "x1", "v1", "car.v", "car.on"]
    assert [one.get("watched", False) for one in data["signals"]] == [False, False, False, True, True]
    for run, packed in zip(result.runs, data["runs"], strict=True):
        stored = packed["traces"]["car.v"]
        assert column(data, stored["reference"]) == pytest.approx(TIME, abs=1e-5)
        assert column(data, stored["error"]) == pytest.approx(run.watched["car.v"].values - TIME, abs=1e-5)
        assert set(stored) == {"reference", "error", "time"}


def test_a_chart_for_each_on_the_page(result):
    page = render("simulation.html.j2", **content(result))
    found = re.findall(r'data-signal="(\d)">\s*<h2>([\w.]+)(?: <span class="unit">/ ([^<]+))?', page)
    assert found[3:] == [("3", "car.v", "m/s"), ("4", "car.on", "")]
    assert page.count('class="chart strip"') == 3


def test_without_any_the_page_has_neither(canonical):
    page = render("simulation.html.j2", **content(canonical))
    assert "Figures of this scenario" not in page and "watched outputs" not in page


def test_long_runs_are_thinned_for_the_charts_of_what_is_watched_too(make_run, make_result):
    time = np.arange(200_000) * 0.02
    spike = np.zeros(time.size)
    spike[123_456] = 1.0
    run = make_run("zoh", "step", 0.1, rows=time.size)
    run = replace(run, courses=replace(run.courses, watched={"a.b": Watched(time, spike, 0.0 * time)}))
    made = make_result([run])
    assert group_size(made) > 1
    stored = payload(made)["runs"][0]["traces"]["a.b"]
    assert column(payload(made), stored["estimate"]).max() == 1.0


def test_figures_come_one_after_the_other_each_without_delay_first(result):
    assert summary.figure_rows(result)[:3] == [
        ("first peak / N.m", "no delay", "100.00", "2", "—"),
        ("", "ZOH", "101.00", "3", "1"),
        ("", "EROS3", "100.10", "2.1", "0.1"),
    ]
    assert summary.figure_rows(result)[3] == ("energy / J", "no delay", "146\u2009411", "—", "—")
    page = render("simulation.html.j2", **content(result))
    assert "Figures of this scenario" in page and "146\u2009829" in page


def test_numbers_with_many_digits_before_the_point_keep_them_all():
    assert [summary.whole(one) for one in (-12345.6, 1234.56, 0.0, 3e12, math.nan)] == [
        "−12\u2009346", "1234.6", "0", "3.0000×10¹²", "—",
    ]  # fmt: skip
