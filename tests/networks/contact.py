"""Power bonds on plants with play, contact, hysteresis and friction: many of them side by side, in this process.

Mass 1 receives the effort and sends its velocity, or its displacement. Mass 2 receives that through a contact, and
sends the force of the contact. Plants move in numpy, all at once, in fine steps; each has its two couplings in the C
kernel.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, fields
from functools import lru_cache
from typing import Any

import numpy as np

from couplant.config import parse_interface
from couplant.pack.settings import runtime_settings
from couplant_runtime.guard import NO_STAMP
from tests.kernel.library import Kernel
from tests.networks.bonds import designed

PARTS = 24
"""Fine steps in a macro step, -."""
MOST = 30
"""Largest latency with jitter that there are designs for, macro steps."""
HOSTS = {"event": ("event", "reads_again"), "step": ("step", "reads_again"), "jacobi": ("step", "jacobi")}
ALGORITHMS = ("zoh", "foh", "smb", "eros3", "eros4", "designed", "irregular", "auto")
KINDS = LINEAR, PLAY, WALL, SLIP, STAGES = range(5)
"""Contacts: a spring, one with play, one that only pushes, one that slips, one with a soft and a stiff stage."""
FORCES = PUSH, SWING, SHOVE = range(3)
"""A pulse of (1 - cos)/2, a sine, a force that stays; each over `period`."""


@dataclass(frozen=True)
class Plant:
    """A plant and the network of its bond."""

    m1: float  # kg
    m2: float
    c1: float  # springs to the ground, N/m
    c2: float
    d1: float  # their dampers, N.s/m
    d2: float
    friction1: float  # N
    friction2: float
    stop: float  # way of mass 1 to a wall as stiff as the contact, m; infinite: none
    kind: int  # of the contact
    stiff: float  # N/m
    damp: float  # of the contact, N.s/m; with displacements 0
    gap: float  # play, way to the wall, way to slip or to the stiff stage, m
    force: float  # N
    shape: int  # of the force
    period: float  # macro steps
    step: float  # macro step, s
    displaced: int  # mass 1 sends its displacement
    host: str
    algorithm: str
    k: int
    jitter: int
    loss: float
    share: float  # of the largest kinetic energy, that is the budget
    seed: int


def draw(seed: int) -> Plant:
    """Return a plant drawn at random."""
    chance = random.Random(seed)
    one, uniform = chance.choice, chance.uniform
    step = one((0.01, 0.02, 0.05))
    m1, m2 = 10.0 ** uniform(-0.3, 0.7), 10.0 ** uniform(-0.3, 0.9)
    slow = [(10.0 ** uniform(-1.7, -0.9) / step) ** 2 for _ in range(2)]
    stiff = min(m1, m2) * (10.0 ** uniform(-0.9, -0.2) / step) ** 2
    displaced = int(chance.random() < 0.5)
    force = 10.0 ** uniform(-0.5, 1.0)
    way = force / (m1 * slow[0])  # by which the force moves mass 1 without mass 2, m
    rubs = [one((0.0, 0.02, 0.1)) * force for _ in range(2)]
    return Plant(
        m1,
        m2,
        m1 * slow[0],
        m2 * slow[1],
        *(0.04 * m * s**0.5 for m, s in zip((m1, m2), slow, strict=True)),
        *rubs,
        stop=uniform(0.2, 1.0) * way if chance.random() < 0.2 else float("inf"),
        kind=one(KINDS),
        stiff=stiff,
        damp=0.0 if displaced else one((0.0, 0.02, 0.2)) * (stiff * min(m1, m2)) ** 0.5,
        gap=10.0 ** uniform(-2.0, 0.0) * way,
        force=force,
        shape=one(FORCES),
        period=10.0 ** uniform(1.3, 2.3),
        step=step,
        displaced=displaced,
        host=one(sorted(HOSTS)),
        algorithm=one(ALGORITHMS),
        k=chance.randint(1, 20),
        jitter=one((0, 0, 2, 5)),
        loss=one((0.0, 0.0, 0.1, 0.3)),
        share=0.3 * one((0.5, 1.0, 2.0)),
        seed=seed,
    )


class Masses:
    """Both masses of all plants."""

    def __init__(self, plants: list[Plant]) -> None:
        for one in fields(Plant):
            values = [getattr(plant, one.name) for plant in plants]
            setattr(self, one.name, np.array(values))
        self.x1, self.v1, self.x2, self.v2, self.way, self.slipped = np.zeros((6, len(plants)))
        self.h = self.step / PARTS
        self.ports = np.zeros((2, len(plants)))  # true energy that the flow and the effort have given, J
        self.still = 2.0 * np.maximum(self.friction1 / self.m1, self.friction2 / self.m2) * self.h + 1e-9

    def flow(self):
        """Return what mass 1 sends."""
        return np.where(self.displaced, self.x1, self.v1)

    def contact(self, way, speed):
        """Return the force on mass 2 where it is given a `way` and, without displacements, a `speed`."""
        u = way - self.x2
        du = np.where(self.displaced, 0.0, speed - self.v2)
        inside = np.clip(u, -self.gap, self.gap)
        pressed = np.where(self.kind == WALL, np.maximum(u - self.gap, 0.0), u - inside)
        touching = self.stiff * pressed + self.damp * np.where(pressed != 0.0, du, 0.0)
        touching = np.where(touching * pressed > 0.0, touching, 0.0)
        slip = self.stiff * (0.7 * np.clip(u - self.slipped, -self.gap, self.gap) + 0.3 * u)
        stages = 0.2 * self.stiff * inside + self.stiff * pressed + 0.1 * self.damp * du
        kinds = [self.kind == LINEAR, self.kind == SLIP, self.kind == STAGES]
        return np.select(kinds, [self.stiff * u + self.damp * du, slip, stages], touching)

    def effort(self, given):
        """Return the force on mass 1 where mass 2 is given the flow."""
        return -self.contact(np.where(self.displaced, given, self.way), given)

    def slide(self) -> None:
        """Let what slips follow."""
        u = self.way - self.x2
        self.slipped = np.clip(self.slipped, u - self.gap, u + self.gap)

    def jump(self, to) -> None:
        """Move displacements to where the next ones begin, and book what that costs."""
        rise = np.where(self.displaced, to - self.way, 0.0) / PARTS
        for _ in range(PARTS):
            middle = self.contact(self.way + 0.5 * rise, 0.0)
            self.ports[0] += middle * rise
            self.way = self.way + rise
            self.slide()

    def outside(self, n: int, part: float):
        """Return the force from outside on mass 1."""
        turn = (n + part / PARTS) / self.period
        pulse = np.where((turn > 0.1) & (turn < 1.1), 0.5 - 0.5 * np.cos(2 * np.pi * (turn - 0.1)), 0.0)
        swing, shapes = np.sin(2 * np.pi * turn), [self.shape == PUSH, self.shape == SWING]
        return self.force * np.select(shapes, [pulse, swing], np.minimum(turn, 1.0))

    def move(self, n: int, given, rise, whole: bool = False) -> None:
        """Take a macro step with flow and effort as given; the `whole` plant has no coupling in it."""
        if not whole:
            self.jump(given[0])
        for j in range(PARTS):
            part = (j + 0.5) / PARTS
            flow, effort = given[0] + part * rise[0], given[1] + part * rise[1]
            speed = np.where(self.displaced, rise[0] / self.step, flow)
            self.drift(speed, whole)
            force = self.contact(self.way, self.v1 if whole else flow)
            effort = -force if whole else effort
            before = self.v1
            self.kick(n, j + 0.5, effort, force)
            self.drift(speed, whole)
            self.ports[0] += force * speed * self.h
            self.ports[1] += effort * 0.5 * (before + self.v1) * self.h

    def drift(self, speed, whole: bool) -> None:
        """Move for half a fine step."""
        self.x1 = self.x1 + 0.5 * self.h * self.v1
        self.x2 = self.x2 + 0.5 * self.h * self.v2
        self.way = self.x1 if whole else self.way + 0.5 * self.h * speed
        self.slide()

    def kick(self, n: int, part: float, effort, force) -> None:
        """Change the velocities as the forces of a fine step do."""
        rub1 = self.friction1 * np.clip(self.v1 / self.still, -1, 1)
        rub2 = self.friction2 * np.clip(self.v2 / self.still, -1, 1)
        wall = self.stiff * np.maximum(np.abs(self.x1) - self.stop, 0.0) * np.sign(self.x1)
        push1 = effort + self.outside(n, part) - self.c1 * self.x1 - self.d1 * self.v1 - rub1 - wall
        push2 = force - self.c2 * self.x2 - self.d2 * self.v2 - rub2
        self.v1 = self.v1 + self.h / self.m1 * push1
        self.v2 = self.v2 + self.h / self.m2 * push2

    def kinetic(self):
        """Return the kinetic energy, J."""
        return 0.5 * (self.m1 * self.v1**2 + self.m2 * self.v2**2)


@lru_cache(maxsize=4096)
def settings(algorithm: str, k: int, jitter: int, stamped: bool, host: str, signal: str, displaced: int):
    """Return the runtime settings of `v` or `f`, whose macro step and budget are set later."""
    timing, kind = HOSTS[host]
    late = float(host == "jacobi" and signal == "v")
    latency: dict[str, Any] = {"mode": "stamps"} if stamped else {"mode": "constant", "constant_steps": k}
    chosen: Any = algorithm
    if algorithm == "designed":
        at = k + int(late)
        steps = range(at, min(at + jitter + MOST, 64) + 1)
        rows = [{**designed(min(i, at + jitter), timing), "steps": i} for i in steps]
        chosen = {"selected": "linear", **({"table": rows} if stamped else rows[0])}
    one = {"algorithm": chosen, "latency": latency | {"host_lead": late}}
    flow_is = "displacement" if displaced else "velocity"
    shaft = {"effort": "f", "flow": "v", "flow_is": flow_is, "budget": 1.0}
    common = {"name": "i", "macro_step": 0.02, "timing": timing, "host": kind}
    document = {"interface": common, "signals": {"v": one, "f": one}, "bonds": {"shaft": shaft}}
    return runtime_settings(parse_interface(document, "test"), signal)


def coupling(plant: Plant, budget: float, signal: str, known: float) -> Kernel:
    """Return the initialised coupling of `v` or `f`, told `known` times the stiffness of the contact."""
    stamped = bool(plant.jitter or plant.loss or plant.algorithm in ("irregular", "auto"))
    chosen = settings(plant.algorithm, plant.k, plant.jitter, stamped, plant.host, signal, plant.displaced)
    kernel, variables = Kernel(chosen), {variable.name: variable for variable in chosen.variables()}
    told = {"macro_step": plant.step, "energy.budget": budget, "energy.stiffness": known * plant.stiff}
    for name, value in told.items():
        kernel.set(variables[name], value, False)
    kernel.init(0.0)
    return kernel


def arrivals(plant: Plant, signal: int, count: int) -> list[int]:
    """Return for each macro step the newest message that has arrived, -1: none."""
    chance = random.Random(2 * plant.seed + signal)
    newest = np.full(count, -1)
    for n in range(count):
        at = n + plant.k + chance.randint(0, plant.jitter)
        if chance.random() >= plant.loss and at < count:
            newest[at] = max(newest[at], n)
    return np.maximum.accumulate(newest).tolist()


@dataclass
class Outcome:
    """What came of the runs, in budgets: energy created as booked and in truth; `kinetic` over that without latency."""

    booked: np.ndarray
    true: np.ndarray
    kinetic: np.ndarray
    error: np.ndarray


def whole(plants: list[Plant], count: int):
    """Return flow and effort without latency, shape (count, 2, N), and the largest kinetic energy [J]."""
    masses, largest, rows = Masses(plants), np.zeros(len(plants)), []
    none = np.zeros((2, len(plants)))
    for n in range(count):
        masses.way = masses.x1
        flow = masses.flow()
        rows.append((flow, masses.effort(flow)))
        masses.move(n, none, none, whole=True)
        largest = np.maximum(largest, masses.kinetic())
    return np.array(rows), largest


class Loops:
    """The plants with their couplings, of v and f; messages are late, lost and out of order as their plants say."""

    def __init__(self, plants: list[Plant], budgets, known: float, count: int) -> None:
        self.plants, self.masses = plants, Masses(plants)
        pairs = list(zip(plants, budgets.tolist(), strict=True))
        self.ends = [[coupling(plant, budget, signal, known) for plant, budget in pairs] for signal in "vf"]
        self.newest = [[arrivals(plant, i, count) for plant in plants] for i in (0, 1)]
        self.sent: list[list[list]] = [[[] for _ in plants], [[] for _ in plants]]
        self.event, self.jacobi = (np.array([p.host == host for p in plants]) for host in ("event", "jacobi"))
        self.now, self.before, self.rise = np.zeros((3, 2, len(plants)))

    def hear(self, i: int, p: int, n: int, value: float) -> None:
        """Send a value of plant p with what its end tells, and hand over the newest that has arrived."""
        far, near = self.ends[1 - i][p].state, self.ends[i][p].state
        far.bond.conjugate = value
        self.sent[i][p].append((value, far.energy.given, far.energy.passed, far.energy.booked))
        at = self.newest[i][p][n]
        near.input.y_valid = int(at >= 0)
        near.input.y_time = at * self.plants[p].step if at >= 0 else NO_STAMP
        if at >= 0:
            bond = near.bond
            near.input.y, bond.far_given, bond.far_passed, bond.far_time = self.sent[i][p][at]

    def step(self, n: int):
        """Take a macro step; return flow and effort given out in it, and the energies booked, each (2, N)."""
        self.rise[:] = 0.0
        for i in (0, 1):
            late = np.where(self.jacobi, self.before[0], self.now[0])
            values = self.masses.flow() if i == 0 else self.masses.effort(late)
            for p, value in enumerate(values.tolist()):
                self.hear(i, p, n, value)
                if self.event[p]:
                    seen = self.ends[i][p].preview(True)
                    self.now[i, p], self.rise[i, p] = seen.reconstruction.y_hat, seen.algorithm.slope
        given, booked = self.now.copy(), np.zeros_like(self.now)
        for i, p in np.ndindex(*given.shape):
            end, step = self.ends[i][p], self.plants[p].step
            end.step(n * step, step)
            booked[i, p] = end.state.energy.given
            if not self.event[p]:
                self.now[i, p] = end.state.reconstruction.y_hat
        self.before = given
        self.masses.move(n, given, self.rise)
        return given, booked


def simulate(plants: list[Plant], count: int = 500, known: float = 0.0, guard: bool = True) -> Outcome:
    """Return what comes of the plants; `known` is the stiffness told over the true one, 0: none."""
    rows, kinetic = whole(plants, count)
    allowed = np.array([plant.share for plant in plants]) * kinetic
    loops = Loops(plants, allowed if guard else 0.0 * allowed, known, count)
    given, booked, true = np.zeros((3, count, 2, len(plants)))
    largest = np.zeros(len(plants))
    for n in range(count):
        given[n], booked[n] = loops.step(n)
        true[n] = loops.masses.ports
        largest = np.maximum(largest, loops.masses.kinetic())
    flow_end = np.where(loops.event, booked[1:, 0], booked[:-1, 0])  # in event timing it books a step later
    created = (flow_end + booked[:-1, 1]).max(axis=0)
    scale = np.abs(rows).max(axis=0)
    scale = np.where(scale > 0.0, scale, 1.0)
    error = (np.abs(given - rows) / scale).mean(axis=0).sum(axis=0)
    return Outcome(created / allowed, true.sum(axis=1).max(axis=0) / allowed, largest / kinetic, error)
