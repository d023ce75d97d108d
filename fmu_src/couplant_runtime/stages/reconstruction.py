"""Stage 8: continue the estimate between macro steps, limit it, give it out."""

from ..config import Settings
from ..events import once
from ..generated import events
from ..generated.constants import FURTHEST, TINY
from ..generated.numbers import HOLDING, RECONSTRUCT_HOLD
from ..grid import point_time
from ..guard import UNLIMITED, bounded
from ..state import State
from .wrap import unwrap, wrap


def reconstruction(c: Settings, s: State) -> None:
    """Set the outputs for the target time.

    `output.rate_max` limits the change against what was given out last: in step timing at the end of a step, in
    event timing at its start, where the receiver reads it.
    """
    own, time, target = s.reconstruction, s.grid.time, s.grid.target
    if c.event:
        own.given, own.given_time = _limit(s, _estimate(s, time), time), time
    estimate = _estimate(s, target)
    value = _limit(s, estimate, target)
    own.y_hat = wrap(s, value)
    own.ends = value
    own.unlimited = bounded(estimate, value)
    if not c.event:
        own.given, own.given_time = value, target
    s.quality.ok = 1 if s.quality.judged_ok and s.switching.mode < HOLDING else 0
    if own.limited:
        once(s, events.LIMITED)


def limit(s: State, value: float) -> float:
    """Return `value` [signal unit] moved into output.min .. output.max; one that wraps round is within them anyway."""
    parameter = s.parameter
    if parameter.signal_period > 0.0:
        return value
    if value < parameter.output_min:
        value = parameter.output_min
    if value > parameter.output_max:
        value = parameter.output_max
    return value


def _estimate(s: State, time: float) -> float:
    if s.parameter.bypass:
        given = s.reconstruction.given
        return unwrap(s, s.input.y, given) if s.input.y_valid and -UNLIMITED <= s.input.y <= UNLIMITED else given
    line = s.algorithm
    return line.level + line.slope * (_theta(s, time) - line.shift)


def _theta(s: State, time: float) -> float:
    """Return the position of `time` [s] inside the macro step: 0 to 1, to 2 where the step size does not divide it."""
    grid = s.grid
    passed = time - point_time(grid, grid.n)
    near = grid.near if grid.near > TINY * grid.period else TINY * grid.period
    if passed <= near:
        theta = 0.0
    elif -near <= passed - grid.period <= near:
        theta = 1.0
    else:
        theta = passed / grid.period
    if theta > 1.0:
        once(s, events.LONG_STEP)
    if theta > FURTHEST:
        theta = FURTHEST
    if s.parameter.reconstruction == RECONSTRUCT_HOLD:
        theta = 1.0 if theta >= 1.0 else 0.0
    return theta


def _limit(s: State, value: float, time: float) -> float:
    """Return `value` within rate and range; a value that is not finite gives way to the last one."""
    own, rate, wanted = s.reconstruction, s.parameter.rate_max, value
    if not -UNLIMITED <= value <= UNLIMITED:
        value = own.given
    if rate < UNLIMITED:
        value = _within_reach(own.given, value, rate * (time - own.given_time))
    value = limit(s, value)
    own.limited = 0 if value == wanted else 1
    return value


def _within_reach(given: float, value: float, reach: float) -> float:
    if value > given + reach:
        value = given + reach
    if value < given - reach:
        value = given - reach
    return value
