"""Weights of signals and their derivatives together, for a known plant: the loop chooses what is taken for granted."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from itertools import product

import numpy as np

from couplant.analysis.algorithms import LinearAlgorithm, led
from couplant.analysis.hermite import BAND, Prior, hermite
from couplant.analysis.stability import stability
from couplant.analysis.system import System, scattered
from couplant.design.closed_loop import Robustness, mode_error
from couplant.errors import UsageError

PRIORS = tuple(
    Prior(m, degree, noise, rough)
    for m, degree, noise, rough in product((3, 5), (1, 2, 3), (1e-6, 1e-4, 1e-2), (1e-7, 1e-6, 1e-5, 1e-4, 1e-3))
)
"""What is tried."""


@dataclass(frozen=True)
class Joint:
    """Weights that a plant was asked about.

    Parameters
    ----------
    prior : Prior
        What they take for granted.
    algorithm : LinearAlgorithm
        The weights, at the latency of the connections with their leads.
    robustness : Robustness
        How they fare on the plant.
    """

    prior: Prior
    algorithm: LinearAlgorithm
    robustness: Robustness


def joint_design(
    system: System, k: int, *, noise: float = 0.01, count: int = 100, spread: float = 0.05, seed: int = 0
) -> Joint:
    """Return the weights for all connections of a system that have a derivative, at the latency `k` [macro steps].

    The others keep their algorithms. With those chosen the most plants are stable; among equals modes lie nearest to
    those of the ideal coupling, up to the end of the usual band, and `noise` matters least, its standard deviation over
    that of the signals [-]. `count`, `spread` and `seed` are those of `couplant.analysis.system.scattered`.

    Raises
    ------
    UsageError
        If no connection has a derivative.
    """
    if not any(c.derivative for c in system.connections):
        raise UsageError("no connection of the system has a derivative")
    plants = scattered(system, count, spread, seed)
    costs = {prior: _cost(with_prior(system, prior, k), hermite(k, prior), noise) for prior in PRIORS}
    best: tuple[float, Prior] | None = None
    for prior in sorted(PRIORS, key=costs.__getitem__):
        share = sum(stability(with_prior(plant, prior, k)).stable for plant in plants) / count
        if best is None or share > best[0]:
            best = share, prior
        if share == 1.0 or costs[prior][0]:
            break
    assert best is not None
    coupled = with_prior(system, best[1], k)
    found = Robustness(best[0], mode_error(coupled, _highest(system)), stability(coupled).radius)
    return Joint(best[1], hermite(k, best[1]), found)


def with_prior(system: System, prior: Prior, k: int) -> System:
    """Return the system with weights of that `prior` on what has a derivative, at the latency `k` [macro steps]."""
    made = [
        replace(c, algorithm=led(lambda ahead: hermite(ahead, prior), k, c.lead)) if c.derivative else c
        for c in system.connections
    ]
    return replace(system, connections=tuple(made))


def _highest(system: System) -> float:
    return BAND / system.macro_step


def _cost(coupled: System, one: LinearAlgorithm, noise: float) -> tuple[bool, float]:
    """Return whether the loop is unstable, then its radius, or the error of its modes with that of noise."""
    found = stability(coupled)
    if not found.stable:
        return True, found.radius
    ends = np.add(one.a, one.A), np.add(one.b, one.B) * BAND / math.sqrt(3.0)
    amplified = math.sqrt(sum(float(end @ end) for end in ends))
    return False, math.hypot(mode_error(coupled, _highest(coupled)), noise * amplified)
