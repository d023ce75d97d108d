"""Spectrum of a signal for the algorithms `irregular` and `auto`, from its settings."""

from __future__ import annotations

from functools import lru_cache

from couplant.analysis.exact.autocorrelation import spectrum_of_band, tolerances_of_spectrum
from couplant.config.interface import Interface, Signal
from couplant_runtime.algorithms import BY_NAME
from couplant_runtime.config import Spectrum

BAND = (0.01, 0.24)
"""Band of a signal about which nothing is said, radians per macro step: from 600 to 26 values a period."""


def spectrum_of(interface: Interface, signal: Signal) -> Spectrum | None:
    """Return the autocorrelation of a signal with equal power at all frequencies of its band, if it is needed."""
    algorithm = signal.algorithm
    if BY_NAME[algorithm.selected].needs != "spectrum":
        return None
    low, high = BAND if algorithm.band is None else (omega * interface.macro_step for omega in algorithm.band)
    return _spectrum(low, high, algorithm.values, algorithm.exact, algorithm.noise)


@lru_cache
def _spectrum(low: float, high: float, values: int, degree: int, noise: float) -> Spectrum:
    return spectrum_of_band(low, high, values, degree, noise)


@lru_cache
def tolerances(spectrum: Spectrum, step: bool) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Return zeta / ΔT and delta of a `spectrum` by horizon, -, with `step` those of step timing."""
    return tolerances_of_spectrum(spectrum, step)
