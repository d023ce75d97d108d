"""The exact map of a coupled system from one macro step to the next.

State: prototype states, what each coupling algorithm remembers, in step timing the estimates in effect, and those of
the step before where the host reads outputs too early. With
inputs that are linear inside a macro step the matrix exponential is exact; nothing is approximated.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from couplant.analysis.algorithms import Recursive, SlidingModeObserver, flat
from couplant.analysis.by_model import ByModel
from couplant.analysis.phasor import Phasor
from couplant.analysis.system import System, block_diag
from couplant.base.arrays import Matrix
from couplant.base.errors import CouplantError, UsageError


@dataclass(frozen=True)
class Recursion:
    """A coupling algorithm in state space, driven by the newest values at the sender: y, and its derivative if used.

    z⁺ = F z + g y, estimate = h z + j y at θ = 0, slope per macro step = h_slope z + j_slope y. Shapes for p values:
    g[nz, p], j[1, p].
    """

    F: Matrix
    g: Matrix
    h: Matrix
    h_slope: Matrix
    j: Matrix
    j_slope: Matrix


def recursion(algorithm: Recursive | ByModel) -> Recursion:
    """Return an algorithm in state space.

    Raises UsageError for the transfer function of the observer, which has no finite state, and for models, which see
    more than y.
    """
    if isinstance(algorithm, ByModel):
        raise UsageError("model is no recursion of one signal, allowed algorithms that look at one signal alone")
    if isinstance(algorithm, SlidingModeObserver) and algorithm.variant == "transfer":
        raise UsageError("smb (0-5) is a transfer function without a recursion, allowed variant recursion")
    algorithm = flat(algorithm)
    if isinstance(algorithm, Phasor):
        return _phasor(algorithm)
    if isinstance(algorithm, SlidingModeObserver):
        # it remembers y of the last k + 1 steps, then ŷ of as many as it looks ahead; y itself comes first
        k, ahead = algorithm.k, algorithm.ahead
        # slots: y_n .. y_{n-k-1}, then ŷ_{n-1} .. ŷ_{n-ahead}
        slope = np.zeros(k + ahead + 2)
        # p_n = bracket of y_{n-k}, y_{n-k-1} and of the estimate made `ahead` steps before
        slope[k], slope[k + 1], slope[-1] = algorithm.bracket
        estimate = slope.copy()
        # ŷ_n = ŷ_{n-1} + p_n
        estimate[k + 2] += 1.0
        F = block_diag([_shift(k + 1), _shift(ahead)])
        # the estimate becomes the newest remembered one, at the top of its register
        F[k + 1] += estimate[1:]
        g = np.zeros((k + 1 + ahead, 1))
        g[0], g[k + 1] = 1.0, estimate[0]
        return Recursion(F, g, estimate[1:], slope[1:], estimate[:1], slope[:1])
    parts = [_filter(algorithm.k, algorithm.a, algorithm.A)]
    parts += [_filter(algorithm.k, algorithm.b, algorithm.B)] if algorithm.b else []
    gather = {name: np.hstack([getattr(part, name) for part in parts]) for name in ("h", "h_slope", "j", "j_slope")}
    # y and its derivative have weights of their own: two filters side by side, whose estimates add up
    return Recursion(block_diag(part.F for part in parts), block_diag(part.g for part in parts), **gather)


def _phasor(one: Phasor) -> Recursion:
    """Return phasors in state space: values on their way, newest first, then constant part and phasors."""
    k, size = one.k, len(one.gains)
    # what each row of parts sees of the value that comes in: the oldest on its way, without latency y itself
    seen, comes = np.zeros((1, k + size)), float(k == 0)
    seen[0, k - 1] = float(k > 0)
    # parts after this value
    parts = one.gains[:, None] @ seen + np.hstack([np.zeros((size, k)), one.kept])
    at_once = one.gains[:, None] * comes
    F = np.vstack([np.eye(k, k + size, k=-1), parts])
    g = np.vstack([np.eye(k, 1), at_once])
    (level, slope) = one.line
    return Recursion(F, g, (level @ parts)[0], (slope @ parts)[0], (level @ at_once)[0], (slope @ at_once)[0])


def _filter(k: int, weights: Sequence[float], of_slope: Sequence[float]) -> Recursion:
    size = k + len(weights)
    # k slots pass before the first weight: y_{n-k} is the newest that counts
    taps, slopes = np.zeros(size), np.zeros(size)
    taps[k:], slopes[k:] = weights, of_slope
    # the newest value enters the shift register at its top, the rest moves down
    newest = np.eye(size, 1)[: size - 1]
    return Recursion(_shift(size - 1), newest, taps[1:], slopes[1:], taps[:1], slopes[:1])


def _shift(size: int) -> Matrix:
    return np.eye(size, k=-1)


def discretise(A: Matrix, B: Matrix, macro_step: float) -> tuple[Matrix, Matrix, Matrix]:
    """Return Φ, Γ₀, Γ₁ with x(ΔT) = Φ x + Γ₀ u + Γ₁ Δu for inputs u + θ Δu and a `macro_step` ΔT [s].

    `A`, `B` are the continuous state space, shapes (nx, nx), (nx, nu), time in s.
    """
    from scipy.linalg import expm  # takes long to load

    nx, nu = B.shape
    # Van Loan: exp of [[A, B, 0], [0, 0, I], [0, 0, 0]] ΔT has Φ, Γ₀ and Γ₁ in its first row
    block = np.zeros((nx + 2 * nu, nx + 2 * nu))
    block[:nx, :nx], block[:nx, nx : nx + nu] = A * macro_step, B * macro_step
    block[nx : nx + nu, nx + nu :] = np.eye(nu)
    whole = expm(block)
    return whole[:nx, :nx], whole[:nx, nx : nx + nu], whole[:nx, nx + nu :]


def macro_map(system: System, parts: list[Recursion] | None = None) -> Matrix:
    """Return the matrix, shape (N, N), that takes the state of the coupled system over one macro step.

    It acts on prototype states, algorithm states, in step timing the estimates in effect, and with stale outputs those
    of the step before. `parts` are what stands in the connections, by default their algorithms. Raises CouplantError if
    direct feedthrough without latency closes an algebraic loop that has no unique solution.
    """
    loop = _Loop.of(system, parts or [recursion(c.algorithm) for c in system.connections])
    if system.timing == "event":
        # (I - D J) y = C x + D H z: what outputs depend on at once goes in a circle
        y = solve_loop(np.eye(loop.D.shape[0]) - loop.D @ loop.J, np.hstack([loop.C, loop.D @ loop.H]))
        nx, nz = loop.phi.shape[0], loop.F.shape[0]
        z = np.hstack([np.zeros((nz, nx)), np.eye(nz)])
        x = np.hstack([np.eye(nx), np.zeros((nx, nz))])
        u, slope = loop.H @ z + loop.J @ y, loop.H_slope @ z + loop.J_slope @ y
        return np.vstack([loop.phi @ x + loop.gamma @ u + loop.gamma_slope @ slope, loop.F @ z + loop.G @ y])
    whole = _step_map(loop)
    return whole[:, : len(whole)]


def noise_map(system: System) -> tuple[Matrix, Matrix, Matrix, Matrix]:
    """Return M, N, R, S: state⁺ = M state + N w, estimates = R state + S w, for noise w on what is sent.

    The state is that of `macro_map`, of size N; the estimates in effect have an entry for each connection, w for each
    value that is sent, derivatives included. Raises CouplantError as `macro_map`.
    """
    loop = _Loop.of(system, [recursion(c.algorithm) for c in system.connections])
    M, (ny, nu), nx, nz = macro_map(system), loop.D.shape, loop.phi.shape[0], loop.F.shape[0]
    if system.timing == "step":
        size = M.shape[0]
        return M, _step_map(loop)[:, size:], np.eye(nu, size, k=nx + nz), np.zeros((nu, ny))
    # y is solved from y = C x + D (H z + J (y + w)): noise comes back to y through D J
    inner = np.eye(ny) - loop.D @ loop.J
    y = solve_loop(inner, np.hstack([loop.C, loop.D @ loop.H]))
    sent = np.eye(ny) + solve_loop(inner, loop.D @ loop.J)
    # the estimate sees y and the noise on it
    at_once, slope = loop.J @ sent, loop.J_slope @ sent
    into = np.vstack([loop.gamma @ at_once + loop.gamma_slope @ slope, loop.G @ sent])
    return M, into, np.hstack([np.zeros((nu, nx)), loop.H]) + loop.J @ y, at_once


@dataclass(frozen=True)
class _Loop:
    """All prototypes and all algorithms, block diagonal, with the wiring between them.

    phi, gamma and gamma_slope are those of a communication step.
    What is sent, y, are the sources of the connections in their order, each followed by its derivative, per macro step,
    if that is used.
    """

    phi: Matrix
    gamma: Matrix
    gamma_slope: Matrix
    C: Matrix
    D: Matrix
    D_late: Matrix
    F: Matrix
    G: Matrix
    H: Matrix
    H_slope: Matrix
    J: Matrix
    J_slope: Matrix
    micro_steps: int
    wired: Matrix

    @classmethod
    def of(cls, system: System, parts: list[Recursion]) -> "_Loop":
        """Collect the blocks; B and D are reduced to connected inputs, C and D to connected outputs."""
        A, B, C, _ = system.matrices()
        targets, sent = system.targets, system.sent
        direct, late = system.feedthrough(sent)
        places = (place for c in system.connections for place in range(len(c.sent)))
        # derivatives are worked with as ΔT y', in the unit of the signal
        unit = np.array([system.macro_step if place else 1.0 for place in places])
        # a receiver that holds gets no slope, in event timing only: step timing gives it none anyway
        moving = [0.0 if c.hold and system.timing == "event" else 1.0 for c in system.connections]
        return cls(
            *discretise(A, B[:, targets], system.macro_step / system.micro_steps),
            unit[:, None] * C[sent],
            unit[:, None] * direct,
            unit[:, None] * late,
            block_diag(p.F for p in parts),
            block_diag(p.g for p in parts),
            block_diag(p.h[None] for p in parts),
            block_diag(p.h_slope[None] * m for p, m in zip(parts, moving, strict=True)),
            block_diag(p.j[None] for p in parts),
            block_diag(p.j_slope[None] * m for p, m in zip(parts, moving, strict=True)),
            system.micro_steps,
            np.array([[c.wired] for c in system.connections]),
        )


def _step_map(loop: _Loop) -> Matrix:
    """Y = Cx + Du with u the estimates that are held from t_n on; the next ones are made from y at each micro step.

    What the host reads too early has the estimates of the micro step before in it. Columns: the state, then the noise
    on what is sent.
    """
    nx, nz, nu, ny = loop.phi.shape[0], loop.F.shape[0], loop.D.shape[1], loop.D.shape[0]
    # stale outputs see the inputs of the step before: those are remembered
    late = nu if loop.D_late.any() else 0
    x, z, made, before, w = np.split(np.eye(nx + nz + nu + late + ny), np.cumsum([nx, nz, nu, late]))
    # a plain wire has no FMU whose step it waits for
    u = np.where(loop.wired, loop.H @ z, made)
    y = loop.C @ x + loop.D @ u + (loop.D_late @ before if late else 0.0) + w
    level, slope = loop.H @ z + loop.J @ y, loop.H_slope @ z + loop.J_slope @ y
    for step in range(1, loop.micro_steps + 1):
        x, before = loop.phi @ x + loop.gamma @ u, u[:late]
        # step timing: the value at the end of the step, level and slope together, is what the next step gets
        u = level + np.where(loop.wired, 0.0, step / loop.micro_steps) * slope
    return np.vstack([x, loop.F @ z + loop.G @ y, u, before])


def solve_loop(matrix: Matrix, right: Matrix) -> Matrix:
    """Return the solution of `matrix` y = `right` for what signals are at once, shape as `right`.

    Raises CouplantError if there is none, or more than one.
    """
    # no feedthrough, nothing to solve: also keeps the result free of rounding
    if np.array_equal(matrix, np.eye(matrix.shape[0])):
        return right
    if np.linalg.cond(matrix) > 1e12:
        raise CouplantError(
            "direct feedthrough without latency closes an algebraic loop without a unique solution: "
            "give one of its connections a latency of at least one macro step"
        )
    return np.asarray(np.linalg.solve(matrix, right), dtype=float)
