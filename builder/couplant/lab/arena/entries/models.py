"""A foreign entry that must be told the loop: the model runs ahead of what arrives, after Smith (1957)."""

from functools import cached_property

import numpy as np

from couplant.base.arrays import Matrix, Vector
from couplant.lab.arena.entries.polynomial import Ahead, Past


class KnownLoop(Ahead):
    """Model of the loop as it is without latency, which runs over the latency from the state that the values show.

    Smith's predictor adds to the late value what its model does meanwhile. Here the model has both sides in it, so that
    it needs no inputs; its state is the one that fits the newest values best, by least squares.
    """

    values, MEMORY = 24, 0.7  # values that it fits; weight of each over that of the one behind it [-]
    states: Matrix
    """Matrix of all states of the loop without latency, shape (n, n) [1/s]: what must be known."""

    def __init__(self, macro_step: float) -> None:
        """Work out the motion of a `macro_step` ΔT [s]."""
        from scipy.linalg import expm  # takes long to load

        self._phi = expm(self.states * macro_step)
        self._weights: dict[int, Vector] = {}

    @cached_property
    def _seen(self) -> Matrix:
        """Return the rows by which an output of all states shows those of the oldest value, shape (values, n)."""
        row, rows = np.ones(len(self._phi)) / np.linalg.norm(self._phi, axis=0), []
        for _ in range(self.values):
            rows.append(row)
            row = row @ self._phi
        return np.array(rows)

    def weights(self, steps: int) -> Vector:
        """Return the weights of the values for a horizon of `steps` macro steps, newest first, shape (values,)."""
        if steps not in self._weights:
            ahead = self._seen[-1] @ np.linalg.matrix_power(self._phi, steps)
            # what pushes the loop from outside makes old values tell less of the state
            trust = self.MEMORY ** np.arange(self.values - 1.0, -1.0, -1.0)
            fitted = np.linalg.pinv(trust[:, None] * self._seen, rcond=1e-10) * trust
            self._weights[steps] = (ahead @ fitted)[::-1]
        return self._weights[steps]

    def ahead(self, past: Past, steps: int) -> float:
        """Return the value `steps` macro steps after the newest one."""
        return float(self.weights(steps) @ np.array(past))
