"""The two-mass oscillator with the power bond of f and x1, in both timings, in this process.

Mass 1 receives the force and sends its displacement, mass 2 the other way round. The velocity v1 is coupled beside the
bond. Messages of the ends of the bond go with the signal that leaves from there, through the same network.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np
from scipy.linalg import expm

from couplant.config import parse_interface
from couplant.design import DesignTask, design
from couplant.pack.settings import runtime_settings
from tests.kernel.library import Kernel
from tests.networks.loop import (
    C1,
    C2,
    CC,
    COUNT,
    D1,
    D2,
    DC,
    M1,
    M2,
    MASS_1,
    MASS_2,
    OF_MASS_1,
    STEP,
    Link,
    Network,
    OnKernel,
    force_at,
    reference,
    with_inputs,
)

BUDGET = 0.0091
"""Three tenths of the largest mechanical energy of the undelayed run with one force, J."""
STOP = -1.0
"""Where mass 1 bounces off with `stop`, m."""
PARTS = 20
"""Times in a macro step at which that is looked for, -."""
FINE = expm(with_inputs(*OF_MASS_1) * STEP / PARTS)
LATE = {"reads_again": (0.0, 0.0, 0.0), "jacobi": (1.0, 1.0, 0.0)}
X1, V1, F = range(3)


@dataclass(frozen=True)
class Run:
    """A run of the oscillator: `ladder` after jumps; `bond` holds the keys of the bond, nothing: without."""

    algorithm: str
    k: int
    timing: str = "step"
    jitter: int = 0
    loss: float = 0.0
    both: bool = False
    host: str = "reads_again"
    seed: int = 1
    stop: bool = False
    ladder: bool = False
    bond: tuple[tuple[str, Any], ...] = field(default=())


@dataclass
class Outcome:
    """What came of a run: energies in J."""

    mae: float
    largest: float  # mechanical energy over the largest of the undelayed run
    created: float  # largest energy that the coupling had created at any time
    growth: float
    ends: tuple[Any, Any]  # states of the receivers of x1 and f


@lru_cache
def designed(k: int, timing: str) -> dict[str, Any]:
    """Return the weights of a design for one latency."""
    one = design(DesignTask(STEP, k, (0.5, 12.0), timing)).algorithm
    return {"steps": k, "a": list(one.a), "A": list(one.A)}


@lru_cache
def settings(run: Run, signal: int):
    """Return the runtime settings of a signal."""
    stamped = run.jitter or run.loss or run.algorithm in ("irregular", "auto")
    latency: dict[str, Any] = {"mode": "stamps"} if stamped else {"mode": "constant", "constant_steps": run.k}
    latency["host_lead"] = LATE[run.host][signal]
    algorithm: Any = run.algorithm
    if algorithm == "designed":
        late = int(LATE[run.host][signal])
        steps = range(run.k + late, run.k + late + (run.jitter + 30 if stamped else 0) + 1)
        rows = [designed(min(k, run.k + late + run.jitter), run.timing) | {"steps": k} for k in steps if k <= 64]
        algorithm = {"selected": "linear", **({"table": rows} if stamped else rows[0])}
    one = {"algorithm": algorithm, "latency": latency, "discontinuity": {"enabled": run.ladder}}
    bonds = {"bonds": {"shaft": {"effort": "f", "flow": "x1", **dict(run.bond)}}} if run.bond else {}
    common = {"name": "i", "macro_step": STEP, "timing": run.timing, "host": run.host}
    document = {"interface": common, "signals": {name: one for name in ("x1", "v1", "f")}, **bonds}
    return runtime_settings(parse_interface(document, "test"), ("x1", "v1", "f")[signal])


class Coupling(OnKernel):
    """The C kernel on one signal; tests/twin holds that the Python runtime gives the same bits."""

    def __init__(self, run: Run, signal: int) -> None:
        chosen = settings(run, signal)
        self.kernel, self.bonded = Kernel(chosen), chosen.bonded
        self.kernel.init(0.0)

    def hear(self, messages: list[tuple[int, tuple[float, ...]]]) -> None:
        """Set what has arrived: the value and what the far end of the bond tells."""
        given = self.kernel.state.input
        given.y_valid = 1
        if not messages:
            given.y_time = -1.7976931348623157e308
            return
        sent, (given.y, *energy) = messages[0]
        given.y_time = sent * STEP
        if energy:
            bond = self.kernel.state.bond
            bond.far_given, bond.far_passed, bond.far_time = energy

    def sense(self, conjugate: float) -> None:
        """Set what this end sends, if it is the end of a bond."""
        if self.bonded:
            self.kernel.state.bond.conjugate = conjugate

    def given(self) -> float:
        """Return the energy given out, 0 without a bond. [J]"""
        return self.kernel.state.energy.given if self.bonded else 0.0

    def tell(self) -> tuple[float, ...]:
        """Return what this end tells the other one."""
        e = self.kernel.state.energy
        return e.given, e.passed, e.booked


def simulate(run: Run, count: int = COUNT) -> Outcome:
    """Return what comes of a run."""
    couplings = [Coupling(run, i) for i in range(3)]
    links = [Link(Network(run.k, run.k + run.jitter, run.loss), 100 * run.seed + i) for i in range(3)]
    loop = _event if run.timing == "event" else _step
    given, energies, booked = loop(run, couplings, links, count)
    late = int(run.timing == "event")  # the end of x1 books a step later
    total = booked[: count - late, 0] + booked[late:, 1]
    last, earlier = given[-251:], given[-501:-250]
    with np.errstate(over="ignore", invalid="ignore"):
        return Outcome(
            float(np.abs(given - reference(run.both, count)).mean(axis=0).sum()),
            float(energies.max() / largest_energy(run.both, run.stop, count)),
            float(total.max()),
            float(np.sqrt((last**2).mean() / (earlier**2).mean())),
            tuple(couplings[i].kernel.state.energy for i in (X1, F) if couplings[i].bonded),
        )


def _sent(run: Run, couplings: list[Coupling], i: int, value: float) -> tuple[float, ...]:
    """Return the message of a signal: at the end where f is received x1 leaves, and the other way round."""
    if not run.bond or i == V1:
        return (value,)
    return value, *couplings[F if i == X1 else X1].tell()


def _step(run: Run, couplings: list[Coupling], links: list[Link], count: int):
    x, z, now, before = np.zeros(2), np.zeros(2), np.zeros(3), np.zeros(3)
    given, energies, booked = np.zeros((count, 3)), np.zeros(count), np.zeros((count, 2))
    for n in range(count):
        given[n] = now
        there = now if run.host == "reads_again" else before
        f = CC * (z[0] - there[0]) + DC * (z[1] - there[1])
        messages = [links[i].pass_on(n, _sent(run, couplings, i, y)) for i, y in enumerate((*x, f))]
        before, now = now, np.zeros(3)
        for i, coupling in enumerate(couplings):
            coupling.hear(messages[i])
            coupling.sense((f, 0.0, x[0])[i])
            now[i] = coupling.step(n)
        booked[n] = [couplings[i].given() for i in (F, X1)]
        force = forces(run, n)
        x = mass_1(run, np.concatenate([x, before[2:], [0.0], force]))
        z = MASS_2 @ np.concatenate([z, before[:2], [0.0, 0.0], force if run.both else [0.0] * 3])
        energies[n] = energy_of(x, z)
    return given, energies, booked


def _event(run: Run, couplings: list[Coupling], links: list[Link], count: int):
    x, z, slope = np.zeros(2), np.zeros(2), np.zeros(3)
    given, energies, booked = np.zeros((count, 3)), np.zeros(count), np.zeros((count, 2))
    for n in range(count):
        for i in (X1, V1, F):
            f = CC * (z[0] - given[n, 0]) + DC * (z[1] - given[n, 1])
            couplings[i].hear(links[i].pass_on(n, _sent(run, couplings, i, (*x, f)[i])))
            couplings[i].sense(x[0] if i == F else 0.0)
            given[n, i], slope[i] = couplings[i].look()
        couplings[X1].sense(CC * (z[0] - given[n, 0]) + DC * (z[1] - given[n, 1]))
        for coupling in couplings:
            coupling.step(n)
        booked[n] = [couplings[i].given() for i in (F, X1)]
        force = forces(run, n)
        x = mass_1(run, np.concatenate([x, given[n, 2:], slope[2:], force]))
        z = MASS_2 @ np.concatenate([z, given[n, :2], slope[:2], force if run.both else [0.0] * 3])
        energies[n] = energy_of(x, z)
    return given, energies, booked


def forces(run: Run, n: int) -> list[float]:
    """Return the force on mass 1, twelve times as large where there is a stop."""
    return [12.0 * part if run.stop else part for part in force_at(n)]


def mass_1(run: Run, x):
    """Return the state of mass 1 after a step; it bounces off the stop without loss, where that is looked for."""
    if not run.stop:
        return MASS_1 @ x
    for _ in range(PARTS):
        x = bounced(FINE @ x)
    return x[:2]


def bounced(x):
    """Turn the velocity of mass 1 where it has come to the stop."""
    if x[0] < STOP and x[1] < 0.0:
        x[1] = -x[1]
    return x


def energy_of(x, z) -> float:
    """Return the mechanical energy of both masses, J."""
    return float(0.5 * (M1 * x[1] ** 2 + C1 * x[0] ** 2 + M2 * z[1] ** 2 + C2 * z[0] ** 2 + CC * (z[0] - x[0]) ** 2))


@lru_cache
def largest_energy(both: bool, stop: bool = False, count: int = COUNT) -> float:
    """Return the largest mechanical energy of the run without latency, J."""
    A = np.zeros((4, 4))
    A[0, 1] = A[2, 3] = 1.0
    A[1] = np.array([-(C1 + CC), -(D1 + DC), CC, DC]) / M1
    A[3] = np.array([CC, DC, -(C2 + CC), -(D2 + DC)]) / M2
    matrix = with_inputs(A, np.zeros((4, 1)), np.array([0, 1 / M1, 0, both / M2]))
    fine, x, largest = expm(matrix * STEP / PARTS), np.zeros(4), 0.0
    for n in range(count):
        whole = np.concatenate([x, [0.0, 0.0], forces(Run("zoh", 0, stop=stop), n)])
        for _ in range(PARTS):
            whole = bounced(fine @ whole) if stop else fine @ whole
        x = whole[:4]
        largest = max(largest, energy_of(x[:2], x[2:]))
    return largest
