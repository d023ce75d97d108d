"""Errors of a coupling in its loop, and white noise through it, exact for linear prototypes and linear algorithms."""

from collections.abc import Sequence

import numpy as np

from couplant.analysis.macro_map import discretise, noise_map, solve_loop
from couplant.analysis.model_map import macro_step, sent_of
from couplant.analysis.system import System
from couplant.base.arrays import Matrix, Vector
from couplant.base.errors import CouplantError

_BOUND = 1e12  # error over the size of a signal from which on it is a run that has diverged [-]


def follow_undelayed(system: System, w: Matrix, micro_steps: int = 1) -> Matrix:
    """Return the signals of a system that is coupled without delay, shape (count · micro_steps + 1, connections).

    What excites its prototypes is `w` at the macro points, shape (count + 1, excitations), linear in between, in the
    order of `System.excitation`; a macro step has `micro_steps` points. Raises CouplantError if direct feedthrough
    closes an algebraic loop that has no unique solution.
    """
    closed, seen = close_undelayed(system)
    phi, level, change = discretise(closed, system.excited, system.macro_step / micro_steps)
    count = (len(w) - 1) * micro_steps
    at, points = np.arange(count + 1) / micro_steps, np.arange(len(w))
    fine = np.array([np.interp(at, points, column) for column in w.T]).reshape(w.shape[1], len(at)).T
    x, rows = np.zeros(len(closed)), np.zeros((count + 1, len(closed)))
    for n in range(count):
        x = phi @ x + level @ fine[n] + change @ (fine[n + 1] - fine[n])
        rows[n + 1] = x
    return rows @ seen.T


def follow_driven(system: System, inputs: Sequence[str], driven: Matrix, step: float) -> Matrix:
    """Return the signals of a system that is coupled without delay, from rest, shape (N, connections).

    What comes to its `inputs`, ``prototype.signal``, is `driven`, shape (N, inputs), linear between points that lie a
    `step` [s] apart. Raises CouplantError as `follow_undelayed`.
    """
    A, B, C, D = system.matrices()
    sources, targets = system.sources, system.targets
    given = [system.input_names.index(name) for name in inputs]
    inner = np.eye(len(sources)) - D[np.ix_(sources, targets)]
    # y = C x + D_e e, signals being inputs of the same instant
    seen, through = solve_loop(inner, C[sources]), solve_loop(inner, D[np.ix_(sources, given)])
    closed, into = A + B[:, targets] @ seen, B[:, given] + B[:, targets] @ through
    phi, level, change = discretise(closed, into, step)
    moved = driven[:-1] @ level.T + np.diff(driven, axis=0) @ change.T
    rows = np.zeros((len(driven), len(closed)))
    for n, one in enumerate(moved):
        rows[n + 1] = phi @ rows[n] + one
    return np.asarray(rows @ seen.T + driven @ through.T)


def undelayed_radius(system: System) -> float:
    """Return the spectral radius of a macro step of a system that is coupled without delay [-].

    Raises CouplantError as `follow_undelayed`.
    """
    modes = np.linalg.eigvals(close_undelayed(system)[0])
    return float(np.exp(modes.real.max(initial=-np.inf) * system.macro_step))


def close_undelayed(system: System) -> tuple[Matrix, Matrix]:
    """Return the states' matrix of a system that is coupled without delay, and how its signals follow from them.

    Raises CouplantError as `follow_undelayed`.
    """
    A, B, C, D = system.matrices()
    through = D[np.ix_(system.sources, system.targets)]
    # (I - D) y = C x: signals are inputs of the same instant
    seen = solve_loop(np.eye(len(through)) - through, C[system.sources])
    return A + B[:, system.targets] @ seen, seen


