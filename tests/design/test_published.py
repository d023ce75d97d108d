"""The published cost and its literal optimum (docs/reference.md 4), and why it is not the default."""

import numpy as np
import pytest

from couplant.analysis import frequency_response, generic
from couplant.analysis.stability import stability
from couplant.design.optimal import design
from couplant.design.published import WARNING, PublishedTask, published_cost, published_design
from couplant.design.task import DesignTask
from tests.design.canonical import OSCILLATOR

BAND = (0.5, 12.0)


def task(m=3):
    return PublishedTask(0.02, 3, BAND, m)


def test_cost_of_zoh_and_foh():
    assert published_cost(generic("zoh", 3), task()).total == pytest.approx(0.2515, abs=5e-5)
    assert published_cost(generic("foh", 3), task()).total == pytest.approx(3.186e5, rel=2e-4)


@pytest.mark.parametrize(
    ("m", "optimum"),
    [
        (3, 0.175706),
        pytest.param(6, 0.155227, marks=pytest.mark.slow),
        pytest.param(7, 0.152269, marks=pytest.mark.slow),
    ],
)
def test_literal_optimum(m, optimum):
    """At most 1.005 of the table; and what the warning says holds for it."""
    found = published_design(task(m))
    cost = published_cost(found, task(m))
    assert cost.total <= 1.005 * optimum
    assert 14.0 < cost.phase < 18.5
    assert frequency_response(found, 0.0) == pytest.approx(1.0, abs=1e-9)
    assert abs(sum(found.a) - 1.0) > 5.0
    assert not stability(OSCILLATOR.with_algorithm(found)).stable
    assert "comparison" in WARNING


def test_sound_design_loses_by_the_published_cost_and_wins_in_phase():
    one = design(DesignTask(0.02, 3, BAND, peak=6)).algorithm
    cost = published_cost(one, task(7))
    assert cost.total > 1000 and cost.phase < 2.0
    assert np.sum(one.a) == pytest.approx(1.0)
