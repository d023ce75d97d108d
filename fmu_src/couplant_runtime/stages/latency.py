"""Stage 1: work out how late the newest value is.

`locate` finds the macro step at which an incoming value was sent, in the sender's count; `latency` also works out
the lead, the time from the newest value to the macro point, and splits it into whole steps k and a fraction f:
k = ceil(lead / dT - 1e-6), f = k - lead / dT.
"""

from ..config import Settings
from ..events import once
from ..generated import events
from ..generated.constants import FAR, FARTHEST_SLOT, SETTLING, SWAY, TINY
from ..generated.numbers import CONSTANT, HORIZONS, RESEQUENCED, SLOTS
from ..guard import NO_STAMP, UNLIMITED, bounded
from ..state import State
from . import clock

NOTHING, NEWEST, LATE = range(3)


def latency(c: Settings, s: State) -> None:
    """Locate the incoming value and work out the latency of the newest one for macro step n."""
    locate(c, s)
    steps = s.parameter.latency_offset / s.grid.period
    if s.parameter.latency_mode == CONSTANT:
        newest = s.grid.n - s.parameter.constant_steps
        if s.latency.taken != NEWEST and s.history.filled:
            newest = s.history.newest
        steps = (s.grid.n - newest) + steps
    elif s.latency.taken == NEWEST:
        steps = _age(s, s.input.y_time) + steps
    elif s.history.filled:
        steps = _age(s, s.latency.newest_stamp) + steps
    if s.parameter.latency_mode == RESEQUENCED:
        steps = steps + _keep_back(s, steps)
    if steps > FAR:
        steps = FAR
    if s.latency.taken == NEWEST:
        _settle(s, steps)
    s.latency.seconds = bounded(steps * s.grid.period, UNLIMITED)
    s.latency.steps = ceil(steps - TINY)
    fraction = s.latency.steps - steps
    s.latency.fraction = 0.0 if -TINY <= fraction <= TINY else fraction


def _settle(s: State, steps: float) -> None:
    """Follow the lead with which new values arrive: a mean, rounded up to steps that stay where it only sways."""
    lead = steps if steps < HORIZONS - 1 else HORIZONS - 1.0
    age = s.latency.slot - s.history.origin + 1 if s.history.filled else 1
    s.latency.usual_lead = s.latency.usual_lead + (lead - s.latency.usual_lead) / (age if age < SETTLING else SETTLING)
    off = s.latency.usual_lead - s.latency.usual_steps
    if not s.history.filled or off > SWAY or off < -1.0 - SWAY:
        s.latency.usual_steps = int(s.latency.usual_lead + 1.0 - SWAY)


def _age(s: State, stamp: float) -> float:
    """Return the time from a send stamp to macro step n [macro steps]."""
    if clock.free(s):
        clock.follow(s)
    age = (s.grid.start_time + s.grid.n * s.grid.period - (stamp + s.clock.offset)) / s.grid.period
    return 0.0 if age < 0.0 and clock.free(s) else age


def _keep_back(s: State, steps: float) -> int:
    """Return how many slots before the newest the estimate starts, so that the latency is always the constant one."""
    newest = s.latency.slot if s.latency.taken == NEWEST else s.history.newest
    first = s.history.origin if s.history.filled and newest - s.history.newest < SLOTS else newest
    most = newest - first if newest - first < SLOTS // 2 else SLOTS // 2
    wait = s.parameter.constant_steps + s.parameter.latency_offset / s.grid.period - steps + TINY
    s.latency.early = 0
    if wait >= 1.0:
        s.latency.early = int(wait) if wait < most else int(most)
    return s.latency.early


def locate(c: Settings, s: State) -> None:
    """Find the slot of the value on `y` and whether it is the newest, a late one or nothing new."""
    s.latency.taken = NOTHING
    if not s.input.y_valid:
        return
    if not -UNLIMITED <= s.input.y <= UNLIMITED:
        once(s, events.BAD_VALUE)
    elif s.parameter.latency_mode == CONSTANT:
        _by_count(s)
    else:
        _by_stamp(s)


def ceil(x: float) -> int:
    """Return the smallest integer not below `x`, at least 0."""
    whole = int(x)
    if whole < x:
        whole = whole + 1
    return whole if whole > 0 else 0


def _by_count(s: State) -> None:
    if s.grid.n < s.parameter.constant_steps:
        s.algorithm.passed = s.input.y
        return
    s.latency.slot = s.grid.n - s.parameter.constant_steps
    s.latency.taken = NEWEST


def _by_stamp(s: State) -> None:
    if s.input.y_time == NO_STAMP:
        return
    if not -UNLIMITED <= s.input.y_time <= UNLIMITED:
        once(s, events.BAD_STAMP)
    elif not _arrived(s):
        once(s, events.FUTURE_STAMP)
    elif s.history.filled:
        _after_first(s)
    elif s.grid.time - s.input.y_time > FAR * s.grid.period and not clock.free(s):
        once(s, events.OLD_STAMP)
    else:
        s.latency.first_stamp = s.input.y_time
        s.latency.slot = 0
        s.latency.taken = NEWEST


def _arrived(s: State) -> bool:
    """Return whether a message with this stamp can be here; where the clocks differ its transit time is noted."""
    if not clock.free(s):
        return s.input.y_time <= s.grid.time + TINY * s.grid.period
    possible = clock.plausible(s)
    if possible and not (s.history.filled and s.input.y_time == s.latency.newest_stamp):
        clock.observe(s)
    return possible


def _after_first(s: State) -> None:
    position = (s.input.y_time - s.latency.first_stamp) / s.grid.period + 0.5
    if not position < FARTHEST_SLOT:
        once(s, events.BAD_STAMP)
    elif s.input.y_time > s.latency.newest_stamp:
        s.latency.slot = int(position)
        s.latency.taken = NEWEST
    elif s.input.y_time < s.latency.newest_stamp:
        _old(s, position)


def _old(s: State, position: float) -> None:
    if position < s.history.origin or position < s.history.newest - SLOTS + 1:
        once(s, events.OLD_STAMP)
        return
    slot = int(position)
    if s.history.marked[s.history.newest - slot]:
        s.latency.slot = slot
        s.latency.taken = LATE
