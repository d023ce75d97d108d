"""The loop of two prototypes with the models of each other: exact models leave only the modes without delay."""

from dataclasses import replace

import numpy as np
import pytest

from couplant.analysis.prediction_error import Linear
from couplant.design.both_sides import Side, radius, radius_without_delay

H = 0.01
ENGINE = {"inertia": 0.15, "friction": 0.05, "stiffness": 200.0, "damping": 1.0}
VEHICLE = {"inertia": 0.8, "stiffness": 400.0, "damping": 4.0, "wheels": 6.0, "drag": 0.3}


def engine(inertia, friction, stiffness, damping):
    A = np.array([[0.0, 1.0], [-stiffness / inertia, -(damping + friction) / inertia]])
    B, C = np.array([[-1.0], [damping / inertia]]), np.array([[stiffness, damping]])
    return Linear(A, B, C, np.array([[-damping]]), np.array([0.0, 1.0 / inertia]), 0.0, 1e3, np.array([0.15]))


def vehicle(inertia, stiffness, damping, wheels, drag):
    rows = [[-damping / inertia, -stiffness / inertia, damping / inertia], [1.0, 0.0, -1.0]]
    A = np.array([*rows, [damping / wheels, stiffness / wheels, -(damping + drag) / wheels]])
    B, C = np.array([[1.0 / inertia], [0.0], [0.0]]), np.array([[1.0, 0.0, 0.0]])
    return Linear(A, B, C, np.zeros((1, 1)), B[:, 0], 0.0, 1e3, np.array([0.02]))


def scattered(values, rng, spread):
    return {key: value * (1.0 + spread * rng.uniform(-1.0, 1.0)) for key, value in values.items()}


def loop(one, other, steps):
    """Return the radius of the loop of two prototypes, each with the model of example 15 of the other."""
    sides = Side(one, engine(**ENGINE).observer(H)), Side(other, vehicle(**VEHICLE).observer(H))
    return radius(*sides, steps, H)


@pytest.mark.parametrize("steps", [1, 3, 6, 10, 25])
def test_exact_models_leave_the_modes_without_delay(steps):
    one, other = engine(**ENGINE), vehicle(**VEHICLE)
    assert loop(one, other, steps) == pytest.approx(radius_without_delay(one, other, H), abs=1e-4)


@pytest.mark.parametrize("steps", [3, 6, 10])
def test_thirty_of_thirty_shafts_within_five_percent_are_stable(steps):
    rng = np.random.default_rng(16)
    for _ in range(30):
        one, other = engine(**scattered(ENGINE, rng, 0.05)), vehicle(**scattered(VEHICLE, rng, 0.05))
        assert loop(one, other, steps) < 1.0


def test_a_model_that_is_far_off_is_unstable():
    assert loop(engine(**{**ENGINE, "stiffness": 1000.0}), vehicle(**VEHICLE), 6) > 1.01


def test_without_delay_the_loop_is_that_of_the_equations():
    one, other = engine(**ENGINE), vehicle(**VEHICLE)
    A = np.block([[one.A, one.B @ other.C], [other.B @ one.C, other.A + other.B @ one.D @ other.C]])
    assert radius_without_delay(one, other, H) == pytest.approx(np.exp(H * np.linalg.eigvals(A).real.max()), rel=1e-12)
    loops = replace(one, D=np.array([[1.0]]))
    assert radius_without_delay(loops, loops, H) == np.inf
