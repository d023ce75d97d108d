"""Two prototypes that act on each other, from what both send: the most likely ones of one filter of the whole loop.

    x' = A x + B u + b w,  y = C x + D u    of each side, u being what the other one sends; y + noise was recorded
    -2 ln L = Σ e_jᵀ S⁻¹ e_j + N ln |S|     of the errors e one macro step ahead, with the covariance S

w is white noise behind two lags of one bandwidth. The noise in recorded inputs moved nothing: a prototype that is
sought by itself takes it for an input, the filter of the loop tells it apart. D is on one side at most, else nothing is
a loop; where D or B is 0 at the beginning it stays so.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from couplant.analysis.observer import settle
from couplant.analysis.prediction_error import LEAK, Linear, carry_states, simplify
from couplant.analysis.signal.pieces import Pieces
from couplant.base.arrays import Mask, Matrix, Vector

_LAGS = 2
"""Of the white noise that moves a side."""
_BEGINNING = 128
"""Macro steps in which the states at the beginning, which are not known, show: they are taken out of the errors."""
_SLOWEST, _FIRM = 3e-4, 3e4
"""Least damping of a mode [1 a macro step], and weight of what is missing: the loop was stable when it was recorded."""
_LEAST, _MOST, _QUIETEST, _LOUDEST = -9.0, 3.0, -5.3, 2.9
"""Of logarithms of bandwidth and noise, the least of noise, half a percent, for no linear model is truer than that, and
what seems to be would tell one loop from another by rounding, and the most: at the bound nothing leads back to less."""
_CAREFUL = 0.02
"""Noise where the search for a simpler loop begins."""
_CHANGE = 1e-6
"""Of a parameter for a derivative."""
_STEPS, _TRIALS = 40, 8
_ENOUGH = 0.1
"""Gain in -2 ln L below which a step of the search is the last one."""
_TURN = 0.25
"""Of a state in the part of a macro step of which the exponential is a sum."""
_TERMS = 8
_DOUBLINGS = 16
_PARTS = 7
"""Of the parameters of a side."""
_FEW = 1e-9


@dataclass(frozen=True, eq=False)
class Loop:
    """Two prototypes, or one whose inputs are known, and how likely they are."""

    # `drive` is the bandwidth of w [1/s], whose deviation is 1: that of a random walk that moves as far in its time
    sides: tuple[Linear, ...]
    unlikely: float  # -2 ln L
    count: int  # parameters that were sought; those that only choose the states are none


def fit_loop(data: Pieces, models: Sequence[Linear], bandwidth: float, noise: float) -> Loop | None:
    """Return the most likely loop near the `models` of both sides, each found by itself; None if there is none.

    In `data` y is what the first side sends, u what the second one does. The search begins with a `bandwidth` of w
    [rad a macro step], and at least a `noise` of signals of size 1: much of it makes the search careful, for what a
    model that is still wrong does not explain is noise at first.
    """
    own, sizes = scale_data(data)
    found = []
    for one, (y, u) in zip(models, (sizes, sizes[::-1]), strict=False):
        scaled = one.rescale(1.0 / y, 1.0 / u)
        # behind lags w has the deviation 1: at their bandwidth b w is as loud as that of a random walk
        b = scaled.disturbance * np.sqrt(one.drive * own.macro_step / bandwidth)
        least = np.maximum(scaled.noise, noise)
        found.append(replace(scaled, disturbance=b, drive=bandwidth / own.macro_step, noise=least))
    return _fit(own, sizes, found)


def fit_simpler(data: Pieces, loop: Loop, tried: int) -> list[Loop]:
    """Return the most likely loops near a `loop` with fewer states on one side, or without acting at once.

    The search begins at the `tried` ones with fewer states that explain the recordings best as they are; `data` are
    as for `fit_loop`.
    """
    own, sizes, sides = _scale(data, loop)
    # noise at its least would stay there
    careful = [replace(side, noise=np.maximum(side.noise, _CAREFUL)) for side in sides]
    with np.errstate(all="ignore"):
        fewer = [_put(careful, i, simple) for i, one in enumerate(careful) for simple in simplify(one, own.macro_step)]
    costs = [_cost(own, pair) for pair in fewer]
    begins = [fewer[i] for i in np.argsort(costs)[:tried] if np.isfinite(costs[i])]
    begins += [_put(careful, i, replace(one, D=0.0 * one.D)) for i, one in enumerate(careful) if one.D.any()]
    return [found for pair in begins if (found := _fit(own, sizes, pair)) is not None]


def fit_idle(data: Pieces, loop: Loop, side: int) -> Loop | None:
    """Return the most likely loop near a `loop` in which a `side`, 0 or 1, does not answer to the other at all.

    `data` are the recordings of the loop.
    """
    own, sizes, sides = _scale(data, loop)
    sides[side] = replace(sides[side], B=0.0 * sides[side].B, D=0.0 * sides[side].D)
    return _fit(own, sizes, sides)


def _scale(data: Pieces, loop: Loop) -> tuple[Pieces, tuple[Vector, Vector], list[Linear]]:
    """Return recordings of size 1, what 1 is, and the sides of a `loop` in these sizes."""
    own, (y, u) = scale_data(data)
    pairs = zip(loop.sides, ((1.0 / y, 1.0 / u), (1.0 / u, 1.0 / y)), strict=False)
    return own, (y, u), [one.rescale(*pair) for one, pair in pairs]


def _put(sides: Sequence[Linear], i: int, one: Linear) -> list[Linear]:
    """Return `sides` with another `one` at the place `i`."""
    return [*sides[:i], one, *sides[i + 1 :]]


def with_least_noise(data: Pieces) -> Pieces:
    """Return recordings with the least noise that counts, added at random where there is less.

    Noise that a loop may not be without and recordings are would be found in what moves it.
    """
    random, found = np.random.default_rng(0), []
    for values, sizes in zip((data.y, data.u), data.sizes, strict=True):
        # white noise of the size 1 has third differences of the size √20; signals that are rough have larger ones
        own = np.sqrt(np.mean(np.diff(values, 3, axis=0)[data.counts[3:]] ** 2, axis=0) / 20.0)
        more = np.sqrt(np.maximum((np.exp(_QUIETEST) * sizes) ** 2 - own**2, 0.0))
        found.append(values + more * random.standard_normal(values.shape) * data.counts[..., None])
    return replace(data, y=found[0], u=found[1])


def scale_data(data: Pieces) -> tuple[Pieces, tuple[Vector, Vector]]:
    """Return recordings as deviations from the mean of each, of size 1, and what 1 is: (p,), (m,) [signal units]."""
    there = data.counts[..., None]

    def deviations(one: Matrix) -> Matrix:
        return np.asarray((one - (one * there).sum(axis=0) / there.sum(axis=0)) * there)

    y, u = deviations(data.y), deviations(data.u)
    sizes = replace(data, y=y, u=u).sizes
    own = replace(data, y=y / sizes[0], u=u / sizes[1])
    if data.given is None or data.changes is None:
        return own, sizes
    given = deviations(data.given[0]) / sizes[1], deviations(data.given[1]) / sizes[0]
    return replace(own, given=given, changes=(data.changes[0] / sizes[1], data.changes[1] / sizes[0])), sizes


def _cost(data: Pieces, sides: Sequence[Linear]) -> float:
    """Return -2 ln L of `sides` as they are, with the most likely rests."""
    search = _Likelihood(data, sides)
    with np.errstate(all="ignore"):
        return search.unlikely(search.find_rests(search.begins))


def _fit(data: Pieces, sizes: tuple[Vector, Vector], sides: Sequence[Linear]) -> Loop | None:
    search = _Likelihood(data, sides)
    try:
        with np.errstate(all="ignore"):
            values, unlikely = search.seek(search.begins)
    except np.linalg.LinAlgError:
        return None
    if not np.isfinite(unlikely) or search.growth(values[None])[0] >= _FIRM * _SLOWEST:
        return None
    pairs = zip(search.read(values), (sizes, sizes[::-1]), strict=False)
    return Loop(tuple(one.rescale(*pair) for one, pair in pairs), unlikely, search.count)


class _Likelihood:
    """The parameters of both sides as one vector, and -2 ln L of many of them at a time."""

    def __init__(self, data: Pieces, sides: Sequence[Linear]) -> None:
        self.h, self.y, self.counts = data.macro_step, data.y, data.counts
        if len(sides) == 2:
            self.y = np.concatenate([data.y, data.u], axis=2)
        steps, pieces, p = self.y.shape
        which = np.broadcast_to(np.eye(pieces), (steps - 1, pieces, pieces))
        self.lead = np.concatenate([self.y[:-1], which], axis=2)
        # what the sides rest at in each recording is sought, for its mean is none
        parts, rests = [part for one in sides for part in _parts(one, self.h)], [np.zeros((pieces, p))]
        self.given = None
        if data.given is not None and data.changes is not None:
            self.given = data.given[0]
            self.lead = np.concatenate([self.lead, self.given[:-1], data.changes[0][:-1]], axis=2)
            rests.append(np.zeros((pieces, self.given.shape[2])))
        self.sought, parts = len(parts), parts + rests
        self.shapes, self.begins = [one.shape for one in parts], np.concatenate([one.ravel() for one in parts])
        self.cuts = np.cumsum([one.size for one in parts])[:-1]
        self.rests = int(self.cuts[self.sought - 1])
        # what does nothing at the beginning is not sought
        held = [i % _PARTS in (1, 3) and i < self.sought for i in range(len(parts))]
        self.free: Mask = np.concatenate(
            [np.full(p.size, not is_held or bool(p.any())) for p, is_held in zip(parts, held, strict=True)]
        )
        is_noise = [i % _PARTS == _PARTS - 1 and i < self.sought for i in range(len(parts))]
        self.most = np.repeat(np.where(is_noise, _LOUDEST, np.inf), [one.size for one in parts])
        self.count = self.directions(self.begins).shape[1]

    def split(self, values: Matrix) -> list[list[Matrix]]:
        """Return A, B, C, D, b, bandwidth and noise of each side, a macro step being 1: shape (models, ..) each."""
        parts = zip(np.split(values, self.cuts, axis=1), self.shapes, strict=True)
        shaped = [part.reshape(len(values), *shape) for part, shape in parts][: self.sought]
        for at in range(0, self.sought, _PARTS):
            for i, least in ((at + 5, _LEAST), (at + 6, _QUIETEST)):
                shaped[i] = np.exp(np.clip(shaped[i], least, _MOST))
        return [shaped[at : at + _PARTS] for at in range(0, self.sought, _PARTS)]

    def read(self, values: Vector) -> list[Linear]:
        """Return the sides, of scaled signals."""
        found = []
        for A, B, C, D, b, bandwidth, noise in self.split(values[None]):
            h, width = self.h, float(bandwidth[0, 0])
            found.append(Linear(A[0] / h, B[0] / h, C[0], D[0], b[0] / h, LEAK / h, width / h, noise[0]))
        return found

    def errors(self, values: Matrix) -> tuple[Matrix, Matrix]:
        """Return the errors that count, shape (models, points, p), and their covariances, (models, p, p).

        Raises LinAlgError if a filter does not exist.
        """
        phi, Q, C, noise = self._sample(values)
        K, S = _gain(phi, Q, C, noise)
        move, (rest, *rests) = phi - K @ C, self._rests(values)
        drives, direct = [_turn(K), -rest @ _turn(K)], rest[:, None]
        if self.given is not None:
            level, change, D = self._answers(values)
            by_level = _turn(level - K @ D)
            direct = direct + (self.given - rests[0][:, None]) @ _turn(D)[:, None]
            drives = [drives[0], drives[1] - rests[0] @ by_level, by_level, _turn(change)]
        starts = np.zeros((len(phi), self.y.shape[1], phi.shape[1]))
        x = carry_states(starts, self.lead, _turn(move), np.concatenate(drives, axis=1))
        # flat, for many small products take long
        e = self.y - (x.reshape(len(x), -1, x.shape[-1]) @ _turn(C)).reshape(len(x), *self.y.shape) - direct
        e[:, :_BEGINNING] -= _beginning(e[:, :_BEGINNING], C, move, S)
        return e[:, self.counts], S

    def _rests(self, values: Matrix) -> list[Matrix]:
        """Return the rests of each recording, of outputs, and of inputs where these are known."""
        parts = zip(np.split(values, self.cuts, axis=1), self.shapes, strict=True)
        return [part.reshape(len(values), *shape) for part, shape in [*parts][self.sought :]]

    def _sample(self, values: Matrix) -> tuple[Matrix, Matrix, Matrix, Matrix]:
        """Return Φ and Q of a macro step, C and the noise of the whole loop, or of one side whose inputs are known."""
        sides = self.split(values)
        ends = np.cumsum([0, *(one[0].shape[1] for one in sides)]).tolist()
        count, m = len(values), ends[-1]
        F = np.zeros((count, m + _LAGS * len(sides), m + _LAGS * len(sides)))
        G = np.zeros((count, F.shape[1], len(sides)))
        for i, (A, _, _, _, b, w, _) in enumerate(sides):
            part, at = slice(ends[i], ends[i + 1]), m + _LAGS * i
            F[:, part, part], F[:, part, at] = A, b
            F[:, at, at] = F[:, at + 1, at + 1] = -w[:, 0]
            F[:, at, at + 1] = w[:, 0]
            # white noise of this size has the variance 1 behind the lags
            G[:, at + 1, i] = 2.0 * np.sqrt(w[:, 0])
        C = sides[0][2]
        if len(sides) == 2:
            (_, B1, C1, D1, *_), (_, B2, C2, D2, *_) = sides
            # one D is 0: what is sent depends on states alone
            C = np.concatenate([np.concatenate([C1, D1 @ C2], 2), np.concatenate([D2 @ C1, C2], 2)], 1)
            F[:, : ends[1], :m] += B1 @ C[:, C1.shape[1] :]
            F[:, ends[1] : m, :m] += B2 @ C[:, : C1.shape[1]]
        phi, Q = _discretise(F, G)
        C = np.concatenate([C, np.zeros((count, C.shape[1], _LAGS * len(sides)))], 2)
        return phi, Q, C, np.concatenate([one[6] for one in sides], 1)

    def _answers(self, values: Matrix) -> tuple[Matrix, Matrix, Matrix]:
        """Return the gains of the states in a macro step by inputs and by their changes, and D."""
        ((A, B, _, D, *_),) = self.split(values)
        count, n, m = B.shape
        F = np.zeros((count, n + 2 * m, n + 2 * m))
        F[:, :n, :n], F[:, :n, n : n + m], F[:, n : n + m, n + m :] = A, B, np.eye(m)
        phi = _discretise(F, np.zeros((count, n + 2 * m, 1)))[0]
        idle = np.zeros((count, _LAGS, m))
        level, change = (np.concatenate([phi[:, :n, at : at + m], idle], 1) for at in (n, n + m))
        return level, change, D

    def unlikely(self, values: Vector) -> float:
        """Return -2 ln L, infinite where there is no filter."""
        try:
            (e,), (S,) = self.errors(values[None])
            white = np.linalg.solve(np.linalg.cholesky(S), e.T)
        except np.linalg.LinAlgError:
            return np.inf
        found = float(np.sum(white**2) + len(e) * np.linalg.slogdet(S)[1] + self.growth(values[None])[0] ** 2)
        return found if np.isfinite(found) else np.inf

    def growth(self, values: Matrix) -> Vector:
        """Return how much the slowest mode of loops grows, shape (models,): squared it counts as unlikely.

        A side by itself may grow.
        """
        if self.given is not None:
            return np.zeros(len(values))
        sizes = np.abs(np.linalg.eigvals(self._sample(values)[0])).max(axis=1)
        return np.asarray(_FIRM * np.maximum(0.0, np.log(sizes) + _SLOWEST))

    def directions(self, values: Vector) -> Matrix:
        """Return orthonormal directions that change what a loop does: other states of the same do not."""
        idle = []
        for i, side in zip(range(0, self.sought, _PARTS), self.split(values[None]), strict=True):
            A, B, C, _, b = (part[0] for part in side[:5])
            for X in np.eye(A.size).reshape(-1, *A.shape):
                # T⁻¹ A T, T⁻¹ B, C T for T = 1 - X
                parts = np.split(np.zeros(len(values)), self.cuts)
                for j, part in ((0, X @ A - A @ X), (1, X @ B), (2, -C @ X), (4, X @ b)):
                    parts[i + j] = part.ravel()
                idle.append(np.concatenate(parts)[self.free])
        left, kept, _ = np.linalg.svd(np.array(idle).T)
        found = np.zeros((len(values), int(self.free.sum()) - int(np.sum(kept > _FEW * kept[0]))))
        found[self.free] = left[:, -found.shape[1] :]
        return found

    def seek(self, values: Vector) -> tuple[Vector, float]:
        """Return the most likely parameters, from `values` on, and -2 ln L (Levenberg 1944, Marquardt 1963)."""
        values = self.find_rests(np.minimum(values, self.most))
        damping, unlikely = 1e-2, self.unlikely(values)
        for _ in range(_STEPS if np.isfinite(unlikely) else 0):
            ways = self.directions(values)
            H, g = self._curvature(values, ways)
            before, own = unlikely, np.diag(H) + 1e-9 * np.diag(H).max()
            for _ in range(_TRIALS):
                tried = np.minimum(values - ways @ np.linalg.solve(H + np.diag(damping * own), g), self.most)
                if (other := self.unlikely(tried)) < before:
                    values, unlikely, damping = tried, other, 0.15 * damping
                    break
                damping *= 4.0
            if unlikely > before - _ENOUGH:
                break
        return values, unlikely

    def find_rests(self, values: Vector) -> Vector:
        """Return the parameters `values` with the most likely rests: the errors depend on them linearly."""
        ways = np.eye(len(values))[:, self.rests :]
        try:
            H, g = self._curvature(values, ways)
            found = values - ways @ np.linalg.solve(H + 1e-9 * H.trace() * np.eye(len(H)), g)
        except np.linalg.LinAlgError:
            return values
        return found if np.isfinite(found).all() else values

    def _curvature(self, values: Vector, ways: Matrix) -> tuple[Matrix, Vector]:
        """Return Fisher's information and the gradient of -ln L along `ways`."""
        near = values + np.vstack([np.zeros(len(values)), _CHANGE * ways.T])
        (e, S), growth = self.errors(near), self.growth(near)
        whiten = np.linalg.inv(np.linalg.cholesky(S[0]))
        white = e[0] @ whiten.T
        slopes = ((e[1:] - e[0]) / _CHANGE @ whiten.T).reshape(len(ways.T), -1)
        # what a parameter does to the covariance counts too
        widths = whiten @ ((S[1:] - S[0]) / _CHANGE) @ whiten.T
        more = (growth[1:] - growth[0]) / _CHANGE
        known = np.isfinite(slopes).all(axis=1) & np.isfinite(widths).all(axis=(1, 2))
        slopes[~known], widths[~known] = 0.0, 0.0
        wide, excess = widths.reshape(len(widths), -1), np.eye(len(whiten)) * len(white) - white.T @ white
        H = slopes @ slopes.T + len(white) / 2 * wide @ wide.T + np.outer(more, more)
        return H, slopes @ white.ravel() + wide @ excess.ravel() / 2 + growth[0] * more


