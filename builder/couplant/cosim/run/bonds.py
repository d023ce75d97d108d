"""Power bonds of a direct run: the power they carry and the energy that holding inputs creates.

Over a step of length h the receiver of the effort e has its value at the beginning and shows the flow f' at the end; at
the other end it is the other way round. So the coupling has given out, and thereby created,

    dE = sign (e f' - e' f) h

which is (10) of Sadjina, Kyllingstad, Skjong and Pedersen, Energy conservation and power bonds in co-simulations, 2016.
Inputs and outputs in (8b) are those before the exchange; with (20) as printed there, in which both components have the
same force, the sum has the wrong sign: the force on one is minus that on the other.

Where the flow is given as a displacement x, the receiver of the effort has taken e (x' - x); that of x, which holds it,
was moved by x - x_before when the step began, against (e + e')/2:

    dE = sign (e (x' - x) - (e + e')/2 (x - x_before))
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from couplant.config.bonds import DISPLACEMENT
from couplant.config.scenario import Scenario
from couplant.cosim.run.exchange import Exchange
from couplant.cosim.traces import BondTrace
from couplant.cosim.wiring.order import Value


@dataclass
class Bond:
    """One power bond; what is held back in it is noted step by step."""

    effort: int  # place of the effort in the values of the exchange
    flow: int  # place of the flow
    sign: int
    scale: float  # E0, J
    tolerance: float  # r, -
    displaced: bool = False  # the flow is given as a displacement
    held: float | None = None  # displacement before the last one, signal unit
    power: list[float] = field(default_factory=list)  # sign e' f' at the end of each step, W
    given_effort: list[float] = field(default_factory=list)  # energy given to the receiver of the effort in a step, J
    given_flow: list[float] = field(default_factory=list)  # energy given to the receiver of the flow in a step, J

    def note(self, before: Sequence[float], after: Sequence[float], h: float) -> float:
        """Note a step of the length `h` [s]; return its residual over what is tolerated, a term of (14) [-].

        `before` are the values that inputs had in the step, `after` the outputs at its end.
        """
        e, reached = before[self.effort], after[self.effort]
        speed, force, way = self._motion(before, after, h)
        self.power.append(self.sign * reached * speed)
        self.given_effort.append(self.sign * e * speed * h)
        self.given_flow.append(-self.sign * force * way)
        created = self.given_effort[-1] + self.given_flow[-1]
        return created / (self.tolerance * (self.scale + abs(self.power[-1] * h)))

    def _motion(self, before: Sequence[float], after: Sequence[float], h: float) -> tuple[float, float, float]:
        """Return the velocity that a step has led to, and the effort and the way at the receiver of the flow."""
        e, f, reached = before[self.effort], before[self.flow], after[self.effort]
        if not self.displaced:
            return after[self.flow], reached, f * h
        last, self.held = self.held, f
        return (after[self.flow] - f) / h, 0.5 * (e + reached), 0.0 if last is None else f - last


class Bonds:
    """All power bonds of a direct run, by name."""

    def __init__(self, bonds: Mapping[str, Bond]) -> None:
        self._bonds = bonds
        self._steps: list[float] = []

    def note(self, before: Sequence[float], after: Sequence[float], h: float) -> float:
        """Note a step as `Bond.note` does; return the error indicator (14), rms over the bonds [-]."""
        self._steps.append(h)
        terms = [bond.note(before, after, h) for bond in self._bonds.values()]
        return math.sqrt(sum(term * term for term in terms) / len(terms)) if terms else 0.0

    def traces(self, t_0: float) -> dict[str, BondTrace]:
        """Return the notes since `t_0` [s], by bond."""
        step = np.array(self._steps)
        time = t_0 + np.cumsum(step)
        found = {}
        for name, bond in self._bonds.items():
            given = (np.array(bond.given_effort), np.array(bond.given_flow))
            found[name] = BondTrace(name, time, step, np.array(bond.power), *given)
        return found


def bonds_of(scenario: Scenario, exchange: Exchange) -> Bonds:
    """Return the bonds of a scenario, whose signals an `exchange` has."""
    found = {}
    for name, table in scenario.bonds.items():
        effort, flow = (exchange.slot(Value(scenario.signals[one].source)) for one in (table.effort, table.flow))
        # without a controller there is nothing to tolerate: 1
        tolerance = table.tolerance or scenario.steps_table.tolerance or 1.0
        found[name] = Bond(effort, flow, table.sign, table.scale or 1.0, tolerance, table.flow_is == DISPLACEMENT)
    return Bonds(found)
