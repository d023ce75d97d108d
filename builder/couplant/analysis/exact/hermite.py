"""Weights of a signal and its derivative by least squares on the usual band (`couplant.analysis.algorithms`).

All that the equations need of the band are its moments at whole lags: the sums of power times cos(ωn), ω sin(ωn) and
ω² cos(ωn).
"""

from dataclasses import dataclass
from typing import NamedTuple

from couplant.analysis.exact.autocorrelation import tail
from couplant.analysis.exact.numerics import PI, gauss_legendre, sine_cosine, solve_equations
from couplant_runtime.known import Weights

BAND = 0.24  # upper end of the usual band, radians per macro step: 26 values a period

_LOW, _NODES = 0.01, 200


@dataclass(frozen=True)
class Prior:
    """Assumptions about a signal and its derivative."""

    m: int  # values, and derivatives, that are used
    degree: int  # of the polynomials that are continued exactly, at most 2 m - 1
    noise: float = 1e-4  # variance of the noise of either, over that of the signal and of its derivative, above 0, -
    # power at all frequencies up to Nyquist that nothing predicts, over that of the signal, at least 0, -
    rough: float = 1e-6


class Moments(NamedTuple):
    """Of the usual band, at whole lags from 0 macro steps on."""

    even: list[float]  # sums of power times cos(ωn) [-]
    odd: list[float]  # of power times ω sin(ωn) [1/macro step]
    curved: list[float]  # of power times ω² cos(ωn) [1/macro step²]


def moments(lags: int) -> Moments:
    """Return the moments of the usual band, its tail included, in total 1, at `lags` lags [macro steps]."""
    omega, power = gauss_legendre(_NODES, _LOW, BAND)
    above, falling = tail(BAND)
    total = 0.0
    for part in power + falling:
        total = total + part
    known = Moments([0.0] * lags, [0.0] * lags, [0.0] * lags)
    for place, share in zip(omega + above, power + falling, strict=True):
        sine, cosine = sine_cosine(place)
        real, imaginary = share / total, 0.0
        for n in range(lags):
            known.even[n] = known.even[n] + real
            known.odd[n] = known.odd[n] + place * imaginary
            known.curved[n] = known.curved[n] + place * place * real
            real, imaginary = real * cosine - imaginary * sine, real * sine + imaginary * cosine
    return known


def hermite_weights(k: int, prior: Prior, known: Moments) -> Weights:
    """Return the weights for the latency `k` [macro steps]; the moments are `known` up to k + m."""
    here, there = _solution(k, prior, known), _solution(k + 1, prior, known)
    rise = [then - now for now, then in zip(here, there, strict=True)]
    m = prior.m
    return Weights(k, tuple(here[:m]), tuple(rise[:m]), tuple(here[m:]), tuple(rise[m:]))


def _solution(horizon: int, prior: Prior, known: Moments) -> list[float]:
    """Return the weights of values, then of derivatives, for an estimate `horizon` macro steps after the newest."""
    m = prior.m
    if horizon == 0:
        return [1.0 if i == 0 else 0.0 for i in range(2 * m)]
    order = 2 * m + prior.degree + 1
    matrix = [[0.0] * order for _ in range(order)]
    # covariances of values and derivatives, newest first, with noise and with what nothing predicts
    m = prior.m
    for i in range(m):
        for j in range(m):
            lag = i - j if i > j else j - i
            even, odd, curved = _rough(lag)
            odd = known.odd[lag] + prior.rough * odd
            matrix[i][j] = known.even[lag] + prior.rough * even
            matrix[m + i][m + j] = known.curved[lag] + prior.rough * curved
            matrix[i][m + j] = matrix[m + j][i] = odd if j > i else 0.0 - odd
        matrix[i][i] = matrix[i][i] + prior.noise
        matrix[m + i][m + i] = matrix[m + i][m + i] + prior.noise * known.curved[0]
    sides = [known.even[i + horizon] for i in range(m)] + [known.odd[i + horizon] for i in range(m)]
    power = 1.0
    for i in range(prior.degree + 1):
        for j in range(m):
            # of the degree i at the time -j, and of its derivative
            matrix[2 * m + i][j] = _power(0.0 - j, i)
            matrix[2 * m + i][m + j] = i * _power(0.0 - j, i - 1) if i > 0 else 0.0
        sides.append(power)
        power = power * horizon
    for i in range(2 * m, order):
        for j in range(2 * m):
            matrix[j][i] = matrix[i][j]
    return solve_equations(matrix, sides)[: 2 * m]


def _rough(lag: int) -> tuple[float, float, float]:
    """Return the three moments of equal power at all frequencies up to Nyquist, in total 1."""
    if lag == 0:
        return 1.0, 0.0, PI * PI / 3.0
    sign = 1.0 if lag % 2 == 0 else -1.0
    return 0.0, -sign / lag, 2.0 * sign / (1.0 * lag * lag)


def _power(base: float, exponent: int) -> float:
    result = 1.0
    for _ in range(exponent):
        result = result * base
    return result
