"""The algorithm `model` as the analysis sees it: weights of the states at the sender, and of what went there since.

The observer runs on values k steps old, so it is the observer at the sender k steps ago, whatever the latency:

    x_j <- x_j + K (y_j - C x_j - D û_j),    x_{j+1} = Phi x_j + G0 û_j + G1 (û_{j+1} - û_j)
    estimate = a x_{n-k} + b_0 u_n + b_1 u_{n-1} + ..    with a = C Phi^k, as the steps from n - k to n add up
"""

from dataclasses import dataclass, field

import numpy as np

from couplant.base.arrays import Matrix
from couplant.base.grid import TOLERANCE, latency_in_steps
from couplant_runtime.plant import Plant


@dataclass(frozen=True)
class Sender:
    """The model of a prototype that sends signals, as all coupling FMUs that receive them have it."""

    plant: Plant  # sampled model with the gain of its observer; which output is `own` does not matter here
    outputs: tuple[str, ...]  # what each message carries, as ``prototype.signal``, in the order of the model
    inputs: tuple[str, ...]  # where u goes to, as ``prototype.signal``, in the order of the model
    matrices: tuple[Matrix, ...] = field(init=False, compare=False)  # Phi, G0, G1, C, D, K

    def __post_init__(self) -> None:
        """Make arrays of the matrices."""
        one = self.plant
        every = one.phi, one.level, one.change, one.outputs, one.through, one.gain
        object.__setattr__(self, "matrices", tuple(np.array(matrix) for matrix in every))


@dataclass(frozen=True, eq=False)
class ByModel:
    """Coupling FMU with the algorithm `model` at one latency."""

    k: int  # latency of its signal, macro steps
    sender: Sender  # the model
    own: int  # which of the outputs it estimates, from 0
    lead: float = 0.0  # what it looks further ahead than k, macro steps

    @property
    def name(self) -> str:
        """Name for tables and legends."""
        return "model"


@dataclass(frozen=True, eq=False)
class Line:
    """An estimate, level + slope (θ - shift): rows for level and slope, shift already taken off the level.

    states : shape (2, N), of the corrected states at the sender k steps ago
    sent : shape (2, L, m), of what was sent 0, 1, .. L - 1 steps ago
    """

    states: Matrix
    sent: Matrix


def line(sender: Sender, own: int, k: int, lead: float) -> Line:
    """Return the weights of an estimate of the output `own`, `k` and `lead` in macro steps, as the FMU works it out.

    Inputs are linear between macro points, and go on as a line after the newest that is known: u_n, of a plant that is
    `late` u_{n-1}.
    """
    phi, level, change, C, D, _ = sender.matrices
    (n, m), first = level.shape, int(sender.plant.late)
    length = max(k, first) + 2
    basis = np.eye(n + length * m)
    x, past = basis[:n], basis[n:].reshape(length, m, -1)

    def present(at: int) -> Matrix:
        back = max(-at, first)
        newer, older = past[back], past[min(back + 1, length - 1)]
        return np.asarray(newer + (-at - back) * (older - newer))

    ahead = max(0, latency_in_steps(k + lead))
    fraction = ahead - k - lead
    values, here = [], present(-k)
    for step in range(ahead + 2):
        values.append(C[own] @ x + D[own] @ here)
        there = present(step + 1 - k)
        x = phi @ x + level @ here + change @ (there - here)
        here = there
    slope = values[-1] - values[-2]
    rows = np.array([values[-2] - (fraction if abs(fraction) > TOLERANCE else 0.0) * slope, slope])
    return Line(rows[:, :n], rows[:, n:].reshape(2, length, m))
