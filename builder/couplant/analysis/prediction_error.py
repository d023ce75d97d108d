"""A linear model of a prototype from recordings: the one whose observer predicts one step ahead with the least error.

x' = A x + B u + b w, w' = -leak w + white noise, y = C x + D u + noise; e_j = y_j - C x_j - D u_j with the observer of
`observer`; A, B, C, D, b and the noise over the drive minimise the sum of e² (prediction error method: Ljung, System
Identification, 1999, 3.2 and 7.2). It starts from an autoregressive model, y_j = Σ A_i y_{j-i} + Σ B_i u_{j-i}, which
the noise in y biases; the observer knows that noise.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.linalg import LinAlgError, logm

from couplant.analysis.observer import Observer, observer
from couplant.arrays import Mask, Matrix, Vector
from couplant.errors import UsageError

LEAK = 1e-3
"""Of w, per macro step: it keeps an observer where w does not show."""
_LAGS = 16
"""Steps that the autoregressive model looks back at most."""
_SETTLING = 30
"""First macro steps that do not count: the states are not known there."""
_EVALUATIONS = 25
_TRIALS = 8
_ENOUGH = 1e-4
"""Share of the errors' squares below which a step of the search is the last one."""
_CHANGE = 1e-6
"""Of a parameter for a derivative."""
_LARGEST = 1e3
"""Error of a prediction over the size of the output, beyond which the model is useless however far it goes."""
_NARROWEST = 1e-3
"""Least noise over drive, of scaled outputs."""


@dataclass(frozen=True, eq=False)
class Linear:
    """A prototype with n states, m inputs, p outputs, and what its observer needs to know.

    Attributes
    ----------
    A, B, C, D : ndarray of float, shapes (n, n), (n, m), (p, n), (p, m)
        x' = A x + B u + b w, y = C x + D u.
    disturbance : ndarray of float, shape (n,)
        b.
    leak : float
        Of w [1/s].
    drive : float
        Spectral density of the noise that drives w.
    noise : ndarray of float, shape (p,)
        Standard deviations of the noise of the outputs, in their units.
    """

    A: Matrix
    B: Matrix
    C: Matrix
    D: Matrix
    disturbance: Vector
    leak: float
    drive: float
    noise: Vector

    def observer(self, macro_step: float) -> Observer:
        """Return its observer, sampled every `macro_step` [s].

        Raises
        ------
        UsageError
            If none follows it.
        """
        return observer(
            *(self.A, self.B, self.C, self.D, macro_step),
            disturbance=self.disturbance, order=1, leak=self.leak, drive=self.drive, noise=self.noise,
        )  # fmt: skip

    def scaled(self, outputs: Vector, inputs: Vector) -> Linear:
        """Return it with each output and input multiplied by its factor in `outputs` (p,) and `inputs` (m,) [-]."""
        C, B = self.C * outputs[:, None], self.B / inputs
        return replace(self, B=B, C=C, D=self.D * outputs[:, None] / inputs, noise=self.noise * outputs)


@dataclass(frozen=True, eq=False)
class Pieces:
    """Recordings of the same signals side by side.

    Attributes
    ----------
    y, u : ndarray of float, shapes (N, R, p), (N, R, m)
        Outputs and inputs of R recordings at the macro steps, signal units; 0 after the end of one.
    counts : ndarray of bool, shape (N, R)
        Where there is a value.
    macro_step : float
        ΔT, s.
    """

    y: Matrix
    u: Matrix
    counts: Mask
    macro_step: float

    def only(self, which: Sequence[int]) -> Pieces:
        """Return `which` of the recordings, from 0."""
        chosen = list(which)
        length = int(self.counts[:, chosen].sum(axis=0).max())
        return Pieces(self.y[:length, chosen], self.u[:length, chosen], self.counts[:length, chosen], self.macro_step)

    def span(self, first: int, last: int) -> Pieces:
        """Return the macro steps `first` to before `last`."""
        part = slice(first, last)
        return Pieces(self.y[part], self.u[part], self.counts[part], self.macro_step)

    def turned(self) -> Pieces:
        """Return them with inputs as outputs: what the other side does."""
        return Pieces(self.u, self.y, self.counts, self.macro_step)

    @property
    def sizes(self) -> tuple[Vector, Vector]:
        """Return the standard deviations of outputs (p,) and inputs (m,), in signal units; 1 where nothing changes."""
        found = (one[self.counts].std(axis=0) for one in (self.y, self.u))
        y, u = (np.where(size > 0.0, size, 1.0) for size in found)
        return y, u


