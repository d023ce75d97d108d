"""From sampled responses to a continuous state space: Ho and Kalman's realisation, and the way back from a held input.

    H_0 = D, H_i = C A_d^(i-1) B_d,  [[A, B], [0, 0]] = log [[A_d, B_d], [0, 1]] / h

H_i are the differences of the responses to a step, which is held between the samples.
"""

import numpy as np

from couplant.analysis.system import Prototype
from couplant.base.arrays import Matrix, Vector
from couplant.base.errors import CouplantError, UsageError

LARGEST_CONDITION = 1e4
"""Of the states that are written as outputs and their derivatives; beyond it they stay as the realisation has them."""

_ROUNDING = 1e-12

_DEAD = 1e-9
"""Size of a sampled mode, or of its imaginary part, below which it is none of a continuous system."""

_STRUCTURE = 1e-8
"""Share of the largest effect in a matrix, or distance from 1, below which an entry is taken for 0 or ±1."""


def realise_steps(
    name: str, steps: Matrix, h: float, inputs: tuple[str, ...], outputs: tuple[str, ...], *,
    order: int | None = None, accuracy: float = 1e-9,
) -> Prototype:  # fmt: skip
    """Return the linear prototype `name` that has measured responses to steps of its inputs.

    `steps`, shape (N + 1, ny, nu), are what a step of 1 of each input at time 0 adds to each output at the times 0, h,
    .., N h; `h` is the sampling period [s], and the modes lie below π/h. `order` is the number of states, as many as
    stand out of the `accuracy` if not given: the error of the responses over the largest of an output [-]. Raises
    CouplantError if no continuous system has these responses, UsageError if they are too short for `order` states.
    """
    # scaled to effects of at most 1: singular values of signals in N and µm then compare
    rises, drives = _scales(steps)
    # impulse responses are differences of step responses
    A, B, C = _balance(np.diff(steps, axis=0) / rises[:, None] / drives, order, accuracy / drives.min(initial=1.0))
    A, B = _continuous(name, A, B * drives, h)
    C, D = C * rises[:, None], _plain(steps[0], rises, 1.0 / drives)
    change = _readable(A, C, D)
    # states may be scaled freely: rows of the change of coordinates have length 1
    sizes, back = np.linalg.norm(change, axis=1), np.linalg.inv(change)
    # x' = T A T^-1 x' for the new states T x
    A, B = _plain(change @ A @ back, sizes, sizes), _plain(change @ B, sizes, 1.0 / drives)
    return Prototype(name, A, B, _plain(C @ back, rises, sizes), D, inputs, outputs)


def step_responses(one: Prototype, h: float, count: int) -> Matrix:
    """Return samples for `realise_steps` of a prototype: `count` + 1 every `h` [s], shape (count + 1, ny, nu)."""
    from scipy.linalg import expm  # takes long to load

    n, nu = one.B.shape
    # inputs as states that stay: one exponential serves all samples
    whole = np.block([[one.A, one.B], [np.zeros((nu, n + nu))]]) if n else np.zeros((nu, nu))
    forward = expm(whole * h)
    # starts at rest with a step of 1 on each input
    state, found = np.vstack([np.zeros((n, nu)), np.eye(nu)]), []
    for _ in range(count + 1):
        found.append(np.hstack([one.C, one.D]) @ state)
        state = forward @ state
    return np.array(found)


def _continuous(name: str, A: Matrix, B: Matrix, h: float) -> tuple[Matrix, Matrix]:
    from scipy.linalg import logm  # takes long to load

    n, nu = B.shape
    if n == 0:
        return A, B
    modes = np.linalg.eigvals(A)
    # the logarithm of a mode at 0 or below is not real: no continuous system has it
    if np.any((np.abs(modes) < _DEAD) | ((modes.real < 0.0) & (np.abs(modes.imag) < _DEAD * np.abs(modes)))):
        raise CouplantError(
            f"the responses of {name} are those of no continuous system: they hold a dead time or modes beyond the "
            f"Nyquist frequency of {np.pi / h:.6g} rad/s; take another step"
        )
    # exp([[A, B], [0, 0]] h) = [[Φ, Γ], [0, I]], read backwards
    found = np.real(logm(np.block([[A, B], [np.zeros((nu, n)), np.eye(nu)]]))) / h
    return found[:n, :n], found[:n, n:]


