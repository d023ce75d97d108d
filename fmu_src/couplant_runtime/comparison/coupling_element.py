"""Model-based coupling element (Stettinger 2014; Baumann 2024, 3-38): a second-order model of an input-output pair.

    y_n = -a_1 y_{n-1} - a_2 y_{n-2} + b_1 u_{n-1} + b_2 u_{n-2},    u the input of the prototype that sends y

is identified online; u is known up to now, because this side gave it out, so the k values that are still under way
follow from the model. Before the identification has settled it holds.
"""

from .least_squares import LeastSquares

ORDER = 2
SETTLING = 30
REACH = 2.0


class CouplingElement:
    """One coupling with the model-based element.

    Parameters
    ----------
    k : int
        Latency of y [macro steps].
    forgetting : float
        Of the identification, above 0, at most 1 [-].
    """

    def __init__(self, k: int, forgetting: float = 0.99) -> None:
        self.k = k
        self.model = LeastSquares(2 * ORDER, forgetting)
        self.reset()

    def reset(self) -> None:
        """Forget signals and model."""
        self.model.reset()
        self.past: list[float] = []
        self.inputs = [0.0] * (self.k + ORDER + 1)
        self.low = self.high = 0.0

    @property
    def active(self) -> bool:
        """Whether the identification has settled."""
        return self.model.samples >= SETTLING

    def step(self, y: float, u: float) -> tuple[float, float]:
        """Return level [signal unit] and slope [signal unit per macro step] of the estimate.

        Parameters
        ----------
        y : float
            Newest value, k macro steps old [signal unit].
        u : float
            Input of the prototype at this macro step [its unit].
        """
        self.inputs = [u, *self.inputs[:-1]]
        if not self.past:
            self.low = self.high = y
        self.low = y if y < self.low else self.low
        self.high = y if y > self.high else self.high
        if len(self.past) == ORDER:
            self.model.step([*self.past, *self.inputs[self.k + 1 : self.k + 1 + ORDER]], y)
        self.past = [y, *self.past[: ORDER - 1]]
        if not self.active:
            return y, 0.0
        level, following = self._continue()
        reach = REACH * (self.high - self.low)
        if not (self.low - reach <= level <= self.high + reach and self.low - reach <= following <= self.high + reach):
            return y, 0.0
        return level, following - level

    def _continue(self) -> tuple[float, float]:
        """Run the model over the values that are under way, and one more."""
        past = [*self.past, 0.0][:ORDER]
        level = past[0]
        for step in range(self.k + 1):
            newest = self.k - step
            before = level
            level = self.model.predict([*past, *self.inputs[newest : newest + ORDER]])
            past = [level, *past[: ORDER - 1]]
        return before, level
