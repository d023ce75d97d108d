"""The stage `energy` on the oscillators of example 08: two exact sides, force and displacement, no other algorithm.

Expected are figures of an independent simulator in numpy with another form of the take-back.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import pytest
from scipy.linalg import expm

from couplant.config import parse_interface
from couplant.pack.settings import runtime_settings
from tests.kernel.library import Kernel, needs_compiler

SPEED = 100.0
K1, KC, K2 = 10.0, 100.0, 1000.0

pytestmark = needs_compiler


@dataclass(frozen=True)
class Case:
    """How the sides are coupled: `late` steps in each direction; in a `jacobi` loop the force is one more step old."""

    late: int = 0
    mass_2: float = 1.0
    step: float = 1e-3
    jacobi: bool = False


@lru_cache
def settings(case, signal, take_back):
    one = {"algorithm": "zoh", "latency": {"mode": "constant", "constant_steps": case.late}}
    common = {"name": "i", "macro_step": case.step}
    common |= {"timing": "step", "host": "jacobi"} if case.jacobi else {"timing": "event", "host": "reads_again"}
    bond = {"effort": "f", "flow": "x", "take_back": take_back, "source": "bond"}
    document = {"interface": common, "signals": {"x": one, "f": one}, "bonds": {"spring": bond}}
    return runtime_settings(parse_interface(document, "test"), signal)


def exact(A, B, step):
    whole = np.zeros((3, 3))
    whole[:2, :2], whole[:2, 2] = A, B
    return expm(whole * step)[:2]


class End:
    """The coupling of one signal at its receiver, and what has been sent to it."""

    def __init__(self, case, signal, take_back):
        self.case, self.kernel = case, Kernel(settings(case, signal, take_back))
        self.kernel.init(0.0)
        self.sent = []

    def tell(self):
        e = self.kernel.state.energy
        return e.given, e.passed, e.booked

    def hear(self, n, value, told, conjugate):
        """Take in what was sent `late` steps ago."""
        self.sent.append((value, told))
        value, told = self.sent[max(n - self.case.late, 0)]
        s, bond = self.kernel.state.input, self.kernel.state.bond
        s.y_valid, s.y, bond.conjugate = 1, value, conjugate
        bond.far_given, bond.far_passed, bond.far_time = told

    def look(self):
        return self.kernel.preview(True).reconstruction.y_hat

    def step(self, n):
        self.kernel.step(n * self.case.step, self.case.step)
        return self.kernel.state.reconstruction.y_hat


def in_event_timing(flow, effort, n, state, x, held):
    """Return motion and force for the step: the force follows the motion at once."""
    told = flow.tell(), effort.tell()
    flow.hear(n, x, told[1], 0.0)
    given = flow.look()
    f = KC * (state - given)
    flow.kernel.state.bond.conjugate = f
    effort.hear(n, f, told[0], x)
    received = effort.look()
    flow.step(n)
    effort.step(n)
    return given, received, f


def in_a_jacobi_loop(flow, effort, n, state, x, held):
    """Return motion and force for the step: the couplings have had their turn just before it, so nothing is late."""
    f = KC * (state - held[0])
    told = flow.tell(), effort.tell()
    flow.hear(n, x, told[1], held[1])
    effort.hear(n, f, told[0], held[2])
    return flow.step(n), effort.step(n), f


def left_over(case, take_back):
    """Return the mean energy of the last second over that at the start."""
    flow, effort = End(case, "x", take_back), End(case, "f", take_back)
    left = exact([[0.0, 1.0], [-(K1 + KC), 0.0]], [0.0, KC], case.step)
    right = exact([[0.0, 1.0], [-K2 / case.mass_2, 0.0]], [0.0, 1.0 / case.mass_2], case.step)
    a, b, held = np.array([0.0, SPEED]), np.array([0.0, -SPEED]), (0.0, 0.0, 0.0)
    energies = np.zeros(round(10.0 / case.step))
    exchange = in_a_jacobi_loop if case.jacobi else in_event_timing
    for n in range(len(energies)):
        given, received, f = exchange(flow, effort, n, a[0], b[0], held)
        held = given, f, b[0]
        a, b = left @ [*a, given], right @ [*b, received]
        energies[n] = a[1] ** 2 + K1 * a[0] ** 2 + case.mass_2 * b[1] ** 2 + K2 * b[0] ** 2 + KC * (a[0] - b[0]) ** 2
    return energies[-round(1.0 / case.step) :].mean() / ((1.0 + case.mass_2) * SPEED**2)


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    ("case", "none", "taken"),
    [
        (Case(), 1.420, 1.013),
        (Case(mass_2=0.1), 14.49, 0.973),
        (Case(jacobi=True), 3.068, 0.995),
        (Case(late=1), 8.638, 1.025),
        (Case(late=3), 498.3, 1.054),
        (Case(step=5e-3), 10.27, 1.18),
    ],
)
def test_the_take_back_leaves_the_energy_of_the_start(case, none, taken):
    assert left_over(case, 0.0) == pytest.approx(none, rel=1e-3)
    assert left_over(case, 0.02) == pytest.approx(taken, abs=0.02)


def test_longer_lateness_needs_no_other_setting():
    """Without take-back the energy grows beyond all bounds, with it it stays within a fifth."""
    assert left_over(Case(late=8), 0.02) == pytest.approx(1.0, abs=0.2)
