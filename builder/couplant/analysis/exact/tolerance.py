"""Parameters ζ and δ of the extrapolation tolerance: `couplant.analysis.signal.quality` has the equations."""

import math

from couplant.analysis.exact.limits import limit
from couplant.analysis.exact.numerics import PI
from couplant.analysis.exact.response import (
    Response,
    error_of_observer,
    error_of_weights,
    observer_gain,
    plain_observer,
    response_of_observer,
    response_of_transfer,
    response_of_weights,
)
from couplant_runtime.known import Weights

STETTINGER = (0.0, 0.1)  # (ζ/ΔT, δ) of the tolerance of Stettinger et al. 2017, -

_LEAST_SHARE = 1e-9
_LEAST = 2.2250738585072014e-308
_TWO_32 = 4294967296.0


def tolerance_of_weights(weights: Weights, fraction: float, step: bool) -> tuple[float, float]:
    """Return ζ/ΔT and δ of weights whose newest value is a `fraction` younger than their latency [macro steps].

    With `step` those of step timing, else of event timing, -.
    """
    response = response_of_weights(weights, fraction, step)
    reach = weights.steps + (len(weights.a) if len(weights.a) > len(weights.b) else len(weights.b))
    return tolerance(response, error_of_weights(weights, fraction, step), reach, weights.steps + (1 if step else 0))


def tolerance_of_observer(k: int, ratio: float, step: bool) -> tuple[float, float]:
    """Return ζ/ΔT and δ of the sliding-mode observer at the latency `k` [macro steps], -.

    Its gain has this `ratio` to the largest one [-]. In event timing, without `step`, it counts up to the limit of its
    published transfer function.
    """
    if k == 0:
        return tolerance_of_weights(Weights(0, (1.0, 0.0), (1.0, -1.0)), 0.0, step)
    gain = observer_gain(k, ratio)
    one = plain_observer(k, gain)
    response = response_of_observer(one, step) if step else response_of_transfer(k, gain)
    return tolerance(response, error_of_observer(one, step), 2 * k + 2, k + (1 if step else 0))


def tolerance(response: Response, error: Response, reach: int, horizon: int) -> tuple[float, float]:
    """Return ζ/ΔT and δ from response and error of the estimate, (0, 0) at horizon 0, -.

    The `reach` is the age of the oldest value that counts, the `horizon` is κ [macro steps].
    """
    if horizon == 0:
        return 0.0, 0.0
    share = limit(response, reach)
    if share == 0.0:
        return STETTINGER
    omega = PI if share is None else PI * share
    extreme, inflection = error(omega)
    at_extreme, at_inflection = abs(extreme), abs(inflection)
    # an error without any part at the inflection needs δ > 0 to keep the part at the extreme point
    for least in (_LEAST_SHARE * at_extreme, _LEAST):
        at_inflection = at_inflection if at_inflection > least else least
    return at_extreme / (omega * at_inflection), at_inflection / (omega * horizon)


def shorten(value: float) -> float:
    """Return a `value` of at least 0 to 32 bits, halves to the even one: an FMU with such tables is smaller by 2 kB."""
    if value == 0.0:
        return 0.0
    scale = 1.0
    while value * scale < 0.5 * _TWO_32:
        scale = 2.0 * scale
    while value * scale >= _TWO_32:
        scale = 0.5 * scale
    wanted = value * scale
    whole = math.floor(wanted)
    rest = wanted - whole
    if rest > 0.5 or (rest == 0.5 and whole % 2 == 1):
        whole = whole + 1
    return whole / scale
