"""The sections about energies: their verdicts, and that nothing is left unexplained."""

import re

import numpy as np
import pytest

from examples.published import build, correction, quarter_car
from examples.published.section import SIGN
from tests.cosim.test_crane import solved  # noqa: F401
from tests.published.test_page import EXAMPLES, differing, others


def explained(section):
    """Return what differs, each with a reason."""
    assert all(row.why for row in section.rows if not row.holds)
    return differing(section)


def test_step_control():
    section = quarter_car.step_control(EXAMPLES)
    assert explained(section) == [] and len(section.rows) == 12
    assert [row.ours for row in section.rows[:2]] == ["1 / 1.23 / 6.35", "1 / 0.399 / 1.62"]


def test_the_predictor_differs_where_its_beginning_counts():
    section = quarter_car.predictor(EXAMPLES)
    assert [row.what.rpartition(",")[0] for row in section.rows if row.holds] == ["other cut, linear"]
    assert len(explained(section)) == 3


def test_longest_stable_steps():
    section = quarter_car.step_limits()
    assert [row.ours for row in section.rows] == ["53.20 ms", "11.23 ms"]
    assert explained(section) == ["linear damper"]


@pytest.mark.landing("reports of long runs: 6 s of CPU")
def test_the_published_correction_holds_where_it_was_tuned():
    section = correction.single_rate()
    assert explained(section) == []
    assert others(section) == {"5 masses, cap 25 %": SIGN, "root springs (22), ν = 0.25": SIGN}
    assert {row.what: row.ours for row in section.rows}["single rate, μ = 0.5"] == "1.939 → 0.992"


@pytest.mark.landing("reports of long runs: 5 s of CPU")
def test_the_published_correction_fails_elsewhere_and_the_damper_does_not():
    section = correction.exact_sides(EXAMPLES)
    assert len(explained(section)) == len(section.rows) == 5
    left = np.array([re.findall(r"\d\.\d{3}", row.why) for row in section.rows], dtype=float)
    assert left == pytest.approx(np.array([[1.013, 0.973, 0.995, 1.025, 1.054]] * 2).T, abs=0.02)


@pytest.mark.usefixtures("solved")
def test_the_crane():
    section = correction.crane(EXAMPLES)
    assert explained(section) == []
    assert float(section.rows[0].ours.removesuffix(" mm")) == pytest.approx(1.17, abs=0.02)
    assert section.rows[1].ours == "29 times the rest"


def test_a_verdict_can_fail(monkeypatch):
    table = {"source": "S", "linear": 53.2, "other": 12.0}
    monkeypatch.setattr(quarter_car, "published", lambda name: table)
    assert differing(quarter_car.step_limits()) == ["other cut, linear"]


def test_what_is_open_and_what_is_misprinted_is_named():
    assert {"S (20) with (8b)", "R (9) to (13)"} <= {where for where, _ in build.MISPRINTS}
    assert {"S, tables 9 to 12", "R, tables 1 to 5"} <= {where for where, _ in build.OPEN}
