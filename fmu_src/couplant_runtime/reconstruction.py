"""Stage 7: continue the estimate between macro steps, limit it, give it out."""

from . import events
from .config import Settings
from .guard import UNLIMITED, bounded
from .latency import TINY
from .state import State
from .switching import HOLDING
from .wrap import unwrap, wrap

HOLD = 2
FURTHEST = 2.0


def reconstruction(c: Settings, s: State) -> None:
    """Set the outputs for the target time.

    `output.rate_max` limits the change against what was given out last: in step timing at the end of a step, in
    event timing at its start, where the receiver reads it.
    """
    if c.event:
        _remember(s, _limited(s, _estimate(s, s.time), s.time), s.time)
    estimate = _estimate(s, s.target)
    value = _limited(s, estimate, s.target)
    s.y_hat = wrap(s, value)
    s.unlimited = bounded(estimate, value)
    if not c.event:
        _remember(s, value, s.target)
    s.quality_ok = 1 if s.judged_ok and s.mode < HOLDING else 0
    if s.limited:
        events.once(s, events.LIMITED)


def limit(s: State, value: float) -> float:
    """Return `value` [signal unit] moved into output.min .. output.max; one that wraps round is within them anyway."""
    if s.signal_period > 0.0:
        return value
    if value < s.output_min:
        value = s.output_min
    if value > s.output_max:
        value = s.output_max
    return value


def _estimate(s: State, time: float) -> float:
    if s.bypass:
        return unwrap(s, s.y, s.given) if s.y_valid and -UNLIMITED <= s.y <= UNLIMITED else s.given
    return s.level + s.slope * (_theta(s, time) - s.shift)


def _theta(s: State, time: float) -> float:
    """Return the position of `time` [s] inside the macro step: 0 to 1, to 2 where the step size does not divide it."""
    theta = (time - (s.start_time + s.n * s.period)) / s.period
    if theta <= TINY:
        theta = 0.0
    if 1.0 - TINY <= theta <= 1.0 + TINY:
        theta = 1.0
    if theta > 1.0:
        events.once(s, events.LONG_STEP)
    if theta > FURTHEST:
        theta = FURTHEST
    if s.reconstruction == HOLD:
        theta = 1.0 if theta >= 1.0 else 0.0
    return theta


def _limited(s: State, value: float, time: float) -> float:
    """Return `value` within rate and range; a value that is not finite gives way to the last one."""
    wanted = value
    if not -UNLIMITED <= value <= UNLIMITED:
        value = s.given
    if s.rate_max < UNLIMITED:
        value = _within_rate(s, value, s.rate_max * (time - s.given_time))
    value = limit(s, value)
    s.limited = 0 if value == wanted else 1
    return value


def _within_rate(s: State, value: float, reach: float) -> float:
    if value > s.given + reach:
        value = s.given + reach
    if value < s.given - reach:
        value = s.given - reach
    return value


def _remember(s: State, value: float, time: float) -> None:
    s.given = value
    s.given_time = time
