"""Limit frequencies of a response: up to where it counts as neutral (dissertation 4.1.2)."""

import math

from couplant.analysis.exact.crossing import first_crossing
from couplant.analysis.exact.numerics import PI, sine_cosine
from couplant.analysis.exact.response import Response

GAIN_TOLERANCE = 0.03  # largest deviation of |G_p| from 1, in both directions, -
PHASE_TOLERANCE = PI / 60.0  # largest |∠G_p|, 3 degrees, rad

_SINE, _COSINE = sine_cosine(PHASE_TOLERANCE)

_POINTS = 64  # places looked at while the phase of the oldest value turns half a turn: one each 3 degrees


def gain_limit(response: Response, reach: int) -> float | None:
    """Return the first frequency, as a share of Nyquist's, from which the gain is off by more than the tolerance.

    The `reach` is the age of the oldest value that counts [macro steps]. None: there is no such frequency.
    """

    def excess(x: float) -> float:
        real, imaginary = response(PI * x)
        return _gain(real, imaginary)

    return first_crossing(excess, _POINTS * reach)


def phase_limit(response: Response, reach: int) -> float | None:
    """Return the first frequency from which the phase is off by more than the tolerance; `reach` as for the gain."""

    def excess(x: float) -> float:
        real, imaginary = response(PI * x)
        return _phase(real, imaginary)

    return first_crossing(excess, _POINTS * reach)


def limit(response: Response, reach: int) -> float | None:
    """Return the lower one of both limits; `reach` as for the gain."""

    def excess(x: float) -> float:
        real, imaginary = response(PI * x)
        gain, phase = _gain(real, imaginary), _phase(real, imaginary)
        return gain if gain > phase else phase

    return first_crossing(excess, _POINTS * reach)


def _gain(real: float, imaginary: float) -> float:
    return abs(math.sqrt(real * real + imaginary * imaginary) - 1.0) - GAIN_TOLERANCE


def _phase(real: float, imaginary: float) -> float:
    """Return the size times the sine of what the phase exceeds its tolerance by, which has the sign of that."""
    return abs(imaginary) * _COSINE - real * _SINE