def loop_errors(plants: Sequence[System], w: Matrix, v: Matrix) -> Matrix:
    """Return the error of each connection's estimates in the loop over the size of its signal, (plants, connections).

    The error (rms) is against the same plant without delay and noise; infinite where the loop diverges. The `plants`
    are one system with linear algorithms or models of the senders, and differ in numbers only. What excites them is
    `w`, shape (plants, count + 1, excitations); `v` is the noise of what is sent, shape (plants, count, sent), in the
    order of `sent_of`, signal units.
    """
    truth = np.array([follow_undelayed(one, excited) for one, excited in zip(plants, w, strict=True)])
    made = [macro_step(one, one.excited) for one in plants]
    n = made[0].split[0]
    # all plants side by side: one product a step
    rows = np.array([np.vstack([one.state, one.estimates]) for one in made])
    z, squares = np.zeros((len(plants), rows.shape[2], 1)), np.zeros_like(truth[:, 0])
    size = np.maximum(np.sqrt(np.mean(truth**2, axis=1)), np.finfo(float).tiny)
    alive = np.ones((len(plants), 1), dtype=bool)
    count = v.shape[1]
    moved = np.concatenate([w[:, :-1], w[:, 1:], v], axis=2)
    for step in range(count):
        z[:, n:, 0] = moved[:, step]
        after = (rows @ z)[:, :, 0]
        error = after[:, n:] - truth[:, step]
        alive &= np.all(np.abs(error) < _BOUND * size, axis=1, keepdims=True)
        squares += np.where(alive, error, 0.0) ** 2
        # what has diverged rests: its numbers would overflow
        z[:, :n, 0] = np.where(alive, after[:, :n], 0.0)
    found = np.sqrt(squares / count) / np.maximum(truth.std(axis=1), np.finfo(float).tiny)
    return np.where(alive, found, np.inf)


def noise_of_sent(system: System, sizes: Sequence[float], white: Matrix) -> Matrix:
    """Return the noise of what is sent, shape (count, sent), signal units.

    `sizes` are the rms values of the signals of the connections, `white` has numbers of rms 1 in the shape of the
    result. Companions that no connection leads from have none.
    """
    rms = {c.source: size for c, size in zip(system.connections, sizes, strict=True)}
    return np.asarray(white * np.array([system.noise_of(name) * rms.get(name, 0.0) for name in sent_of(system)]))


def noise_of_estimates(system: System, noise: Vector) -> Vector:
    """Return the standard deviation of the estimate of each connection in a stationary state, shape (nu,).

    state⁺ = M state + N w, estimates = R state + S w, w white with covariance W: that of the state is
    P = M P Mᵀ + N W Nᵀ (one Lyapunov equation), that of the estimates R P Rᵀ + S W Sᵀ.

    The `noise` is the standard deviation of the white noise of each value that is sent, shape (ny,), its unit; one a
    connection without derivatives. The result has the units of the signals, and is infinite where the loop is unstable.
    """
    from scipy.linalg import solve_discrete_lyapunov  # takes long to load

    M, N, R, S = noise_map(system)
    if np.abs(np.linalg.eigvals(M)).max(initial=0.0) >= 1.0:
        return np.full(noise.size, np.inf)
    # stationary covariance
    known = solve_discrete_lyapunov(M, N @ np.diag(noise**2) @ N.T)
    # of states plus what the noise does directly, for it is independent of them
    variance = np.einsum("ij,jk,ik->i", R, known, R) + (S**2) @ noise**2
    return np.asarray(np.sqrt(np.maximum(variance, 0.0)), dtype=float)


def usual_sizes(system: System) -> Vector:
    """Return how large the signals of the connections are against each other, shape (nu,), their units.

    That is their standard deviation in the coupling without sampling and latency, all inputs excited by white noise of
    density 1. All ones where that is not stationary or a signal does not answer.
    """
    from scipy.linalg import solve_continuous_lyapunov  # takes long to load

    alike, B = np.ones(len(system.sources)), system.matrices()[1]
    try:
        # prototypes coupled without delay: what the coupling strives for
        ideal, seen = close_undelayed(system)
    except CouplantError:
        # near an algebraic loop sizes are meaningless
        return alike
    # an unstable ideal has no stationary sizes
    if np.linalg.eigvals(ideal).real.max(initial=-1.0) >= 0.0:
        return alike
    # driven by white noise at all inputs: A P + P Aᵀ + B Bᵀ = 0
    variance = np.diag(seen @ solve_continuous_lyapunov(ideal, -B @ B.T) @ seen.T)
    return np.sqrt(variance) if np.all(variance > 0.0) else alike
