"""What of the published hybrid vehicle reproduces, and what does not; the masses of 2019."""

import pytest

from examples.published import early, vehicle
from examples.published.section import SIGN, published
from tests.cosim.conftest import EXAMPLES, guessed
from tests.published.test_page import differing, others

pytestmark = pytest.mark.night("a published study of minutes")


@pytest.fixture(scope="module")
def rough():
    """Let an early guess of the reference do."""
    with guessed(2):
        yield


@pytest.fixture(scope="module")
def found(rough):
    return {section.title: section for section in vehicle.vehicle(EXAMPLES)}


def test_one_computer_reproduces_all_but_the_time_and_some_of_the_energy(found):
    section = found["Hybrid vehicle in one computer"]
    assert differing(section) == ["its time"]
    assert others(section) == {"energy of the engine until the release": SIGN}
    assert len(section.charts) == 1


def test_the_bench_reproduces_the_optimum_and_not_what_hangs_on_the_disturbance(found):
    section = found["Hybrid vehicle, coupling error"]
    assert {"ZOH", "optimum"}.isdisjoint({*differing(section), *others(section)})
    assert "EROS3, detection" in differing(section)
    assert others(section) == dict.fromkeys(("FOH", "EROS3", "FOH, detection", "EROS4, detection"), SIGN)
    whys = {row.what: row.why for row in section.rows}
    assert whys["FOH"].startswith("-2 % published") and "Without one -4" in whys["FOH"]
    assert "flags none of 1201 values" in whys["EROS4, detection"]


def test_peak_and_energy_go_where_the_published_ones_go(found):
    section = found["Hybrid vehicle, behaviour"]
    assert differing(section) == ["FOH, detection", "EROS3, detection", "time of the peak"]
    assert set(others(section).values()) == {SIGN} and len(section.rows) == 3 + len(others(section))


def test_every_difference_has_its_reason(found):
    assert all(row.why for section in found.values() for row in section.rows if not row.holds)


def test_the_masses_of_2019(monkeypatch):
    monkeypatch.setattr(early, "_DURATION", 30.0)
    rows = {row.what: row for row in early.early(EXAMPLES).rows}
    beginning = [*rows][:7]
    assert [what for what in beginning if not rows[what].holds] == [
        "(20) within the bound (ω/ω_max)^v",
        "(20) has the least cost",
    ]
    assert all(rows[what].why for what in beginning if not rows[what].holds)
    assert rows["no compensation"].ours.startswith("unstable, ρ − 1 = 7.35e−08")


def test_flat_weights_keep_cubics_in_the_mean_over_the_time_that_estimates_are_held():
    """A value is 3 to 4 macro steps old where its estimate is in use; Σ a_l times the mean of t^i must be that at 0."""
    a = early._flat(4)
    for power in range(4):
        n = power + 1
        means = [(-1) ** power * ((age + 4) ** n - (age + 3) ** n) / n for age in range(4)]
        wanted = 1.0 if power == 0 else 0.0
        assert sum(w * mean for w, mean in zip(a, means, strict=True)) == pytest.approx(wanted, abs=1e-9)


def test_a_loop_that_is_stable_where_it_is_said_to_be_unstable_is_found():
    system = early._system(EXAMPLES)
    trained = early._weights(published("early")["trained"])
    assert not early._loop_row(system, "wrong", trained, "unstable").holds
