"""How far the open loop at a cut stays away from the critical point -1: margins of gain, phase and delay."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.optimize import brentq

from couplant.analysis.open_loop import nyquist_curve, open_loop
from couplant.analysis.system import System
from couplant.base.arrays import Vector


@dataclass(frozen=True)
class Margin:
    """One margin and where it is.

    Parameters
    ----------
    value : float or None
        The margin in its unit; None if the loop has no such crossing up to Nyquist.
    frequency : float or None
        Frequency of the crossing, rad/s.
    """

    value: float | None = None
    frequency: float | None = None


@dataclass(frozen=True)
class Margins:
    """Margins of a loop that is stable when closed; of an unstable one they are what would have to change.

    Parameters
    ----------
    rise : Margin
        Factor, above 1, by which the loop gain may rise, -.
    fall : Margin
        Factor, below 1, to which it may fall, -.
    phase : Margin
        Smallest turn of the phase at a gain of 1 that meets -1, degrees; positive: a lag, negative: a lead.
    delay : Margin
        Smallest additional delay that meets -1, s.
    distance : Margin
        Least distance |1 + L|, -.
    """

    rise: Margin
    fall: Margin
    phase: Margin
    delay: Margin
    distance: Margin


def margins(system: System, cut: str, ideal: bool = False) -> Margins:
    """Return the margins of `open_loop` at a `cut`, ``prototype.signal``; with `ideal` those of the ideal coupling.

    Frequencies up to Nyquist count. The mean behaviour of sampled signals is what `open_loop` has; whether the loop is
    stable at all is a matter of its macro map.

    Raises
    ------
    UsageError
        If the cut is not the target of a connection.
    """
    omega, loop = nyquist_curve(system, cut, ideal)

    def at(w: float) -> complex:
        return complex(open_loop(system, cut, w, ideal)[0])

    # the axis is crossed where the imaginary part changes sign
    crossings = _crossings(omega, loop.imag, lambda w: at(w).imag)
    # only the negative axis counts: factor -1/Re puts the crossing onto -1
    factors = [(-1.0 / at(w).real, w) for w in crossings if at(w).real < 0.0]
    # the circle of radius 1: there only the phase decides
    ones = _crossings(omega, np.abs(loop) - 1.0, lambda w: abs(at(w)) - 1.0)
    # from the critical point: distance of the phase to -180 degrees
    turns = [(math.remainder(np.angle(at(w)) + math.pi, 2.0 * math.pi), w) for w in ones]
    nearest = int(np.argmin(np.abs(1.0 + loop)))
    return Margins(
        _least([(f, w) for f, w in factors if f > 1.0]),
        _least([(f, w) for f, w in factors if f < 1.0], lambda f: -f),
        _least([(math.degrees(turn), w) for turn, w in turns], abs),
        # a delay turns by ω τ: the least positive turn that reaches -180 degrees
        _least([(turn % (2.0 * math.pi) / w, w) for turn, w in turns]),
        Margin(float(np.abs(1.0 + loop[nearest])), float(omega[nearest])),
    )


def _crossings(omega: Vector, values: Vector, exact: Callable[[float], float]) -> list[float]:
    """Return the frequencies at which `exact`, on a grid `values`, changes its sign."""
    changes = np.flatnonzero(np.signbit(values[1:]) != np.signbit(values[:-1]))
    return [float(brentq(exact, omega[i], omega[i + 1], xtol=1e-12, rtol=1e-12)) for i in changes]


def _least(found: list[tuple[float, float]], size: Callable[[float], float] = float) -> Margin:
    return Margin(*min(found, key=lambda pair: size(pair[0]))) if found else Margin()
