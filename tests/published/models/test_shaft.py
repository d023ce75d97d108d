"""Engine and vehicle of example 15 against scipy, and their noise."""

import numpy as np
import pytest
from scipy.linalg import expm

from tests.native import OK

H = 0.002
ENGINE = np.array([[0.0, 1.0], [-200.0 / 0.15, -1.05 / 0.15]]), np.array([[-1.0, 0.0], [1.0 / 0.15, 1.0 / 0.15]])
VEHICLE = (
    np.array([[-5.0, -500.0, 5.0], [1.0, 0.0, -1.0], [4.0 / 6.0, 400.0 / 6.0, -4.3 / 6.0]]),
    np.array([[1.25], [0.0], [0.0]]),
)


@pytest.fixture
def make(built):
    return built


def moved(matrices, inputs, slopes, h):
    """Return the states from rest after h: inputs are linear."""
    A, B = matrices
    n, m = B.shape
    whole = np.block([[A, B, np.zeros((n, m))], [np.zeros((m, n + m)), np.eye(m)], [np.zeros((m, n + 2 * m))]])
    return (expm(whole * h) @ np.concatenate([np.zeros(n), inputs, slopes]))[:n]


@pytest.mark.sample(1)
@pytest.mark.parametrize("fmi", ["2", "3"])
def test_a_step_of_the_engine_is_exact(make, fmi):
    inputs = {"speed": 3.0, "speed.slope": -50.0, "indicated": 40.0, "indicated.slope": 900.0}
    engine = make("shaft_engine", fmi).initialise(**inputs)
    assert engine.get("torque") == pytest.approx(-3.0)
    assert engine.step(0.0, 5 * H) == OK
    twist, speed = moved(ENGINE, [3.0, 40.0], [-50.0, 900.0], 5 * H)
    assert engine.get("engine_speed") == pytest.approx(speed, rel=1e-12)
    engine.set("speed", 1.0)
    assert engine.get("torque") == pytest.approx(200.0 * twist + speed - 1.0, rel=1e-12)


@pytest.mark.sample(1)
@pytest.mark.parametrize("fmi", ["2", "3"])
def test_a_step_of_the_vehicle_is_exact(make, fmi):
    vehicle = make("shaft_vehicle", fmi).initialise(**{"torque": 20.0, "torque.slope": -300.0})
    assert vehicle.step(0.0, 5 * H) == OK
    speed, _, wheels = moved(VEHICLE, [20.0], [-300.0], 5 * H)
    assert [vehicle.get("speed"), vehicle.get("wheel_speed")] == pytest.approx([speed, wheels], rel=1e-12)


NOISES = [("shaft_engine", "torque", 0.15), ("shaft_vehicle", "speed", 0.02)]


@pytest.mark.parametrize(("model", "signal", "size"), NOISES)
def test_noise_is_normal_white_and_as_large_as_asked_for(make, model, signal, size):
    noisy = make(model, **{"noise.amplitude": size, "noise.seed": 3}).initialise()
    values = np.ravel(noisy.run(2000, H, signal))
    assert values.std() == pytest.approx(size, rel=0.05)
    assert abs(values.mean()) < 4.0 * size / np.sqrt(2000)
    assert abs(np.corrcoef(values[1:], values[:-1])[0, 1]) < 0.08
    assert 0.62 < np.mean(np.abs(values) < size) < 0.75
