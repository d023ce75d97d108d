"""The observer of a prototype on its late outputs: a sampled model, its gain by the Riccati equation, its rest.

x' = A x + B u + b w_1,  w_i' = -leak w_i + w_{i+1},  w_r' = -leak w_r + white noise
x_{j+1} = Phi x_j + G0 u_j + G1 (u_{j+1} - u_j)    exact for inputs that are linear in a macro step
K = S Cᵀ (C S Cᵀ + R)⁻¹,  S = Phi S Phiᵀ + Q - Phi S Cᵀ (C S Cᵀ + R)⁻¹ C S Phiᵀ
"""

from dataclasses import dataclass

import numpy as np

from couplant.analysis.macro_map import discretise
from couplant.base.arrays import Matrix, Vector
from couplant.base.errors import UsageError

_DOUBLINGS = 16  # of the macro steps in which an observer settles
_BALANCED, _ROUNDING = 20, 1e-10  # turns of scaling rows and columns; a singular value of equations that are dependent
_HIDDEN = "no observer: w or a state does not show in the outputs; a leak above 0 helps"
_REGULAR = 1e-6  # noise of each state by itself, over that along w: keeps the observer awake [-]


@dataclass(frozen=True)
class Observer:
    """A sampled model with N states (those of w last), m inputs, p outputs, and its gain."""

    # phi, level, change: shapes (N, N), (N, m), (N, m): Φ, Γ0 and Γ1 of a macro step
    phi: Matrix
    level: Matrix
    change: Matrix
    # C, D: shapes (p, N), (p, m): outputs
    C: Matrix
    D: Matrix
    gain: Matrix  # shape (N, p): K
    start: Matrix  # shape (N, p + m): states at rest with given outputs, then inputs, as nearly as there are some
    variance: Vector  # shape (p,): of the errors on the outputs before a correction, C S Cᵀ + R

    @property
    def radius(self) -> float:
        """Return the largest size of a mode of the estimation error, Φ (1 - K C): below 1 it dies out [-]."""
        # the error before each correction: prediction times what the correction leaves
        return float(np.abs(np.linalg.eigvals(self.phi @ (np.eye(len(self.phi)) - self.gain @ self.C))).max())


def observer(
    A: Matrix, B: Matrix, C: Matrix, D: Matrix, macro_step: float, *,
    disturbance: Vector, order: int, leak: float, drive: float, noise: Vector,
    process: float = 1e-6, quick: bool = False,
) -> Observer:  # fmt: skip
    """Return the observer of x' = A x + B u + b w, y = C x + D u, sampled every `macro_step` [s].

    `A`, `B`, `C`, `D` have shapes (n, n), (n, m), (p, n), (p, m); b is the `disturbance`, shape (n,). Noise with the
    spectral density `drive` passes integrators before it is w, as many as `order` says, with the `leak` [1/s]. `noise`
    has the standard deviations of that of the outputs, shape (p,); `process` is noise that acts on the states
    directly, along b, over the `drive`. `quick` takes a tenth of the time, for searches: other last digits. Raises
    UsageError if no observer follows w and the states with these outputs.
    """
    n, (p, m) = len(A), D.shape
    states = n + order
    if leak == 0.0 and not _shows(A, C, disturbance):
        raise UsageError(_HIDDEN)
    # the disturbance w joins the states: a chain of leaky integrators drives it
    whole = np.zeros((states, states))
    whole[:n, :n], whole[:n, n] = A, disturbance
    whole[n:, n:] = np.diag(np.full(order, -leak)) + np.diag(np.ones(order - 1), 1)
    driven = np.vstack([B, np.zeros((order, m))])
    phi, level, change = discretise(whole, driven, macro_step)
    seen = np.hstack([C, np.zeros((p, order))])
    acts = np.append(disturbance, np.zeros(order))
    # noise of the process along w, and a little of each state, else Riccati has no solution
    Q = drive * macro_step * process * (np.outer(acts, acts) + _REGULAR * np.eye(states))
    # the last of the chain is driven
    Q[-1, -1] += drive * macro_step
    try:
        # S = Φ S Φᵀ + Q - .. : the covariance of prediction, in its steady state
        S = settle(phi, Q, seen, noise) if quick else _solve_riccati(phi, Q, seen, noise)
        if not np.isfinite(S).all():
            raise np.linalg.LinAlgError
    except (np.linalg.LinAlgError, ValueError):
        raise UsageError(_HIDDEN) from None
    surprise = seen @ S @ seen.T + np.diag(noise**2)
    gain = S @ seen.T @ np.linalg.inv(surprise)
    # the rest at which the observer starts: nothing moves, outputs are as measured
    rest = np.vstack([(np.eye(states) - phi) / macro_step, seen])
    sides = np.block([[np.zeros((states, p)), level / macro_step], [np.eye(p), -D]])
    # the pseudo-inverse: rest is not unique where a prototype is a free integrator
    return Observer(phi, level, change, seen, D, gain, np.linalg.pinv(rest) @ sides, np.diag(surprise))


def _shows(A: Matrix, C: Matrix, disturbance: Vector) -> bool:
    """Tell whether a constant w moves the outputs: no state and w stand still, A x + b w = 0, with C x = 0 for all w.

    Riccati's equation has no solution else, or one that is rounding.
    """
    rows = np.block([[A, np.reshape(disturbance, (-1, 1))], [C, np.zeros((len(C), 1))]])
    # to one scale: units differ by many powers of ten
    for axis in (1, 0) * _BALANCED:
        sizes = np.abs(rows).max(axis=axis, keepdims=True)
        rows = rows / np.sqrt(np.where(sizes > 0.0, sizes, 1.0))
    return bool(np.linalg.svd(rows, compute_uv=False)[-1] > _ROUNDING)


def _solve_riccati(phi: Matrix, Q: Matrix, C: Matrix, noise: Vector) -> Matrix:
    from scipy.linalg import solve_discrete_are  # takes long to load

    found: Matrix = solve_discrete_are(phi.T, C.T, Q, np.diag(noise**2))
    return found


def settle(phi: Matrix, Q: Matrix, C: Matrix, noise: Matrix) -> Matrix:
    """Return S of one model or many, shape (.., N, N), by doubling (Anderson 1978).

    `phi` and `Q` have shapes (.., N, N), `C` (.., p, N), `noise` (.., p). Where there is none
    it is not finite, or LinAlgError is raised.
    """
    one, own = np.eye(phi.shape[-1]), phi.swapaxes(-1, -2)
    G, S = C.swapaxes(-1, -2) @ (C / noise[..., None] ** 2), Q
    for _ in range(_DOUBLINGS):
        both = np.linalg.solve(one + G @ S, np.concatenate([own, G], axis=-1))
        forward, width = both[..., : len(one)], both[..., len(one) :]
        more = own.swapaxes(-1, -2) @ S @ forward
        # twice as many macro steps from one to the next
        G, own = G + own @ width @ own.swapaxes(-1, -2), own @ forward
        G, S, before = (G + G.swapaxes(-1, -2)) / 2, S + (more + more.swapaxes(-1, -2)) / 2, S
        if np.abs(S - before).max() < 1e-11 * np.abs(S).max():
            break
    return S
