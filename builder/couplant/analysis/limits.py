"""Limit frequencies: up to where a coupling process counts as neutral (dissertation 4.1.2, table 4.1)."""

import math
from dataclasses import dataclass

from couplant.analysis.algorithms import Algorithm, LinearAlgorithm, Shifted, SlidingModeObserver, check_timing
from couplant.analysis.coupling_process import ErlangLatency, frequency_response
from couplant.analysis.exact.limits import GAIN_TOLERANCE as GAIN_TOLERANCE
from couplant.analysis.exact.limits import PHASE_TOLERANCE as PHASE_TOLERANCE
from couplant.analysis.exact.limits import gain_limit, phase_limit
from couplant.analysis.exact.response import (
    Observer,
    Response,
    response_of_observer,
    response_of_transfer,
    response_of_weights,
)
from couplant_runtime.config import Weights

_REACH = 16
"""How much older than the newest value those are that count in an algorithm without weights, macro steps."""


@dataclass(frozen=True)
class Limits:
    """Limit frequencies of a coupling process as shares of the Nyquist frequency π/ΔT.

    Parameters
    ----------
    gain : float or None
        First frequency at which ||G_p| - 1| reaches 0.03; None if it never does below Nyquist, -.
    phase : float or None
        First frequency at which |∠G_p| reaches 3°; None if it never does below Nyquist, -.
    """

    gain: float | None
    phase: float | None

    @property
    def limit(self) -> float | None:
        """The lower of the two; None if there is neither, -."""
        found = [x for x in (self.gain, self.phase) if x is not None]
        return min(found) if found else None

    def in_rad_per_s(self, macro_step: float) -> "Limits":
        """Return the same limits in rad/s; `macro_step` is ΔT, s."""
        scale = math.pi / macro_step
        return Limits(*(None if x is None else x * scale for x in (self.gain, self.phase)))


def limit_frequencies(algorithm: Algorithm, timing: str = "event", latency: ErlangLatency | None = None) -> Limits:
    """Return the limit frequencies of an algorithm, both 0 if it does not even hold a constant within the tolerance.

    With a `latency` they are those of its mean behaviour where values are late by that in place of k.
    """
    response, reach = response_of(algorithm, timing, latency)
    return Limits(gain_limit(response, reach), phase_limit(response, reach))


def response_of(algorithm: Algorithm, timing: str, latency: ErlangLatency | None = None) -> tuple[Response, int]:
    """Return G_p of an algorithm at ω ΔT [rad], and the age of the oldest value that counts [macro steps].

    Weights and the observer are worked out without numpy, all others and other latencies by `frequency_response`.
    """
    step = check_timing(timing) == "step"
    weights, fraction = weights_of(algorithm)
    if latency is None and weights:
        # of weights in the same bits on every machine
        return response_of_weights(weights, fraction, step), weights.steps + max(len(weights.a), len(weights.b))
    if latency is None and isinstance(algorithm, SlidingModeObserver):
        # k for the newest value, `ahead` for the recursion, two more for its bracket
        reach = algorithm.k + algorithm.ahead + 2
        if algorithm.variant == "recursion" or not algorithm.k:
            return response_of_observer(observer_of(algorithm), step), reach
        if not step:
            return response_of_transfer(algorithm.k, algorithm.lambda_dt), reach

    def response(omega: float) -> tuple[float, float]:
        found = complex(frequency_response(algorithm, omega / math.pi, timing, latency))
        return found.real, found.imag

    # without weights, old values count as far as `_REACH` steps back
    return response, math.ceil(max(algorithm.k, latency.mean if latency else 0.0)) + _REACH


def weights_of(algorithm: Algorithm) -> tuple[Weights | None, float]:
    """Return the weights that an algorithm consists of, if any, and how much younger than k its newest value is."""
    if isinstance(algorithm, Shifted):
        weights, fraction = weights_of(algorithm.algorithm)
        # two fractions in a row would not be a fraction
        return (weights, algorithm.fraction) if fraction == 0.0 else (None, 0.0)
    if isinstance(algorithm, LinearAlgorithm):
        return Weights(algorithm.k, algorithm.a, algorithm.A, algorithm.b, algorithm.B), 0.0
    return None, 0.0


def observer_of(algorithm: SlidingModeObserver) -> Observer:
    """Return the recursion of an observer."""
    ahead = algorithm.ahead
    return Observer(algorithm.k, ahead, *(algorithm.bracket if ahead else (1.0, 0.0, 0.0)))
