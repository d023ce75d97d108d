"""The open loop at a cut, for Bode and Nyquist plots (dissertation 4.1.3)."""

from __future__ import annotations

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