def _parts(one: Linear, h: float) -> list[Matrix]:
    """Return the parameters of a side, a macro step `h` [s] being 1; logarithms of what is positive."""
    own = (one.A * h, one.B * h, one.C, one.D, one.disturbance * h)
    return [*own, np.log([one.drive * h]), np.log(np.maximum(one.noise, 1e-300))]


def _beginning(e: Matrix, C: Matrix, move: Matrix, S: Matrix) -> Matrix:
    """Return the part of the errors `e`, shape (models, steps, R, p), that other states at the beginning explain."""
    rows, power, (count, steps, pieces, p) = C, move, e.shape
    while rows.shape[1] < steps * p:
        # C, C M, C M², ..: as many again each time
        rows, power = np.concatenate([rows, rows @ power], axis=1), power @ power
    rows = rows[:, : steps * p]
    whiten = np.linalg.inv(np.linalg.cholesky(S))
    seen = rows.reshape(count, steps, p, -1).swapaxes(2, 3).reshape(count, -1, p) @ _turn(whiten)
    seen = seen.reshape(count, steps, -1, p).swapaxes(2, 3).reshape(count, steps * p, -1)
    white = (e.reshape(count, -1, p) @ _turn(whiten)).reshape(count, steps, pieces, p).swapaxes(2, 3)
    H = _turn(seen) @ seen
    H += 1e-9 * np.trace(H, axis1=1, axis2=2)[:, None, None] * np.eye(H.shape[1])
    x = np.linalg.solve(H, _turn(seen) @ white.reshape(count, steps * p, pieces))
    return (rows @ x).reshape(count, steps, p, pieces).swapaxes(2, 3)


