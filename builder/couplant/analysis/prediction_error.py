"""A linear model of a prototype from recordings: the one whose observer predicts one step ahead with the least error.

x' = A x + B u + b w, w' = -leak w + white noise, y = C x + D u + noise; e_j = y_j - C x_j - D u_j with the observer of
`observer`; A, B, C, D, b and the noise over the drive minimise the sum of e² (prediction error method: Ljung, System
Identification, 1999, 3.2 and 7.2). It starts from an autoregressive model, y_j = Σ A_i y_{j-i} + Σ B_i u_{j-i}, which
the noise in y biases; the observer knows that noise.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from couplant.analysis.observer import Observer, observer
from couplant.analysis.signal.autoregressive import realise_weights, weights
from couplant.analysis.signal.pieces import Pieces
from couplant.base.arrays import Matrix, Vector
from couplant.base.errors import UsageError

LEAK = 1e-3
"""Of w, per macro step: it keeps an observer where w does not show."""
_LAGS = (2, 4, 8, 16)
"""Steps that the autoregressive models look back: where the input moves slowly long ones are far off."""
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
_SEPARATE = 1e9
"""Condition of the basis of modes up to which they are told apart."""
_HORIZON, _FEW = 256, 1e-9
"""Macro steps over which states matter, and how much the least one of those that stay does [-]."""
_QUIETEST = 1e-10
"""Least drive, of scaled outputs: recordings without noise would have none."""


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

    def observer(self, macro_step: float, quick: bool = False) -> Observer:
        """Return its observer, sampled every `macro_step` [s]; `quick` as for `observer`.

        Raises UsageError if none follows it.
        """
        return observer(
            *(self.A, self.B, self.C, self.D, macro_step),
            disturbance=self.disturbance, order=1, leak=self.leak, drive=self.drive, noise=self.noise, quick=quick,
        )  # fmt: skip

    def rescale(self, outputs: Vector, inputs: Vector) -> "Linear":
        """Return the model with outputs and inputs scaled by the factors `outputs` (p,) and `inputs` (m,) [-]."""
        C, B = self.C * outputs[:, None], self.B / inputs
        return replace(self, B=B, C=C, D=self.D * outputs[:, None] / inputs, noise=self.noise * outputs)


def simplify(model: Linear, macro_step: float) -> list[Linear]:
    """Return simpler ones of a `model`: without each of its modes, a real one or a pair, and with one state less.

    Where inputs act at once, D keeps the answers of modes at rest. The state less is the one that matters least over
    `_HORIZON` macro steps `macro_step` [s] (balanced truncation: Moore 1981): a pair may be one mode in truth.
    """
    values, vectors = np.linalg.eig(model.A)
    upper = values.imag >= 0.0
    balanced = _balance(model, macro_step)
    found = [] if balanced is None else [balanced]
    pairs = zip(values[upper], vectors.T[upper], strict=True)
    parts = [np.array([v.real, v.imag][: 1 + (value.imag > 0.0)]) for value, v in pairs]
    for i, own in enumerate(parts):
        basis, n = np.concatenate([*parts[:i], *parts[i + 1 :], own]).T, len(values) - len(own)
        if n and np.linalg.cond(basis) < _SEPARATE:
            one = _transform(model, basis, np.linalg.inv(basis))
            rest = one.C[:, n:] @ np.linalg.lstsq(one.A[n:, n:], one.B[n:])[0]
            fewer = _transform(one, np.eye(len(values))[:, :n], np.eye(n, len(values)))
            found.append(replace(fewer, D=one.D - rest) if one.D.any() else fewer)
    return [one for one in found if all(map(_is_finite, (one.A, one.B, one.C, one.D)))]


def _is_finite(values: Matrix) -> bool:
    return bool(np.isfinite(values).all())


def _transform(model: Linear, basis: Matrix, back: Matrix) -> Linear:
    """Return a `model` with other states, those of the columns of a `basis`."""
    A, B, b = back @ model.A @ basis, back @ model.B, back @ model.disturbance
    return replace(model, A=A, B=B, C=model.C @ basis, disturbance=b)


def _balance(model: Linear, macro_step: float) -> Linear | None:
    """Return the `model` with one state less; None if it has one, or others matter as little.

    Over a finite time, of the answers to inputs and to w: it may be unstable.
    """
    from scipy.linalg import expm  # takes long to load

    move, n = expm(model.A * macro_step), len(model.A) - 1
    reached, seen = np.column_stack([model.B, model.disturbance]), model.C.T
    for _ in range(_HORIZON.bit_length() - 1):
        # what is reached in twice the time, and what is seen
        reached, seen = (_root(np.column_stack([one, by @ one])) for one, by in ((reached, move), (seen, move.T)))
        move = move @ move
    both = seen.T @ reached
    if n < 1 or not (_is_finite(reached) and _is_finite(seen) and _is_finite(both)):
        return None
    left, sizes, right = np.linalg.svd(both)
    if not sizes[n - 1] > _FEW * sizes[0]:
        return None
    root = np.sqrt(sizes[:n])
    return _transform(model, reached @ right[:n].T / root, (left[:, :n] / root).T @ seen.T)


def _root(rows: Matrix) -> Matrix:
    """Return a square root of `rows` times its transpose, shape (n, n)."""
    found = np.linalg.qr(rows.T)[1].T
    return np.pad(found, ((0, 0), (0, len(rows) - found.shape[1])))


def fit_model(data: Pieces, states: int, through: bool, start: Linear | None = None) -> Linear:
    """Return the model of `states` whose observer predicts `data` one step ahead with the least square error.

    D is sought too where inputs may act `through` on outputs at once. The search begins at `start`, or at the best of
    some autoregressive models. Raises UsageError if no observer follows such a model.
    """
    y_size, u_size = data.sizes
    plain = _plain(data)
    if start is None:
        starts = [_autoregressive(plain, states, lags, through) for lags in _LAGS if lags >= states]
    else:
        starts = [start.rescale(1.0 / y_size, 1.0 / u_size)]
    # several starts, for the error has many minima: the search goes on from the best one
    first, search = min(((one, _Search(plain, one, through)) for one in starts), key=lambda pair: pair[1].begins)
    return search.with_noise(search.read(_least(search, search.parameters(first)))).rescale(y_size, u_size)


def _plain(data: Pieces) -> Pieces:
    """Return recordings with all signals of size 1, so that errors compare; what does not count is 0."""
    y_size, u_size = data.sizes
    return replace(data, y=data.y / y_size * data.counts[..., None], u=data.u / u_size * data.counts[..., None])


def predictions(data: Pieces, model: Linear, steps: int) -> Matrix:
    """Return the errors of an estimate that is `steps` macro steps ahead of the newest output, inputs known.

    Returns
    -------
    ndarray of float, shape (N, R, p)
        At the macro steps, in signal units; NaN where there is none.
    """
    own = model.observer(data.macro_step)
    states = _follow_states([own], data)[0] if steps else None
    found = np.full(data.y.shape, np.nan)
    if states is None:
        return found
    u, last = data.u, len(data.y) - steps
    # innovation: measured output less predicted one
    e = data.y - states @ own.C.T - u @ own.D.T
    # corrected by the gain, as the FMU's observer is
    x = (states + e @ own.gain.T)[:last]
    for i in range(steps):
        now, then = u[i : last + i], u[i + 1 : last + i + 1]
        # inputs are lines over a step: level and change
        x = x @ own.phi.T + now @ own.level.T + (then - now) @ own.change.T
    found[steps:] = data.y[steps:] - x @ own.C.T - u[steps:] @ own.D.T
    found[~data.counts] = np.nan
    found[: _SETTLING + steps] = np.nan
    return found


def _least(search: "_Search", values: Vector) -> Vector:
    """Return the parameters at which the errors are least, from `values` on (Levenberg 1944, Marquardt 1963)."""
    damping, e = 1e-3, search.errors(values)
    for _ in range(_EVALUATIONS):
        # Gauss-Newton: H = JᵀJ in place of the second derivatives
        slopes, before = search.slopes(values), float(e @ e)
        H, g = slopes.T @ slopes, slopes.T @ e
        # damped in proportion to each parameter's own curvature, never by 0
        own = np.diag(H).max() * 1e-12 + np.diag(H)
        for _ in range(_TRIALS):
            tried = values - np.linalg.solve(H + np.diag(damping * own), g)
            other = search.errors(tried)
            # taken only if it is better; then the next step may be bolder
            if other @ other < before:
                values, e, damping = tried, other, 0.2 * damping
                break
            # nearer to the gradient, and shorter
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
        # states are unknown at the start: errors there say nothing of the model
        counts[:_SETTLING] = False
        self.counts = counts
        e = self._raw([like])[0]
        self.begins = float(np.sum(e**2))
        # errors weighed by the inverse of their covariance: likelihood, not the loudest output, decides
        self.weight = np.linalg.inv(np.linalg.cholesky(e.T @ e / len(e) + 1e-12 * np.eye(p))) / np.sqrt(len(e))

    def parameters(self, model: Linear) -> Vector:
        own = (model.A, model.B, model.C, model.D[: self.shapes[3][0]], model.disturbance)
        # noise over drive as a logarithm: it stays positive
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
        # a millionth of each parameter, of small ones a millionth of 1e-2
        sizes = _CHANGE * np.maximum(np.abs(values), 1e-2)
        models = [self.read(values + change) for change in np.vstack([np.zeros_like(values), np.diag(sizes)])]
        found = (self._raw(models) @ self.weight.T).reshape(len(models), -1)
        # one-sided differences: all models in one pass of the recording
        return np.asarray(((found[1:] - found[0]) / sizes[:, None]).T)

    def _raw(self, models: Sequence[Linear]) -> Matrix:
        """Return the errors that count by model, shape (models, points, p)."""
        kept: list[Observer | None] = []
        for model in models:
            try:
                kept.append(model.observer(self.data.macro_step, quick=True))
            except UsageError:
                kept.append(None)
        # a model without an observer counts as useless, which the search leaves by itself
        found = np.full((len(models), int(self.counts.sum()), self.data.y.shape[2]), _LARGEST)
        own = [one for one in kept if one is not None]
        if own:
            states = _follow_states(own, self.data)
            there = [i for i, one in enumerate(kept) if one is not None]
            for i, one, x in zip(there, own, states, strict=True):
                with np.errstate(over="ignore", invalid="ignore"):
                    e = (self.data.y - x @ one.C.T - self.data.u @ one.D.T)[self.counts]
                # a model that diverges stays a finite, large error
                found[i] = np.clip(np.nan_to_num(e, nan=_LARGEST), -_LARGEST, _LARGEST)
        return found

    def with_noise(self, model: Linear) -> Linear:
        """Return a model with drive and noise as large as the errors are."""
        e, own = self._raw([model])[0], model.observer(self.data.macro_step)
        # the errors' covariance that the model expects with a drive of 1; the trace compares it with theirs
        expected = _innovation(own, model.noise)
        drive = float(np.trace(np.linalg.solve(expected, e.T @ e / len(e))) / len(expected))
        if not 0.0 < drive < np.inf:
            raise UsageError("no observer: nothing in the recordings tells noise from what drives the prototype")
        drive = max(drive, _QUIETEST)
        return replace(model, drive=drive, noise=model.noise * np.sqrt(drive))


def _innovation(own: Observer, noise: Vector) -> Matrix:
    """Return the covariance of the errors: K = S Cᵀ E⁻¹, E = C S Cᵀ + R, thus E = (1 - C K)⁻¹ R."""
    # slightly more than 1, for K C may be 1 where nothing is noisy
    left = (1.0 + 1e-9) * np.eye(len(own.C)) - own.C @ own.gain
    return np.asarray(np.linalg.solve(left, np.diag(noise**2)))


def _follow_states(own: Sequence[Observer], data: Pieces) -> Matrix:
    """Return the states before each correction, shape (models, N, R, n + 1); they begin at rest."""
    y, u = data.y, data.u
    # all that drives the states in one row: u of now and then, y of before
    lead = np.concatenate([u[:-1], u[1:], y[:-1]], axis=2)
    moves, drives, starts = [], [], []
    for one in own:
        # prediction and correction in one: x⁺ = (Φ - ΦK C) x + drive
        K = one.phi @ one.gain
        moves.append((one.phi - K @ one.C).T)
        drives.append(np.hstack([one.level - one.change - K @ one.D, one.change, K]).T)
        starts.append(np.hstack([y[0], u[0]]) @ one.start.T)
    return carry_states(np.array(starts), lead, np.array(moves), np.array(drives))


def carry_states(starts: Matrix, lead: Matrix, move: Matrix, drive: Matrix) -> Matrix:
    """Return x_0 = `starts`, x_j = x_{j-1} `move` + `lead`_{j-1} `drive`, shape (models, N, R, n + 1).

    Blocks of about √N steps run side by side from rest; what each begins with moves on by powers of `move`.
    """
    count, (models, pieces, size) = len(lead) + 1, starts.shape
    length = max(1, round(count**0.5))
    blocks = -(-count // length)
    given = np.zeros((blocks * length, *lead.shape[1:]))
    given[1:count] = lead
    # step i of all blocks lies together: a product for each model and step
    given = given.reshape(blocks, length, pieces, -1).swapaxes(0, 1).reshape(length, 1, blocks * pieces, -1)
    # a diverging model overflows quietly; its errors are clipped later
    with np.errstate(over="ignore", invalid="ignore"):
        x = np.matmul(given, drive)
        x[0, :, :pieces] += starts
        for i in range(1, length):
            x[i] += x[i - 1] @ move
        x = x.reshape(length, models, blocks, pieces, size)
        _carry(x, move)
    found: Matrix = x.transpose(1, 2, 0, 3, 4).reshape(models, blocks * length, pieces, size)[:, :count]
    return found


def _carry(x: Matrix, move: Matrix) -> None:
    """Add to blocks that began at rest, shape (length, models, blocks, R, n + 1), what the blocks before end with."""
    length, models, blocks, pieces, size = x.shape
    # powers of move: by one step more for each step of a block
    powers = [move]
    for _ in range(1, length):
        powers.append(powers[-1] @ move)
    ends = x[-1].copy()
    for b in range(1, blocks):
        ends[:, b] += ends[:, b - 1] @ powers[-1]
    begins = ends[:, :-1].reshape(models, (blocks - 1) * pieces, size)
    for i, power in enumerate(powers):
        x[i, :, 1:] += (begins @ power).reshape(models, blocks - 1, pieces, size)


def _autoregressive(data: Pieces, states: int, lags: int, through: bool) -> Linear:
    """Return the model that an autoregressive one tells, in balanced states."""
    from scipy.linalg import logm  # takes long to load

    A, B = weights(data, lags, through)
    phi, gamma, C, D = realise_weights(A, B, states)
    h = data.macro_step
    modes, vectors = np.linalg.eig(phi)
    # modes of a sampled system that a continuous one of moderate speed can have
    sizes = np.clip(np.abs(modes), 0.05, 0.999)
    # at most 2.5 rad a step: a mode that turns further is made of noise
    turns = np.where(modes.real < 0.0, np.sign(modes.imag) * np.minimum(np.abs(np.angle(modes)), 2.5), np.angle(modes))
    # a single negative mode has no continuous one
    turns = np.where((modes.real < 0.0) & (np.abs(modes.imag) < 1e-9), 0.0, turns)
    try:
        slow = np.real(vectors @ np.diag(sizes * np.exp(1j * turns)) @ np.linalg.inv(vectors))
        own = np.real(logm(slow)) / h
    except (np.linalg.LinAlgError, ValueError):
        # the forward difference where the logarithm fails: the search corrects it
        own = (phi - np.eye(states)) / h
    p, m = D.shape
    noise = np.full(p, 0.05)
    return Linear(own, gamma / h, C, D if through else np.zeros((p, m)), gamma[:, 0] / h, LEAK / h, 1.0, noise)
