"""The coupling process G_p: sampling, latency, algorithm and reconstruction as one transfer function.

Equations: dissertation (4-21) for linear algorithms, (0-5) for the transfer function of the sliding-mode observer.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from couplant.analysis.algorithms import Algorithm, SlidingModeObserver, check_timing
from couplant.base.arrays import ComplexArray, Vector
from couplant.base.errors import UsageError


@dataclass(frozen=True)
class ErlangLatency:
    """Latency that varies from value to value: a shortest one, and above it an Erlang distribution (dissertation 4.3).

    Parameters
    ----------
    mean : float
        Mean latency, macro steps.
    order : int
        Order of the distribution, at least 1: 1 is exponential, with more the latency varies less.
    least : float
        Shortest latency, 0 to `mean`, macro steps.

    Raises
    ------
    UsageError
        If a number is out of range.
    """

    mean: float
    order: int
    least: float = 0.0

    def __post_init__(self) -> None:
        """Check the ranges."""
        if not self.order >= 1:
            raise UsageError(f"order of the Erlang distribution = {self.order}, allowed 1 and more")
        if not 0.0 <= self.least <= self.mean < np.inf:
            raise UsageError(f"latency of at least {self.least} and {self.mean} on average, allowed 0 <= least <= mean")

    @property
    def deviation(self) -> float:
        """Standard deviation, macro steps."""
        return float((self.mean - self.least) / np.sqrt(self.order))

    def response(self, s_dt: ComplexArray) -> ComplexArray:
        """Return the mean of exp(-s τ) over all latencies τ at `s_dt`, sΔT, any shape, -."""
        # characteristic function of an Erlang distribution of this order and mean, moved by the least latency
        spread = 1.0 + s_dt * (self.mean - self.least) / self.order
        mean: ComplexArray = np.exp(-s_dt * self.least) * spread**-self.order
        return mean

    @classmethod
    def of(cls, latencies: Vector, macro_step: float) -> "ErlangLatency":
        """Return the distribution with shortest, mean and variance of `latencies` [s]; `macro_step` is ΔT, s."""
        steps = np.asarray(latencies) / macro_step
        least, mean, deviation = float(steps.min()), float(steps.mean()), float(steps.std())
        # an Erlang distribution has order = (mean/deviation)²
        order = round(((mean - least) / deviation) ** 2) if deviation > 0.0 else 1
        return cls(mean, max(1, order), least)


def transfer_function(
    algorithm: Algorithm, s_dt: ArrayLike, timing: str = "event", latency: ErlangLatency | None = None
) -> ComplexArray:
    """Return G_p of an algorithm.

    G_p(s) = value(q) (1 - q)/(sΔT) + slope(q) (1 - (1 + sΔT) q)/(sΔT)² with q = exp(-sΔT) in event timing. In step
    timing the estimate of θ = 1 is held one step later: G_p(s) = (value + slope) q (1 - q)/(sΔT).

    Parameters
    ----------
    s_dt : array_like of complex
        sΔT, any shape; 1j*ω*ΔT for the frequency response, -.
    timing : {"event", "step"}
        When the estimate takes effect.
    latency : ErlangLatency, optional
        What the values really have in place of the k macro steps that the algorithm makes up for; the mean behaviour.

    Returns
    -------
    ndarray of complex, shape as `s_dt`
        Gain and phase from the true signal to what the receiving prototype gets, -.

    Raises
    ------
    UsageError
        If the timing does not exist, or is "step" for the transfer function of the observer.
    """
    z = np.asarray(s_dt, dtype=complex)
    check_timing(timing)
    if latency is not None:
        # takes the k steps out that the algorithm is told, and puts the mean of the real ones in
        late: ComplexArray = transfer_function(algorithm, z, timing) * np.exp(z * algorithm.k) * latency.response(z)
        return late
    if isinstance(algorithm, SlidingModeObserver) and algorithm.variant == "transfer" and algorithm.k:
        if timing == "step":
            raise UsageError("the transfer function (0-5) of the sliding-mode observer is defined in event timing only")
        q = np.exp(-z)
        gain = algorithm.lambda_dt
        # (0-5): estimate and its own feedback both pass the delay and the ramp
        delayed = np.exp(-z * algorithm.k) * ramp(z)
        published: ComplexArray = delayed * (1 - q + gain) / (_one_minus_hold(z) + gain * delayed)
        return published
    q = np.exp(-z)
    value, slope = algorithm.value(q), algorithm.slope(q)
    # step: the value at θ = 1, a step late, is held; event: the level is held, the slope continues it
    return (value + slope) * q * hold(z) if timing == "step" else value * hold(z) + slope * ramp(z)


def frequency_response(
    algorithm: Algorithm, share: ArrayLike, timing: str = "event", latency: ErlangLatency | None = None
) -> ComplexArray:
    """Return G_p(jω), shape as `share`: shares ω/(π/ΔT) of the Nyquist frequency, any shape, -."""
    return transfer_function(algorithm, 1j * np.pi * np.asarray(share, dtype=float), timing, latency)


def estimate_error(algorithm: Algorithm, share: ArrayLike, timing: str = "event") -> ComplexArray:
    """Return the error of the estimate valid at a macro point, relative to a tone, at `share`: ω/(π/ΔT), any shape, -.

    The real part is the error where the tone has an extreme point, the imaginary part where it has its inflection
    (dissertation 5.2.2 measures both, here they are exact). The estimate is that of θ = 0 in event timing; in step
    timing that of θ = 1, valid one step later.

    Returns
    -------
    ndarray of complex, shape as `share`
        ŷ/y - 1 as phasors, -.
    """
    # a tone turns by π share per macro step
    q = np.exp(-1j * np.pi * np.asarray(share, dtype=float))
    if check_timing(timing) == "step":
        return (algorithm.value(q) + algorithm.slope(q)) * q - 1.0
    # the estimate for the end of the step is valid one step later: q compares it with the value there
    return algorithm.value(q) - 1.0


def hold(z: ComplexArray) -> ComplexArray:
    """Return (1 - exp(-z))/z, the transfer function of a held value; `z` is sΔT, any shape, 1 comes out at 0, -."""
    small = np.abs(z) < _SERIES
    # any number but 0, for the closed form is not used there
    safe = np.where(small, 1.0, z)
    return np.where(small, _series(z, _HOLD), (1.0 - np.exp(-safe)) / safe)


def ramp(z: ComplexArray) -> ComplexArray:
    """Return (1 - (1 + z) exp(-z))/z², that of a slope over one step; `z` is sΔT, any shape, 1/2 comes out at 0, -."""
    small = np.abs(z) < _SERIES
    safe = np.where(small, 1.0, z)
    return np.where(small, _series(z, _RAMP), (1.0 - (1.0 + safe) * np.exp(-safe)) / safe**2)


# below this |z| the closed forms cancel, the series of nine terms is exact to 1e-16
_SERIES = 0.2
_HOLD = (1.0, -1 / 2, 1 / 6, -1 / 24, 1 / 120, -1 / 720, 1 / 5040, -1 / 40320, 1 / 362880, -1 / 3628800)
_RAMP = tuple((-1) ** i * (1 - 1 / (i + 2)) / f for i, f in enumerate((1, 2, 6, 24, 120, 720, 5040, 40320, 362880)))


def _series(z: ComplexArray, coefficients: tuple[float, ...]) -> ComplexArray:
    total = np.zeros_like(z)
    for c in reversed(coefficients):
        total = total * z + c
    return total


def _one_minus_hold(z: ComplexArray) -> ComplexArray:
    small = np.abs(z) < _SERIES
    safe = np.where(small, 1.0, z)
    # 1 - (1 - e^-z)/z has a zero of first order at 0: the series without its leading 1
    return np.where(small, -z * _series(z, _HOLD[1:]), 1.0 - (1.0 - np.exp(-safe)) / safe)
