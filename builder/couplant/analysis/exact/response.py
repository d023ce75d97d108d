"""The coupling process on a tone, as pairs of real numbers: weights, and the sliding-mode observer.

`couplant.analysis.coupling_process` has the equations. q = exp(-j ω ΔT); a response is G_p at ω ΔT [rad], its real and
its imaginary part [-].
"""

from collections.abc import Callable
from typing import NamedTuple

from couplant.analysis.exact.numerics import PI, sine_cosine
from couplant_runtime.known import Weights

Pair = tuple[float, float]  # a complex number: real and imaginary part

Response = Callable[[float], Pair]
Term = tuple[int, float, float, float, float]
"""Step to the next younger value, and factors of value, slope, derivative and slope of the derivative. [-]"""

_SERIES = 0.5
_RAMP_REAL = (
    1.0 / 2.0, -3.0 / 24.0, 5.0 / 720.0, -7.0 / 40320.0, 9.0 / 3628800.0, -11.0 / 479001600.0, 13.0 / 87178291200.0,
)  # fmt: skip
_RAMP_IMAGINARY = (
    2.0 / 6.0, -4.0 / 120.0, 6.0 / 5040.0, -8.0 / 362880.0, 10.0 / 39916800.0, -12.0 / 6227020800.0,
    14.0 / 1307674368000.0,
)  # fmt: skip


class Observer(NamedTuple):
    """The recursion of the sliding-mode observer: `SlidingModeObserver` of the analysis says what it is."""

    k: int  # age of the newest value [macro steps]
    ahead: int  # latency at which it runs, 0: the newest value is the estimate [macro steps]
    newest: float  # factor of the newest value in the slope [-]
    before: float  # factor of the value before [-]
    observed: float  # factor of the estimate made `ahead` steps before [-]


def response_of_weights(weights: Weights, fraction: float, step: bool) -> Response:
    """Return the response of weights whose newest value is a `fraction` younger than k [macro steps].

    With `step` it is that of step timing, else of event timing.
    """
    terms, lead = _terms(weights, fraction)

    def response(omega: float) -> Pair:
        q, hold = _turn_and_hold(omega)
        if step:
            late = _times(q, hold)
            return _answer(terms, lead, omega, late, late)
        return _answer(terms, lead, omega, hold, _ramp(omega, q))

    return response


def error_of_weights(weights: Weights, fraction: float, step: bool) -> Response:
    """Return the error ŷ/y - 1 of the estimate valid at a macro point; `fraction` and `step` as for the response."""
    terms, lead = _terms(weights, fraction)

    def error(omega: float) -> Pair:
        q, _ = _turn_and_hold(omega)
        real, imaginary = _answer(terms, lead, omega, q, q) if step else _answer(terms, lead, omega, _ONE, _ZERO)
        return real - 1.0, imaginary

    return error


def response_of_observer(observer: Observer, step: bool) -> Response:
    """Return the response of the recursion, with `step` in step timing, else in event timing."""

    def response(omega: float) -> Pair:
        q, hold = _turn_and_hold(omega)
        rest = 1.0 - q[0], -q[1]
        value = _recursion(observer, omega, q)
        if step:
            once = _times(value, _times(q, hold))
            slope = _times(rest, once)
            return once[0] + slope[0], once[1] + slope[1]
        rise = _times(rest, _ramp(omega, q))
        return _times(value, (hold[0] + rise[0], hold[1] + rise[1]))

    return response


def error_of_observer(observer: Observer, step: bool) -> Response:
    """Return the error ŷ/y - 1 of the estimate of the recursion at a macro point, with `step` at the end of a step."""

    def error(omega: float) -> Pair:
        q, _ = _turn_and_hold(omega)
        real, imaginary = _recursion(observer, omega, q)
        if step:
            real, imaginary = _times((real, imaginary), _times((2.0 - q[0], -q[1]), q))
        return real - 1.0, imaginary

    return error


def response_of_transfer(k: int, gain: float) -> Response:
    """Return the response (0-5) of the dissertation in event timing.

    The observer runs at the latency `k`, at least 1 macro step, with the `gain` λΔT [-].
    """

    def response(omega: float) -> Pair:
        q, hold = _turn_and_hold(omega)
        delayed = _times(_turn(k * omega), _ramp(omega, q))
        below = 1.0 - hold[0] + gain * delayed[0], gain * delayed[1] - hold[1]
        return _over(_times(delayed, (1.0 - q[0] + gain, -q[1])), below)

    return response


