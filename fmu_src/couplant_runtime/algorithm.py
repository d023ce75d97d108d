"""Stage 6: estimate the value at this macro step and its change per macro step from the history.

The estimate is a line, `level + slope * (theta - shift)`. What it gives for the time that quality will judge,
and what the observer compares with later, is kept here, before any limit.
"""

from .algorithms import EROS3, EROS4, FOH, LINEAR, NETWORK, NONE, ZOH, eros3, eros4, foh, linear, network, smb, zoh
from .config import Settings
from .guard import UNLIMITED, bounded
from .learning.embedded import learn, span
from .state import RING, SLOTS, State
from .switching import LOST

SAFE = 2


def algorithm(c: Settings, s: State) -> None:
    """Work out the line of the active algorithm and keep the estimates that are judged later."""
    s.shift = s.fraction
    if s.network and s.selected == NETWORK:
        learn(c, s)
    if s.active == NONE:
        _hold(c, s)
    else:
        s.level, s.slope = _line(c, s)
        if not (-UNLIMITED <= s.level <= UNLIMITED and -UNLIMITED <= s.slope <= UNLIMITED):
            s.level, s.slope = s.past[0], 0.0
        s.held = bounded(s.level + s.slope * (1.0 - s.shift), s.level)
    s.observed[s.n % RING] = bounded(s.level - s.slope * s.shift, s.level)
    _keep(c, s)


def _line(c: Settings, s: State) -> tuple[float, float]:
    k = s.latency_steps
    if s.active == EROS4:
        return eros4.line(s.past, k)
    if s.active == EROS3:
        return eros3.line(s.past, k)
    if s.active == FOH:
        return foh.line(s.past, k)
    if s.active == ZOH:
        return zoh.line(s.past, k)
    if s.active == LINEAR:
        return _linear(c, s, k)
    if s.active == NETWORK:
        return network.line(c.network, s.network.use, s.past, span(s.network), not c.event)
    return _observer(s, k)


def _linear(c: Settings, s: State, k: int) -> tuple[float, float]:
    entry = c.by_steps[k]
    if c.shown_taps:
        return linear.line(s.past, s.a, s.slopes, c.shown_taps)
    return linear.line(s.past, entry.a, entry.slopes, len(entry.a))


def _observer(s: State, k: int) -> tuple[float, float]:
    """Advance the sliding-mode observer; it tracks the macro point itself, so no fraction moves it.

    The newest value lies `fraction` of a step after the estimate it is compared with; the received slope bridges
    that. Bridging with the estimated slope makes the observer diverge at latencies below a macro step.
    """
    if k == 0:
        return foh.line(s.past, k)
    s.shift = 0.0
    then = s.observed[(s.n - k) % RING]
    if s.fraction != 0.0:
        then = then + s.fraction * (s.past[0] - s.past[1])
    slope = smb.bracket(s.past, then, smb.gain_per_step(s.observer_gain, s.period, k))
    return s.observed[(s.n - 1) % RING] + slope, slope


def _hold(c: Settings, s: State) -> None:
    s.slope = 0.0
    if not s.filled:
        s.level = s.passed
    elif s.mode == LOST and s.on_loss == SAFE:
        s.level = s.safe_value
    else:
        s.level = s.held


def _keep(c: Settings, s: State) -> None:
    """Keep the estimate for the time at which it is given out: the end of the step, in event timing its start."""
    ahead = 0 if c.event else 1
    at = (s.n + ahead) % RING
    s.estimated[at] = bounded(s.level + s.slope * (ahead - s.shift), s.level)
    s.held_then[at] = s.past[0]
    s.horizon[at] = s.latency_steps + ahead if s.latency_steps <= SLOTS else 0
    s.judgeable[at] = 1 if s.active == s.selected and not s.starting else 0
