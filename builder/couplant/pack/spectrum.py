"""What the algorithms `irregular` and `auto` of a signal know about it: the autocorrelation of its band.

Power is equal at all frequencies of the band. Above it stands what transients leave: where a force sets in, the second
derivative of a motion jumps, and the power of that falls with the sixth power of the frequency. The tail
lets the estimate follow the beginning of a movement, and keeps its gain above the band lower than white noise alone.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from couplant.analysis.algorithms import LinearAlgorithm
from couplant.analysis.quality import tolerance_parameters
from couplant.config.interface import Interface, Signal
from couplant_runtime.algorithms import BY_NAME, irregular
from couplant_runtime.config import Spectrum
from couplant_runtime.generated.constants import MORE_NOISE, MOST_NOISE, TICKS
from couplant_runtime.generated.numbers import CELLS, HORIZONS, KNOTS

BAND = (0.01, 0.24)
"""Band of a signal about which nothing is said, radians per macro step: from 600 to 26 values a period."""

TAIL = 3e-3
"""Power density just above the band, as a share of that in it."""

FALL = 6
"""Power of the frequency with which it falls up to Nyquist."""

LARGEST_GAIN = 30.0
"""Of an estimate from values that arrive at every macro step, -: beyond it a closed loop hardly bears any latency."""

_FREQUENCIES = 129
_NODES = 200
_SMALL = 1e-4


def spectrum_of(interface: Interface, signal: Signal) -> Spectrum | None:
    """Return the autocorrelation of a signal with equal power at all frequencies of its band, if it is needed."""
    algorithm = signal.algorithm
    if BY_NAME[algorithm.selected].needs != "spectrum":
        return None
    low, high = BAND if algorithm.band is None else (omega * interface.macro_step for omega in algorithm.band)
    return spectrum_of_band(low, high, algorithm.values, algorithm.exact, algorithm.noise)


def spectrum_of_band(low: float, high: float, values: int, degree: int, noise: float) -> Spectrum:
    """Return the autocorrelation of a signal with equal power at all frequencies of a band, and the tail above it.

    The band is `low` to `high`, radians per macro step, ascending. `values` received values are used, polynomials up to
    `degree` continued exactly; `noise` is its variance as a share of the signal's [-], more where the gain would be too
    large.
    """
    x = np.arange(KNOTS) / CELLS
    omega, power = _tail(high)
    total = high - low + power.sum()
    correlation = _integral(high, x) - _integral(low, x) + np.cos(np.outer(x, omega)) @ power
    gradient = _slope(high, x) - _slope(low, x) - np.sin(np.outer(x, omega)) @ (omega * power)
    known = _floats(correlation / total), _floats(gradient / total)
    return Spectrum(values, degree, _noise(noise, values, degree, *known), *known)


@lru_cache
def tolerances_of_spectrum(spectrum: Spectrum, timing: str) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Return zeta / ΔT and delta of `irregular` for values that arrive at every macro step, HORIZONS of each, -."""
    late = int(timing == "step")
    rows = [(0.0, 0.0)] * late
    rows += [tolerance_parameters(regular(spectrum, k, timing), timing) for k in range(HORIZONS - 1)]
    rows += [rows[-1]] * (HORIZONS - len(rows))
    return tuple(zeta for zeta, _ in rows), tuple(delta for _, delta in rows)


def regular(spectrum: Spectrum, k: int, timing: str) -> LinearAlgorithm:
    """Return the weights of `irregular` at a constant latency of `k` macro steps; step timing reaches one further."""
    known, noise = (spectrum.correlation, spectrum.gradient), spectrum.noise[k + (timing == "step")]
    return LinearAlgorithm(k, *_weights(k, noise, spectrum.values, spectrum.degree, *known), "irregular")


def _weights(
    k: int, noise: float, values: int, degree: int, correlation: tuple[float, ...], gradient: tuple[float, ...]
) -> tuple[tuple[float, ...], tuple[float, ...]]:
    ages = [i * TICKS for i in range(values)]
    a, slopes = irregular.weights(ages, values, k * TICKS, degree, noise, correlation, gradient)
    return (1.0 - math.fsum(a), *a), (-math.fsum(slopes), *slopes)


def _noise(
    least: float, values: int, degree: int, correlation: tuple[float, ...], gradient: tuple[float, ...]
) -> tuple[float, ...]:
    """Return the noise by how far an estimate reaches: as little as keeps its gain everywhere below `LARGEST_GAIN`.

    Where no noise does, the gain comes from the polynomials alone: then as much as still helps.
    """
    turns = np.exp(-1j * np.outer(np.linspace(0.0, np.pi, _FREQUENCIES), np.arange(values)))
    table, noise = [], least
    for k in range(HORIZONS):
        while noise < max(least, MOST_NOISE):
            a, _ = _weights(k, noise, values, degree, correlation, gradient)
            if np.abs(turns @ np.array(a)).max() <= LARGEST_GAIN:
                break
            noise *= MORE_NOISE
        table.append(noise)
    return tuple(table)


def _floats(values: np.ndarray) -> tuple[float, ...]:
    return tuple(float(value) for value in values)


def _tail(high: float) -> tuple[np.ndarray, np.ndarray]:
    """Return frequencies above the band and the power at each, for a density of 1 in the band."""
    node, weight = _rule()
    half = 0.5 * max(np.pi - high, 0.0)
    omega = high + half * (node + 1.0)
    return omega, TAIL * half * weight * (high / omega) ** FALL


@lru_cache
def _rule() -> tuple[np.ndarray, np.ndarray]:
    return np.polynomial.legendre.leggauss(_NODES)


def _integral(omega: float, x: np.ndarray) -> np.ndarray:
    """Return the integral of cos(w x) over w from 0 to omega."""
    return omega * np.sinc(omega * x / np.pi)


def _slope(omega: float, x: np.ndarray) -> np.ndarray:
    """Return the derivative of `_integral` with respect to x."""
    z = omega * x
    small = np.abs(z) < _SMALL
    safe = np.where(small, 1.0, z)
    return omega * omega * np.where(small, -z / 3.0, (np.cos(safe) - np.sin(safe) / safe) / safe)
