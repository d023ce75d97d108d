"""The model of the prototype that sends y, as the algorithm `model` steps it: one macro step at a time.

    x_{j+1} = Phi x_j + G0 u_j + G1 (u_{j+1} - u_j),    y_j = C x_j + D u_j,    u linear inside a macro step

x has the states of the prototype and those of what excites it besides u; K is the gain of the observer.
"""

from __future__ import annotations

from dataclasses import dataclass

from .generated.algorithms import AUTO, MODEL, ZOH
from .generated.numbers import COMPANIONS, PLANT_INPUTS, PLANT_STATES
from .guard import bounded

Matrix = tuple[tuple[float, ...], ...]
BETWEEN = 2
"""Kind of echo: what a message that is missing would have told lies on the lines of those on both sides."""

FALLBACKS = {"auto": AUTO, "zoh": ZOH, "model": MODEL}
"""Algorithms that run in the place of a model that is wrong: `model` stays whatever it does."""


@dataclass(frozen=True)
class Plant:
    """A model with N states, m inputs and p outputs."""

    own: int  # which of the outputs is y, from 0
    late: bool  # the inputs of a macro point are known only after the estimate for it
    echo: int  # messages tell what the prototype was given; BETWEEN: of one that is missing those beside it do
    stale: bool  # the host reads its outputs before it sets its inputs
    fallback: int  # algorithm that runs in its place while it is wrong
    micro_step: float  # how long it is given each estimate in step timing, above 0 to 1, macro steps
    variance: float  # of the error on y before a correction, were the model right, its unit squared
    phi: Matrix  # Phi, N x N
    level: Matrix  # G0, N x m
    change: Matrix  # G1, N x m
    outputs: Matrix  # C, p x N
    through: Matrix  # D, p x m
    gain: Matrix  # K, N x p
    start: Matrix  # states at rest from the first outputs, then inputs, N x (p + m)

    @property
    def sizes(self) -> tuple[int, int, int]:
        """Return N, m and p."""
        return len(self.phi), len(self.through[0]), len(self.through)

    def numbers(self) -> tuple[float, ...]:
        """Return all of it as the list `plant` of the settings."""
        flags = (self.late, self.echo, self.stale, self.fallback)
        head = (*self.sizes, self.own, *flags, self.micro_step, self.variance)
        matrices = (self.phi, self.level, self.change, self.outputs, self.through, self.gain, self.start)
        return tuple(float(one) for one in head) + tuple(one for matrix in matrices for row in matrix for one in row)

    @classmethod
    def from_lists(cls, lists: dict[str, tuple[float, ...]]) -> Plant | None:
        """Return the model in the lists of settings, None if there is none.

        Raises
        ------
        ValueError
            If a size is out of range or a number is missing.
        """
        if "plant" not in lists:
            return None
        *head, micro_step, variance = lists["plant"][:10]
        rest = lists["plant"][10:]
        n, m, p, own, *flags, fallback = (int(one) for one in head)
        if not (1 <= n <= PLANT_STATES and 1 <= m <= PLANT_INPUTS and 1 <= p <= 1 + COMPANIONS and 0 <= own < p):
            raise ValueError(f"plant has {n} states, {m} inputs, {p} outputs")
        if fallback not in FALLBACKS.values():
            raise ValueError(f"plant falls back to algorithm {fallback}")
        if not 0.0 < micro_step <= 1.0:
            raise ValueError("plant has a communication step out of range")
        if not variance > 0.0:
            raise ValueError("plant has a variance of its errors out of range")
        matrices = []
        for rows, columns in ((n, n), (n, m), (n, m), (p, n), (p, m), (n, p), (n, p + m)):
            matrices.append(tuple(rest[i * columns : (i + 1) * columns] for i in range(rows)))
            rest = rest[rows * columns :]
        if rest or len(matrices[-1][-1]) != p + m:
            raise ValueError("plant has another number of values than its sizes say")
        late, echo, stale = flags
        if not 0 <= echo <= BETWEEN:
            raise ValueError(f"plant has an echo of kind {echo}")
        return cls(own, late != 0, echo, stale != 0, fallback, micro_step, variance, *matrices)


def dot(row: tuple[float, ...], values: list[float]) -> float:
    """Return the sum of products of a `row` of a matrix with as many `values`, in their units."""
    total = 0.0
    for weight, value in zip(row, values, strict=False):
        total = total + weight * value
    return total


def move(plant: Plant, x: list[float], u: list[float], change: list[float]) -> list[float]:
    """Return the states `x` a macro step later; the inputs are `u`, in their units, and `change` over the step."""
    rows = zip(plant.phi, plant.level, plant.change, strict=True)
    return [bounded(dot(phi, x) + (dot(level, u) + dot(slope, change)), 0.0) for phi, level, slope in rows]


def output(plant: Plant, which: int, x: list[float], u: list[float]) -> float:
    """Return an output, `which` from 0, with the states `x` and the inputs `u`, in their units."""
    return dot(plant.outputs[which], x) + dot(plant.through[which], u)
