"""Autoregressive models of recordings, y_j = sum A_i y_{j-i} + sum B_i u_{j-i}, by least squares (Ljung 1999, 4.2)."""

from collections.abc import Sequence

import numpy as np

from couplant.analysis.signal.pieces import Pieces
from couplant.base.arrays import Matrix, Vector

_LOOKS_BACK = (4, 16)
"""Steps of the models that tell whether outputs follow inputs."""
_FOLLOWS = 0.99
"""Error with inputs over that without, on other data, below which outputs follow inputs."""


def weights(data: Pieces, lags: int, through: bool) -> tuple[list[Matrix], list[Matrix]]:
    """Return the weights of past outputs, from A_1 on, and of inputs, from B_0 on, which is 0 without `through`.

    `lags` are the macro steps of `data` that are looked back.
    """
    past, inputs, sides = _rows(data, lags, through)
    # least squares of all rows at once; small singular values are left out
    found: Matrix = np.asarray(np.linalg.lstsq(np.hstack([past, inputs]), sides, rcond=1e-10)[0].T)
    p, m = data.y.shape[2], data.u.shape[2]
    own = [found[:, i * p : (i + 1) * p] for i in range(lags)]
    # behind the outputs' weights come those of the inputs, from B_0 where it acts at once
    rest = found[:, lags * p :]
    others = [rest[:, i * m : (i + 1) * m] for i in range(rest.shape[1] // m)]
    return own, others if through else [np.zeros((p, m)), *others]


def follow(folds: Sequence[tuple[Pieces, Pieces]]) -> bool:
    """Tell whether any output follows earlier inputs: knowing these, it is predicted better where no model was made.

    `folds` are recordings that make models, and those that judge them.
    """
    return any(float(_ratios(folds, lags).min()) < _FOLLOWS for lags in _LOOKS_BACK)


def _ratios(folds: Sequence[tuple[Pieces, Pieces]], lags: int) -> Matrix:
    """Return the errors one step ahead with inputs over those without, by output."""
    errors: tuple[list[Matrix], list[Matrix]] = [], []
    for made, judged in folds:
        past, inputs, sides = _rows(made, lags, False)
        other, others, truth = _rows(judged, lags, False)
        # without inputs a constant takes their means, so that these alone are no advantage
        past, other = (np.hstack([one, np.ones((len(one), 1))]) for one in (past, other))
        known = (np.hstack([past, inputs]), np.hstack([other, others])), (past, other)
        for (rows, judging), found in zip(known, errors, strict=True):
            found.append(truth - judging @ np.linalg.lstsq(rows, sides, rcond=1e-10)[0])
    # over all folds together: root mean square by output
    with_inputs, without = (np.sqrt(np.mean(np.vstack(one) ** 2, axis=0)) for one in errors)
    # 0 over 0 is no help
    return np.asarray(with_inputs / np.maximum(without, 1e-300))


def _rows(data: Pieces, lags: int, through: bool) -> tuple[Matrix, Matrix, Matrix]:
    """Return past outputs, inputs and outputs, a row for each macro step with a past."""
    past, inputs, sides = [], [], []
    for r in range(data.y.shape[1]):
        size = int(data.counts[:, r].sum())
        y, u = data.y[:size, r], data.u[:size, r]
        past.append(np.hstack([y[lags - i : size - i] for i in range(1, lags + 1)]))
        inputs.append(np.hstack([u[lags - i : size - i] for i in range(0 if through else 1, lags + 1)]))
        sides.append(y[lags:])
    return np.vstack(past), np.vstack(inputs), np.vstack(sides)


def realise_weights(A: list[Matrix], B: list[Matrix], states: int) -> tuple[Matrix, Matrix, Matrix, Matrix]:
    """Return Φ, Γ, C, D of as many `states` whose responses to impulses are nearly those of the weights `A`, `B`."""
    # responses long enough for six times the memory of the model
    count = 6 * len(A)
    response: list[Matrix] = []
    for j in range(count):
        value = B[j].copy() if j < len(B) else np.zeros_like(B[0])
        for i in range(min(j, len(A))):
            # response to an impulse: the model run on its own outputs
            value = value + A[i] @ response[j - 1 - i]
        response.append(value)
    half, (p, m) = count // 2, B[0].shape
    # block Hankel matrix of the responses, from the first after the feedthrough
    hankel = np.block([[response[1 + i + j] for j in range(half - 1)] for i in range(half)])
    # clipped: an unstable model has infinite responses, its SVD would fail
    left, sizes, right = np.linalg.svd(np.clip(hankel[:-p], -1e6, 1e6), full_matrices=False)
    root = np.sqrt(np.maximum(sizes[:states], 1e-9))
    out = left[:, :states] * root
    # the same shifted by a step: Φ between the balanced states
    phi = (left[:, :states] / root).T @ np.clip(hankel[p:], -1e6, 1e6) @ (right[:states] / root[:, None]).T
    return phi, (root[:, None] * right[:states])[:, :m], out[:p], response[0]


def begin(
    data: Pieces, states: int, lags: int, through: bool
) -> tuple[Matrix, Matrix, Matrix, Matrix, Vector]:  # fmt: skip
    """Return A, B, C, D, b of a continuous model with as many `states`, a macro step being 1: where a search begins.

    The states are those that an autoregressive model foresees outputs by (predictor-based subspace identification:
    Chiuso 2007). Nothing runs on its own outputs: it may be unstable, as it may be in a loop.

    `states` n are at most `lags`, the macro steps that are looked back, times the outputs; D is 0 without `through`.
    """
    past, inputs, sides = _rows(data, lags, through)
    p, m = sides.shape[1], data.u.shape[2]
    own, other = weights(data, lags, through)
    # what the past tells of outputs j steps ahead, later values left out: weights moved on by j steps
    ahead = np.vstack([np.hstack([*own[j:], *[np.zeros((p, p))] * j, *other[j + 1 :], *[np.zeros((p, m))] * j])
                       for j in range(lags)])  # fmt: skip
    now, known = inputs[:, : m if through else 0], np.hstack([past, inputs[:, -lags * m :]])
    left, sizes, _ = np.linalg.svd(ahead @ (known.T @ known) @ ahead.T)
    # the states that tell most of it; its singular values are the roots of these
    x = known @ ahead.T @ left[:, :states] / np.maximum(sizes[:states], 1e-300) ** 0.25
    outputs = _solve(np.hstack([x, now]), sides)
    e = sides - np.hstack([x, now]) @ outputs.T
    # the last step of a recording has no next one
    ends = np.cumsum(data.counts.sum(axis=0) - lags) - 1
    at = np.setdiff1d(np.arange(len(x)), ends)
    u = np.vstack([data.u[lags:size, r] for r, size in enumerate(data.counts.sum(axis=0))])
    phi, gamma, K = np.split(_solve(np.hstack([x, u, e])[at], x[at + 1]), [states, states + m], axis=1)
    # what drives the states most of what was not foreseen
    ways, drives, _ = np.linalg.svd(K @ (e.T @ e / len(e)) @ K.T)
    D = outputs[:, states:] if through else np.zeros((p, m))
    return *_unsample(phi, gamma), outputs[:, :states], D, ways[:, 0] * np.sqrt(drives[0])


def _solve(rows: Matrix, sides: Matrix) -> Matrix:
    return np.asarray(np.linalg.lstsq(rows, sides, rcond=1e-8)[0].T)


def _unsample(phi: Matrix, gamma: Matrix) -> tuple[Matrix, Matrix]:
    """Return A and B of the continuous system that is sampled so every 1, with modes that one can have."""
    modes, vectors = np.linalg.eig(phi)
    angles = np.where((modes.real < 0.0) & (np.abs(modes.imag) < 1e-9), 0.0, np.angle(modes))
    # at most 2.5 rad a step: what turns further is made of noise
    logs = np.log(np.clip(np.abs(modes), 0.05, 1.2)) + 1j * np.sign(angles) * np.minimum(np.abs(angles), 2.5)
    back = np.linalg.pinv(vectors)
    # Γ = ∫ exp(A t) dt B, by the middles of five parts of the step
    mean = np.mean([np.real(vectors * np.exp(logs * t) @ back) for t in (0.1, 0.3, 0.5, 0.7, 0.9)], axis=0)
    return np.real(vectors * logs @ back), _solve(mean, gamma).T
