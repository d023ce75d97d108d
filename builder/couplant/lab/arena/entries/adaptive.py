"""Foreign entries that adapt a few weights with every value: compensators of hybrid simulation, adaptive filters."""

import numpy as np

from couplant.base.arrays import Matrix, Vector
from couplant.lab.arena.entries.polynomial import Ahead, Past
from couplant.lab.arena.entries.windows import Window

_TINY = 1e-12


class RecursiveLeastSquares:
    """Weights that fit targets by recursive least squares with exponential forgetting (Haykin 2002, table 9.1)."""

    def __init__(self, weights: Vector, forgetting: float, doubt: float) -> None:
        """Begin with `weights`, shape (p,); older rows count by `forgetting` less [-], `doubt` is P at the start."""
        self.weights, self._forgetting = weights.astype(float), forgetting
        self._covariance: Matrix = doubt * np.eye(weights.size)
        self._doubt = doubt

    def update(self, row: Vector, target: float) -> None:
        """Take in a `target` with its regressors `row`, shape (p,)."""
        spread = self._covariance @ row
        gain = spread / (self._forgetting + row @ spread)
        self.weights = self.weights + gain * (target - row @ self.weights)
        self._covariance = (self._covariance - np.outer(gain, spread)) / self._forgetting
        # rows that do not excite all directions let P grow without end: it begins anew
        if not np.trace(self._covariance) < 1e3 * self._doubt * row.size:
            self._covariance = self._doubt * np.eye(row.size)


class AdaptiveTimeSeries(Window):
    """Taylor series whose coefficients follow what arrived (Chae, Kazemibidokhti, Ricles 2013).

    ŷ = a₀ y + a₁ y' + a₂ y'' of the newest value, where least squares over a moving window fit the values that arrived
    by those that had arrived the latency before. Coefficients stay within bounds around those of a pure delay, as in
    the paper.
    """

    ORDER, ROWS, values = 3, 256, 36
    LIMITS = (0.3, 0.6, 1.0)  # how far each coefficient may be from 1, k, k²/2, as a share of it [-]

    def ahead(self, past: Past, steps: int) -> float:
        """Return the value `steps` macro steps after the newest one."""
        return float(self.coefficients(steps) @ _taylor(np.array(past[:3])))

    def coefficients(self, steps: int) -> Vector:
        """Return a₀, a₁, a₂ for a horizon of `steps`, those of a pure delay where nothing tells more."""
        pure = np.array([1.0, steps, 0.5 * steps * steps])
        if not 0 < steps <= self.values - self.ORDER or self.learnt < 16:
            return pure
        X, reach = _taylor(self.rows[:, steps : steps + 3].T), np.array(self.LIMITS) * pure
        # of all that fit as well, those nearest to a pure delay: a single sine tells two of three coefficients
        change = np.linalg.lstsq(X @ X.T, X @ (self.rows[:, 0] - pure @ X), rcond=1e-12)[0]
        return np.asarray(np.clip(pure + change, pure - reach, pure + reach), dtype=float)


def _taylor(newest: Matrix) -> Matrix:
    """Return value, slope and curvature of three values, newest first, shape (3, ..) [by macro step]."""
    x0, x1, x2 = newest
    return np.array([x0, 1.5 * x0 - 2.0 * x1 + 0.5 * x2, x0 - 2.0 * x1 + x2])


class AdaptiveInverse(Ahead):
    """Inverse of a delay of first order whose measure α is adapted by least squares (after Chen, Ricles 2010).

    ŷ = y + (α - 1)(y - y₋₁), α - 1 the delay in macro steps: recursive least squares make the value of so many steps
    ago hit the newest one.
    """

    values, FORGETTING = 34, 0.99

    def __init__(self) -> None:
        """Begin with the delay as it is."""
        self._by_horizon: dict[int, RecursiveLeastSquares] = {}

    def learn(self, past: Past, k: int) -> None:
        """Adapt the measures for `k` and the macro step behind it."""
        for steps in (k, k + 1):
            if 0 < steps <= self.values - 2:
                fit = self._by_horizon.setdefault(
                    steps, RecursiveLeastSquares(np.array([float(steps)]), self.FORGETTING, 1e-2)
                )
                slope = past[steps] - past[steps + 1]
                scale = abs(slope) + abs(past[0] - past[steps]) / steps
                if scale > _TINY:
                    fit.update(np.array([slope / scale]), (past[0] - past[steps]) / scale)

    def ahead(self, past: Past, steps: int) -> float:
        """Return the value `steps` macro steps after the newest one."""
        fit = self._by_horizon.get(steps)
        measure = float(steps) if fit is None else min(max(float(fit.weights[0]), 0.0), 2.0 * steps)
        return past[0] + measure * (past[0] - past[1])


class NormalisedLms(Ahead):
    """Linear predictor by normalised least mean squares (Haykin 2002, chapter 6), one for each horizon."""

    ORDER, STEP, values = 12, 0.2, 46  # weights; step size [-]

    def __init__(self) -> None:
        """Begin with a hold."""
        self._weights: dict[int, Vector] = {}

    def learn(self, past: Past, k: int) -> None:
        """Correct the weights for `k` and the macro step behind it by what they foresaw for the newest value."""
        for steps in {max(k, 1), k + 1}:
            if steps + self.ORDER <= len(past):
                row, weights = np.array(past[steps : steps + self.ORDER]), self.weights(steps)
                power = float(row @ row)
                if power > _TINY:
                    self._weights[steps] = weights + self.STEP * (past[0] - row @ weights) / power * row

    def weights(self, steps: int) -> Vector:
        """Return the weights for a horizon of `steps`, newest value first, shape (ORDER,)."""
        hold: Vector = np.eye(1, self.ORDER)[0]
        return self._weights.get(steps, hold)

    def ahead(self, past: Past, steps: int) -> float:
        """Return the value `steps` macro steps after the newest one."""
        return float(self.weights(steps) @ np.array(past[: self.ORDER])) if steps else past[0]


class AutoRegression(Ahead):
    """Autoregressive model of the signal by recursive least squares, iterated over the latency (Ljung 1999)."""

    ORDER, FORGETTING, values = 12, 0.995, 13

    def __init__(self) -> None:
        """Begin with a hold."""
        self.fit = RecursiveLeastSquares(np.eye(1, self.ORDER)[0], self.FORGETTING, 1e6)
        self._size = 0.0

    def learn(self, past: Past, k: int) -> None:
        """Fit the newest value by those before it; the latency `k` does not matter."""
        self._size = max(self._size, abs(past[0]))
        if self._size > 0.0:
            window = np.array(past[: self.ORDER + 1]) / self._size
            self.fit.update(window[1:], float(window[0]))

    def ahead(self, past: Past, steps: int) -> float:
        """Return the value `steps` macro steps after the newest one; what grows beyond all that was seen is cut."""
        window = np.array(past[: self.ORDER])
        for _ in range(steps):
            foreseen = min(max(float(self.fit.weights @ window), -2.0 * self._size), 2.0 * self._size)
            window = np.concatenate([[foreseen], window[:-1]])
        return float(window[0])
