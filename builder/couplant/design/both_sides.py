"""Both sides of a loop from recordings: how many states, who acts at once, and which of what explains them as well.

Recordings do not always tell one loop from another: all that may be the truth are returned, and advice bears each.
"""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from couplant.analysis.by_model import ByModel, Sender
from couplant.analysis.loop_likelihood import Loop, fit_idle, fit_loop, fit_simpler, scale_data, with_least_noise
from couplant.analysis.observer import Observer
from couplant.analysis.prediction_error import Linear, fit_model
from couplant.analysis.signal.autoregressive import begin
from couplant.analysis.signal.pieces import Pieces
from couplant.analysis.stability import stability
from couplant.analysis.system import Connection, Prototype, System
from couplant.base.errors import CouplantError, UsageError
from couplant_runtime.generated.algorithms import AUTO
from couplant_runtime.plant import Plant

_MOST = 4
"""States of a side that are tried."""
_THROUGH = (None, 0, 1)
"""Sides that act at once: none, or one of both."""
_TRIED = 3
"""Loops with fewer states where the search goes on from one."""
_BEGINNINGS = ((0, 0.01, 0.03), (8, 0.03, 0.1), (16, 0.03, 0.1))
"""Where the search begins, for the likelihood has many maxima: macro steps that autoregressive models look back, 0 for
models of each side by itself, bandwidth of w [rad a macro step], and least noise."""
_PLAUSIBLE = 40.0
"""-2 ln L and twice the parameters over the least (Akaike 1974), up to which a loop may be the truth: the best one may
not have been found."""
_KEPT, _LEFT = 8, 0.1
"""Loops that count, the most likely for their parameters, and -2 ln L by which one differs that was found twice."""
_ANSWERS = 30.0
"""-2 ln L without an answer less that with it, from which on a side answers in earnest: far beyond chance, for models
with many states answer a little to anything."""
_SURE = 10.0
"""Of Schwarz' criterion less that of a loop, from which on what explains recordings without one is taken for certain
(Kass and Raftery 1995)."""
_NAMES = ("one", "other")

Structure = tuple[int, int, int | None]
"""States of both sides, and which of them acts at once."""


@dataclass(frozen=True, eq=False)
class BothSides:
    """Loops that recordings show."""

    loops: tuple[Loop, ...]  # those that may be the truth, the most likely one for its parameters first
    doubtful: tuple[bool, bool]  # whether a side that does not answer to the other explains the recordings as well


def identify_sides(data: Pieces) -> BothSides:
    """Return the loops that recordings show; in `data` y is what the first side sends, u what the second one does.

    Where it is known what the sides were given each is found by itself.

    Raises CouplantError if no model is found.
    """
    data = with_least_noise(data)
    structures = _Structures(data)
    if data.given is None:
        found = structures.plausible()
        idle = [_doubts(data, one) for one in found]
    else:
        found, idle = _pairs(data, structures)
    doubtful = tuple(any(doubts[i] for doubts in idle) for i in range(2))
    costs = [structures.cost(one) for one in found]
    # a loop was recorded: what explains it without one counts only where it is far more likely
    least = min((cost for cost, doubts in zip(costs, idle, strict=True) if not any(doubts)), default=np.inf)
    counts = [cost < least - _SURE or not any(doubts) for cost, doubts in zip(costs, idle, strict=True)]
    return BothSides(tuple(one for one, yes in zip(found, counts, strict=True) if yes), (doubtful[0], doubtful[1]))


def _pairs(data: Pieces, structures: "_Structures") -> tuple[list[Loop], list[tuple[bool, ...]]]:
    """Return loops of sides that were found by themselves, and whether each side answers to what it was given.

    Raises CouplantError if all of them grow.
    """
    sides: list[list[tuple[Loop, bool]]] = []
    for way in (data, data.mirror()):
        own = _one_each(_Structures(way).plausible())
        sides.append([(one, _doubts(way, one)[0]) for one in own])
    found: list[tuple[Loop, tuple[bool, ...]]] = []
    for (one, doubt), (other, more) in product(*sides):
        pair = one.sides[0], other.sides[0]
        # what acts at once on both sides is no loop, and what was recorded did not grow without delay
        if not all(side.D.any() for side in pair) and radius_without_delay(*pair, data.macro_step) < 1.0:
            found.append((Loop(pair, one.unlikely + other.unlikely, one.count + other.count), (doubt, more)))
    if not found:
        raise CouplantError("no model is found: no loop of both sides is stable without delay.")
    kept = {id(one) for one in structures.near([one for one, _ in found])}
    rows = [row for row in found if id(row[0]) in kept]
    rows.sort(key=lambda row: structures.cost(row[0]))
    return [one for one, _ in rows], [doubts for _, doubts in rows]


