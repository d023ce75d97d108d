"""Autocorrelation of a signal's band, and noise: all that the algorithms `irregular` and `auto` know about it.

Power is equal at all frequencies of the band. Above it stands what transients leave: where a force sets in, the second
derivative of a motion jumps, and the power of that falls with the sixth power of the frequency. The tail
lets the estimate follow the beginning of a movement, and keeps its gain above the band lower than white noise alone.
"""

from couplant.analysis.exact.numerics import PI, gauss_legendre, sine_cosine
from couplant.analysis.exact.tolerance import tolerance_of_weights
from couplant_runtime.algorithms.least_squares import weights
from couplant_runtime.generated.constants import MORE_NOISE, MOST_NOISE, TICKS
from couplant_runtime.generated.numbers import CELLS, HORIZONS, KNOTS
from couplant_runtime.known import Spectrum, Weights

Row = tuple[float, ...]

TAIL = 3e-3  # power density just above the band, as a share of that in it; up to Nyquist it falls with the sixth power

LARGEST_GAIN = 30.0
"""Of an estimate from values that arrive at every macro step, -: beyond it a closed loop hardly bears any latency."""

_FREQUENCIES = 129
_NODES = 200
_SERIES = 0.5
_SINC_SLOPE = (
    -2.0 / 6.0, 4.0 / 120.0, -6.0 / 5040.0, 8.0 / 362880.0, -10.0 / 39916800.0, 12.0 / 6227020800.0,
    -14.0 / 1307674368000.0,
)  # fmt: skip


def spectrum_of_band(low: float, high: float, values: int, degree: int, noise: float) -> Spectrum:
    """Return the autocorrelation of a signal with equal power at all frequencies of a band, and the tail above it.

    The band is `low` to `high`, radians per macro step, ascending. `values` received values are used, polynomials up to
    `degree` continued exactly; `noise` is its variance as a share of the signal's [-], more where the gain would be too
    large.
    """
    correlation, gradient = _of_tones(*tail(high))
    total = high - low + correlation[0]
    for i in range(KNOTS):
        x = i / CELLS
        above, below = _of_band(high, x), _of_band(low, x)
        correlation[i] = (above[0] - below[0] + correlation[i]) / total
        gradient[i] = (above[1] - below[1] + gradient[i]) / total
    known = tuple(correlation), tuple(gradient)
    return Spectrum(values, degree, _noise(noise, values, degree, *known), *known)


def tolerances_of_spectrum(spectrum: Spectrum, step: bool) -> tuple[Row, Row]:
    """Return zeta / ΔT and delta of `irregular` for values that arrive at every macro step, HORIZONS of each, -.

    With `step` those of step timing, else of event timing.
    """
    zeta, delta = ([0.0], [0.0]) if step else ([], [])
    for k in range(HORIZONS - 1):
        one, other = tolerance_of_weights(regular(spectrum, k, step), 0.0, step)
        zeta.append(one)
        delta.append(other)
    while len(zeta) < HORIZONS:
        zeta.append(zeta[-1])
        delta.append(delta[-1])
    return tuple(zeta), tuple(delta)


def regular(spectrum: Spectrum, k: int, step: bool) -> Weights:
    """Return the weights of `irregular` at a constant latency of `k` macro steps; with `step` it reaches one further.

    That is the timing: event timing without `step`.
    """
    known, noise = (spectrum.correlation, spectrum.gradient), spectrum.noise[k + (1 if step else 0)]
    return Weights(k, *_weights(k, noise, spectrum.values, spectrum.degree, *known))


def tail(high: float) -> tuple[list[float], list[float]]:
    """Return frequencies above a band that ends at `high`, and the power at each, for a density of 1 in the band.

    Frequencies are in radians per macro step, a power is the density times a width of the same unit.
    """
    if high >= PI:
        return [], []
    omega, weight = gauss_legendre(_NODES, high, PI)
    power = []
    for place, width in zip(omega, weight, strict=True):
        ratio = high / place
        cube = ratio * ratio * ratio
        power.append(TAIL * width * (cube * cube))
    return omega, power


def _of_tones(omega: list[float], power: list[float]) -> tuple[list[float], list[float]]:
    """Return the sums of the powers times cosine, and its derivative, at all knots: tone after tone, turn by turn."""
    correlation, gradient = [0.0] * KNOTS, [0.0] * KNOTS
    for place, share in zip(omega, power, strict=True):
        sine, cosine = sine_cosine(place / CELLS)
        real, imaginary = share, 0.0
        for i in range(KNOTS):
            correlation[i] = correlation[i] + real
            gradient[i] = gradient[i] - place * imaginary
            real, imaginary = real * cosine - imaginary * sine, real * sine + imaginary * cosine
    return correlation, gradient


def _of_band(omega: float, x: float) -> tuple[float, float]:
    """Return the integral of cos(w x) over w from 0 to omega, and its derivative with respect to x."""
    z = omega * x
    if z == 0.0:
        return omega, 0.0
    sine, cosine = sine_cosine(z)
    mean = sine / z
    if z >= _SERIES:
        return omega * mean, omega * (cosine - mean) / x
    slope = 0.0
    for i in range(len(_SINC_SLOPE) - 1, -1, -1):
        slope = slope * (z * z) + _SINC_SLOPE[i]
    return omega * mean, omega * omega * (z * slope)


def _weights(k: int, noise: float, values: int, degree: int, correlation: Row, gradient: Row) -> tuple[Row, Row]:
    ages = [i * TICKS for i in range(values)]
    a, slopes = weights(ages, values, k * TICKS, degree, noise, correlation, gradient)
    newest, rise = 1.0, 0.0
    for level, slope in zip(a, slopes, strict=True):
        newest, rise = newest - level, rise - slope
    return (newest, *a), (rise, *slopes)


def _noise(least: float, values: int, degree: int, correlation: Row, gradient: Row) -> Row:
    """Return the noise by how far an estimate reaches: as little as keeps its gain everywhere below `LARGEST_GAIN`.

    Where no noise does, the gain comes from the polynomials alone: then as much as still helps.
    """
    turns = [sine_cosine(PI * i / (_FREQUENCIES - 1)) for i in range(2 * (_FREQUENCIES - 1))]
    most = least if least > MOST_NOISE else MOST_NOISE
    table, noise = [], least
    for k in range(HORIZONS):
        while noise < most:
            a, _ = _weights(k, noise, values, degree, correlation, gradient)
            if _bears(a, turns):
                break
            noise = noise * MORE_NOISE
        table.append(noise)
    return tuple(table)


def _bears(a: Row, turns: list[tuple[float, float]]) -> bool:
    """Return whether the gain of weights is small enough from 0 to Nyquist; `turns` are sines and cosines all round."""
    most = LARGEST_GAIN * LARGEST_GAIN
    for i in range(_FREQUENCIES):
        real, imaginary, place = 0.0, 0.0, 0
        for weight in a:
            sine, cosine = turns[place]
            real, imaginary = real + weight * cosine, imaginary - weight * sine
            place = (place + i) % len(turns)
        if real * real + imaginary * imaginary > most:
            return False
    return True
