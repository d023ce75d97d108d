"""Foreign entries that filter the newest values: a Kalman filter of constant acceleration, Holt's damped trend.

Both begin anew at the oldest value that they look at, so that what was lost or came late does not mislead them.
"""

import numpy as np

from couplant.base.arrays import Matrix, Vector
from couplant.lab.arena.entries.polynomial import Ahead, Past


class Kalman(Ahead):
    """Steady Kalman filter of position, velocity and acceleration, whose jerk is white (Kalman 1960).

    Its gain follows from the ratio of both noises alone.
    """

    values = 32
    JERK = 1.0  # deviation of what acceleration changes by in a macro step over that of the measurement noise [-]
    PHI = np.array([[1.0, 1.0, 0.5], [0.0, 1.0, 1.0], [0.0, 0.0, 1.0]])
    """Motion of a macro step, in units of it."""

    def __init__(self) -> None:
        """Work the gain out."""
        self.gain = steady_gain(self.PHI, self.noise())

    def noise(self) -> Matrix:
        """Return the covariance of what a macro step adds, over that of the measurement noise."""
        pushed = np.array([1.0 / 6.0, 0.5, 1.0]) * self.JERK
        return np.outer(pushed, pushed)

    def ahead(self, past: Past, steps: int) -> float:
        """Return the value `steps` macro steps after the newest one."""
        oldest = past[-1]
        x, v, a = oldest, past[-2] - oldest, 0.0
        gx, gv, ga = self.gain.tolist()
        for value in reversed(past[:-1]):
            x, v = x + v + 0.5 * a, v + a
            error = value - x
            x, v, a = x + gx * error, v + gv * error, a + ga * error
        return x + steps * v + 0.5 * steps * steps * a


def steady_gain(phi: Matrix, noise: Matrix) -> Vector:
    """Return the gain that a Kalman filter of the first state ends at, shape (n,), by its Riccati recursion.

    `phi` is the motion of a step, `noise` what it adds over the variance of the measurement noise, both (n, n).
    """
    n = len(phi)
    ahead, gain = 1e3 * np.eye(n), np.zeros(n)
    for _ in range(5000):
        before, gain = gain, ahead[:, 0] / (ahead[0, 0] + 1.0)
        ahead = phi @ (ahead - np.outer(gain, ahead[0])) @ phi.T + noise
        if np.allclose(gain, before, rtol=1e-13, atol=0.0):
            break
    return gain


class DampedHolt(Ahead):
    """Level and trend by exponential smoothing, with a trend that dies out (Gardner, McKenzie 1985)."""

    values = 24
    LEVEL, TREND, DAMPING = 1.0, 0.9, 0.9  # weights of news for level and trend, what is left of the trend [-]

    def ahead(self, past: Past, steps: int) -> float:
        """Return the value `steps` macro steps after the newest one: the trend is a geometric series."""
        level, trend = past[-2], past[-2] - past[-1]
        for value in reversed(past[:-2]):
            foreseen = level + self.DAMPING * trend
            now = foreseen + self.LEVEL * (value - foreseen)
            level, trend = now, self.TREND * (now - level) + (1.0 - self.TREND) * self.DAMPING * trend
        return level + trend * self.DAMPING * (1.0 - self.DAMPING**steps) / (1.0 - self.DAMPING)