def _turn(matrices: Matrix) -> Matrix:
    return np.swapaxes(matrices, -1, -2)


def _discretise(F: Matrix, G: Matrix) -> tuple[Matrix, Matrix]:
    """Return Φ = exp F and Q = ∫ exp(F t) G Gᵀ exp(Fᵀ t) dt of a macro step, shapes (models, N, N)."""
    halvings = int(np.clip(np.ceil(np.log2(max(np.abs(F).sum(axis=2).max() / _TURN, 1.0))), 0, _DOUBLINGS))
    F, term = F / 2.0**halvings, np.broadcast_to(np.eye(F.shape[1]), F.shape)
    phi, Q = term.copy(), G @ _turn(G) / 2.0**halvings
    part = Q
    for j in range(1, _TERMS):
        term, part = term @ F / j, (F @ part + part @ _turn(F)) / (j + 1)
        phi, Q = phi + term, Q + part
    for _ in range(halvings):
        Q, phi = Q + phi @ Q @ _turn(phi), phi @ phi
    return phi, Q


def _gain(phi: Matrix, Q: Matrix, C: Matrix, noise: Matrix) -> tuple[Matrix, Matrix]:
    """Return the gain of Kalman's filter and the covariance of its errors."""
    P = settle(phi, Q + 1e-12 * np.eye(phi.shape[1]), C, noise)
    S = C @ P @ _turn(C) + noise[..., None] ** 2 * np.eye(C.shape[1])
    return phi @ P @ _turn(C) @ np.linalg.inv(S), S