def _one_each(found: Sequence[Loop]) -> list[Loop]:
    """Return the most likely one of each structure among sides that were `found` by themselves."""
    best: dict[tuple[int, bool], Loop] = {}
    for one in sorted(found, key=lambda one: one.unlikely):
        best.setdefault((len(one.sides[0].A), bool(one.sides[0].D.any())), one)
    return [*best.values()]


class _Structures:
    """Fits of loops by their structure; where it is known what the sides were given, of the first one alone."""

    def __init__(self, data: Pieces) -> None:
        self._data, self._alone = data, data.given is not None
        self._parameter = float(np.log(data.counts.sum()))
        self._found: list[Loop] = []
        self._begun: dict[Structure, list[Loop]] = {}
        self._models: dict[tuple[int, int, bool, int, float], Linear | None] = {}

    def plausible(self) -> list[Loop]:
        """Return the loops that may be the truth, the most likely for its parameters first (Schwarz 1978)."""
        if not self._alone:  # where inputs are known the way down finds all that the way up does
            self._climb()
        self._reduce()
        if not self._found:
            raise CouplantError("no model is found: no loop explains the recordings.")
        # what turns by more than half a circle in a macro step cannot be told from what is slower
        seen = [one for one in self._found if self._fastest(one) < np.pi] or self._found
        return self.near(seen)

    def near(self, seen: Sequence[Loop]) -> list[Loop]:
        """Return the loops that may be the truth among those `seen`, as `plausible` does."""
        least = min(one.unlikely + 2 * one.count for one in seen)
        near = [one for one in seen if one.unlikely + 2 * one.count <= least + _PLAUSIBLE]
        kept: list[Loop] = []
        for one in sorted(near, key=self.cost)[:_KEPT]:
            # from several beginnings the search ends at the same loop
            kept += [] if any(_are_same(one, other) for other in kept) else [one]
        return kept

    def _fastest(self, one: Loop) -> float:
        """Return the highest frequency of a mode of both sides of a loop [rad a macro step]."""
        return max(float(np.abs(np.linalg.eigvals(side.A).imag).max()) * self._data.macro_step for side in one.sides)

    def cost(self, one: Loop) -> float:
        """Return Schwarz' criterion of a loop."""
        return one.unlikely + self._parameter * one.count

    def _reduce(self) -> None:
        """Begin with many states, where the search goes astray less, and go on with fewer each time."""
        for through in _THROUGH[:2] if self._alone else _THROUGH:
            own = [*(begun := self._begin((_MOST, 0 if self._alone else _MOST, through)))]
            ended: list[Loop] = []
            while own and (best := min(own, key=self.cost)) not in ended:
                own += fit_simpler(self._data, best, _TRIED)
                ended.append(best)
            self._found += own[len(begun) :]

    def _climb(self) -> None:
        """Try structures next to the best one until none is better."""
        best: Structure = (2, 1, None)
        sizes: Sequence[int] = range(1, _MOST + 1)
        best = min(((i, best[1], None) for i in sizes), key=self._least)
        best = min(((best[0], i, None) for i in sizes), key=self._least)
        while True:
            before, best = best, min(_neighbours(best), key=self._least)
            if best == before:
                return

    def _least(self, key: Structure) -> float:
        return min(map(self.cost, self._begin(key)), default=np.inf)

    def _begin(self, key: Structure) -> list[Loop]:
        """Return the most likely loops of a structure, from all beginnings."""
        if key not in self._begun:
            # with known inputs the autoregressive models are near enough
            found = (self._fit(key, *begins) for begins in _BEGINNINGS[self._alone :])
            self._begun[key] = [one for one in found if one is not None]
            self._found += self._begun[key]
        return self._begun[key]

    def _fit(self, key: Structure, lags: int, bandwidth: float, noise: float) -> Loop | None:
        """Return the most likely loop of a structure, from one beginning."""
        wanted = [(side, states, key[2] == side, lags, bandwidth) for side, states in enumerate(key[:2]) if states]
        for one in wanted:
            if one not in self._models:
                self._models[one] = self._model(*one)
        there = [model for one in wanted if (model := self._models[one]) is not None]
        return fit_loop(self._data, there, bandwidth, noise) if len(there) == len(wanted) else None

    def _model(self, side: int, states: int, through: bool, lags: int, bandwidth: float) -> Linear | None:
        """Return the model where the search for a side begins; None if no observer follows one."""
        data, sizes = scale_data(self._data)
        own, (y, u) = (data.mirror(), sizes[::-1]) if side else (data, sizes)
        own = own.answers()
        h = own.macro_step
        if lags:
            with warnings.catch_warnings():
                # what a poor beginning is, the search finds out
                warnings.simplefilter("ignore", RuntimeWarning)
                A, B, C, D, b = begin(own, states, lags, through)
            return Linear(A / h, B / h, C, D, b / h, 0.0, bandwidth / h, np.zeros(len(C))).rescale(y, u)
        try:
            with np.errstate(all="ignore"):
                return fit_model(own, states, through).rescale(y, u)
        except (UsageError, np.linalg.LinAlgError):
            return None


