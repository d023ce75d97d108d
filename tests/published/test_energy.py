"""The published correction of energies, beside the damper on energies that are booked at both ends.

Expected are figures of an independent simulator in numpy, and what the article says: energies return to that of the
reference, μ = 0.725.
"""

import numpy as np
import pytest

from examples.published.energy import (
    Damper,
    Oscillator,
    Point,
    Published,
    Schedule,
    State,
    co_simulate,
    published_mu,
)

SIMPLE = Oscillator()
ROOT = Oscillator(root=True)
QUADRATIC = Oscillator(quadratic=True, damping=1e-3)


def left_over(oscillator=SIMPLE, schedule=None, correction=None, last=1.0):
    """Return the mean energy of the `last` seconds over that at the start."""
    schedule = schedule or Schedule()
    return co_simulate(oscillator, schedule, correction)[-round(last / schedule.step) :].mean()


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    ("parts", "line", "mu", "uncorrected", "corrected"),
    [
        ((1, 1), False, 0.5, (1.91, 1.97), (0.990, 0.995)),
        ((1, 10), False, 0.725, (2.77, 2.89), (0.995, 1.000)),
        ((1, 10), True, 0.5, (1.91, 1.97), (0.990, 0.995)),
        ((10, 1), False, 0.5, (1.95, 2.03), (0.996, 1.001)),
        ((10, 1), True, 0.05, (1.05, 1.07), (0.998, 1.000)),
    ],
)
def test_the_published_correction_where_it_was_tuned(parts, line, mu, uncorrected, corrected):
    schedule = Schedule(parts=parts, line=line)
    assert published_mu(parts[1] / parts[0], line) == pytest.approx(mu)
    assert uncorrected[0] <= left_over(schedule=schedule) <= uncorrected[1]
    assert corrected[0] <= left_over(schedule=schedule, correction=Published(mu)) <= corrected[1]


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    ("schedule", "mass_2", "none", "published", "damped"),
    [
        ({}, 1.0, 1.420, 0.776, 1.013),
        ({}, 0.1, 14.49, 0.909, 0.973),
        ({"reads_again": False}, 1.0, 3.068, 1.383, 0.995),
        ({"late": 1}, 1.0, 8.638, 1.474, 1.025),
        ({"late": 3}, 1.0, 498.3, 10.17, 1.054),
    ],
)
def test_with_exact_sides_the_damper_needs_no_other_settings(schedule, mass_2, none, published, damped):
    oscillator, by = Oscillator(mass_2=mass_2), Schedule(**{"exact": True, "reads_again": True} | schedule)
    assert left_over(oscillator, by) == pytest.approx(none, rel=1e-3)
    assert left_over(oscillator, by, Published()) == pytest.approx(published, rel=1e-3)
    damper = Damper(velocities=False, reads_again=by.reads_again)
    assert left_over(oscillator, by, damper) == pytest.approx(damped, abs=2e-3)


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("oscillator", "duration", "last", "correction", "none", "published", "damped"),
    [
        (Oscillator(left=2), 10.0, 1.0, Published(cap=0.25), 3.53, 1.046, 1.022),
        (Oscillator(left=4), 10.0, 1.0, Published(cap=0.25), 14.435, 1.147, 1.104),
        (ROOT, 40.0, 5.0, Published(nu=0.25), 1.488, 1.067, 1.063),
        (QUADRATIC, 10.0, 1.0, Published(), 0.343, 0.227, 0.224),
    ],
)
def test_several_masses_and_other_springs(oscillator, duration, last, correction, none, published, damped):
    by = Schedule(duration=duration)
    assert left_over(oscillator, by, None, last) == pytest.approx(none, abs=2e-3)
    assert left_over(oscillator, by, correction, last) == pytest.approx(published, abs=1e-3)
    assert left_over(oscillator, by, Damper(), last) == pytest.approx(damped, abs=1e-3)


def test_steps_five_times_as_long():
    by = Schedule(step=5e-3, exact=True, reads_again=True)
    assert left_over(schedule=by) == pytest.approx(10.27, rel=1e-3)
    damper = Damper(velocities=False, reads_again=True)
    assert left_over(schedule=by, correction=damper) == pytest.approx(1.18, abs=2e-3)
    assert left_over(schedule=Schedule(step=5e-3), correction=Published()) == pytest.approx(1.23, abs=2e-3)


def test_without_a_cap_the_published_correction_is_worse_than_none():
    assert left_over(correction=Published(cap=1e9)) > 2.7 > left_over()


def test_a_step_of_the_published_correction_by_hand():
    """ς = μ H (f v' - f' v_u), force = -(ς + ν 𝒰)/(v' H), 𝒰 grows by ς + force v'' H of the step before."""
    one = Published(mu=0.5, nu=0.5, cap=10.0)
    points = [
        Point(2.0, State(0.0, 1.0), 2.0, State(0.0, 1.0)),
        Point(3.0, State(0.0, 4.0), 3.0, State(0.4, 4.0)),
        Point(1.0, State(0.0, 2.0), 1.0, State(0.6, 2.0)),
    ]
    # ς = 0.05 (2·4 - 3·1) = 0.25: force -0.625; then 𝒰 = 0.25 - 0.125, ς = 0.05 (3·2 - 1·4) = 0.1: -(0.1625)/0.2
    assert one.force(points[0], points[1], 0.1) == pytest.approx(-0.625)
    assert one.force(points[1], points[2], 0.1) == pytest.approx(-0.8125)
    assert Published(cap=0.1).force(points[0], points[1], 0.1) == pytest.approx(-0.3)
    assert Published().force(points[0], points[1]._replace(state=State(0.4, 0.0)), 0.1) == 0.0


@pytest.mark.parametrize("exact", [False, True])
def test_short_steps_create_no_energy(exact):
    by = Schedule(step=1e-5, duration=0.2, exact=exact, reads_again=exact)
    assert np.abs(co_simulate(SIMPLE, by) - 1.0).max() < 5e-3


def test_the_speed_scales_nothing_but_the_energy():
    by = Schedule(duration=1.0)
    slow = co_simulate(Oscillator(speed=1.0), by, Published(nu=0.1))
    assert np.allclose(slow, co_simulate(SIMPLE, by, Published(nu=0.1)), rtol=1e-9)


def test_masses_on_the_left_that_are_alike_are_one_of_their_sum():
    by = Schedule(duration=1.0)
    sums = Oscillator(mass_1=2.0, stiffness_1=20.0, coupling=200.0)
    assert np.allclose(co_simulate(Oscillator(left=2), by), co_simulate(sums, by), rtol=1e-9)


def test_a_correction_of_nothing_changes_nothing():
    by = Schedule(duration=0.5)
    assert (co_simulate(SIMPLE, by, Published(mu=0.0)) == co_simulate(SIMPLE, by)).all()
    assert (co_simulate(SIMPLE, by, Damper(take_back=0.0)) == co_simulate(SIMPLE, by)).all()
