"""Stability of a coupled system, exact: the spectral radius of its macro map."""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from couplant.analysis.algorithms import MAX_STEPS, Recursive, generic
from couplant.analysis.macro_map import macro_map
from couplant.analysis.model_map import macro_step, senders_of
from couplant.analysis.phasor import Phasor
from couplant.analysis.system import System, scatter
from couplant.base.grid import latency_in_steps
from couplant_runtime.algorithms import GENERIC


@dataclass(frozen=True)
class Stability:
    """Dominating mode of a coupled system.

    Parameters
    ----------
    radius : float
        Spectral radius of the macro map: growth of the dominating mode in one macro step, -.
    frequency : float
        Frequency of the dominating mode, 0 to π/ΔT, rad/s.
    growth_rate : float
        ln(radius)/ΔT, 1/s.
    """

    radius: float
    frequency: float
    growth_rate: float

    @property
    def stable(self) -> bool:
        """True if every mode dies out: spectral radius below 1."""
        return self.radius < 1.0


@dataclass(frozen=True)
class LatencyRange:
    """Up to which latency an algorithm keeps a system stable.

    Parameters
    ----------
    algorithm : str
        Name of the algorithm.
    largest : int or None
        Largest k with all smaller k stable, macro steps; None if k = 0 is already unstable.
    frequency : float or None
        Frequency of the mode that is unstable at the next k, rad/s; None if all k that were tried are stable.
    """

    algorithm: str
    largest: int | None
    frequency: float | None


def stability(system: System) -> Stability:
    """Return the dominating mode of a coupled system.

    Raises
    ------
    CouplantError
        If the system has an algebraic loop without a unique solution.
    """
    # without models of senders the map of recursions is smaller, with the same modes
    modes = np.linalg.eigvals(macro_step(system).matrix if senders_of(system) else macro_map(system))
    mode = modes[np.argmax(np.abs(modes))] if modes.size else 0.0
    radius = float(abs(mode))
    # radius = exp(growth ΔT)
    growth = math.log(radius) / system.macro_step if radius else -math.inf
    return Stability(radius, float(abs(np.angle(mode))) / system.macro_step, growth)


def latency_range(system: System, algorithm: str | Callable[[int], Recursive], most: int = MAX_STEPS) -> LatencyRange:
    """Return the largest k, up to `most` macro steps, that an algorithm stands with all smaller k.

    One k and one `algorithm`, a name or what gives one for a k, replace those of all connections. With their leads they
    look up to 64 macro steps ahead.
    """
    # latency and lead together stay within what a history can hold
    most = min(most, MAX_STEPS - max(0, *(latency_in_steps(one.lead) for one in system.connections)))
    make = (lambda k: generic(algorithm, k)) if isinstance(algorithm, str) else algorithm
    name = algorithm if isinstance(algorithm, str) else make(0).name
    # upwards, and the first instability ends it: larger k that happen to be stable are of no use
    for k in range(most + 1):
        found = stability(system.with_algorithms(make, k))
        if not found.stable:
            return LatencyRange(name, k - 1 if k else None, found.frequency)
    return LatencyRange(name, most, None)


def latency_ranges(system: System, names: Iterable[str] = GENERIC) -> list[LatencyRange]:
    """Return `latency_range` of several generic algorithms (dissertation table 4.2), and of phasors that it has."""
    phasors = dict.fromkeys(replace(c.algorithm, k=0, lead=0.0) for c in system.connections
                            if isinstance(c.algorithm, Phasor))  # fmt: skip
    makes: list[str | Callable[[int], Recursive]] = [*names, *(partial(_at, one) for one in phasors)]
    return [latency_range(system, one) for one in makes]


def _at(one: Phasor, k: int) -> Phasor:
    """Return phasors as `one` at the latency `k` [macro steps]."""
    return replace(one, k=k)


def stable_share(system: System, count: int = 100, spread: float = 0.05, seed: int = 0) -> float:
    """Return the share of stable plants, 0 to 1; `count`, `spread` and `seed` as in `scatter`."""
    return float(np.mean([stability(plant).stable for plant in scatter(system, count, spread, seed)]))
