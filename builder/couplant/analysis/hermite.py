"""Weights of a signal and its derivative together, from what is usual for signals.

    ŷ(t) = Σ a_l y_{n-k-l} + ΔT Σ b_l y'_{n-k-l} + θ (..),    l = 0 .. m - 1

With both a signal is known as well as from twice as many values (Papoulis 1977), and Hermite's polynomials continue it;
they are unstable in a loop from latencies of five steps on. So the weights are those of least squares: on the power of
the usual band, its tail above included, with noise on both signals and with power at all frequencies that nothing
predicts, which bounds the gain; exact on polynomials up to a degree.
"""

from functools import cache

from couplant.analysis.algorithms import MAX_STEPS, LinearAlgorithm
from couplant.analysis.exact.hermite import BAND as BAND
from couplant.analysis.exact.hermite import Moments, hermite_weights, moments
from couplant.analysis.exact.hermite import Prior as Prior

NEAR, FAR = Prior(5, 3), Prior(3, 2, noise=1e-2)
"""Cubics are worth more at short latencies, and unstable at long ones; so are weights that trust small noise."""

FARTHEST_NEAR = 3  # latency up to which cubics are continued, macro steps


@cache
def hermite(k: int, prior: Prior | None = None) -> LinearAlgorithm:
    """Return the weights for the latency `k`, 0 to 64 [macro steps], with the usual `prior` if none is given.

    Raises UsageError if k is out of range.
    """
    # cubics at short latencies, lower degrees beyond
    prior = prior or (NEAR if k <= FARTHEST_NEAR else FAR)
    found = hermite_weights(k, prior, _moments(MAX_STEPS + prior.m + 1))
    return LinearAlgorithm(k, found.a, found.slopes, "linear", found.b, found.b_slopes)


@cache
def _moments(lags: int) -> Moments:
    return moments(lags)
