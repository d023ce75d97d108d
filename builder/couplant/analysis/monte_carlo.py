"""Stability under latencies that vary from value to value, by random runs of the exact macro step."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import ArrayLike

from couplant.analysis.algorithms import MAX_STEPS, LinearAlgorithm, Recursive, generic, lead_by
from couplant.analysis.macro_map import discretise
from couplant.analysis.system import System
from couplant.base.arrays import IndexArray, Mask, Matrix, Vector
from couplant.base.errors import CouplantError, UsageError


@dataclass(frozen=True, eq=False)
class MonteCarlo:
    """Growth of a coupled system under random latencies.

    Parameters
    ----------
    growth_rates : ndarray of float, shape (runs,)
        Trend of the logarithm of the state in the second half of each run, 1/s.
    ages : ndarray of float, shape (65,)
        Share of macro steps at which the newest value was k macro steps old, k = 0 to 64.
    """

    growth_rates: Vector
    ages: Vector

    @property
    def stable_share(self) -> float:
        """Share of runs whose state dies out, 0 to 1."""
        return float(np.mean(self.growth_rates < 0.0))


def ages(latencies: ArrayLike, loss: float, size: tuple[int, ...], rng: np.random.Generator) -> IndexArray:
    """Return how old the newest value is at each macro step, an array of the shape `size`, macro steps last.

    Each message draws one of the `latencies` [macro steps] at random; a share `loss`, 0 to below 1, never arrives.

    Returns
    -------
    ndarray of int, shape `size`
        k, at most 64: a value that is overtaken by a newer one does not matter.

    Raises
    ------
    UsageError
        If a latency or the loss is out of range.
    """
    pool = np.atleast_1d(np.asarray(latencies))
    if pool.size == 0 or np.any(pool != np.round(pool)) or pool.min() < 0 or pool.max() > MAX_STEPS:
        raise UsageError(f"latencies in macro steps are allowed from 0 to {MAX_STEPS}, whole numbers, at least one")
    if not 0.0 <= loss < 1.0:
        raise UsageError(f"loss = {loss}, allowed 0 to below 1")
    # sent long before the start, so that the first step has a newest value already
    sent = np.arange(-2 * MAX_STEPS, size[-1])
    shape = (*size[:-1], sent.size)
    arrival = sent + rng.choice(pool.astype(int), shape)
    # a lost one arrives after the end
    arrival[rng.random(shape) < loss] = size[-1]
    newest = np.full((*size[:-1], size[-1] + 1), -MAX_STEPS)
    place = np.clip(arrival, 0, size[-1])
    # of all that arrive in one step the one sent last
    np.maximum.at(newest, (*np.indices(shape)[:-1], place), np.broadcast_to(sent, shape))
    # an older value that arrives later changes nothing
    newest = np.maximum.accumulate(newest[..., :-1], axis=-1)
    return np.minimum(np.arange(size[-1]) - newest, MAX_STEPS)


def time_varying(
    system: System,
    algorithm: str | Callable[[int], Recursive],
    latencies: ArrayLike,
    *,
    loss: float = 0.0,
    runs: int = 20,
    steps: int = 5000,
    seed: int = 0,
) -> MonteCarlo:
    """Run a coupled system under random latencies and return how its state grows.

    The `algorithm`, a name or what gives one for a k, follows the age of the newest value at every macro step, each
    connection on its own; older values count as known (a coupling FMU interpolates holes). There are `runs` of `steps`
    macro steps each, from the `seed` on; `latencies` and `loss` are those of `ages`. The plant's own algorithms and
    latencies are replaced.

    Raises
    ------
    UsageError
        If an algorithm is not linear.
    """
    rng = np.random.default_rng(seed)
    k = ages(latencies, loss, (runs, len(system.connections), steps), rng)
    value, slope = _weight_tables(algorithm, np.unique(k), [c.lead for c in system.connections])
    hold = [c.hold and system.timing == "event" for c in system.connections]
    loop = _Runs(system, value, slope, np.array(hold), rng, runs)
    # all runs side by side: one matrix product per step for all of them
    return growth_of_norms(np.array([loop.step(k[:, :, n]) for n in range(steps)]), k, system.macro_step)


def growth_of_norms(norms: Matrix, k: IndexArray, macro_step: float) -> MonteCarlo:
    """Return the growth of runs from that of the `norms` of their states in each step, shape (steps, runs).

    `k` are the ages of the newest values, of any shape, in macro steps of `macro_step` [s].
    """
    # the second half alone: the first forgets the random start
    growth = _trend(np.cumsum(np.log(norms), axis=0)[len(norms) // 2 :]) / macro_step
    return MonteCarlo(growth, np.bincount(k.ravel(), minlength=MAX_STEPS + 1) / k.size)


def _weight_tables(
    algorithm: str | Callable[[int], Recursive], used: IndexArray, leads: Sequence[float]
) -> tuple[Matrix, Matrix]:
    """Return the weights of values and slopes, shape (connections, MAX_STEPS + 1, length)."""
    make = (lambda k: generic(algorithm, k)) if isinstance(algorithm, str) else algorithm
    chosen: dict[tuple[int, int], LinearAlgorithm] = {}
    for place, k in product(range(len(leads)), used.tolist()):
        one = lead_by(make, k, leads[place])
        if not isinstance(one, LinearAlgorithm) or one.b:
            has = "weights of the derivative" if isinstance(one, LinearAlgorithm) else "a state of its own"
            raise UsageError(f"algorithm = {one.name!r}, allowed linear ones of one signal: {one.name} has {has}")
        chosen[place, k] = one
    # one table for all k: shorter weights are filled up with zeros
    length = max(k + one.m for (_, k), one in chosen.items())
    tables = np.zeros((2, len(leads), MAX_STEPS + 1, length))
    for (place, k), one in chosen.items():
        # row k begins at slot k: older values only have arrived
        tables[0, place, k, k : k + one.m], tables[1, place, k, k : k + one.m] = one.a, one.A
    return tables[0], tables[1]


def _trend(levels: Matrix) -> Vector:
    # least squares with times about their mean
    """Return the slope of the straight line through each column: the norm of an oscillation swings about it."""
    n = np.arange(levels.shape[0]) - (levels.shape[0] - 1) / 2
    slope: Vector = n @ levels / (n @ n)
    return slope


class _Runs:
    """States of all runs side by side: x (runs, nx), newest values first (runs, connections, length)."""

    def __init__(
        self, system: System, value: Matrix, slope: Matrix, hold: Mask, rng: np.random.Generator, runs: int
    ) -> None:
        A, B, C, _ = system.matrices()
        targets, sources = system.targets, system.sources
        self.timing, self.value, self.slope, self.hold = system.timing, value, slope, hold
        self.phi, self.gamma, self.gamma_slope = discretise(A, B[:, targets], system.macro_step)
        self.C, (self.D, self.D_late) = C[sources], system.feedthrough()
        self.x = rng.standard_normal((runs, A.shape[0]))
        self.past = np.zeros((runs, len(targets), value.shape[2]))
        self.estimate, self.before = np.zeros((2, runs, len(targets)))
        self.places = np.arange(len(targets))

    def step(self, k: IndexArray) -> Vector:
        """Advance by one macro step with ages k (runs, connections); return the growth of each run's norm."""
        before = self._norm()
        # the weights for the age that each run has here
        value, slope = self.value[self.places, k], self.slope[self.places, k] * ~self.hold[:, None]
        self.past = np.roll(self.past, 1, axis=2)
        # the slot of now is filled when y is known; until then it adds nothing
        self.past[:, :, 0] = 0.0
        if self.timing == "event":
            self._event(value, slope)
        else:
            self._step(value + slope)
        growth = self._norm() / before
        # back to norm 1 in each step: growth or decay never leaves the range of numbers
        scale = 1.0 / self._norm()
        parts = (part * scale.reshape(-1, *[1] * (part.ndim - 1)) for part in self._state())
        self.x, self.past, self.estimate, self.before = parts
        return growth

    def _event(self, value: Matrix, slope: Matrix) -> None:
        # all that does not depend on now
        known = np.sum(value * self.past, axis=2)
        y = self.x @ self.C.T + known @ self.D.T
        if np.any(value[:, :, 0]):
            # only with latency 0 does y come back to itself: (1 - D a_0) y = known
            y = _solve(np.eye(self.D.shape[0]) - self.D * value[:, None, :, 0], y)
        self.past[:, :, 0] = y
        u, du = known + value[:, :, 0] * y, np.sum(slope * self.past, axis=2)
        self.x = self.x @ self.phi.T + u @ self.gamma.T + du @ self.gamma_slope.T

    def _step(self, weights: Matrix) -> None:
        self.past[:, :, 0] = self.x @ self.C.T + self.estimate @ self.D.T + self.before @ self.D_late.T
        if self.D_late.any():
            self.before = self.estimate
        self.x = self.x @ self.phi.T + self.estimate @ self.gamma.T
        # step timing: estimates made now act from the next step on
        self.estimate = np.sum(weights * self.past, axis=2)

    def _state(self) -> tuple[Matrix, Matrix, Matrix, Matrix]:
        return self.x, self.past, self.estimate, self.before

    def _norm(self) -> Vector:
        squares = sum(np.sum(a**2, axis=tuple(range(1, a.ndim))) for a in self._state())
        # never 0, for its logarithm is taken
        norm: Vector = np.sqrt(np.maximum(squares, np.finfo(float).tiny))
        return norm


def _solve(matrix: Matrix, right: Matrix) -> Matrix:
    if np.any(np.abs(np.linalg.det(matrix)) < 1e-12):
        raise CouplantError("direct feedthrough without latency closes an algebraic loop without a unique solution")
    return np.asarray(np.linalg.solve(matrix, right[:, :, None])[:, :, 0], dtype=float)
