"""The best linear predictor of a band: least squares with exactness and a bound on the gain.

    minimise    Σ_i W_i |P(ω_i) - exp(jω_i κ)|² + σ² Σ_l h_l²,   P(ω) = Σ_l h_l exp(-jωl), ω in rad per macro step
    subject to  Σ_l h_l (-l)^i = κ^i,  i = 0..d      exact on polynomials of degree d
                |P(ω)| ≤ b(ω)                        above the band up to Nyquist

A convex problem. Lawson's update solves it without a modelling library: multipliers μ on |P|² ≤ b², each iteration a
linear system of size m - d - 1, then μ_j ← μ_j (|P_j|/b_j)^1.5.
"""

from dataclasses import dataclass

import numpy as np

from couplant.base.arrays import Matrix, Vector
from couplant.base.errors import UsageError

MAX_TAPS = 64
MAX_ITERATIONS = 400
_TOLERANCE = 2e-3
_LARGEST = 1e6
_LEAST_VARIANCE = 1e-13  # of noise that is always there: among weights that are as good it takes the small ones, -


@dataclass(frozen=True, eq=False)
class Task:
    """Task of a predictor; frequencies in rad per macro step, 0 to π."""

    band: Vector  # shape (N,): frequencies of the signal
    weight: Vector  # shape (N,): weights W of the squared error, at least 0, their sum 1, -
    bound_at: Vector  # shape (M,): frequencies at which the gain is bounded
    bound: Vector  # shape (M,): largest gain there, above 0, -
    m: int  # number of past values, 1 to 64
    degree: int  # exact on polynomials up to this degree d, -1 (nothing exact) to m - 1
    noise: float = 0.0  # standard deviation of white noise on past values, relative to the signal's, -

    def __post_init__(self) -> None:
        """Check m and degree."""
        if not 1 <= self.m <= MAX_TAPS:
            raise UsageError(f"m = {self.m}, allowed 1 to {MAX_TAPS}")
        if not -1 <= self.degree < self.m:
            raise UsageError(f"degree = {self.degree}, allowed 0 to m - 1 = {self.m - 1}")


@dataclass(frozen=True, eq=False)
class Predictor:
    """A designed predictor."""

    h: Vector  # shape (m,): weights, newest value first, -
    horizon: float  # κ, macro steps
    # mean squared error over the band relative to the squared amplitude, weighted, with that of the noise, -
    objective: float
    violation: float  # max |P|/b - 1 where the gain is bounded; positive if the bound is broken, -
    iterations: int  # iterations of Lawson's update

    @property
    def noise_gain(self) -> float:
        """Σh²: variance of white noise after the predictor over before, -."""
        return float(self.h @ self.h)

    @property
    def peak_gain(self) -> float:
        """Largest |P| from 0 to Nyquist, -."""
        cosines = np.cos(np.outer(np.arange(self.h.size), np.linspace(0.0, np.pi, 2048)))
        return float(np.sqrt(np.maximum(_correlation(self.h) @ cosines, 0.0).max()))


def design_predictor(task: Task, horizon: float) -> Predictor:
    """Return the best predictor for a `horizon` κ, the age of the newest value [macro steps]; a fraction is allowed.

    With a `violation` above 0.002 the bound cannot be met (or hardly): the least violation found counts.
    """
    problem = _Problem(task, horizon)
    # an age of 0 is known: the newest value itself
    if horizon == 0:
        return problem.result(np.eye(task.m)[0], 0)
    free, _ = problem.solve(np.zeros(task.bound.size))
    # without multipliers the bound holds already: nothing to iterate
    if problem.ratio(free).max(initial=0.0) <= 1.0:
        return problem.result(free, 0)
    size = problem.task.bound.size
    # small and equal: the first solution is nearly the unbounded one
    multipliers = np.full(size, 1e-3 / size)
    best, iteration = (np.inf, np.inf, np.empty(0)), 0
    while iteration < MAX_ITERATIONS:
        iteration += 1
        h, cost = problem.solve(multipliers)
        ratio = problem.ratio(h)
        excess = max(float(ratio.max()) - 1.0, 0.0)
        # where both meet the bound, the errors decide; else the smaller excess
        meets = max(excess, best[0]) <= _TOLERANCE
        if (cost < best[1]) if meets else (excess < best[0]):
            best = excess, cost, h
        # at the optimum Σ μ (1 - |P|²/b²) = 0: multipliers are left only where the gain touches its bound
        gap = float(multipliers @ (1.0 - ratio**2))
        if excess < _TOLERANCE and gap <= 2e-3 * cost + 1e-14:
            break
        # Lawson: multipliers grow where the gain exceeds its bound and die out below it; 1.5 speeds that up
        multipliers = np.minimum(multipliers * ratio**1.5, _LARGEST)
    return problem.result(best[2], iteration)


