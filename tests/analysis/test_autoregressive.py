"""Autoregressive models: their weights, and whether outputs follow inputs."""

import numpy as np
import pytest

from couplant.analysis.signal.autoregressive import follow, realise_weights, weights
from couplant.analysis.signal.pieces import pieces

A, B = (0.9, -0.3), (0.5, 0.2)


def recorded(seed, feedback=0.0, noise=0.1, length=400):
    """Return y_j = sum A y + sum B u, u a random walk that leaks, with `feedback` from y."""
    rng = np.random.default_rng(seed)
    y, u = np.zeros(length), np.zeros(length)
    for j in range(2, length):
        u[j] = 0.97 * u[j - 1] + feedback * y[j - 1] + rng.standard_normal()
        y[j] = A[0] * y[j - 1] + A[1] * y[j - 2] + B[0] * u[j - 1] + B[1] * u[j - 2] + noise * rng.standard_normal()
    return y[:, None] + 5.0, u[:, None] - 3.0


def folds(signals):
    return [(pieces([signals[1 - i]], 0.1), pieces([signals[i]], 0.1)) for i in (0, 1)]


def test_weights_are_those_that_made_the_recordings():
    y, u = recorded(0, noise=0.0)
    own, others = weights(pieces([(y - 5.0, u + 3.0)], 0.1), 2, False)
    assert np.ravel(own) == pytest.approx(A, abs=1e-9)
    assert np.ravel(others) == pytest.approx([0.0, *B], abs=1e-9)


def test_the_response_of_the_realised_states_is_that_of_the_weights():
    phi, gamma, C, D = realise_weights([np.array([[one]]) for one in A], [np.array([[one]]) for one in (0.0, *B)], 2)
    response, y = [D[0, 0]], [0.0]
    for j in range(1, 8):
        response.append((C @ np.linalg.matrix_power(phi, j - 1) @ gamma)[0, 0])
        past = [y[-1], y[-2] if j > 1 else 0.0]
        y.append(A[0] * past[0] + A[1] * past[1] + (B[j - 1] if j <= 2 else 0.0))
    assert response == pytest.approx(y, abs=1e-3)


@pytest.mark.parametrize(("feedback", "loop"), [(0.0, False), (-0.2, True)])
def test_what_follows_is_told_from_what_is_followed(feedback, loop):
    both = [recorded(seed, feedback, noise=1.0) for seed in (0, 1)]
    assert follow(folds(both))
    assert follow([(made.mirror(), judged.mirror()) for made, judged in folds(both)]) is loop
