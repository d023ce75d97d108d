"""The published design, for comparison only: cost (4-30) to (4-33) of the dissertation and its literal minimum.

    J = α mean|1 - |G_p|| + β mean|∠G_p| [°] over the band
        + γ (∫ max(|G_p|, 1) dω - ω_u below the band + ∫ max(|G_p| - (ω/ω_g)^(r/2), 0) dω from ω_g to 2π/ΔT)

with α = 1, β = 0.01, γ = 1000 and the constraint G_p(0) = 1. With two bands (6.2.4) the gain counts up to a higher ω_g
than the phase, and the third part begins at that.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.integrate import trapezoid
from scipy.optimize import linprog
from scipy.sparse import block_array, csr_array, eye_array

from couplant.analysis.algorithms import Algorithm, LinearAlgorithm
from couplant.analysis.coupling_process import hold, ramp, transfer_function
from couplant.base.arrays import ComplexArray, Mask, Matrix, Vector
from couplant.base.errors import UsageError
from couplant.design.request import Request, answer

ALPHA, BETA, GAMMA = 1.0, 0.01, 1000.0

WARNING = (
    "The published cost does not describe a good algorithm: with γ = 1000 its minimum keeps 15 to 18 degrees of phase "
    "error and can destabilise the loop, and G_p(0) = 1 lets Σa and ΣA drift so that the estimate is wrong at every "
    "macro point. Use it for comparison, not on a bench."
)

_POINTS = 20_001
_MARGIN = 1e-4
_MOST_PROGRAMS = 60
_LEAST_GAIN = 1e-12
_CUTS = np.array([0.0, -0.02, 0.02, -0.1, 0.1, -0.3, 0.3, -0.7, 0.7, -1.2, 1.2])


@dataclass(frozen=True)
class PublishedTask:
    """Settings of the published design. Raises UsageError if the band of the gain ends inside that of the phase."""

    macro_step: float  # ΔT, s
    k: int  # latency, macro steps
    band: tuple[float, float]  # ω_u and ω_g, rad/s
    m: int  # number of past values
    relative_degree: float = 1.0  # r, -
    # upper end of the band in which the gain counts, at least that of `band`, in which alone the phase counts, rad/s
    gain_band: float | None = None

    def __post_init__(self) -> None:
        """Check the bands."""
        if not self.top >= self.band[1]:
            raise UsageError(f"gain_band = {self.gain_band} rad/s, allowed at least {self.band[1]}")

    @property
    def top(self) -> float:
        """End of the band in which the gain counts, rad/s."""
        return self.band[1] if self.gain_band is None else self.gain_band

    def bound(self, omega: Vector) -> Vector:
        """Return the largest gain that costs nothing at frequencies `omega` above `top`, shape (N,), rad/s."""
        return np.asarray((omega / self.top) ** (self.relative_degree / 2), dtype=float)


@dataclass(frozen=True)
class Cost:
    """The parts of J and their sum."""

    gain: float  # mean of |1 - |G_p|| over the band, -
    phase: float  # mean of |∠G_p| over the band, degrees
    rest: float  # gain outside the band beyond what is allowed, integrated, rad/s

    @property
    def total(self) -> float:
        """J."""
        return ALPHA * self.gain + BETA * self.phase + GAMMA * self.rest


def published_cost(algorithm: Algorithm, task: PublishedTask) -> Cost:
    """Return the published cost of an algorithm in event timing, from integrals of `_POINTS` points each."""
    low = task.band[0]

    def response(omega: Vector) -> ComplexArray:
        return transfer_function(algorithm, 1j * omega * task.macro_step)

    below, useful, kept = (np.linspace(*ends, _POINTS) for ends in ((0.0, low), task.band, (low, task.top)))
    above = np.linspace(task.top, 2 * np.pi / task.macro_step, _POINTS)
    excess = np.abs(response(above)) - task.bound(above)
    return Cost(
        _mean(np.abs(1.0 - np.abs(response(kept))), kept),
        _mean(np.rad2deg(np.abs(np.angle(response(useful)))), useful),
        _integral(np.maximum(np.abs(response(below)) - 1.0, 0.0), below) + _integral(np.maximum(excess, 0.0), above),
    )


def published_design(task: PublishedTask) -> LinearAlgorithm:
    """Return weights that minimise the published cost, from ZOH on; see `WARNING`.

    Sequential linear programming inside a trust region: |G_p| and ∠G_p inside the band are linear about the present
    weights, |G_p| outside is held by tangents; each answer is pulled back into the convex set that ZOH lies in. It
    takes seconds.
    """
    x = _Problem(task).solve(np.eye(2 * task.m)[0])
    return LinearAlgorithm(task.k, tuple(x[: task.m]), tuple(x[task.m :]), "published")


class _Problem:
    """G_p is linear in x = (a, A): rows of complex numbers, inside the bands of gain and phase and outside of them."""

    def __init__(self, task: PublishedTask) -> None:
        low, high = task.band
        above, below = np.linspace(task.top, 2 * np.pi / task.macro_step, 1500), np.linspace(low / 20, low, 20)
        self.task = task
        self.kept = self._rows(np.linspace(low, task.top, 100))
        self.useful = self._rows(np.linspace(low, high, 100))
        self.outside = self._rows(np.append(above, below))
        self.bound = np.append(task.bound(above) * (1.0 - _MARGIN), np.ones(below.size))
        steps = np.append(np.full(above.size, above[1] - above[0]), np.full(below.size, below[1] - below[0]))
        self.penalty = GAMMA * steps
        everywhere = np.vstack([self.kept, self.outside])
        gram = np.real(np.conj(everywhere).T @ everywhere) / everywhere.shape[0]
        self.whiten = np.linalg.inv(np.linalg.cholesky(gram + 1e-12 * np.eye(2 * task.m))).T
        self.kept, self.useful, self.outside = (rows @ self.whiten for rows in (self.kept, self.useful, self.outside))
        self.sums = np.append(np.ones(task.m), 0.5 * np.ones(task.m)) @ self.whiten
        self.zoh = np.linalg.solve(self.whiten, np.eye(2 * task.m)[0])

    def _rows(self, omega: Vector) -> ComplexArray:
        s = np.asarray(1j * omega[:, None] * self.task.macro_step, dtype=complex)
        late = np.exp(-s * (self.task.k + np.arange(self.task.m)))
        return np.hstack([late * hold(s), late * ramp(s)])

    def solve(self, start: Vector) -> Vector:
        """Return the weights (a, A) of the local minimum from a start."""
        x = np.linalg.solve(self.whiten, start)
        x = self._feasible(x / (self.sums @ x))
        value, radius = self.cost(x), 1.0
        for _ in range(_MOST_PROGRAMS):
            moved = self._feasible(x + self._linear_program(x, radius))
            new = self.cost(moved)
            if new < value:
                done = value - new < 1e-5 * value
                x, value, radius = moved, new, min(2.0 * radius, 4.0)
                if done:
                    break
            else:
                radius /= 3.0
            if radius < 1e-8:
                break
        return self.whiten @ x

    def _feasible(self, x: Vector) -> Vector:
        """Pull weights towards ZOH, which keeps every bound, until they keep it too: the set is convex."""
        inner = self.outside @ self.zoh
        way = self.outside @ (x - self.zoh)
        square, mixed = np.abs(way) ** 2, np.real(np.conj(inner) * way)
        left = self.bound**2 - np.abs(inner) ** 2
        far = (np.sqrt(mixed**2 + square * left) - mixed) / np.maximum(square, 1e-300)
        return self.zoh + min(1.0, float(far.min())) * (x - self.zoh)

    def cost(self, x: Vector) -> float:
        """Return J on the grids of the problem."""
        gain, phase = np.abs(self.kept @ x), np.rad2deg(np.angle(self.useful @ x))
        band = ALPHA * np.abs(1.0 - gain) + BETA * np.abs(phase)
        return float(band.mean() + self.penalty @ np.maximum(np.abs(self.outside @ x) - self.bound, 0.0))

    def _linear_program(self, x: Vector, radius: float) -> Vector:
        """Return the best step for |G_p| and ∠G_p linear about x: absolute values and excess become variables."""
        (gain, gain_slope), (phase, phase_slope) = _gain(self.kept, x), _phase(self.useful, x)
        g = self.outside @ x
        near = np.abs(g) > self.bound - radius * np.abs(self.outside).sum(axis=1)
        slope, room, penalty = self._cuts(g, near)
        n, count, extra = x.size, gain.size, penalty.size
        both = np.vstack([-ALPHA * gain_slope, BETA * phase_slope])
        now = np.append(ALPHA * (1.0 - gain), BETA * phase)
        eye, excess = csr_array(eye_array(2 * count)), csr_array(np.tile(np.eye(extra), (_CUTS.size, 1)))
        rows = block_array([
            [csr_array(both), -eye, None], [csr_array(-both), -eye, None], [csr_array(slope), None, -excess]
        ])  # fmt: skip
        cost = np.concatenate([np.zeros(n), np.full(2 * count, 1.0 / count), penalty])
        free = [(-radius, radius)] * n + [(0, None)] * (2 * count + extra)
        fixed = np.concatenate([self.sums, np.zeros(2 * count + extra)])[None]
        answer = linprog(cost, rows, np.concatenate([-now, now, room]), fixed, [1.0 - self.sums @ x], free, "highs")
        return answer.x[:n] if answer.success else np.zeros(n)

    def _cuts(self, g: ComplexArray, near: Mask) -> tuple[Matrix, Vector, Vector]:
        """Return rows, room and penalty of tangents to |G_p| ≤ b at and beside the present phase."""
        rows, room = [], []
        for angle in _CUTS:
            turn = np.exp(-1j * (np.angle(g[near]) + angle))
            rows.append(np.real(turn[:, None] * self.outside[near]))
            room.append(self.bound[near] - np.real(turn * g[near]))
        return np.vstack(rows), np.concatenate(room), self.penalty[near]


def _gain(rows: ComplexArray, x: Vector) -> tuple[Vector, Matrix]:
    """Return the gain and its slope over x."""
    g = rows @ x
    gain = np.maximum(np.abs(g), _LEAST_GAIN)
    return gain, np.real((np.conj(g) / gain)[:, None] * rows)


def _phase(rows: ComplexArray, x: Vector) -> tuple[Vector, Matrix]:
    """Return the phase in degrees and its slope over x."""
    g = rows @ x
    slope = np.imag(np.conj(g)[:, None] * rows) / np.maximum(np.abs(g), _LEAST_GAIN)[:, None] ** 2
    return np.rad2deg(np.angle(g)), np.rad2deg(slope)


def _integral(values: Vector, omega: Vector) -> float:
    return float(trapezoid(values, omega)) if omega[-1] > omega[0] else 0.0


def _mean(values: Vector, omega: Vector) -> float:
    return _integral(values, omega) / float(omega[-1] - omega[0])


def beside_the_sound(request: Request) -> list[dict[str, Any]]:
    """Return the published optimum of each latency, ZOH and the sound design, all judged by the published cost.

    Raises UsageError if a setting is out of range.
    """
    assert request.band is not None, "the published cost needs a band"
    given = request.settings
    rows = []
    for k, sound in answer(request).items():
        settings = given.get("m", 7), given.get("slope", 1.0), given.get("gain_band")
        task = PublishedTask(request.macro_step, k, request.band, *settings)
        for one in (published_design(task), LinearAlgorithm(k, (1.0,), (0.0,), "zoh"), sound.design.algorithm):
            cost = published_cost(one, task)
            row = {"algorithm": one.name, "steps": k, "J": cost.total, "gain": cost.gain, "phase": cost.phase}
            rows.append(row | {"rest": cost.rest, "a": list(one.a), "A": list(one.A)})
    return rows
