"""Foreign entries that fit the newest values anew from those of a window: ridge regression, boosted trees."""

from typing import Any

import numpy as np

from couplant.base.arrays import Matrix, Vector
from couplant.lab.arena.entries.polynomial import Ahead, Past


class Window(Ahead):
    """Rows of past values, from which the value so many macro steps later is learnt."""

    ORDER, ROWS, values = 12, 400, 46  # values that foretell; rows that are kept

    def __init__(self) -> None:
        """Begin without rows."""
        self._rows: Matrix = np.zeros((self.ROWS, self.values))
        self.learnt = 0  # rows so far

    @property
    def rows(self) -> Matrix:
        """Return the rows that are kept, in any order, each newest value first, shape (N, values)."""
        return self._rows[: self.learnt]

    def learn(self, past: Past, k: int) -> None:
        """Keep the newest values in the place of the oldest row, whatever the latency `k` is."""
        self._rows[self.learnt % self.ROWS] = past
        self.learnt += 1

    def pairs(self, steps: int) -> tuple[Matrix, Vector]:
        """Return the differences that foretell, and by how much the newest value changed in `steps` macro steps."""
        rows = self.rows
        return relative(rows[:, steps : steps + self.ORDER]), rows[:, 0] - rows[:, steps]


def relative(rows: Matrix) -> Matrix:
    """Return the differences of neighbours in `rows`, shape (N, order): a constant that is added changes nothing."""
    return rows[..., :-1] - rows[..., 1:]


class Ridge(Window):
    """Direct ridge regression over a sliding window (Hoerl, Kennard 1970)."""

    PENALTY = 1e-10  # over the mean square of what foretells [-]

    def weights(self, steps: int) -> Vector:
        """Return the weights of the differences for a horizon of `steps`, shape (ORDER - 1,)."""
        X, y = self.pairs(steps)
        products = X.T @ X
        penalty = self.PENALTY * max(float(np.trace(products)), np.finfo(float).tiny)
        return np.asarray(np.linalg.solve(products + penalty * np.eye(len(products)), X.T @ y), dtype=float)

    def ahead(self, past: Past, steps: int) -> float:
        """Return the value `steps` macro steps after the newest one; a hold until there are enough rows."""
        if not 0 < steps <= self.values - self.ORDER or self.learnt < 2 * self.ORDER:
            return past[0]
        return past[0] + float(self.weights(steps) @ relative(np.array(past[: self.ORDER])))


class BoostedTrees(Window):
    """Gradient boosted trees by LightGBM (Ke and others 2017), grown anew from time to time."""

    ROWS, EVERY = 1500, 250  # rows that are kept; new ones after which trees are grown anew
    needs = "lightgbm"

    def __init__(self) -> None:
        """Begin without trees."""
        super().__init__()
        self._trees: dict[int, _Trees] = {}

    def ahead(self, past: Past, steps: int) -> float:
        """Return the value `steps` macro steps after the newest one; a hold until trees are grown."""
        if not 0 < steps <= self.values - self.ORDER or self.learnt < self.EVERY:
            return past[0]
        age, row = self.learnt // self.EVERY, relative(np.array([past[: self.ORDER]]))
        if steps not in self._trees or self._trees[steps].age != age:
            self._trees[steps] = _Trees(age, *self.pairs(steps))
        return past[0] + float(self._trees[steps].found.predict(row, num_threads=1)[0])


class _Trees:
    """Trees once they are grown; a copy of the state has the same ones."""

    def __init__(self, age: int, X: Matrix, y: Vector) -> None:
        import lightgbm  # a package that few have

        self.age = age
        settings = {"objective": "l2", "num_leaves": 15, "learning_rate": 0.1, "min_data_in_leaf": 10, "verbosity": -1,
                    "num_threads": 1, "deterministic": True, "force_row_wise": True, "seed": 1}  # fmt: skip
        self.found: Any = lightgbm.train(settings, lightgbm.Dataset(X, y), num_boost_round=60)

    def __deepcopy__(self, memo: object) -> "_Trees":
        return self
