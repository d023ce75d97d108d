"""Random runs of a coupled system whose estimates come from models, under latencies that vary from value to value."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from couplant.analysis.by_model import ByModel, Sender, line
from couplant.analysis.macro_map import discretise
from couplant.analysis.model_map import senders_of, sent_of, way_back
from couplant.analysis.monte_carlo import MonteCarlo, ages, growth_of_norms
from couplant.analysis.system import System
from couplant.base.arrays import IndexArray, Matrix, Vector
from couplant.base.errors import UsageError


def time_varying_models(
    system: System, latencies: ArrayLike, *, loss: float = 0.0, runs: int = 20, steps: int = 5000, seed: int = 0
) -> MonteCarlo:
    """Run a coupled system with models under random latencies and return how its state grows.

    Models follow the age of the newest value at every macro step, each connection on its own; older values count as
    known, for what comes late is taken at its place. There are `runs` of `steps` macro steps each, from the `seed` on;
    `latencies` [macro steps] and `loss` [-] are those of `ages`, and replace those of the system.

    Raises
    ------
    UsageError
        If a connection has another algorithm, or a latency is out of range.
    """
    rng = np.random.default_rng(seed)
    k = ages(latencies, loss, (runs, len(system.connections), steps), rng)
    if any(not isinstance(c.algorithm, ByModel) for c in system.connections) or k.min() < 1:
        raise UsageError("random latencies with models: allowed from 1 macro step on, with a model on all connections")
    start = rng.standard_normal((runs, sum(len(p.A) for p in system.prototypes)))
    # the map of one step has a table for each age that occurs
    loop = _Runs(system, int(k.max()), np.unique(k), start)
    return growth_of_norms(np.array([loop.step(k[:, :, n]) for n in range(steps)]), k, system.macro_step)


class _Runs:
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
        self._tables = [_tables(c.algorithm, used, longest) for c in system.connections
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


def _tables(one: ByModel, used: IndexArray, longest: int) -> tuple[Matrix, Matrix]:
    """Return the weights of states (k, 2, N) and of what was sent (k, 2, steps ago, m), by latency."""
    sender: Sender = one.sender
    n, m, _ = sender.plant.sizes
    states, sent = np.zeros((longest + 1, 2, n)), np.zeros((longest + 1, 2, longest + 2, m))
    for k in used.tolist():
        found = line(sender, one.own, k, one.lead)
        states[k], sent[k, :, : found.sent.shape[1]] = found.states, found.sent
    return states, sent