def pieces(signals: Sequence[tuple[Matrix, Matrix]], macro_step: float) -> Pieces:
    """Return recordings side by side.

    Parameters
    ----------
    signals : sequence of (ndarray, ndarray), shapes (N_i, p), (N_i, m)
        Outputs and inputs of each, signal units.
    macro_step : float
        ΔT, s.
    """
    length = max(len(y) for y, _ in signals)
    y, u = (np.stack([_longer(pair[i], length) for pair in signals], axis=1) for i in (0, 1))
    counts = np.stack([np.arange(length) < len(one) for one, _ in signals], axis=1)
    return Pieces(y, u, counts, macro_step)


def _longer(values: Matrix, length: int) -> Matrix:
    return np.vstack([values, np.zeros((length - len(values), values.shape[1]))])


def fitted(data: Pieces, states: int, through: bool, start: Linear | None = None) -> Linear:
    """Return the model whose observer predicts these recordings one step ahead with the least square error.

    Parameters
    ----------
    data : Pieces
        Recordings.
    states : int
        n.
    through : bool
        Inputs may act on outputs at once: D is sought too.
    start : Linear, optional
        Where the search begins; an autoregressive model if not given.

    Raises
    ------
    UsageError
        If no observer follows such a model.
    """
    y_size, u_size = data.sizes
    plain = replace(data, y=data.y / y_size * data.counts[..., None], u=data.u / u_size * data.counts[..., None])
    first = _autoregressive(plain, states, through) if start is None else start.scaled(1.0 / y_size, 1.0 / u_size)
    search = _Search(plain, first, through)
    return search.with_noise(search.read(_least(search, search.written(first)))).scaled(y_size, u_size)


def predictions(data: Pieces, model: Linear, steps: int) -> Matrix:
    """Return the errors of an estimate that is `steps` macro steps ahead of the newest output, inputs known.

    Returns
    -------
    ndarray of float, shape (N, R, p)
        At the macro steps, in signal units; NaN where there is none.
    """
    own = model.observer(data.macro_step)
    states = _followed([own], data)[0] if steps else None
    found = np.full(data.y.shape, np.nan)
    if states is None:
        return found
    u, last = data.u, len(data.y) - steps
    e = data.y - states @ own.C.T - u @ own.D.T
    x = (states + e @ own.gain.T)[:last]
    for i in range(steps):
        now, then = u[i : last + i], u[i + 1 : last + i + 1]
        x = x @ own.phi.T + now @ own.level.T + (then - now) @ own.change.T
    found[steps:] = data.y[steps:] - x @ own.C.T - u[steps:] @ own.D.T
    found[~data.counts] = np.nan
    found[: _SETTLING + steps] = np.nan
    return found


def _least(search: _Search, values: Vector) -> Vector:
    """Return the parameters at which the errors are least, from `values` on (Levenberg 1944, Marquardt 1963)."""
    damping, e = 1e-3, search.errors(values)
    for _ in range(_EVALUATIONS):
        slopes, before = search.slopes(values), float(e @ e)
        H, g = slopes.T @ slopes, slopes.T @ e
        own = np.diag(H).max() * 1e-12 + np.diag(H)
        for _ in range(_TRIALS):
            tried = values - np.linalg.solve(H + np.diag(damping * own), g)
            other = search.errors(tried)
            if other @ other < before:
                values, e, damping = tried, other, 0.2 * damping
                break
            damping *= 5.0
        if float(e @ e) > (1.0 - _ENOUGH) * before:
            break
    return values


