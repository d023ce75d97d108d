"""Stability under latencies that vary from value to value, by random runs of the exact macro step."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import ArrayLike

from couplant.analysis.algorithms import MAX_STEPS, LinearAlgorithm, Recursive, generic, lead_by
from couplant.analysis.by_model import ByModel, Sender, line
from couplant.analysis.macro_map import discretise
from couplant.analysis.model_map import senders_of, sent_of, way_back
from couplant.analysis.system import System
from couplant.base.arrays import IndexArray, Mask, Matrix, Vector
from couplant.base.errors import CouplantError, UsageError


@dataclass(frozen=True, eq=False)
class MonteCarlo:
    """Growth of a coupled system under random latencies."""

    growth_rates: Vector  # shape (runs,): trend of the logarithm of the state in the second half of each run, 1/s
    ages: Vector  # shape (65,): share of macro steps at which the newest value was k macro steps old, k = 0 to 64

    @property
    def stable_share(self) -> float:
        """Share of runs whose state dies out, 0 to 1."""
        return float(np.mean(self.growth_rates < 0.0))


def ages(latencies: ArrayLike, loss: float, size: tuple[int, ...], rng: np.random.Generator) -> IndexArray:
    """Return how old the newest value is at each macro step, an array of the shape `size`, macro steps last.

    Each message draws one of the `latencies` [macro steps] at random; a share `loss`, 0 to below 1, never arrives. Ages
    are whole macro steps, at most 64: a value that is overtaken by a newer one does not matter. Raises UsageError if a
    latency or the loss is out of range.
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
    latencies are replaced. Raises UsageError if an algorithm is not linear.
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
    levels = np.cumsum(np.log(norms), axis=0)[len(norms) // 2 :]
    # the straight line through each column, by least squares with times about their mean: norms of oscillations swing
    n = np.arange(len(levels)) - (len(levels) - 1) / 2
    return MonteCarlo(n @ levels / (n @ n) / macro_step, np.bincount(k.ravel(), minlength=MAX_STEPS + 1) / k.size)


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
            self.past[:, :, 0] = self.x @ self.C.T + self.estimate @ self.D.T + self.before @ self.D_late.T
            if self.D_late.any():
                self.before = self.estimate
            self.x = self.x @ self.phi.T + self.estimate @ self.gamma.T
            # step timing: estimates made now act from the next step on
            self.estimate = np.sum((value + slope) * self.past, axis=2)
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
            matrix = np.eye(self.D.shape[0]) - self.D * value[:, None, :, 0]
            if np.any(np.abs(np.linalg.det(matrix)) < 1e-12):
                text = "direct feedthrough without latency closes an algebraic loop without a unique solution"
                raise CouplantError(text)
            y = np.asarray(np.linalg.solve(matrix, y[:, :, None])[:, :, 0], dtype=float)
        self.past[:, :, 0] = y
        u, du = known + value[:, :, 0] * y, np.sum(slope * self.past, axis=2)
        self.x = self.x @ self.phi.T + u @ self.gamma.T + du @ self.gamma_slope.T

    def _state(self) -> tuple[Matrix, Matrix, Matrix, Matrix]:
        return self.x, self.past, self.estimate, self.before

    def _norm(self) -> Vector:
        squares = sum(np.sum(a**2, axis=tuple(range(1, a.ndim))) for a in self._state())
        # never 0, for its logarithm is taken
        norm: Vector = np.sqrt(np.maximum(squares, np.finfo(float).tiny))
        return norm


def time_varying_models(
    system: System, latencies: ArrayLike, *, loss: float = 0.0, runs: int = 20, steps: int = 5000, seed: int = 0
) -> MonteCarlo:
    """Run a coupled system with models under random latencies and return how its state grows.

    Models follow the age of the newest value at every macro step, each connection on its own; older values count as
    known, for what comes late is taken at its place. There are `runs` of `steps` macro steps each, from the `seed` on;
    `latencies` [macro steps] and `loss` [-] are those of `ages`, and replace those of the system. Raises UsageError if
    a connection has another algorithm, or a latency is out of range.
    """
    rng = np.random.default_rng(seed)
    k = ages(latencies, loss, (runs, len(system.connections), steps), rng)
    if any(not isinstance(c.algorithm, ByModel) for c in system.connections) or k.min() < 1:
        raise UsageError("random latencies with models: allowed from 1 macro step on, with a model on all connections")
    start = rng.standard_normal((runs, sum(len(p.A) for p in system.prototypes)))
    # the map of one step has a table for each age that occurs
    loop = _ModelRuns(system, int(k.max()), np.unique(k), start)
    return growth_of_norms(np.array([loop.step(k[:, :, n]) for n in range(steps)]), k, system.macro_step)


class _ModelRuns:
    """States of all runs side by side; past values newest first."""

    def __init__(self, system: System, longest: int, used: IndexArray, x: Matrix) -> None:
        A, B, C, D = system.matrices()
        sent, runs, nc = sent_of(system), len(x), len(system.connections)
        outputs = [system.output_names.index(name) for name in sent]
        late, D = np.isin(sent, system.stale)[:, None], D[np.ix_(outputs, system.targets)]
        self._C, self._D, self._D_late = C[outputs], np.where(late, 0.0, D), np.where(late, D, 0.0)
        self._plant = discretise(A, B[:, system.targets], system.macro_step)
        self._event, self._senders = system.timing == "event", senders_of(system)
        self._seen = [[sent.index(name) for name in one.outputs] for one in self._senders]
        self._back = [way_back(system, one) for one in self._senders]
        self._source = [sent.index(c.source) for c in system.connections]
        self._moving = np.array([0.0 if c.hold and self._event else 1.0 for c in system.connections])
        self._which = [self._senders.index(c.algorithm.sender) for c in system.connections
                       if isinstance(c.algorithm, ByModel)]  # fmt: skip
        self._tables = [_line_tables(c.algorithm, used, longest) for c in system.connections
                        if isinstance(c.algorithm, ByModel)]  # fmt: skip
        self.x, self.past = x, np.zeros((runs, longest + 1, len(sent)))
        self.given = np.zeros((3, runs, nc))  # estimates of the step before, their slopes, those that are held
        self.states = [np.zeros((runs, longest, len(one.plant.phi))) for one in self._senders]

    def step(self, k: IndexArray) -> Vector:
        """Advance by one macro step with ages `k` (runs, connections); return the growth of each run's norm."""
        before = self._norm()
        # all but now's value is known before it: feedthrough solves for it
        known, now = self._known_part(k)
        held, slopes = self.given[2], np.zeros_like(self.given[2])
        free = self.x @ self._C.T + self.given[0] @ self._D_late.T
        if self._event:
            # (I - D now) y = the rest, for each run
            inner = np.eye(free.shape[1]) - self._D @ now[:, :, 0]
            y = np.linalg.solve(inner, (free + known[:, :, 0] @ self._D.T)[:, :, None])[:, :, 0]
        else:
            y = free + held @ self._D.T
        made = known + np.einsum("rcey,ry->rce", now, y)
        if self._event:
            held, slopes = made[:, :, 0], made[:, :, 1] * self._moving
        self._follow(y, held)
        phi, gamma, change = self._plant
        self.x = self.x @ phi.T + held @ gamma.T + slopes @ change.T
        self.past = np.concatenate([y[:, None], self.past[:, :-1]], axis=1)
        self.given = np.array([held, slopes, made.sum(axis=2)])
        after = self._norm()
        # back to norm 1, as in `monte_carlo`
        self.x, self.past, self.given = (part / after.reshape(shape) for part, shape in (
            (self.x, (-1, 1)), (self.past, (-1, 1, 1)), (self.given, (1, -1, 1))))  # fmt: skip
        self.states = [one / after[:, None, None] for one in self.states]
        return np.asarray(after / before)

    def _known_part(self, k: IndexArray) -> tuple[Matrix, Matrix]:
        """Return estimate and slope but for what is sent now, and what that adds, (runs, nc, 2), (runs, nc, 2, ny)."""
        runs, nc, ny = len(self.x), k.shape[1], self.past.shape[2]
        known, now = np.zeros((runs, nc, 2)), np.zeros((runs, nc, 2, ny))
        for i, (of_states, of_sent) in enumerate(self._tables):
            which = self._which[i]
            # states of k - 1 steps ago: they arrive now, k counts the way
            states = self.states[which][np.arange(runs), k[:, i] - 1]
            places = [self._source[j] for j in self._back[which]]
            known[:, i] = np.einsum("ren,rn->re", of_states[k[:, i]], states)
            known[:, i] += np.einsum("relm,rlm->re", of_sent[k[:, i], :, 1:], self.past[:, :, places])
            for m, place in enumerate(places):
                now[:, i, :, place] += of_sent[k[:, i], :, 0, m]
        return known, now

    def _follow(self, y: Matrix, held: Matrix) -> None:
        """Let the observers at the senders follow what is sent now, `y`, with the estimates in effect, `held`."""
        for i, one in enumerate(self._senders):
            (phi, level, change, C, D, K), back = one.matrices, self._back[i]
            places = [self._source[j] for j in back]
            if one.plant.echo:
                given, now, rise = self.given[0][:, back], held[:, back], self.given[1][:, back]
            # an echo tells what was really given, a step before
            else:
                given, now = self.past[:, 0, places], y[:, places]
                rise = now - given
            # predict, then correct by what is sent
            x = self.states[i][:, 0] @ phi.T + given @ level.T + rise @ change.T
            x = x + (y[:, self._seen[i]] - x @ C.T - (given if one.plant.stale else now) @ D.T) @ K.T
            self.states[i] = np.concatenate([x[:, None], self.states[i][:, :-1]], axis=1)

    def _norm(self) -> Vector:
        squares = np.sum(self.x**2, axis=1) + np.sum(self.past**2, axis=(1, 2)) + np.sum(self.given**2, axis=(0, 2))
        squares = squares + sum(np.sum(one**2, axis=(1, 2)) for one in self.states)
        return np.asarray(np.sqrt(np.maximum(squares, np.finfo(float).tiny)))


def _line_tables(one: ByModel, used: IndexArray, longest: int) -> tuple[Matrix, Matrix]:
    """Return the weights of states (k, 2, N) and of what was sent (k, 2, steps ago, m), by latency."""
    sender: Sender = one.sender
    n, m, _ = sender.plant.sizes
    states, sent = np.zeros((longest + 1, 2, n)), np.zeros((longest + 1, 2, longest + 2, m))
    for k in used.tolist():
        found = line(sender, one.own, k, one.lead)
        states[k], sent[k, :, : found.sent.shape[1]] = found.states, found.sent
    return states, sent
