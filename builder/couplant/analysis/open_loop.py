"""The open loop at a cut, for Bode and Nyquist plots (dissertation 4.1.3), and how far it stays away from -1."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from couplant.analysis.by_model import ByModel
from couplant.analysis.coupling_process import hold, transfer_function
from couplant.analysis.system import System
from couplant.base.arrays import ComplexArray, Vector
from couplant.base.errors import UsageError


def open_loop(system: System, cut: str, omega: ArrayLike, ideal: bool = False) -> ComplexArray:
    """Return the loop gain at `omega` [rad/s] when one connection is cut and all others stay closed, shape (N,).

    With u the signals behind the coupling FMUs, u_j = G_p,j y_j and y = G u: the gain from u of the cut connection
    around the system back to it, times -1, so that the critical point is -1. `cut` is the input whose connection is
    cut, ``prototype.signal``; `ideal` is coupling without sampling and latency, G_p = 1, as reference.

    Raises
    ------
    UsageError
        If the cut is not the target of a connection.
    """
    names = [c.target for c in system.connections]
    if cut not in names:
        raise UsageError(f"cut = {cut!r}, allowed {', '.join(names)}")
    at = names.index(cut)
    omega = np.atleast_1d(np.asarray(omega, dtype=float))
    # along each connection, and then through the plant to every source
    around = np.stack([_process(system, i, omega, ideal) for i in range(len(names))], axis=1)[:, :, None]
    plant = system.response(omega)[:, system.sources][:, :, system.targets]
    around = around * (plant if ideal else plant + _late(system, omega))
    # all but the cut one
    kept = [i for i in range(len(names)) if i != at]
    direct, into, out = around[:, at, at], around[:, kept, at], around[:, at, kept]
    inner = np.eye(len(kept)) - around[:, kept][:, :, kept]
    # loops besides the cut stay closed: G = G_cc + G_cr (I - G_rr)^-1 G_rc, negative feedback
    gain: ComplexArray = -(direct + np.einsum("ni,ni->n", out, np.linalg.solve(inner, into[:, :, None])[:, :, 0]))
    return gain


def nyquist_curve(system: System, cut: str, ideal: bool = False) -> tuple[Vector, ComplexArray]:
    """Return frequencies and `open_loop` (`cut`, `ideal`), fine enough for a smooth curve around lightly damped modes.

    Returns
    -------
    omega : ndarray of float, shape (N,)
        From 1e-4 of Nyquist to Nyquist, rad/s.
    loop : ndarray of complex, shape (N,)
        Neighbours differ by at most a twentieth of their size plus one unless 14 halvings of the grid are not enough.
    """
    # from 1e-4 of the Nyquist frequency on: below, loops are constant
    omega = np.pi / system.macro_step * np.geomspace(1e-4, 1.0, 1500)
    loop = open_loop(system, cut, omega, ideal)
    for _ in range(14):
        # points where the curve turns by more than a twentieth: around poles it is fast
        far = np.abs(np.diff(loop)) > 0.05 * (1.0 + np.minimum(np.abs(loop[1:]), np.abs(loop[:-1])))
        if not far.any():
            break
        # halved there, until it is smooth or fourteen times
        between = 0.5 * (omega[1:] + omega[:-1])[far]
        order = np.argsort(omega := np.append(omega, between))
        loop = np.append(loop, open_loop(system, cut, between, ideal))[order]
        omega = omega[order]
    return omega, loop


def _process(system: System, index: int, omega: Vector, ideal: bool) -> ComplexArray:
    one, z = system.connections[index], np.asarray(1j * omega * system.macro_step, dtype=np.complex128)
    if ideal:
        return np.ones_like(omega, dtype=complex)
    if isinstance(one.algorithm, ByModel):
        raise UsageError(f"connection to {one.target}: model looks at more than one signal, its loop is not cut")
    if one.hold and system.timing == "event":
        return np.asarray(one.algorithm.value(np.exp(-z)) * hold(z))
    return transfer_function(one.algorithm, z, system.timing)


def _late(system: System, omega: Vector) -> ComplexArray:
    """Return the change by a host that reads outputs before it sets inputs: their feedthrough is a step late."""
    # a step late at the frequency: (q - 1) of the feedthrough is added
    change: ComplexArray = (np.exp(-1j * omega * system.macro_step) - 1.0)[:, None, None] * system.feedthrough()[1]
    return change


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
    from scipy.optimize import brentq  # takes long to load

    changes = np.flatnonzero(np.signbit(values[1:]) != np.signbit(values[:-1]))
    return [float(brentq(exact, omega[i], omega[i + 1], xtol=1e-12, rtol=1e-12)) for i in changes]


def _least(found: list[tuple[float, float]], size: Callable[[float], float] = float) -> Margin:
    return Margin(*min(found, key=lambda pair: size(pair[0]))) if found else Margin()
