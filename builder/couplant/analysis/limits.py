"""Limit frequencies: up to where a coupling process counts as neutral (dissertation 4.1.2, table 4.1)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.optimize import brentq, minimize_scalar

from couplant.analysis.algorithms import Algorithm, check_timing
from couplant.analysis.coupling_process import ErlangLatency, frequency_response
from couplant.arrays import IndexArray, Vector

GAIN_TOLERANCE = 0.03
"""Largest deviation of |G_p| from 1, in both directions, -."""

PHASE_TOLERANCE = np.deg2rad(3.0)
"""Largest |∠G_p|, rad."""

_POINTS = 400


@dataclass(frozen=True)
class Limits:
    """Limit frequencies of a coupling process as shares of the Nyquist frequency π/ΔT.

    Parameters
    ----------
    gain : float or None
        First frequency at which ||G_p| - 1| reaches 0.03; None if it never does below Nyquist, -.
    phase : float or None
        First frequency at which |∠G_p| reaches 3°; None if it never does below Nyquist, -.
    """

    gain: float | None
    phase: float | None

    @property
    def limit(self) -> float | None:
        """The lower of the two; None if there is neither, -."""
        found = [x for x in (self.gain, self.phase) if x is not None]
        return min(found) if found else None

    def in_rad_per_s(self, macro_step: float) -> Limits:
        """Return the same limits in rad/s; `macro_step` is ΔT, s."""
        scale = np.pi / macro_step
        return Limits(*(None if x is None else x * scale for x in (self.gain, self.phase)))


def limit_frequencies(algorithm: Algorithm, timing: str = "event", latency: ErlangLatency | None = None) -> Limits:
    """Return the limit frequencies of an algorithm, both 0 if it does not even hold a constant within the tolerance.

    With a `latency` they are those of its mean behaviour where values are late by that in place of k.
    """
    check_timing(timing)

    def gain(x: Vector) -> Vector:
        return np.abs(np.abs(frequency_response(algorithm, x, timing, latency)) - 1.0) - GAIN_TOLERANCE

    def phase(x: Vector) -> Vector:
        return np.abs(np.angle(frequency_response(algorithm, x, timing, latency))) - float(PHASE_TOLERANCE)

    first_block = 0.25 / (max(algorithm.k, latency.mean if latency else 0) + 1)
    return Limits(_first_crossing(gain, first_block), _first_crossing(phase, first_block))


def _first_crossing(excess: Callable[[Vector], Vector], width: float) -> float | None:
    """Return the first x in [0, 1] where `excess` reaches 0, searched in blocks that double from `width`."""
    low = 0.0
    while low < 1.0:
        high = min(1.0, max(2.0 * low, width))
        found = _crossing_between(excess, np.linspace(low, high, _POINTS))
        if found is not None:
            return found
        low = high
    return None


def _crossing_between(excess: Callable[[Vector], Vector], x: Vector) -> float | None:
    values = excess(x)
    if values[0] >= 0.0:
        return float(x[0])
    above = np.flatnonzero(values >= 0.0)
    end = above[0] if above.size else x.size - 1
    for i in _near_misses(values[: end + 1]):
        top = _top(excess, x[i - 1], x[i + 1])
        if excess(np.array(top)) >= 0.0:
            return float(brentq(excess, x[i - 1], top, xtol=1e-14, rtol=1e-13))
    if not above.size:
        return None
    return float(brentq(excess, x[end - 1], x[end], xtol=1e-14, rtol=1e-13))


def _near_misses(values: Vector) -> IndexArray:
    """Return the indices of inner maxima that may pass 0 between the points of the grid."""
    inner = values[1:-1]
    is_top = (inner >= values[:-2]) & (inner >= values[2:]) & (inner < 0.0)
    rise = np.maximum(inner - values[:-2], inner - values[2:])
    return 1 + np.flatnonzero(is_top & (inner + rise >= 0.0))


def _top(excess: Callable[[Vector], Vector], low: float, high: float) -> float:
    def below(x: float) -> float:
        return -float(excess(np.array(x)))

    found = minimize_scalar(below, bounds=(low, high), method="bounded", options={"xatol": 1e-12})
    return float(found.x)
