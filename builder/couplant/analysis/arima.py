"""Linear algorithms as ARIMA(p, d, q) models: what they have in common (dissertation 3.3, table 3.1).

    Δ^d ŷ_n = Σ φ_l Δ^d y_{n-l} + Σ b_j e_{n-j},    e = ŷ - y, l = 1..p, j = 1..q       (3-22)

With the delay z of one macro step and the weights h of ŷ_n = Σ h_l y_{n-l}: 1 - Σ h_l z^l = (1 - Σ φ_l z^l) (1 - z)^d.
"""

from dataclasses import dataclass

import numpy as np

from couplant.analysis.algorithms import LinearAlgorithm, Recursive, SlidingModeObserver, generic
from couplant.analysis.phasor import Phasor
from couplant.base.arrays import Vector
from couplant.base.errors import UsageError

_SAME = 1e-9  # share of the largest weight below which a weight is rounding


@dataclass(frozen=True)
class Arima:
    """A model that predicts one macro step, without a constant.

    Raises UsageError if d is negative, a weight is not finite or nothing is predicted.
    """

    ar: tuple[float, ...]  # shape (p,): φ, weights of the past differences of order d, newest first, -
    d: int  # how often differences are taken, at least 0
    ma: tuple[float, ...] = ()  # shape (q,): b, weights of the past errors ŷ - y, newest first, -

    def __post_init__(self) -> None:
        """Check the fields."""
        if self.d < 0 or not np.all(np.isfinite([*self.ar, *self.ma])):
            raise UsageError(f"{self.name} has ar = {self.ar}, ma = {self.ma}, allowed finite weights and d at least 0")
        if not self.ar and not self.d:
            raise UsageError(f"{self.name} predicts nothing, allowed p + d at least 1")

    @property
    def name(self) -> str:
        """ARIMA(p,d,q)."""
        return f"ARIMA({len(self.ar)},{self.d},{len(self.ma)})"

    @property
    def weights(self) -> tuple[float, ...]:
        """Weights h of the past values in the prediction of one step, newest first, shape (p + d,), -."""
        # φ(z) = 1 - Σ ar z^i, times (1 - z)^d: weights are its coefficients but for the 1
        product = np.array([1.0, *(-w for w in self.ar)])
        for _ in range(self.d):
            product = np.convolve(product, (1.0, -1.0))
        return tuple(float(-w) for w in product[1:])

    def algorithm(self, k: int) -> LinearAlgorithm:
        """Return the coupling algorithm that continues the model `k` macro steps, and one more to the end of the step.

        Raises UsageError if q is not 0: all past values have a weight then, and no finite number of them is enough.
        """
        if self.ma:
            raise UsageError(f"{self.name} weighs all past values, allowed q = 0 for an algorithm with m values")
        # k steps of one-step predictions; one more to the end of the macro step
        start = _continue(np.array(self.weights), k)
        end = _next(start, np.array(self.weights))
        # slope = end less start
        return LinearAlgorithm(k, tuple(start), tuple(end - start), self.name)


def arima(algorithm: Recursive | str) -> Arima:
    """Return the model of which a coupling `algorithm` is the continuation.

    A name stands for the generic algorithm as it predicts one step: at k = 0 to the end of the macro step, the observer
    at k = 1. Weights of a latency above 0 must be those of one model used again and again; EROS3 and EROS4 are not,
    they are another predictor for each k. Raises UsageError if there is no such model or no such algorithm.
    """
    if isinstance(algorithm, str):
        return arima(generic(algorithm, 1 if algorithm.startswith("smb") else 0))
    if isinstance(algorithm, SlidingModeObserver):
        if algorithm.k != 1 or algorithm.lead or algorithm.variant != "recursion":
            raise UsageError(f"algorithm {algorithm.name}: at k = 1 it is an ARIMA(0,2,1) model, nowhere else one")
        # at k = 1 the recursion is ARIMA(0,2,1) with θ = 1 - λΔT
        return Arima((), 2, (1.0 - algorithm.lambda_dt,))
    if isinstance(algorithm, Phasor):
        raise UsageError(f"algorithm {algorithm.name}: it continues waves, no ARIMA model does")
    start, end = np.array(algorithm.a), np.add(algorithm.a, algorithm.A)
    if abs(start[0]) > _SAME * np.abs(start).max():
        # one step more: the weights of the end, from those of the start, tell h
        h = (end - np.append(start[1:], 0.0)) / start[0]
        again = _continue(h, algorithm.k)
        # it is one only if k of these steps give the weights themselves
        far = max(np.abs(again - start).max(), np.abs(_next(again, h) - end).max())
        if far <= _SAME * max(1.0, np.abs(start).max(), np.abs(end).max()):
            # divide 1 - Σ h z^l by 1 - z as often as nothing remains
            left, d = np.array([1.0, *-h]), 0
            rounding = _SAME * np.abs(left).sum()
            # a root at z = 1: the coefficients add up to 0
            while left.size > 1 and abs(left.sum()) <= rounding:
                # division by 1 - z is a running sum
                left, d = np.cumsum(left)[:-1], d + 1
            # trailing zeros are no orders
            kept = np.flatnonzero(np.abs(left) > rounding)[-1]
            return Arima(tuple(float(-w) for w in left[1 : kept + 1]), d)
    raise UsageError(f"algorithm {algorithm.name} at k = {algorithm.k} is not an ARIMA(p,d,0) model used k times")


def _continue(h: Vector, steps: int) -> Vector:
    """Return the weights of a prediction over many steps, shape (m,)."""
    # no step: the newest value itself
    reached: Vector = np.eye(h.size)[0]
    for _ in range(steps):
        reached = _next(reached, h)
    return reached


def _next(reached: Vector, h: Vector) -> Vector:
    """Return the weights for one step more: what would be the newest value is predicted from those before."""
    # the newest value in the weights is replaced by its prediction
    further: Vector = reached[0] * h + np.append(reached[1:], 0.0)
    return further
