"""Weights of signals and their derivatives together, for a known plant: the loop chooses what is taken for granted."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np

from couplant.analysis.algorithms import BAND, LinearAlgorithm, Prior, hermite, lead_by
from couplant.analysis.macro_map import macro_map
from couplant.analysis.stability import stability
from couplant.analysis.system import System, scatter
from couplant.base.errors import UsageError
from couplant.base.grid import latency_in_steps
from couplant.design.closed_loop import LEADS, Robustness, error_of_modes, ideal_modes, mode_error

PRIORS = tuple(
    Prior(m, degree, noise, rough)
    for degree, m, noise, rough in product((2, 3, 1), (3, 5), (1e-4, 1e-3, 1e-2), (1e-6, 1e-5, 1e-4, 1e-3))
)
"""What is tried, lines only where nothing else keeps all plants stable: slow courses go wrong with them."""

SLOWEST = 0.97
"""Radius of the modes that come with weights, above which others are taken first: small doubts make them unstable."""


@dataclass(frozen=True)
class Joint:
    """Weights that a plant was asked about."""

    prior: Prior  # what they take for granted
    lead: float  # lead for the hold of the receiver, 0 in event timing, macro steps
    algorithm: LinearAlgorithm  # the weights, at the latency of the connections with all leads
    robustness: Robustness  # how they fare on the plant


def joint_design(
    system: System, leads: Sequence[float] | None = None, *, count: int = 100, spread: float = 0.05, seed: int = 0
) -> Joint:
    """Return the weights for all connections of a system that have a derivative, at their latency with their lead.

    The others keep their algorithms. The weights keep all scattered plants stable, else as many as any; of those they
    have the least product of the squared error of the modes, up to the end of the usual band, and of the gain for
    noise; what they add to the modes dies out soon, where that can be. `leads` are those to try for the hold in step
    timing [macro steps], `LEADS` if not given; `count`, `spread` and `seed` are those of
    `couplant.analysis.system.scattered`. Raises UsageError if no connection has a derivative, or several that differ in
    latency or lead have one.
    """
    # the latency, with its lead, of the connections with a derivative [macro steps]
    derived = {c.algorithm.k + c.lead for c in system.connections if c.derivative}
    if len(derived) != 1:
        has = "different latencies or leads" if derived else "none"
        raise UsageError(f"connections with a derivative: {has}, allowed one or more at one latency with one lead")
    k = derived.pop()
    tried = list(product((0.0,) if system.timing == "event" else leads or LEADS, PRIORS))
    # in the order of cost: plants are checked only until one keeps all stable
    costs = {one: _cost(with_prior(system, *one), hermite(_ahead(k, one[0]), one[1])) for one in tried}
    best, fallen, plants = tried[0], count + 1, scatter(system, count, spread, seed)
    for one in sorted(tried, key=costs.__getitem__):
        # no more plants than the best so far lost
        unstable = _unstable([with_prior(plant, *one) for plant in plants], fallen)
        if unstable < fallen:
            best, fallen = one, unstable
        if not fallen or costs[one][0]:
            # stable on all, or from here on unstable without scatter: the order knows no better
            break
    coupled = with_prior(system, *best)
    # share of stable plants
    found = Robustness(1.0 - fallen / count, mode_error(coupled, _highest(system)), stability(coupled).radius)
    return Joint(best[1], best[0], hermite(_ahead(k, best[0]), best[1]), found)


def joint_designs(systems: Sequence[System]) -> list[Joint]:
    """Return the weights for systems that differ in latency; the first chooses the lead for the hold for all.

    Raises UsageError as `joint_design`.
    """
    first = joint_design(systems[0])
    return [first, *(joint_design(one, (first.lead,)) for one in systems[1:])]


def with_prior(system: System, lead: float, prior: Prior) -> System:
    """Return the system with weights of that `prior` on what has a derivative, at its latency with `lead` more."""
    made = [
        replace(c, algorithm=lead_by(lambda ahead: hermite(ahead, prior), c.algorithm.k, c.lead + lead))
        if c.derivative
        else c
        for c in system.connections
    ]
    return replace(system, connections=tuple(made))


def _ahead(k: float, lead: float) -> int:
    return max(0, latency_in_steps(k + lead))


def _highest(system: System) -> float:
    return BAND / system.macro_step


def _unstable(plants: Sequence[System], most: int) -> int:
    """Return how many plants are unstable, or `most`, at which it ends."""
    found = 0
    for plant in plants:
        found += not stability(plant).stable
        if found == most:
            break
    return found


def _cost(coupled: System, one: LinearAlgorithm) -> tuple[bool, bool, bool, float]:
    """Return whether the loop is unstable, only lines go on, what is added dies slowly, then the radius or product."""
    modes = np.linalg.eigvals(macro_map(coupled)).astype(complex)
    radius = float(np.abs(modes).max())
    # the derivative of a signal with a flat spectrum up to BAND has BAND/√3 of its size
    ends = np.add(one.a, one.A), np.add(one.b, one.B) * BAND / math.sqrt(3.0)
    amplified = math.sqrt(sum(float(end @ end) for end in ends))
    # error squared times the amplification of noise
    small = error_of_modes(modes, coupled, _highest(coupled)) ** 2 * amplified if radius < 1.0 else radius
    # the largest radius of the modes of the macro map, `modes`, besides those of the ideal coupling
    for ideal in np.exp(ideal_modes(coupled) * coupled.macro_step):
        # each mode of the ideal coupling once: what remains came with the weights
        modes = np.delete(modes, np.argmin(np.abs(modes - ideal)))
    return radius >= 1.0, one.degree < 2, float(np.abs(modes).max(initial=0.0)) > SLOWEST, small