def _scales(steps: Matrix) -> tuple[Vector, Vector]:
    """Return the sizes of outputs and inputs, 1 where nothing acts."""
    size = np.abs(steps).max(axis=0)
    rises = size.max(axis=1)
    rises[rises == 0.0] = 1.0
    drives = (size / rises[:, None]).max(axis=0)
    drives[drives == 0.0] = 1.0
    return rises, drives


def _balance(markov: Matrix, order: int | None, accuracy: float) -> tuple[Matrix, Matrix, Matrix]:
    """Return A, B, C of the sampled system from H_1, H_2, .., shape (N, ny, nu)."""
    # as many block rows as columns: the most states that the samples can show
    rows = markov.shape[0] // 2
    ny, nu = markov.shape[1:]
    block = np.array([markov[i : i + rows] for i in range(rows + 1)])
    # Hankel: block (i, j) is the impulse response i + j + 1, of rank n in a system of n states
    hankel = block.transpose(0, 2, 1, 3).reshape((rows + 1) * ny, rows * nu)
    left, sizes, right = np.linalg.svd(hankel[:-ny], full_matrices=False)
    # singular values of a matrix of noise of this size, so that none of them becomes a state
    floor = 2.0 * accuracy * (np.sqrt(rows * ny) + np.sqrt(rows * nu)) + _ROUNDING * sizes[:1].sum()
    n = int(np.sum(sizes > floor)) if order is None else order
    if n > rows:
        raise UsageError(f"{2 * rows} samples are too few for {n} states, allowed at least {2 * n}")
    # half of each singular value to either side: controllable and observable alike (balanced)
    root = np.sqrt(sizes[:n])
    out, into = left[:, :n] * root, root[:, None] * right[:n]
    # moved by one block row: A from the least squares of O A = O↑
    A = (left[:, :n] / root).T @ hankel[ny:] @ (right[:n] / root[:, None]).T
    return A, into[:, :nu], out[:ny]


def _readable(A: Matrix, C: Matrix, D: Matrix) -> Matrix:
    """Return rows that make states of outputs, those without feedthrough first, and of their derivatives."""
    n, chosen = A.shape[0], np.zeros((0, A.shape[0]))
    # without feedthrough first: positions before accelerations
    rows = C[np.argsort(np.any(D != 0.0, axis=1), kind="stable")]
    for _ in range(n):
        for row in rows:
            grown = np.vstack([chosen, row])
            scaled = grown / np.maximum(np.linalg.norm(grown, axis=1), 1e-300)[:, None]
            # taken if it adds a direction that the chosen ones do not nearly have
            if chosen.shape[0] < n and np.linalg.cond(scaled) < LARGEST_CONDITION:
                chosen = grown
        # next derivative
        rows = rows @ A
    return chosen if chosen.shape[0] == n else np.eye(n)


def _plain(matrix: Matrix, rows: Vector, columns: Vector) -> Matrix:
    """Return the matrix with what is 0, 1 or -1 to within its accuracy so: `scattered` takes these for structure.

    `rows` and `columns` are the sizes of what comes out and goes in, in their own units.
    """
    # effect of an entry: its size times that of the state it acts on
    share = np.abs(matrix) * columns / rows[:, None]
    found = np.where(share <= _STRUCTURE * share.max(initial=0.0), 0.0, matrix)
    # nearly ±1 are the kinematics, x' = v
    return np.where(np.abs(np.abs(found) - 1.0) <= _STRUCTURE, np.sign(found), found)
