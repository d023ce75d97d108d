"""Oscillators coupled without network, and two corrections of the energy that this creates.

Two sides, which exchange a force and a motion at communication points, H apart:

    left   m1 x1'' = -r(k1, x1) - d(c, v1) - F        F = r(kc, x1 - x2) + d(c, v1 - v2) is what it sends
    right  m2 x2'' = -r(k2, x2) - d(c, v2) + F        x2 and v2 are what it sends
    r(k, x) = k x, or k sign(x) sqrt|x| (22)          d(c, v) = c v, or c v |v| (23)

Both hold what they receive, the side with the shorter steps may continue it as a line. The benchmark and the correction
`Published` are from B. Rodríguez, A. J. Rodríguez, B. Sputh, R. Pastorino, M. Á. Naya, F. González, Energy-based
monitoring and correction to enhance the accuracy and stability of explicit co-simulation, Multibody System Dynamics 55,
2022; numbers of equations are theirs. Its tables are pictures, so the parameters are those of the repository
cosim-benchmarks of one of the authors. Not as printed:

- (8), (9): with (18) the sum u y of both sides is twice the power. The force on one side is minus that on the other,
  and of the motion its velocity counts; then the sum is what the coupling has created.
- (9) to (13): the force meant is the one *before* correction. With the one given out the corrections count as created
  by the coupling, and 1.206 of the energy are left instead of .992.

`Damper` is the take-back of the stage `energy` in a few lines: it books what has left at either end.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from operator import mul
from typing import NamedTuple, Protocol

import numpy as np
from scipy.linalg import expm

from couplant.base.arrays import Vector


@dataclass(frozen=True)
class Oscillator:
    """Masses on springs and dampers; both sides begin at rest position with opposite speeds."""

    left: int = 1  # masses on the left side, all alike, each coupled to the right one, -
    mass_1: float = 1.0  # kg, of each
    mass_2: float = 1.0  # kg
    stiffness_1: float = 10.0  # N/m, or N/m^(1/2)
    coupling: float = 100.0  # N/m, or N/m^(1/2)
    stiffness_2: float = 1000.0  # N/m, or N/m^(1/2)
    damping: float = 0.0  # of all dampers, N s/m, or N s^2/m^2
    root: bool = False  # springs by (22)
    quadratic: bool = False  # dampers by (23)
    speed: float = 100.0  # m/s

    def spring(self, k: float, x: float) -> float:
        """Return the force [N] of a spring of the stiffness `k` that is longer by `x` [m]."""
        return k * (math.copysign(math.sqrt(abs(x)), x) if self.root else x)

    def damper(self, v: float) -> float:
        """Return the force [N] of a damper whose ends part with `v` [m/s]."""
        return self.damping * (v * abs(v) if self.quadratic else v)

    def effort(self, one: State, other: State) -> float:
        """Return the force [N] between a mass on the left in the state `one` and one in the state `other`."""
        return self.spring(self.coupling, one.x - other.x) + self.damper(one.v - other.v)

    def energy(self, one: State, two: State) -> float:
        """Return the mechanical energy [J], `one` the state of each mass on the left, `two` that of the right one."""
        moving = 0.5 * (self.left * self.mass_1 * one.v**2 + self.mass_2 * two.v**2)
        left = self._stored(self.stiffness_1, one.x) + self._stored(self.coupling, one.x - two.x)
        return moving + self.left * left + self._stored(self.stiffness_2, two.x)

    def _stored(self, k: float, x: float) -> float:
        return k * (2.0 / 3.0 * abs(x) ** 1.5 if self.root else 0.5 * x * x)


class State(NamedTuple):
    """Where a mass is and how fast."""

    x: float  # m
    v: float  # m/s

    def towards(self, other: State, share: float) -> State:
        """Return the state by a `share` of the way to an `other` one, above 1 beyond it [-]."""
        return State(self.x + share * (other.x - self.x), self.v + share * (other.v - self.v))


@dataclass(frozen=True)
class Schedule:
    """How the sides are integrated and when they exchange values."""

    step: float = 1e-3  # H, s
    duration: float = 10.0  # s
    parts: tuple[int, int] = (1, 1)  # steps of the left and of the right side in H, -
    line: bool = False  # FOH: inputs go on as a line through their last two values
    exact: bool = False  # linear sides integrated exactly, instead of symplectic Euler
    reads_again: bool = False  # the force is read after the motion has been set, else before
    late: int = 0  # steps that both signals are late by, -


class Point(NamedTuple):
    """What both sides of the coupling have at a communication point."""

    effort: float  # what the right side receives from now on, before correction, N
    flow: State  # what the left side receives from now on
    sent: float  # the force as the left side shows it, N
    state: State  # the right side


class Correction(Protocol):
    """A correction for one run."""

    def force(self, before: Point, now: Point, h: float) -> float:
        """Return the force [N] to add until the next point; between `before` and `now` are `h` [s]."""


@dataclass
class Published:
    """The published correction: the energy created in a step is taken out in the next one, (13) to (17)."""

    mu: float = 0.5  # share of the residual energy that is taken to be created, -
    nu: float = 0.0  # share of what is left over that is taken out in a step, -
    cap: float = 1.0  # largest correction over the force, -
    _error: float = field(default=0.0, init=False)  # ς, J
    _left: float = field(default=0.0, init=False)  # 𝒰, J
    _force: float = field(default=0.0, init=False)  # N

    def force(self, before: Point, now: Point, h: float) -> float:
        """Return the force [N] to add until the next point; between `before` and `now` are `h` [s]."""
        v = now.state.v
        self._left += self._error + self._force * v * h
        self._error = self.mu * h * (before.effort * v - now.sent * before.flow.v)
        self._force = _within(-(self._error + self.nu * self._left), v * h, self.cap * abs(now.effort))
        return self._force


@dataclass
class Damper:
    """A damper as strong as the energy is that the coupling has created, booked at both ends; it takes energy only.

    With symplectic Euler, whose displacement over a step is its last velocity, the books are those of velocities.
    """

    take_back: float = 0.02  # ν, -
    cap: float = 1.0  # largest correction over the force, -
    velocities: bool = True  # books kept with velocities, else with displacements
    reads_again: bool = False  # as in the schedule
    _created: float = field(default=0.0, init=False)  # U, J
    _mean: float = field(default=0.0, init=False)  # mean v², m²/s²
    _force: float = field(default=0.0, init=False)  # N
    _older: State = field(default=State(0.0, 0.0), init=False)

    def force(self, before: Point, now: Point, h: float) -> float:
        """Return the force [N] to add until the next point; between `before` and `now` are `h` [s]."""
        v = now.state.v
        right, left = 0.5 * (before.state.v + v) * h, before.flow.v * h
        if not self.velocities:
            right = now.state.x - before.state.x
            left = now.flow.x - before.flow.x if self.reads_again else before.flow.x - self._older.x
        self._older = before.flow
        self._created += (before.effort + self._force) * right - 0.5 * (before.sent + now.sent) * left
        self._mean = 0.98 * self._mean + 0.02 * v * v
        taken = -self.take_back * max(self._created, 0.0) * v
        self._force = _within(taken, 0.5 * (v * v + self._mean) * h, self.cap * abs(now.effort))
        return self._force


def _within(energy: float, way: float, largest: float) -> float:
    """Return a force from its work and the way, none without a way, at most `largest`."""
    return max(-largest, min(largest, energy / way)) if way != 0.0 else 0.0


def published_mu(ratio: float, line: bool) -> float:
    """Return μ of two sides of which the left one has direct feedthrough, (20), (21).

    Parameters
    ----------
    ratio : float
        R of (19), step of the left side over that of the right one. [-]
    line : bool
        Whether inputs are continued as a line (FOH), else held (ZOH).
    """
    if ratio >= 1.0:
        return 0.5 if line else 0.5 * (1.5 - 0.5 / ratio)
    return 0.5 * ratio if line else 0.5


def co_simulate(oscillator: Oscillator, schedule: Schedule, correction: Correction | None = None) -> Vector:
    """Return the energy of the masses after each step over that at the start [-], shape (steps,).

    Parameters
    ----------
    oscillator : Oscillator
        What is simulated.
    schedule : Schedule
        How it is.
    correction : Published or Damper, optional
        Adds to the force on the right side; one for each run. Without it nothing is added.
    """
    move = (_Exact if schedule.exact else _Euler)(oscillator, schedule)
    one, two = State(0.0, oscillator.speed), State(0.0, -oscillator.speed)
    start, ends = oscillator.energy(one, two), two
    found = np.zeros(round(schedule.duration / schedule.step))
    sent: list[tuple[float, State]] = []
    older = before = None
    for n in range(len(found)):
        late = max(n - schedule.late, 0)
        flow = two if late == n else sent[late][1]
        shown = oscillator.left * oscillator.effort(one, flow if schedule.reads_again else ends)
        sent.append((shown, two))
        now = Point(sent[late][0], flow, shown, two)
        added = correction.force(before, now, schedule.step) if correction and before else 0.0
        older, before = before or now, now
        two = move.right(two, older.effort, now.effort, added)
        one, ends = move.left(one, older.flow, flow)
        found[n] = oscillator.energy(one, two) / start
    return found


class _Euler:
    """Both sides with symplectic Euler: the velocity first. `left` returns its last input too, which `sent` follows."""

    def __init__(self, oscillator: Oscillator, schedule: Schedule) -> None:
        self._of, self._by = oscillator, schedule

    def left(self, one: State, older: State, flow: State) -> tuple[State, State]:
        parts, held = self._by.parts[0], flow
        for i in range(parts):
            held = older.towards(flow, 1.0 + i / parts) if self._by.line else flow
            pull = -self._of.effort(one, held)
            one = self._move(one, self._of.mass_1, self._of.stiffness_1, pull, self._by.step / parts)
        return one, held

    def right(self, two: State, older: float, effort: float, added: float) -> State:
        parts = self._by.parts[1]
        for i in range(parts):
            push = effort + (effort - older) * i / parts if self._by.line else effort
            two = self._move(two, self._of.mass_2, self._of.stiffness_2, push + added, self._by.step / parts)
        return two

    def _move(self, at: State, mass: float, stiffness: float, force: float, h: float) -> State:
        v = at.v + h / mass * (force - self._of.spring(stiffness, at.x) - self._of.damper(at.v))
        return State(at.x + h * v, v)


class _Exact:
    """Both sides, linear, exactly for held inputs."""

    def __init__(self, oscillator: Oscillator, schedule: Schedule) -> None:
        o, h = oscillator, schedule.step
        own = [[0.0, 1.0], [-(o.stiffness_1 + o.coupling) / o.mass_1, -2.0 * o.damping / o.mass_1]]
        self._left = _map(own, [[0.0, 0.0], [o.coupling / o.mass_1, o.damping / o.mass_1]], h)
        own = [[0.0, 1.0], [-o.stiffness_2 / o.mass_2, -o.damping / o.mass_2]]
        self._right = _map(own, [[0.0], [1.0 / o.mass_2]], h)

    def left(self, one: State, older: State, flow: State) -> tuple[State, State]:
        return self._left(*one, *flow), flow

    def right(self, two: State, older: float, effort: float, added: float) -> State:
        return self._right(*two, effort + added)


def _map(own: list[list[float]], inputs: list[list[float]], h: float) -> Callable[..., State]:
    """Return the exact step of a linear side for held inputs."""
    size = 2 + len(inputs[0])
    whole = np.zeros((size, size))
    whole[:2] = np.hstack([own, inputs])
    x, v = expm(whole * h)[:2].tolist()
    return lambda *values: State(sum(map(mul, x, values)), sum(map(mul, v, values)))
