"""The measurement noise of a recording, as its high differences tell it."""

from dataclasses import dataclass
from math import comb, sqrt

import numpy as np

from couplant.analysis.signal.sampling import quantum, repeats
from couplant.tables import Recording

_ORDERS = (4, 6, 8)  # of the differences. The middle one tells the noise, whether it is noise the others
_WHITE = 0.1  # by what share the deviation may fall from the first order to the last: white noise keeps it
_CHANCE = 4.0  # the same in standard deviations of a median of so many values
_SHORTEST = 64
_MEDIAN = 0.6744897501960817  # of |N(0, 1)|: where the normal distribution has reached three quarters [-]
_ROUNDING = 1e-12  # share of the largest value that is rounding


@dataclass(frozen=True)
class Noise:
    """Measurement noise of a recording."""

    deviation: float  # its standard deviation, signal unit
    share: float  # the same over the rms of the values, -
    # it is white, as noise is; otherwise the signal itself may move as fast, and this is the most that noise can be
    certain: bool


def noise_of(recording: Recording) -> Noise | None:
    """Return the noise of a recording; None where it is too short or still, or no noise stands out of its rounding.

    A difference of order p leaves of a signal with the frequency w the share (2 sin(w/2))^p, next to nothing of a slow
    one, and of white noise sqrt(C(2p, p)) standard deviations. Their median counts, so that jumps do not. White noise
    has the same deviation by all orders, of anything slower a higher order tells less. Where most changes are
    whole steps of quantisation, the noise is a step over sqrt(12) at least. Values that a slower sender repeats count
    once.
    """
    value, held = recording.value, repeats(recording)
    if held is not None:
        # one value for each period of a slower sender
        places = np.round(np.arange(0.0, value.size - 0.5, held)).astype(int)
        value = value[places[places < value.size]]
    if value.size < _SHORTEST:
        return None
    deviations = []
    for order in _ORDERS:
        # differences of a high order leave noise and remove the signal; the first value off, so that large constants
        # do not cost digits
        median = float(np.median(np.abs(np.diff(value - value[0], order))))
        # a difference of order n has the variance of C(2n, n) values
        deviations.append(median / (_MEDIAN * sqrt(comb(2 * order, order))))
    step, least = quantum(recording), _ROUNDING * float(np.abs(value).max())
    # a rounding of step q has the deviation q/√12
    rounded = 0.0 if step is None else step / sqrt(12.0)
    if not max(deviations[1], rounded) > least:
        return None
    # a median of N normal values scatters by √(π/2/N) of its deviation
    chance = _CHANCE * sqrt(np.pi / 2.0 / value.size)
    # smaller for higher orders: the signal still moves there, no white noise
    falls = deviations[2] < (1.0 - _WHITE - chance) * deviations[0]
    # never below the rounding that the file shows
    found = rounded if deviations[1] <= rounded else deviations[2 if falls else 1]
    share = found / float(np.sqrt(np.mean(recording.value**2)))
    return Noise(float(f"{found:.4g}"), float(f"{share:.4g}"), deviations[1] <= rounded or not falls)
