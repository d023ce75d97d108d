"""A shaft: the power bond of an effort and a flow in this process, on plants of any size and in all hosts.

Mass 1 receives the effort and sends its velocity, or its displacement. Mass 2, behind a spring and a damper, receives
that. Displacements have no damper between the masses.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np
from scipy.linalg import expm

from couplant.config import parse_interface
from couplant.pack.settings import runtime_settings
from tests.kernel.library import Kernel
from tests.networks.bonds import designed

STEP, COUNT = 0.02, 800
HOSTS = {"event": ("event", "reads_again"), "step": ("step", "reads_again"), "jacobi": ("step", "jacobi")}


def pulse(t: float) -> tuple[float, float]:
    """Return the forces on both masses: (1 - cos)/2 on the first one, from 1 s to 1.5 s."""
    return (0.5 * (1.0 - math.cos(4.0 * math.pi * t)) if 1.0 <= t <= 1.5 else 0.0), 0.0


def drive(t: float) -> tuple[float, float]:
    """Return a torque that drives, and a load from 5 s on: mean power passes the bond."""
    return min(5.0, 10.0 * t), -1.5 if t > 5.0 else 0.0


@dataclass(frozen=True)
class Shaft:
    """Masses [kg], springs of mass 1, between and of mass 2 [N/m], dampers likewise [N.s/m], forces [N]."""

    m: tuple[float, float]
    c: tuple[float, float, float]
    d: tuple[float, float, float]
    forces: Callable[[float], tuple[float, float]] = pulse
    displaced: bool = False


@dataclass(frozen=True)
class Run:
    """A run of the shaft; `bond` holds the keys of the bond."""

    shaft: Shaft
    algorithm: str
    k: int
    host: str
    bond: tuple[tuple[str, Any], ...] = field(default=())


def exact(A: list, B: list):
    """Return the map of state, inputs at the start of a step and their changes over it."""
    nx, nu = np.shape(B)
    whole = np.zeros((nx + 2 * nu,) * 2)
    whole[:nx, :nx], whole[:nx, nx : nx + nu] = A, B
    whole[nx : nx + nu, nx + nu :] = np.eye(nu) / STEP
    return expm(whole * STEP)[:nx]


class Masses:
    """Both masses; the third state of the second one is the way of the velocity, or the displacement, it receives."""

    def __init__(self, shaft: Shaft) -> None:
        (m1, m2), (c1, cc, c2), (d1, dc, d2) = shaft.m, shaft.c, shaft.d
        self.shaft, self.x, self.z = shaft, np.zeros(2), np.zeros(3)
        self.first = exact([[0, 1], [-c1 / m1, -d1 / m1]], [[0], [1 / m1]])
        way, of_flow, to_way = (0.0, cc, 0) if shaft.displaced else (cc, dc, 1)
        second = [[0, 1, 0], [-(c2 + cc) / m2, -(d2 + dc) / m2, way / m2], [0, 0, 0]]
        self.second = exact(second, [[0, 0], [of_flow / m2, 1 / m2], [to_way, 0]])

    def flow(self) -> float:
        """Return the velocity, or the displacement, of mass 1."""
        return float(self.x[0 if self.shaft.displaced else 1])

    def effort(self, flow: float) -> float:
        """Return the force on mass 1 where mass 2 is given the `flow`."""
        if self.shaft.displaced:
            return float(self.shaft.c[1] * (self.z[0] - flow))
        return float(self.shaft.c[1] * (self.z[0] - self.z[2]) + self.shaft.d[1] * (self.z[1] - flow))

    def move(self, n: int, given, rise) -> None:
        """Take a step with flow and effort that are `given` at its start and rise by `rise` over it."""
        start, end = self.shaft.forces(n * STEP), self.shaft.forces((n + 1) * STEP)
        self.x = self.first @ np.array([*self.x, given[1] + start[0], rise[1] + end[0] - start[0]])
        self.z = self.second @ np.array([*self.z, given[0], start[1], rise[0], end[1] - start[1]])
        if self.shaft.displaced:
            self.z[2] = given[0] + rise[0]

    def energy(self) -> float:
        """Return kinetic energy and that of the springs, J."""
        (m1, m2), (c1, cc, c2), x, z = self.shaft.m, self.shaft.c, self.x, self.z
        moving = m1 * x[1] ** 2 + m2 * z[1] ** 2
        return float(0.5 * (moving + c1 * x[0] ** 2 + c2 * z[0] ** 2 + cc * (z[0] - z[2]) ** 2))


def coupling(run: Run, signal: str) -> Kernel:
    """Return the initialised coupling of `v` or `f`."""
    timing, host = HOSTS[run.host]
    late = float(host == "jacobi" and signal == "v")
    algorithm: Any = run.algorithm
    if algorithm == "designed":
        algorithm = {"selected": "linear", **designed(run.k + int(late), timing)}
    one = {"algorithm": algorithm, "latency": {"constant_steps": run.k, "host_lead": late}}
    flow_is = "displacement" if run.shaft.displaced else "velocity"
    shaft = {"effort": "f", "flow": "v", "flow_is": flow_is, **dict(run.bond)}
    common = {"name": "i", "macro_step": STEP, "timing": timing, "host": host}
    document = {"interface": common, "signals": {"v": one, "f": one}, "bonds": {"shaft": shaft}}
    kernel = Kernel(runtime_settings(parse_interface(document, "test"), signal))
    kernel.init(0.0)
    return kernel


class Loop:
    """The shaft with its couplings, of v and f; values and messages are k steps late."""

    def __init__(self, run: Run) -> None:
        self.run, self.masses = run, Masses(run.shaft)
        self.ends = [coupling(run, "v"), coupling(run, "f")]
        self.sent: tuple[list[tuple[float, ...]], list[tuple[float, ...]]] = ([], [])
        self.now, self.before = np.zeros(2), np.zeros(2)

    def hear(self, i: int, n: int, value: float) -> None:
        """Send a value with what its end of the bond tells, and hand over what arrives."""
        far, state = self.ends[1 - i].state.energy, self.ends[i].state
        self.sent[i].append((value, far.given, far.passed, far.booked))
        state.input.y_valid = n >= self.run.k
        if n >= self.run.k:
            bond = state.bond
            state.input.y, bond.far_given, bond.far_passed, bond.far_time = self.sent[i][n - self.run.k]

    def step(self, n: int):
        """Return flow and effort given out in macro step n, after it."""
        event, rise = self.run.host == "event", np.zeros(2)
        for i in (0, 1):
            late = self.before if self.run.host == "jacobi" else self.now
            value = self.masses.flow() if i == 0 else self.masses.effort(late[0])
            self.ends[1 - i].state.bond.conjugate = value
            self.hear(i, n, value)
            if event:
                seen = self.ends[i].preview(True)
                self.now[i], rise[i] = seen.reconstruction.y_hat, seen.algorithm.slope
        given = self.now.copy()
        for end in self.ends:
            end.step(n * STEP, STEP)
        self.before = given
        if not event:
            self.now = np.array([end.state.reconstruction.y_hat for end in self.ends])
        self.masses.move(n, given, rise)
        return given


@lru_cache
def whole(shaft: Shaft):
    """Return flow and effort without latency, shape (COUNT, 2), and the largest energy [J], with fine steps."""
    parts, masses, rows, largest = 50, Masses(shaft), np.zeros((COUNT, 2)), 0.0
    (m1, m2), (c1, cc, c2), (d1, dc, d2) = shaft.m, shaft.c, shaft.d
    A = np.zeros((4, 4))
    A[0, 1] = A[2, 3] = 1.0
    A[1] = np.array([-(c1 + cc), -(d1 + dc), cc, dc]) / m1
    A[3] = np.array([cc, dc, -(c2 + cc), -(d2 + dc)]) / m2
    forces = np.array([[0, 0], [1 / m1, 0], [0, 0], [0, 1 / m2]])
    fine = expm(np.block([[A, forces], [np.zeros((2, 6))]]) * STEP / parts)
    state = np.zeros(4)
    for n in range(COUNT):
        masses.x, masses.z = state[:2], np.array([*state[2:], state[0]])
        rows[n], largest = (masses.flow(), masses.effort(masses.flow())), max(largest, masses.energy())
        for j in range(parts):
            state = (fine @ np.array([*state, *shaft.forces((n + (j + 0.5) / parts) * STEP)]))[:4]
    return rows, largest


def simulate(run: Run) -> tuple[float, float, float]:
    """Return mean error in largest values, largest energy over that without latency, largest energy created [J]."""
    loop, given, booked, largest = Loop(run), np.zeros((COUNT, 2)), np.zeros((COUNT, 2)), 0.0
    for n in range(COUNT):
        given[n] = loop.step(n)
        booked[n] = [end.state.energy.given for end in loop.ends]
        largest = max(largest, loop.masses.energy())
    late = int(run.host == "event")  # the end of v books a step later
    created = float((booked[late:, 0] + booked[: COUNT - late, 1]).max())
    rows, energy = whole(run.shaft)
    return float((np.abs(given - rows) / np.abs(rows).max(axis=0)).mean(axis=0).sum()), largest / energy, created
