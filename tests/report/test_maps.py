"""Heat maps: a panel for each algorithm and the best, crosses where unstable, a common scale."""

import math

import pytest

from couplant.report.maps import TITLES, draw_map, layout
from couplant.report.pictures import figure_bytes
from couplant.sweep.axes import Axes
from couplant.sweep.table import Row, Table

LATENCY = (1, 2, 3)


def axes(jitter=(0.0, 2.0), loss=(0.0,), seeds=(1, 2), algorithms=("zoh", "foh")):
    return Axes(algorithms, ("event",), LATENCY, jitter, loss, seeds)


def medians(chosen, bad=lambda point: False):
    """Return cells whose MAE is 0.1 k, that of foh half."""
    rows = {}
    for point in chosen.points(lambda jitter, loss: True):
        error = 0.1 * point.latency / (2 if point.algorithm == "foh" else 1)
        worse = dict(error=math.inf, growth=math.inf, verdict="unstable") if bad(point) else {}
        rows[point] = Row(point, **{**dict(error=error, growth=0.9, C=1.0, verdict="stable"), **worse})
    return Table(rows).medians()


def texts(axis):
    return [text.get_text() for text in axis.texts]


def test_a_panel_for_each_algorithm_and_one_with_the_best():
    page = draw_map(axes(), medians(axes()), "error", "event", "x")
    zoh, foh, winner, bar = page.axes
    assert [axis.get_title(loc="left") for axis in (zoh, foh, winner)] == ["ZOH", "FOH", "best"]
    assert texts(zoh) == ["0.1", "0.1", "0.2", "0.2", "0.3", "0.3"]
    assert texts(winner) == ["FOH"] * 6
    assert bar.get_ylim() == pytest.approx((0.05, 0.3))


def test_unstable_cells_are_crossed_and_set_no_scale():
    page = draw_map(axes(), medians(axes(), lambda p: p.algorithm == "zoh" and p.latency == 3), "error", "event", "x")
    assert len(page.axes[0].lines) == 2 * 2
    assert len(texts(page.axes[0])) == 4
    assert page.axes[-1].get_ylim() == pytest.approx((0.05, 0.2))
    some = draw_map(axes(seeds=(1, 2, 3)), medians(axes(seeds=(1, 2, 3)), lambda p: p.seed == 3), "error", "event", "x")
    assert len(some.axes[0].lines) == 6


def test_places_where_nothing_is_stable_have_no_best():
    page = draw_map(axes(), medians(axes(), lambda p: p.latency == 3), "error", "event", "x")
    assert texts(page.axes[2]) == ["FOH"] * 4 + ["none"] * 2


def test_a_row_of_panels_for_each_loss_and_strips_without_jitter():
    both = axes(loss=(0.0, 0.1))
    assert len(draw_map(both, medians(both), "error", "event", "x").axes) == 2 * 3 + 1
    flat = axes(jitter=(0.0,))
    page = draw_map(flat, medians(flat), "error", "event", "x")
    assert [axis.get_ylabel() for axis in page.axes[:3]] == ["ZOH", "FOH", "best"]


def test_what_lies_upwards():
    assert layout(axes()).up == "jitter"
    assert layout(axes(jitter=(0.0,), loss=(0.0, 0.1))).up == "loss"
    assert layout(axes(loss=(0.0, 0.1))).rows == "loss"


@pytest.mark.sample(2)
@pytest.mark.parametrize("figure", TITLES)
def test_every_figure_can_be_drawn(figure):
    many = axes(algorithms=("wire", "foh", "auto", "irregular"))
    page = draw_map(many, medians(many, lambda p: p.algorithm == "auto"), figure, "event", "x")
    assert figure_bytes(page).startswith(b"\x89PNG")


def test_no_picture_without_a_figure():
    assert draw_map(axes(), [], "error", "event", "x") is None
    assert draw_map(axes(), medians(axes()), "error", "step", "x") is None
    assert draw_map(axes(), medians(axes(), lambda p: True), "error", "event", "x") is None
