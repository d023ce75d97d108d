"""Limits, tolerances and spectra by numpy and scipy: what the exact room is compared with."""

import numpy as np
from scipy.optimize import brentq, minimize_scalar

from couplant.analysis import SlidingModeObserver, estimate_error, frequency_response
from couplant.analysis.exact.autocorrelation import TAIL
from couplant_runtime.generated.numbers import CELLS, KNOTS

GRID, NODES = 20_000, 200


def limit(algorithm, timing):
    """Return the share of Nyquist's frequency at which gain or phase leaves its tolerance, None if neither does."""

    def excess(x):
        found = frequency_response(algorithm, x, timing)
        return np.maximum(np.abs(np.abs(found) - 1.0) - 0.03, np.abs(np.angle(found)) - np.pi / 60)

    for low, high in ((0.0, 0.02), (0.02, 1.0)):
        x = np.linspace(low, high, GRID)
        values = excess(x)
        above = np.flatnonzero(values > 0.0)
        end = above[0] if above.size else GRID - 1
        tops = 1 + np.flatnonzero((values[1:-1] >= values[:-2]) & (values[1:-1] >= values[2:]))
        for i in tops[tops < end]:
            top = minimize_scalar(lambda at: -excess(at), bounds=(x[i - 1], x[i + 1]), method="bounded").x
            if excess(top) > 0.0:
                return brentq(excess, x[i - 1], top, xtol=1e-18, rtol=1e-15)
        if above.size:
            return x[0] if end == 0 else brentq(excess, x[end - 1], x[end], xtol=1e-18, rtol=1e-15)
    return None


def tolerance(algorithm, timing):
    """Return ζ/ΔT and δ."""
    horizon = algorithm.k + (timing == "step")
    if horizon == 0:
        return 0.0, 0.0
    observes = isinstance(algorithm, SlidingModeObserver) and timing == "event"
    share = limit(SlidingModeObserver(algorithm.k, "transfer") if observes else algorithm, timing)
    if share == 0.0:
        return 0.0, 0.1
    share = share or 1.0
    error = complex(estimate_error(algorithm, share, timing))
    at_inflection = max(abs(error.imag), 1e-9 * abs(error.real), np.finfo(float).tiny)
    return abs(error.real) / (np.pi * share * at_inflection), at_inflection / (np.pi * share * horizon)


def correlation(low, high):
    """Return the autocorrelation of a band and its tail at all knots, and its derivative: both by nodes of Gauss."""
    node, weight = np.polynomial.legendre.leggauss(NODES)
    x, half, rest = np.arange(KNOTS) / CELLS, 0.5 * (high - low), 0.5 * max(np.pi - high, 0.0)
    above = high + rest * (node + 1.0)
    omega = np.concatenate([low + half * (node + 1.0), above])
    power = np.concatenate([half * weight, TAIL * rest * weight * (high / above) ** 6])
    power /= power.sum()
    return np.cos(np.outer(x, omega)) @ power, -np.sin(np.outer(x, omega)) @ (omega * power)