class _Search:
    """The parameters as one vector, and the errors that they give."""

    def __init__(self, data: Pieces, like: Linear, through: bool) -> None:
        self.data, self.like = data, like
        (n, m), p = like.B.shape, len(like.C)
        self.shapes = [(n, n), (n, m), (p, n), (p, m) if through else (0, m), (n,), (p,)]
        counts = data.counts.copy()
        counts[:_SETTLING] = False
        self.counts = counts
        e = self._raw([like])[0]
        self.weight = np.linalg.inv(np.linalg.cholesky(e.T @ e / len(e) + 1e-12 * np.eye(p))) / np.sqrt(len(e))

    def written(self, model: Linear) -> Vector:
        own = (model.A, model.B, model.C, model.D[: self.shapes[3][0]], model.disturbance)
        return np.concatenate([one.ravel() for one in own] + [np.log(model.noise / np.sqrt(model.drive))])

    def read(self, values: Vector) -> Linear:
        cuts = np.cumsum([int(np.prod(shape)) for shape in self.shapes])[:-1]
        parts = [one.reshape(shape) for one, shape in zip(np.split(values, cuts), self.shapes, strict=True)]
        A, B, C, D, b, noise = parts
        D = D if len(D) else np.zeros((len(C), B.shape[1]))
        width = np.maximum(np.exp(np.minimum(noise, 20.0)), _NARROWEST)
        return Linear(A, B, C, D, b, self.like.leak, 1.0, width)

    def errors(self, values: Vector) -> Vector:
        return np.asarray((self._raw([self.read(values)])[0] @ self.weight.T).ravel())

    def slopes(self, values: Vector) -> Matrix:
        sizes = _CHANGE * np.maximum(np.abs(values), 1e-2)
        models = [self.read(values + change) for change in np.vstack([np.zeros_like(values), np.diag(sizes)])]
        found = (self._raw(models) @ self.weight.T).reshape(len(models), -1)
        return np.asarray(((found[1:] - found[0]) / sizes[:, None]).T)

    def _raw(self, models: Sequence[Linear]) -> Matrix:
        """Return the errors that count by model, shape (models, points, p)."""
        kept: list[Observer | None] = []
        for model in models:
            try:
                kept.append(model.observer(self.data.macro_step))
            except UsageError:
                kept.append(None)
        found = np.full((len(models), int(self.counts.sum()), self.data.y.shape[2]), _LARGEST)
        own = [one for one in kept if one is not None]
        if own:
            states = _followed(own, self.data)
            there = [i for i, one in enumerate(kept) if one is not None]
            for i, one, x in zip(there, own, states, strict=True):
                with np.errstate(over="ignore", invalid="ignore"):
                    e = (self.data.y - x @ one.C.T - self.data.u @ one.D.T)[self.counts]
                found[i] = np.clip(np.nan_to_num(e, nan=_LARGEST), -_LARGEST, _LARGEST)
        return found

    def with_noise(self, model: Linear) -> Linear:
        """Return a model with drive and noise as large as the errors are."""
        e, own = self._raw([model])[0], model.observer(self.data.macro_step)
        expected = _innovation(own, model.noise)
        drive = float(np.trace(np.linalg.solve(expected, e.T @ e / len(e))) / len(expected))
        return replace(model, drive=drive, noise=model.noise * np.sqrt(drive))


def _innovation(own: Observer, noise: Vector) -> Matrix:
    """Return the covariance of the errors: K = S Cᵀ E⁻¹, E = C S Cᵀ + R, thus E = (1 - C K)⁻¹ R."""
    left = (1.0 + 1e-9) * np.eye(len(own.C)) - own.C @ own.gain
    return np.asarray(np.linalg.solve(left, np.diag(noise**2)))


