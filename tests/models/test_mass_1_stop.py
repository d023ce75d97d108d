"""The stop: closed solutions, energy, many hits in a step, rest and release."""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

FREE = {"force.amplitude": 0.0, "d1": 0.0}


@pytest.mark.parametrize(("h", "steps"), [(0.001, 12000), (0.02, 600), (0.3, 40), (12.0, 1)])
def test_free_oscillation_between_stop_and_turning_point(make, h, steps):
    """X = 2 cos t until 2 pi/3, then backwards, for ever: the whole motion in closed form."""
    instance = make("mass_1_stop", **FREE, **{"x1.start": 2.0})
    rows = np.array(instance.run(steps, h, "time", "x1", "hits"))
    half = 2.0 * np.pi / 3.0
    phase = rows[:, 0] % (2.0 * half)
    expected = 2.0 * np.cos(np.where(phase > half, 2.0 * half - phase, phase))
    assert np.abs(rows[:, 1] - expected).max() < 2e-12
    assert rows[-1, 2] == math.floor((steps * h + half) / (2.0 * half))


def test_energy_is_kept_at_restitution_one(make):
    rows = np.array(make("mass_1_stop", **FREE, **{"x1.start": 3.0, "v1.start": 0.5}).run(2500, 0.02, "x1", "v1"))
    energy = 0.5 * rows[:, 1] ** 2 + 0.5 * rows[:, 0] ** 2
    assert np.abs(energy - energy[0]).max() < 1e-12
    assert rows[:, 0].min() >= -1.0


@pytest.mark.parametrize("restitution", [0.9, 0.5, 0.1])
def test_speeds_after_hits_fall_by_the_restitution(make, restitution):
    """A constant force and no spring: a bouncing ball, whose hits have closed times."""
    g, height = 9.81, 1.0
    values = {"c1": 0.0, "f": -g, "stop.restitution": restitution, "stop.position": 0.0, "x1.start": height}
    instance = make("mass_1_stop", **FREE, **values)
    fall = math.sqrt(2.0 * height / g)
    hits = [fall + 2.0 * fall * sum(restitution**i for i in range(1, n + 1)) for n in range(6)]
    speed = math.sqrt(2.0 * g * height) * restitution**6
    wait = 0.1 * speed / g
    end = hits[-1] + wait
    assert instance.step(0.0, end) == 0
    assert instance.get("hits") == 6
    assert instance.get("x1") == pytest.approx(speed * wait - g / 2 * wait**2, rel=1e-5)


def test_the_time_of_a_hit_is_found_to_1e_13(make):
    values = {"c1": 0.0, "stop.position": 0.0, "x1.start": 1.0, "v1.start": -1.0}
    instance = make("mass_1_stop", **FREE, **values)
    assert instance.step(0.0, 3.0) == 0
    assert instance.get("x1") == pytest.approx(2.0, abs=2e-13)


@pytest.mark.parametrize("restitution", [0.0, 0.3, 0.8])
def test_comes_to_rest_and_leaves_when_the_force_pulls(make, restitution):
    """Pressed with 2 N beyond the 1 N of the spring: at rest until the force on it passes 1 N upwards at t = 11."""
    instance = make("mass_1_stop", **FREE, f=-3.0, **{"stop.restitution": restitution})
    instance.run(1000, 0.01)
    assert (instance.get("x1"), instance.get("v1"), instance.get("resting")) == (-1.0, 0.0, 1)
    instance.set("f.slope", 2.0)
    instance.step(10.0, 2.0)
    assert instance.get("resting") == 0
    expected = solve_ivp(
        lambda t, z: [z[1], -z[0] - 3.0 + 2.0 * (t - 10.0)], (11.0, 12.0), [-1.0, 0.0], rtol=1e-12, atol=1e-14
    ).y[:, -1]
    assert [instance.get("x1"), instance.get("v1")] == pytest.approx(expected, abs=1e-9)


def test_the_force_can_lift_it_off(make):
    values = {"f": -3.0, "force.amplitude": 10.0, "force.start": 20.0, "force.period": 1.0, "stop.restitution": 0.0}
    instance = make("mass_1_stop", d1=0.0, **values)
    instance.run(1000, 0.02)
    assert instance.get("resting") == 1
    lifted = 20.0 + math.acos(1.0 - 2.0 * 2.0 / 10.0) / (2.0 * math.pi)

    def rates(t, z):
        return [z[1], -z[0] - 3.0 + 5.0 * (1.0 - math.cos(2.0 * math.pi * (t - 20.0)))]

    expected = solve_ivp(rates, (lifted, 20.5), [-1.0, 0.0], rtol=1e-12, atol=1e-14).y[:, -1]
    instance.run(25, 0.02, start=20.0)
    assert [instance.get("x1"), instance.get("v1")] == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("restitution", [1.0, 0.999999, 0.5])
def test_a_pressed_mass_just_above_the_stop_does_not_hang(make, restitution):
    instance = make("mass_1_stop", **FREE, f=-50.0, **{"x1.start": -1.0 + 1e-12, "stop.restitution": restitution})
    assert instance.step(0.0, 100.0) == 0
    assert instance.get("x1") >= -1.0


def test_a_touch_without_speed_is_no_hit(make):
    """Amplitude exactly at the stop: x = -cos t touches -1 with speed zero."""
    instance = make("mass_1_stop", **FREE, **{"x1.start": 1.0})
    rows = np.array(instance.run(1000, 0.02, "time", "x1"))
    assert np.abs(rows[:, 1] - np.cos(rows[:, 0])).max() < 1e-6


def test_a_start_below_the_stop_is_refused(make, fmus, tmp_path):
    from tests.native import ERROR, Native

    instance = Native(fmus["mass_1_stop"], tmp_path / "below")
    instance.set("x1.start", -1.5)
    instance.enter()
    assert instance.call("ExitInitializationMode") == ERROR
    assert "stop.position" in instance.messages[-1][2]
    instance.free()


def test_far_from_the_stop_it_is_the_linear_mass(make):
    values = {"f": 0.3, "f.slope": 0.1}
    one, other = make("mass_1", **values), make("mass_1_stop", **values)
    assert np.array(other.run(200, 0.02, "x1", "v1")) == pytest.approx(
        np.array(one.run(200, 0.02, "x1", "v1")), abs=1e-12
    )
