"""Coupling algorithms as the analysis sees them: weights at one latency, or the sliding-mode observer.

Every algorithm answers two questions about a signal whose value at step n - l is q^l times the value at step n
(q = exp(-s ΔT)): which estimate does it give at θ = 0, and which slope per macro step.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike

from couplant.analysis.exact.hermite import BAND as BAND
from couplant.analysis.exact.hermite import Moments, hermite_weights, moments
from couplant.analysis.exact.hermite import Prior as Prior
from couplant.analysis.phasor import Phasor
from couplant.base.arrays import ComplexArray
from couplant.base.errors import UsageError
from couplant.base.grid import TOLERANCE, latency_in_steps
from couplant_runtime.algorithms import GENERIC as GENERIC
from couplant_runtime.algorithms.rows import weights
from couplant_runtime.generated.constants import LEAST_LEAD

TIMINGS = ("event", "step")
MAX_STEPS = 64  # largest latency in macro steps that an FMU accepts
SMB_TRANSFER = "smb (0-5)"  # name of the observer's transfer function (0-5) of the dissertation

_ROUNDING = 1e-10

_OBSERVERS = {"smb": "recursion", SMB_TRANSFER: "transfer"}  # variants of the sliding-mode observer by name
GAIN_RATIO = 0.85  # λ/λ̄ of the observer, as recommended in the literature, -


class Algorithm(Protocol):
    """Protocol of a coupling algorithm as the analysis uses it."""

    @property
    def name(self) -> str:
        """Name for tables and legends."""

    @property
    def k(self) -> int:
        """Latency that the algorithm compensates, macro steps."""

    def value(self, q: ComplexArray) -> ComplexArray:
        """Return estimate at θ = 0 over newest true value, shape as `q`."""

    def slope(self, q: ComplexArray) -> ComplexArray:
        """Return slope of the estimate per macro step over newest true value, shape as `q`."""


@dataclass(frozen=True)
class LinearAlgorithm:
    """A linear coupling algorithm ŷ(t) = Σ a_l y_{n-k-l} + θ Σ A_l y_{n-k-l} (dissertation 4-14).

    Where the derivative of y is sent too it adds ΔT (Σ b_l y'_{n-k-l} + θ Σ B_l y'_{n-k-l}). Raises UsageError if lists
    differ in length or are empty, a weight is not finite, or k is out of range.
    """

    k: int  # latency it compensates, 0 to 64 macro steps
    # a, A: shape (m,): weights, newest value first, -
    a: tuple[float, ...]
    A: tuple[float, ...]
    name: str = "linear"  # name for tables and legends
    # b, B: shape (n,): weights of the derivative, newest first, none if it is not used, -
    b: tuple[float, ...] = ()
    B: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        """Check the fields."""
        _check_steps(self.k)
        if len(self.b) != len(self.B):
            raise UsageError(f"algorithm {self.name}: b has {len(self.b)} weights, B has {len(self.B)}")
        if len(self.a) != len(self.A) or not self.a:
            raise UsageError(
                f"algorithm {self.name}: a has {len(self.a)} weights, A has {len(self.A)}, both need m >= 1"
            )
        if not np.all(np.isfinite([*self.a, *self.A, *self.b, *self.B])):
            raise UsageError(f"algorithm {self.name}: a weight is not a finite number")
        for part in ("a", "A", "b", "B"):
            object.__setattr__(self, part, tuple(float(x) for x in getattr(self, part)))

    @property
    def m(self) -> int:
        """Number of past values used."""
        return len(self.a)

    @property
    def degree(self) -> int:
        """Highest degree of which polynomials are continued exactly to the end of the macro step; -1: of none."""
        # the estimate at the end of the step looks one step further than k: ages count from there
        ages, end = np.arange(self.k, self.k + self.m) + 1.0, np.add(self.a, self.A)
        of_derivative, rise = np.arange(self.k, self.k + len(self.b)) + 1.0, np.add(self.b, self.B)
        # ages as shares of the longest, so that high powers neither overflow nor drown in rounding
        unit = max([ages[-1], *of_derivative[-1:]])
        for degree in range(self.m + len(self.b)):
            # moment of t^degree: the weights must give 0^degree, the value at age 0
            moment = end * (-ages / unit) ** degree
            if degree:
                # d/dt t^degree = degree t^(degree-1): the derivative has its part in the moment
                moment = np.append(moment, rise * degree / unit * (-of_derivative / unit) ** (degree - 1))
            if abs(moment.sum() - (degree == 0)) > _ROUNDING * np.abs(moment).sum():
                return degree - 1
        return self.m + len(self.b) - 1

    def value(self, q: ComplexArray) -> ComplexArray:
        """Return Σ a_l q^(k+l) + s ΔT Σ b_l q^(k+l), shape as `q`."""
        return self._answer(self.a, self.b, q)

    def slope(self, q: ComplexArray) -> ComplexArray:
        """Return Σ A_l q^(k+l) + s ΔT Σ B_l q^(k+l), shape as `q`."""
        return self._answer(self.A, self.B, q)

    def _answer(self, own: tuple[float, ...], of_derivative: tuple[float, ...], q: ComplexArray) -> ComplexArray:
        alone = _polynomial(own, q, self.k)
        # sΔT = -ln q, for q = exp(-sΔT)
        return alone - np.log(q) * _polynomial(of_derivative, q, self.k) if of_derivative else alone


@dataclass(frozen=True)
class SlidingModeObserver:
    """The sliding-mode observer ŷ_n = ŷ_{n-1} + p_n, p_n = y_{n-k} - y_{n-k-1} - λΔT (ŷ_{n-k} - y_{n-k}).

    Raises UsageError if k, `variant`, `gain_ratio` or `lead` is not allowed.
    """

    k: int  # latency it compensates, 0 to 64 macro steps; k = 0 is FOH
    # {"recursion", "transfer"}: the recursion above (dissertation 3-36, corrected; tables 3.2 and 4.2), or the transfer
    # function (0-5) of the dissertation's appendix, which acts one step later (table 4.1) and exists in the frequency
    # domain only
    variant: str = "recursion"
    gain_ratio: float = GAIN_RATIO  # λ/λ̄ with λ̄ = π/(2kΔT), above 0 and below 1, -
    # how much further ahead than k the recursion looks: it runs at the latency k + lead rounded up, `ahead`, and a
    # received slope bridges the fraction f that this is more (`algorithms/smb.py` of the runtime), macro steps
    lead: float = 0.0

    def __post_init__(self) -> None:
        """Check the fields."""
        _check_steps(self.k)
        if self.variant not in _OBSERVERS.values():
            raise UsageError(f"smb variant = {self.variant!r}, allowed {', '.join(_OBSERVERS.values())}")
        if not 0.0 < self.gain_ratio < 1.0:
            raise UsageError(f"smb gain_ratio = {self.gain_ratio}, allowed above 0 and below 1")
        if self.lead and (self.variant == "transfer" or not self.ahead):
            raise UsageError(f"smb lead = {self.lead}, allowed 0, with the recursion such that a latency is left")

    @property
    def name(self) -> str:
        """The name `smb` for the recursion, `smb (0-5)` for the transfer function."""
        return next(name for name, variant in _OBSERVERS.items() if variant == self.variant)

    @property
    def ahead(self) -> int:
        """Latency at which it runs, macro steps."""
        return max(0, latency_in_steps(self.k + self.lead))

    @property
    def lambda_dt(self) -> float:
        """Observer gain times macro step, λΔT; 0 without latency, -."""
        # λ̄ = π/(2kΔT) is the gain at which the feedback over k steps begins to oscillate
        return self.gain_ratio * math.pi / (2 * self.ahead) if self.ahead else 0.0

    @property
    def bracket(self) -> tuple[float, float, float]:
        """Factors of y_{n-k}, y_{n-k-1} and of the estimate made `ahead` steps before in the slope, -."""
        # the received slope bridges the fraction by which the recursion looks too far
        kept = 1.0 - self.lambda_dt * (self.ahead - self.k - self.lead)
        return kept + self.lambda_dt, -kept, -self.lambda_dt

    def value(self, q: ComplexArray) -> ComplexArray:
        """Return the estimate of the recursion over the newest true value, shape as `q`."""
        if self.ahead == 0:
            return np.ones_like(q)
        # ŷ (1 - q) = bracket: the sum p_n = ŷ_n - ŷ_{n-1} in the z-domain
        newest, before, observed = self.bracket
        return q**self.k * (newest + before * q) / (1 - q - observed * q**self.ahead)

    def slope(self, q: ComplexArray) -> ComplexArray:
        """Return the slope of the recursion: the last bracket continues, shape as `q`."""
        return (1 - q) * self.value(q)


@dataclass(frozen=True)
class Shifted:
    """An algorithm whose newest value is a fraction of a macro step younger than k (docs/lateness.md: θ - f).

    Raises UsageError if the fraction is out of range.
    """

    algorithm: Algorithm  # the algorithm at the latency rounded up
    fraction: float  # f = k - lead/ΔT, macro steps: 0 to below 1, at k = 0 to 3 for estimates of earlier times

    def __post_init__(self) -> None:
        """Check the fraction."""
        below = self.fraction < 1.0 or (self.k == 0 and self.fraction <= TOLERANCE - LEAST_LEAD)
        if not 0.0 <= self.fraction or not below:
            least = f", at k = 0 up to {-LEAST_LEAD:g}"
            raise UsageError(f"fraction = {self.fraction}, allowed 0 to below 1 macro steps{least}")

    @property
    def name(self) -> str:
        """Name of the algorithm."""
        return self.algorithm.name

    @property
    def k(self) -> int:
        """Latency rounded up, macro steps."""
        return self.algorithm.k

    def value(self, q: ComplexArray) -> ComplexArray:
        """Return the estimate at θ = 0, from values a fraction younger, shape as `q`."""
        # the line runs back by f: ŷ(θ - f) = value - f slope; q^-f makes up for values that are a fraction younger
        return (self.algorithm.value(q) - self.fraction * self.algorithm.slope(q)) * q**-self.fraction

    def slope(self, q: ComplexArray) -> ComplexArray:
        """Return the slope, from values a fraction younger, shape as `q`."""
        return self.algorithm.slope(q) * q**-self.fraction


Recursive = LinearAlgorithm | SlidingModeObserver | Phasor  # algorithms that run on a signal, step by step


def generic(name: str, k: int) -> Recursive:
    """Return the generic algorithm `name`, or the observer's `SMB_TRANSFER`, at the latency `k`, 0 to 64 macro steps.

    Raises UsageError if there is no such algorithm or k is out of range.
    """
    _check_steps(k)
    if name in _OBSERVERS:
        return SlidingModeObserver(k, _OBSERVERS[name])
    if name not in GENERIC:
        raise UsageError(f"algorithm = {name!r}, allowed {', '.join((*GENERIC, SMB_TRANSFER))}")
    a, A = weights(name, k)
    return LinearAlgorithm(k, tuple(a), tuple(A), name)


def lead_by(make: Callable[[int], Recursive], k: int, lead: float) -> Recursive:
    """Return the algorithm that acts on values `k` steps old and looks `lead` macro steps further ahead than k.

    `make` gives the algorithm for a latency; a `lead` may be negative (docs/lateness.md: the line θ - f). Raises
    UsageError if there is a lead and the algorithm is the transfer function of the observer.
    """
    if not lead:
        return make(k)
    ahead = max(0, latency_in_steps(k + lead))
    # no recursion at latency 0: the observer is FOH there
    one = make(ahead) if ahead else flat(make(0))
    if isinstance(one, (SlidingModeObserver, Phasor)):
        return replace(one, k=k, lead=lead)
    fraction = ahead - k - lead
    # the line a + θ A is moved by -f: a - f A, the slope stays
    level, derived = (
        tuple(low - fraction * rise for low, rise in zip(*pair, strict=True))
        for pair in ((one.a, one.A), (one.b, one.B))
    )
    return LinearAlgorithm(k, level, one.A, one.name, derived, one.B)


NEAR, FAR = Prior(5, 3), Prior(3, 2, noise=1e-2)
"""Cubics are worth more at short latencies, and unstable at long ones; so are weights that trust small noise."""

FARTHEST_NEAR = 3  # latency up to which cubics are continued, macro steps


@cache
def hermite(k: int, prior: Prior | None = None) -> LinearAlgorithm:
    """Return weights of a signal and its derivative together, from what is usual for signals.

        ŷ(t) = Σ a_l y_{n-k-l} + ΔT Σ b_l y'_{n-k-l} + θ (..),    l = 0 .. m - 1

    With both a signal is known as well as from twice as many values (Papoulis 1977), and Hermite's polynomials continue
    it; they are unstable in a loop from latencies of five steps on. So the weights are those of least squares: on the
    power of the usual band, its tail above included, with noise on both signals and with power at all frequencies that
    nothing predicts, which bounds the gain; exact on polynomials up to a degree.

    They are for the latency `k`, 0 to 64 [macro steps], with the usual `prior` if none is given. Raises UsageError if k
    is out of range.
    """
    # cubics at short latencies, lower degrees beyond
    prior = prior or (NEAR if k <= FARTHEST_NEAR else FAR)
    found = hermite_weights(k, prior, _moments(MAX_STEPS + prior.m + 1))
    return LinearAlgorithm(k, found.a, found.slopes, "linear", found.b, found.b_slopes)


@cache
def _moments(lags: int) -> Moments:
    return moments(lags)


def flat(algorithm: Recursive) -> Recursive:
    """Return an `algorithm` as it is without latency: of the observer FOH."""
    observes = isinstance(algorithm, SlidingModeObserver) and not algorithm.ahead
    return generic("foh", 0) if observes else algorithm


def check_timing(timing: str) -> str:
    """Return `timing` if it is one of `TIMINGS`, else raise UsageError."""
    if timing not in TIMINGS:
        raise UsageError(f"timing = {timing!r}, allowed {', '.join(TIMINGS)}")
    return timing


def _check_steps(k: int) -> None:
    if not isinstance(k, (int, np.integer)) or not 0 <= k <= MAX_STEPS:
        raise UsageError(f"latency in macro steps = {k}, allowed 0 to {MAX_STEPS}")


def _polynomial(coefficients: Sequence[float], q: ArrayLike, first: int) -> ComplexArray:
    q = np.asarray(q)
    total = np.zeros_like(q)
    for power, c in enumerate(coefficients, first):
        # zero weights are left out: 0 q^l is NaN where q^l overflows
        if c:
            total = total + c * q**power
    return total