def _followed(own: Sequence[Observer], data: Pieces) -> Matrix:
    """Return the states before each correction, shape (models, N, R, n + 1); they begin at rest."""
    y, u = data.y, data.u
    lead = np.concatenate([u[:-1], u[1:], y[:-1]], axis=2)
    moves, drives, starts = [], [], []
    for one in own:
        K = one.phi @ one.gain
        moves.append((one.phi - K @ one.C).T)
        drives.append(np.hstack([one.level - one.change - K @ one.D, one.change, K]).T)
        starts.append(np.hstack([y[0], u[0]]) @ one.start.T)
    move, drive = np.array(moves), np.array(drives)
    states = np.empty((len(y), *np.shape(starts)))
    states[0] = starts
    with np.errstate(over="ignore", invalid="ignore"):
        states[1:] = np.matmul(lead[:, None], drive)
        for j in range(1, len(y)):
            states[j] += np.matmul(states[j - 1], move)
    return states.transpose(1, 0, 2, 3)


def _autoregressive(data: Pieces, states: int, through: bool) -> Linear:
    """Return the model that an autoregressive one tells, in balanced states."""
    A, B = _regressed(data, min(_LAGS, len(data.y) // 8), through)
    phi, gamma, C, D = _realised(A, B, states)
    h = data.macro_step
    modes, vectors = np.linalg.eig(phi)
    sizes = np.clip(np.abs(modes), 0.05, 0.999)
    turns = np.where(modes.real < 0.0, np.sign(modes.imag) * np.minimum(np.abs(np.angle(modes)), 2.5), np.angle(modes))
    turns = np.where((modes.real < 0.0) & (np.abs(modes.imag) < 1e-9), 0.0, turns)
    try:
        slow = np.real(vectors @ np.diag(sizes * np.exp(1j * turns)) @ np.linalg.inv(vectors))
        own = np.real(logm(slow)) / h
    except (LinAlgError, ValueError):
        own = (phi - np.eye(states)) / h
    p, m = D.shape
    noise = np.full(p, 0.05)
    return Linear(own, gamma / h, C, D if through else np.zeros((p, m)), gamma[:, 0] / h, LEAK / h, 1.0, noise)


def _regressed(data: Pieces, lags: int, through: bool) -> tuple[list[Matrix], list[Matrix]]:
    """Return the weights of past outputs and of inputs, by age, that least squares find."""
    rows, sides = [], []
    for r in range(data.y.shape[1]):
        size = int(data.counts[:, r].sum())
        y, u = data.y[:size, r], data.u[:size, r]
        past = [y[lags - i : size - i] for i in range(1, lags + 1)]
        rows.append(np.hstack(past + [u[lags - i : size - i] for i in range(0 if through else 1, lags + 1)]))
        sides.append(y[lags:])
    weights = np.linalg.lstsq(np.vstack(rows), np.vstack(sides), rcond=1e-10)[0].T
    p, m = data.y.shape[2], data.u.shape[2]
    own = [weights[:, i * p : (i + 1) * p] for i in range(lags)]
    rest = weights[:, lags * p :]
    others = [rest[:, i * m : (i + 1) * m] for i in range(rest.shape[1] // m)]
    return own, others if through else [np.zeros((p, m)), *others]


def _realised(A: list[Matrix], B: list[Matrix], states: int) -> tuple[Matrix, Matrix, Matrix, Matrix]:
    """Return the state space with as many `states` whose responses to impulses are nearly those of the weights."""
    count = 6 * len(A)
    response: list[Matrix] = []
    for j in range(count):
        value = B[j].copy() if j < len(B) else np.zeros_like(B[0])
        for i in range(min(j, len(A))):
            value = value + A[i] @ response[j - 1 - i]
        response.append(value)
    half, (p, m) = count // 2, B[0].shape
    hankel = np.block([[response[1 + i + j] for j in range(half - 1)] for i in range(half)])
    left, sizes, right = np.linalg.svd(np.clip(hankel[:-p], -1e6, 1e6), full_matrices=False)
    root = np.sqrt(np.maximum(sizes[:states], 1e-9))
    out = left[:, :states] * root
    phi = (left[:, :states] / root).T @ np.clip(hankel[p:], -1e6, 1e6) @ (right[:states] / root[:, None]).T
    return phi, (root[:, None] * right[:states])[:, :m], out[:p], response[0]
