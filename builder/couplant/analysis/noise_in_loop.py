"""White noise of what is sent, through the closed loop: the covariance of a linear system (one Lyapunov equation).

state⁺ = M state + N w, estimates = R state + S w, w white with covariance W: that of the state is P = M P Mᵀ + N W Nᵀ,
that of the estimates R P Rᵀ + S W Sᵀ.
"""

from __future__ import annotations

import numpy as np
from scipy.linalg import solve_continuous_lyapunov, solve_discrete_lyapunov

from couplant.analysis.macro_map import noise_map
from couplant.analysis.system import System
from couplant.base.arrays import Vector


def noise_of_estimates(system: System, noise: Vector) -> Vector:
    """Return the standard deviation of the estimate of each connection in a stationary state, shape (nu,).

    Parameters
    ----------
    noise : ndarray of float, shape (ny,)
        Standard deviation of the white noise of each value that is sent, its unit; one a connection without
        derivatives.

    Returns
    -------
    ndarray of float
        Units of the signals; infinite where the loop is unstable.
    """
    M, N, R, S = noise_map(system)
    if np.abs(np.linalg.eigvals(M)).max(initial=0.0) >= 1.0:
        return np.full(noise.size, np.inf)
    # stationary covariance: P = M P Mᵀ + N R Nᵀ
    known = solve_discrete_lyapunov(M, N @ np.diag(noise**2) @ N.T)
    # of states plus what the noise does directly, for it is independent of them
    variance = np.einsum("ij,jk,ik->i", R, known, R) + (S**2) @ noise**2
    return np.asarray(np.sqrt(np.maximum(variance, 0.0)), dtype=float)


def usual_sizes(system: System) -> Vector:
    """Return how large the signals of the connections are against each other, shape (nu,), their units.

    That is their standard deviation in the coupling without sampling and latency, all inputs excited by white noise of
    density 1. All ones where that is not stationary or a signal does not answer.
    """
    A, B, C, D = system.matrices()
    # without algebraic loop there is a solution; near one sizes are meaningless
    inner = np.eye(len(system.sources)) - D[np.ix_(system.sources, system.targets)]
    if np.linalg.cond(inner) > _SINGULAR:
        return np.ones(len(system.sources))
    seen = np.linalg.solve(inner, C[system.sources])
    # prototypes coupled without delay: what the coupling strives for
    ideal = A + B[:, system.targets] @ seen
    # an unstable ideal has no stationary sizes: all count alike
    if np.linalg.eigvals(ideal).real.max(initial=-1.0) >= 0.0:
        return np.ones(len(system.sources))
    # driven by white noise at all inputs: A P + P Aᵀ + B Bᵀ = 0
    variance = np.diag(seen @ solve_continuous_lyapunov(ideal, -B @ B.T) @ seen.T)
    return np.sqrt(variance) if np.all(variance > 0.0) else np.ones(variance.size)


_SINGULAR = 1e12