def _neighbours(key: Structure) -> list[Structure]:
    """Return structures next to that of a `key`, itself first: more or fewer states, and acting at once."""
    n, m, through = key
    # two states more too: what swings has a pair of them
    near = [(n, m, through), *((n + i, m, through) for i in (1, 2)), *((n, m + i, through) for i in (1, 2))]
    near += [(i, j, d) for i, j in ((n, m), (n - 1, m), (n, m - 1)) for d in (None, 0, 1)]
    return [one for one in near if 1 <= one[0] <= _MOST and 1 <= one[1] <= _MOST]


def _are_same(one: Loop, other: Loop) -> bool:
    """Tell whether two loops are one: with the same structure, and as likely to what a search leaves open."""
    structures = ([(len(side.A), bool(side.D.any())) for side in loop.sides] for loop in (one, other))
    return next(structures) == next(structures) and abs(one.unlikely - other.unlikely) < _LEFT


def _doubts(data: Pieces, loop: Loop) -> tuple[bool, ...]:
    """Return whether each side of a `loop` that does not answer to the other explains the recordings as well."""
    idle = [fit_idle(data, loop, side) for side in range(len(loop.sides))]
    return tuple(one is not None and one.unlikely - loop.unlikely < _ANSWERS for one in idle)


@dataclass(frozen=True, eq=False)
class Side:
    """A prototype, and the observer that the other side has of it."""

    prototype: Linear
    model: Observer


def radius(one: Side, other: Side, steps: int, macro_step: float) -> float:
    """Return the largest size of a mode of the loop in a macro step [-], event timing; it dies out below 1.

    The outputs of each side are the inputs of the other; `steps` is the latency each way, 1 to 64 [macro steps],
    `macro_step` ΔT [s].
    """
    sides = (one, other)
    plants = [(name, side.prototype) for name, side in zip(_NAMES, sides, strict=True)]
    prototypes = (Prototype(name, one.A, one.B, one.C, one.D) for name, one in plants)
    connections = []
    for i, side in enumerate(sides):
        model, late = side.model, bool(sides[1 - i].prototype.D.any())
        parts = (model.phi, model.level, model.change, model.C, model.D, model.gain, model.start)
        plant = Plant(0, late, True, False, AUTO, 1.0, 1.0, *(tuple(map(tuple, part.tolist())) for part in parts))
        outputs, inputs = (
            tuple(f"{_NAMES[i]}.{letter}{j + 1}" for j in range(count))
            for letter, count in zip("yu", model.D.shape, strict=True)
        )
        sender = Sender(plant, outputs, inputs)
        for j, source in enumerate(sender.outputs):
            connections.append(Connection(source, f"{_NAMES[1 - i]}.u{j + 1}", ByModel(steps, sender, j)))
    return stability(System(tuple(prototypes), tuple(connections), macro_step)).radius


def radius_without_delay(one: Linear, other: Linear, macro_step: float) -> float:
    """Return the same of two prototypes that are connected directly, every `macro_step` [s]; infinite if none is.

    `one` and `other` are as in `radius`.
    """
    # y = C x + D u, u = C' x' + D' y: solved at once
    closed = np.eye(len(one.C)) - one.D @ other.D
    if np.linalg.cond(closed) > 1e9:
        # closed loop in continuous time, both prototypes' states
        return float("inf")
    y = np.linalg.solve(closed, np.hstack([one.C, one.D @ other.C]))
    u = np.hstack([np.zeros((len(other.C), len(one.A))), other.C]) + other.D @ y
    n = len(one.A)
    whole = np.zeros((n + len(other.A),) * 2)
    whole[:n, :n], whole[n:, n:] = one.A, other.A
    # inputs are outputs of the other one
    whole += np.vstack([one.B @ u, other.B @ y])
    # a mode grows by exp(Re s ΔT) in a macro step
    return float(np.exp(np.linalg.eigvals(whole).real.max() * macro_step))
