"""Recursive FIR filter (Stettinger 2017; Baumann 2024, 3-40): y_n = sum of a_l y_{n-l}, l = 1..4, identified online.

Several steps ahead by inserting predictions; before the identification has settled, and whenever the prediction leaves
twice the range of the signal, it holds.
"""

from .least_squares import LeastSquares

ORDER = 4
SETTLING = 30
REACH = 2.0


class RecursiveFir:
    """One coupling with the recursive FIR filter.

    Parameters
    ----------
    k : int
        Latency [macro steps].
    forgetting : float
        Of the identification, above 0, at most 1 [-].
    """

    def __init__(self, k: int, forgetting: float = 0.99) -> None:
        self.k = k
        self.model = LeastSquares(ORDER, forgetting)
        self.reset()

    def reset(self) -> None:
        """Forget the signal and the model."""
        self.model.reset()
        self.past: list[float] = []
        self.low = self.high = 0.0

    @property
    def active(self) -> bool:
        """Whether the identification has settled."""
        return self.model.samples >= SETTLING

    def step(self, y: float) -> tuple[float, float]:
        """Return level [signal unit] and slope [signal unit per macro step] of the estimate.

        Parameters
        ----------
        y : float
            Newest value, k macro steps old [signal unit].
        """
        if not self.past:
            self.low = self.high = y
        self.low = y if y < self.low else self.low
        self.high = y if y > self.high else self.high
        if len(self.past) == ORDER:
            self.model.step(self.past, y)
        self.past = [y, *self.past[: ORDER - 1]]
        if not self.active:
            return y, 0.0
        level, following = self._continue()
        reach = REACH * (self.high - self.low)
        if not (self.low - reach <= level <= self.high + reach and self.low - reach <= following <= self.high + reach):
            return y, 0.0
        return level, following - level

    def _continue(self) -> tuple[float, float]:
        past = self.past
        level = past[0]
        for _ in range(self.k):
            level = self.model.predict(past)
            past = [level, *past[: ORDER - 1]]
        return level, self.model.predict(past)