class _Problem:
    """The problem in variables y in which its error is a sum of squares: h = start + T y, error = |y - t|² + rest.

    Exactness leaves h = start + F u. The rows of the error, each times the root of its weight, give F u by QR as Q R u,
    and y = R u. Normal equations would square the condition number: of narrow bands rounding would decide about h.
    """

    def __init__(self, task: Task, horizon: float) -> None:
        lags, conditions = np.arange(task.m), task.degree + 1
        self.task, self.horizon = task, horizon
        self.cosines = np.cos(np.outer(lags, task.bound_at))
        # Toeplitz: entry (l, k) depends on |l - k| alone
        self.index = np.abs(lags[:, None] - lags)
        self.inverse_bound = 1.0 / task.bound**2
        rows, right = _exactness(task.m, task.degree, horizon)
        # QR of the conditions: one particular solution, and an orthonormal basis of all that changes nothing in them
        q, r = np.linalg.qr(rows.T, mode="complete")
        self.start = q[:, :conditions] @ np.linalg.solve(r[:conditions].T, right)
        free = q[:, conditions:]
        error, wanted = _error_rows(task, horizon)
        # QR of the error in the free directions: coordinates in which it is |y - t|²
        q, r = np.linalg.qr(error @ free)
        left = wanted - error @ self.start
        self.target = q.T @ left
        self.rest = float(np.sum((left - q @ self.target) ** 2))
        self.basis = np.linalg.solve(r.T, free.T).T

    def solve(self, multipliers: Vector) -> tuple[Vector, float]:
        """Return h for fixed multipliers of |P|²/b² ≤ 1, and its error."""
        start, basis = self.start, self.basis  # the matrices of |P|² are Toeplitz in cos((l - k)ω)
        # Σ μ/b² cos((l - k)ω) at all lags, spread to the Toeplitz matrix by its index
        bounds = (self.cosines @ (multipliers * self.inverse_bound))[self.index]
        inverse = np.linalg.inv(np.eye(self.target.size) + basis.T @ bounds @ basis)
        y = np.zeros(self.target.size)
        for _ in range(2):  # the second time corrects by what is left
            y = y + inverse @ (self.target - y - basis.T @ (bounds @ (start + basis @ y)))
        return start + basis @ y, float(np.sum((y - self.target) ** 2)) + self.rest

    def ratio(self, h: Vector) -> Vector:
        """Return |P|/b where the gain is bounded."""
        ratio: Vector = np.sqrt(np.maximum(_correlation(h) @ self.cosines, 0.0) * self.inverse_bound)
        return ratio

    def result(self, h: Vector, iterations: int) -> Predictor:
        """Return the predictor, its error calculated without cancellation."""
        task = self.task
        # by phasors, not from the square: small errors would cancel there
        error = np.exp(-1j * np.outer(task.band, np.arange(task.m))) @ h - np.exp(1j * task.band * self.horizon)
        excess = float(self.ratio(h).max(initial=0.0)) - 1.0
        cost = float(task.weight @ np.abs(error) ** 2) + task.noise**2 * float(h @ h)
        return Predictor(h, self.horizon, cost, excess, iterations)


def _exactness(m: int, degree: int, horizon: float) -> tuple[Matrix, Vector]:
    """Return the rows of Σ h_l ((-l - c)/s)^i = ((κ - c)/s)^i: centred and scaled, the same conditions."""
    # centred and scaled to ±1: high powers stay well conditioned
    centre, scale = -(m - 1) / 2, max(1.0, (m - 1) / 2)
    powers = np.arange(degree + 1)[:, None]
    rows = ((-np.arange(m, dtype=float) - centre) / scale) ** powers
    return rows, np.asarray(((horizon - centre) / scale) ** powers[:, 0], dtype=float)


def _error_rows(task: Task, horizon: float) -> tuple[Matrix, Vector]:
    """Return E and e with the error to be minimised, noise included, as |E h - e|²."""
    lags, root = np.arange(task.m), np.sqrt(task.weight)
    turned, ahead = np.outer(task.band, lags), task.band * horizon
    # noise adds σ² |h|²: rows of σ below
    noise = np.sqrt(task.noise**2 + _LEAST_VARIANCE) * np.eye(task.m)
    # real and imaginary part of e^(-jωl) against e^(jωκ)
    rows = np.vstack([root[:, None] * np.cos(turned), -root[:, None] * np.sin(turned), noise])
    return rows, np.concatenate([root * np.cos(ahead), root * np.sin(ahead), np.zeros(task.m)])


def _correlation(h: Vector) -> Vector:
    """Return r with |P(ω)|² = Σ_l r_l cos(lω)."""
    full = np.correlate(h, h, "full")[h.size - 1 :]
    # negative lags are as large as positive ones
    full[1:] *= 2.0
    return full
