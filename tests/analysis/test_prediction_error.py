"""Models by prediction errors: against prototypes that are known, from recordings with noise."""

import numpy as np
import pytest
from scipy.signal import cont2discrete

from couplant.analysis.prediction_error import Linear, carry_states, fit_model, predictions
from couplant.analysis.signal.pieces import pieces
from couplant.base.errors import UsageError

H = 0.02
A, B = np.array([[0.0, 1.0], [-25.0, -1.5]]), np.array([[0.0], [3.0]])
C = np.array([[1.0, 0.0], [0.0, 1.0]])
NOISE = np.array([0.01, 0.05])


def recorded(length=700, seed=0, noise=NOISE, through=0.0, outputs=(0, 1)):
    """Return an oscillator that a random walk drives, by its exact solution for inputs that are linear in a step."""
    rng = np.random.default_rng(seed)
    u = np.cumsum(rng.standard_normal((length, 1)), axis=0) * 0.3
    D = np.array([[through], [0.0]])
    phi, gamma, *_ = cont2discrete((A, B, C, D), H, method="foh")
    _, _, c, d, _ = cont2discrete((A, B, C, D), H, method="foh")
    z, y = np.zeros(2), np.empty((length, 2))
    for j in range(length):
        y[j] = c @ z + d @ u[j]
        z = phi @ z + gamma @ u[j]
    y += rng.standard_normal(y.shape) * noise
    return y[:, list(outputs)], u


def poles(model):
    return np.sort_complex(np.linalg.eigvals(model.A))


@pytest.mark.parametrize("outputs", [(0,), (0, 1)])
def test_a_prototype_is_found_and_the_noise_of_a_single_output(outputs):
    model = fit_model(pieces([recorded(outputs=outputs)], H), 2, False)
    assert poles(model) == pytest.approx(np.sort_complex(np.linalg.eigvals(A)), rel=0.03)
    if len(outputs) == 1:
        assert model.noise == pytest.approx(NOISE[:1], rel=0.15)
    gain = -model.C @ np.linalg.solve(model.A, model.B)
    assert gain[0, 0] == pytest.approx(3.0 / 25.0, rel=0.05)


def test_what_acts_at_once_is_found():
    model = fit_model(pieces([recorded(through=0.4, outputs=(0,))], H), 2, True)
    assert model.D[0, 0] == pytest.approx(0.4, rel=0.05)


def test_recordings_of_unequal_length_count_as_they_are():
    long, short = recorded(500), recorded(300, seed=1)
    found = pieces([long, short], H)
    assert found.counts.sum(axis=0).tolist() == [500, 300]
    assert found.only([1]).y.shape == (300, 1, 2)
    model = fit_model(found, 2, False)
    assert poles(model) == pytest.approx(np.sort_complex(np.linalg.eigvals(A)), rel=0.03)


@pytest.mark.parametrize("steps", [1, 6])
def test_the_right_model_knows_the_future_of_what_has_no_noise(steps):
    data = pieces([recorded(noise=0.0)], H)
    right = Linear(A, B, C, np.zeros((2, 1)), B[:, 0], 0.1, 1e-6, np.array([1e-3, 1e-3]))
    errors = predictions(data, right, steps)
    assert np.isnan(errors[:steps]).all()
    assert np.abs(errors[400:]).max() < 1e-5
    wrong = Linear(1.2 * A, B, C, np.zeros((2, 1)), B[:, 0], 0.1, 1e-6, np.array([1e-3, 1e-3]))
    assert np.abs(predictions(data, wrong, steps)[400:]).max() > 1e-3


def test_other_units_change_nothing_else():
    """A factor that rounds nothing changes no digit; others move the noise along a flat valley of the errors."""
    y, u = recorded()
    one, exact, scaled = (fit_model(pieces([(y * factor, u)], H), 2, False) for factor in (1.0, 1024.0, 1e3))
    assert exact.noise == pytest.approx(1024.0 * one.noise, rel=1e-12)
    assert poles(exact) == pytest.approx(poles(one), rel=1e-12)
    assert poles(scaled) == pytest.approx(poles(one), rel=1e-6)
    assert scaled.noise == pytest.approx(1e3 * one.noise, rel=1e-4)


@pytest.mark.parametrize("count", [2, 3, 7, 100, 101])
def test_blocks_side_by_side_are_the_recursion(count):
    draw = np.random.default_rng(count)
    starts, lead = draw.normal(size=(3, 2, 4)), draw.normal(size=(count - 1, 2, 5))
    move, drive = 0.4 * draw.normal(size=(3, 4, 4)), draw.normal(size=(3, 5, 4))
    wanted = [starts]
    for row in lead:
        wanted.append(wanted[-1] @ move + row @ drive)
    found = carry_states(starts, lead, move, drive)
    assert found == pytest.approx(np.array(wanted).transpose(1, 0, 2, 3), rel=1e-9, abs=1e-9)


def test_a_model_that_no_observer_follows_is_said():
    one = np.ones((1, 1))
    dead = Linear(one, one, 0.0 * one, 0.0 * one, one[0], 0.0, 1.0, one[0])
    with pytest.raises(UsageError, match="no observer"):
        dead.observer(H)