_ONE, _ZERO = (1.0, 0.0), (0.0, 0.0)


def observer_gain(k: int, ratio: float) -> float:
    """Return λΔT of the observer: the `ratio` to its largest one, π/(2 k), `k` at least 1 macro step [-]."""
    return ratio * PI / (2 * k)


def plain_observer(k: int, gain: float) -> Observer:
    """Return the recursion at a latency of `k` whole macro steps with the `gain` λΔT [-]."""
    return Observer(k, k, 1.0 + gain, -1.0, -gain)


def _terms(weights: Weights, fraction: float) -> tuple[list[Term], float]:
    """Return the terms that are not 0, oldest first, and how far the estimate of θ = 0 reaches [macro steps]."""
    rows: list[Term] = []
    last = len(weights.a) if len(weights.a) > len(weights.b) else len(weights.b)
    younger = 0
    for i in range(last):
        a, slope = (weights.a[i], weights.slopes[i]) if i < len(weights.a) else (0.0, 0.0)
        b, b_slope = (weights.b[i], weights.b_slopes[i]) if i < len(weights.b) else (0.0, 0.0)
        if a != 0.0 or slope != 0.0 or b != 0.0 or b_slope != 0.0:
            rows.append((i - younger, a - fraction * slope, slope, b - fraction * b_slope, b_slope))
            younger = i
    return rows[::-1], weights.steps - fraction


def _answer(terms: list[Term], lead: float, omega: float, hold: Pair, ramp: Pair) -> Pair:
    """Return the sum of all terms: values times `hold`, slopes times `ramp`."""
    q = _turn(omega)
    real, imaginary = 0.0, 0.0
    for gap, a, slope, b, b_slope in terms:
        # the derivative of a tone is j ω times it
        real = real + (a * hold[0] + slope * ramp[0]) - omega * (b * hold[1] + b_slope * ramp[1])
        imaginary = imaginary + (a * hold[1] + slope * ramp[1]) + omega * (b * hold[0] + b_slope * ramp[0])
        if gap > 0:
            cosine, sine = q if gap == 1 else _turn(gap * omega)
            real, imaginary = real * cosine - imaginary * sine, real * sine + imaginary * cosine
    return _times((real, imaginary), _turn(lead * omega))


def _recursion(one: Observer, omega: float, q: Pair) -> Pair:
    """Return the estimate of the recursion over the newest true value."""
    if one.ahead == 0:
        return _ONE
    bracket = one.newest + one.before * q[0], one.before * q[1]
    then = _turn(one.ahead * omega)
    below = 1.0 - q[0] - one.observed * then[0], -q[1] - one.observed * then[1]
    return _over(_times(_turn(one.k * omega), bracket), below)


def _turn(angle: float) -> Pair:
    """Return exp(-j angle)."""
    sine, cosine = sine_cosine(angle)
    return cosine, -sine


def _turn_and_hold(omega: float) -> tuple[Pair, Pair]:
    """Return q, and (1 - q)/(j ω): half a step late, and as much smaller as a held value is."""
    half = 0.5 * omega
    sine, cosine = sine_cosine(half)
    share = sine / half if half != 0.0 else 1.0
    return (1.0 - 2.0 * sine * sine, -2.0 * sine * cosine), (share * cosine, -share * sine)


def _ramp(omega: float, q: Pair) -> Pair:
    """Return (1 - (1 + j ω) q)/(j ω)²; at small ω its series, for there the closed form cancels."""
    square = omega * omega
    if omega < _SERIES:
        real, imaginary = 0.0, 0.0
        for i in range(len(_RAMP_REAL) - 1, -1, -1):
            real, imaginary = real * square + _RAMP_REAL[i], imaginary * square + _RAMP_IMAGINARY[i]
        return real, -omega * imaginary
    return (q[0] - 1.0 - omega * q[1]) / square, (q[1] + omega * q[0]) / square


def _times(x: Pair, y: Pair) -> Pair:
    return x[0] * y[0] - x[1] * y[1], x[0] * y[1] + x[1] * y[0]


def _over(x: Pair, y: Pair) -> Pair:
    size = y[0] * y[0] + y[1] * y[1]
    return (x[0] * y[0] + x[1] * y[1]) / size, (x[1] * y[0] - x[0] * y[1]) / size
