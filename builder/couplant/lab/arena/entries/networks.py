"""Foreign entries that are neural networks in numpy: a perceptron that learns while it runs, an echo state network."""

import numpy as np

from couplant.base.arrays import Matrix, Vector
from couplant.lab.arena.entries.adaptive import RecursiveLeastSquares
from couplant.lab.arena.entries.polynomial import Ahead, Past
from couplant.lab.arena.entries.windows import Window, relative

_TINY = 1e-12


class Perceptron(Window):
    """Two layers with tanh between them, trained by Adam (Kingma, Ba 2015) on rows drawn from the newest ones."""

    ROWS, HIDDEN, BATCH, RATE = 600, 16, 32, 1e-2  # rows kept, neurons, rows of a step, step size [-]

    def __init__(self) -> None:
        """Begin with small weights that a fixed seed draws."""
        super().__init__()
        self._nets: dict[int, _Net] = {}
        self._random = np.random.default_rng(1)
        self._scale = 0.0

    def learn(self, past: Past, k: int) -> None:
        """Keep the newest values and make a step of training for the latency `k` and the macro step behind it."""
        super().learn(past, k)
        # a running size of what changes in a macro step, in which the network counts
        self._scale = max(0.999 * self._scale, abs(past[0] - past[1]))
        if self.learnt < self.BATCH or self._scale <= _TINY:
            return
        drawn = self.rows[self._random.integers(len(self.rows), size=self.BATCH)]
        for steps in {max(k, 1), k + 1}:
            if steps + self.ORDER <= self.values:
                X = relative(drawn[:, steps : steps + self.ORDER]) / self._scale
                y = (drawn[:, 0] - drawn[:, steps]) / (self._scale * steps)
                self._net(steps).train(X, y, self.RATE)

    def _net(self, steps: int) -> "_Net":
        return self._nets.setdefault(steps, _Net(self.ORDER - 1, self.HIDDEN, np.random.default_rng(steps)))

    def ahead(self, past: Past, steps: int) -> float:
        """Return the value `steps` macro steps after the newest one; a hold before there is anything learnt."""
        if steps not in self._nets or self._scale <= _TINY:
            return past[0]
        row = relative(np.array([past[: self.ORDER]])) / self._scale
        return past[0] + self._scale * steps * float(self._nets[steps].forward(row)[0])


class _Net:
    """A hidden layer and a linear way around it."""

    def __init__(self, inputs: int, hidden: int, random: np.random.Generator) -> None:
        first = random.normal(0.0, inputs**-0.5, (inputs, hidden))
        self.parts = [first, np.zeros(hidden), random.normal(0.0, 0.1 * hidden**-0.5, hidden), np.zeros(inputs)]
        self._moments = [(np.zeros_like(one), np.zeros_like(one)) for one in self.parts]
        self._steps = 0

    def forward(self, X: Matrix) -> Vector:
        """Return the outputs for the rows `X`, shape (N, inputs)."""
        first, bias, second, around = self.parts
        return np.asarray(np.tanh(X @ first + bias) @ second + X @ around, dtype=float)

    def train(self, X: Matrix, y: Vector, rate: float) -> None:
        """Make a step of size `rate` [-] towards the targets `y`, shape (N,), of the rows `X`."""
        for part, moments, slope in zip(self.parts, self._moments, self.slopes(X, y), strict=True):
            mean, square = moments
            mean += 0.1 * (slope - mean)
            square += 0.001 * (slope * slope - square)
            fair = np.sqrt(1.0 - 0.999 ** (self._steps + 1)) / (1.0 - 0.9 ** (self._steps + 1))
            part -= rate * fair * mean / (np.sqrt(square) + 1e-8)
        self._steps += 1

    def slopes(self, X: Matrix, y: Vector) -> list[Matrix]:
        """Return the derivatives of half the mean square error by all weights."""
        first, bias, second, _ = self.parts
        inner = np.tanh(X @ first + bias)
        error = (self.forward(X) - y) / y.size
        back = np.outer(error, second) * (1.0 - inner * inner)
        return [X.T @ back, back.sum(axis=0), inner.T @ error, X.T @ error]


class EchoState(Ahead):
    """A reservoir of fixed random neurons whose output weights recursive least squares adapt (Jaeger, Haas 2004)."""

    NEURONS, RADIUS, FORGETTING, values = 40, 0.8, 0.999, 34

    def __init__(self) -> None:
        """Begin with a reservoir that a fixed seed draws, at rest."""
        random = np.random.default_rng(1)
        inner = random.normal(size=(self.NEURONS, self.NEURONS))
        self._inner = inner * (self.RADIUS / float(np.abs(np.linalg.eigvals(inner)).max()))
        self._into = random.uniform(-1.0, 1.0, (self.NEURONS, 3))
        self._states: list[Vector] = []
        self._scale = 0.0
        self._fits: dict[int, RecursiveLeastSquares] = {}

    def learn(self, past: Past, k: int) -> None:
        """Drive the reservoir by the newest value and fit it for the latency `k` and the macro step behind it."""
        self._scale = max(0.999 * self._scale, abs(past[0] - past[1]))
        if self._scale <= _TINY:
            return
        changes = relative(np.array(past[:4])) / self._scale
        before = self._states[0][: self.NEURONS] if self._states else np.zeros(self.NEURONS)
        state = np.tanh(self._inner @ before + self._into @ changes)
        self._states = [np.concatenate([state, changes]), *self._states[: self.values - 1]]
        for steps in {max(k, 1), k + 1}:
            if steps < len(self._states):
                start = np.zeros(self.NEURONS + 3)
                fit = self._fits.setdefault(steps, RecursiveLeastSquares(start, self.FORGETTING, 10.0))
                fit.update(self._states[steps], (past[0] - past[steps]) / self._scale)

    def ahead(self, past: Past, steps: int) -> float:
        """Return the value `steps` macro steps after the newest one; a hold before there is anything learnt."""
        fit = self._fits.get(steps)
        return past[0] if fit is None else past[0] + self._scale * float(fit.weights @ self._states[0])
