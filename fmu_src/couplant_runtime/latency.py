"""Stage 1: work out how late the newest value is.

`locate` finds the macro step at which an incoming value was sent, in the sender's count; `latency` also works out
the lead, the time from the newest value to the macro point, and splits it into whole steps k and a fraction f:
k = ceil(lead / dT - 1e-6), f = k - lead / dT.
"""

from . import clock, events
from .config import HORIZONS, Settings
from .guard import UNLIMITED, bounded
from .state import SLOTS, State
from .variables import NO_STAMP

NOTHING, NEWEST, LATE = range(3)
CONSTANT, STAMPS, RESEQUENCED = 1, 2, 3
TINY = 1e-6
FAR = 1e9
SETTLING = 32
SWAY = 0.125
FARTHEST_SLOT = 9007199254740992.0


def latency(c: Settings, s: State) -> None:
    """Locate the incoming value and work out the latency of the newest one for macro step n."""
    locate(c, s)
    steps = s.latency_offset / s.period
    if s.latency_mode == CONSTANT:
        newest = s.n - s.constant_steps
        if s.taken != NEWEST and s.filled:
            newest = s.newest
        steps = (s.n - newest) + steps
    elif s.taken == NEWEST:
        steps = _age(s, s.y_time) + steps
    elif s.filled:
        steps = _age(s, s.newest_stamp) + steps
    if s.latency_mode == RESEQUENCED:
        steps = steps + _keep_back(s, steps)
    if steps > FAR:
        steps = FAR
    if s.taken == NEWEST:
        _settle(s, steps)
    s.latency_seconds = bounded(steps * s.period, UNLIMITED)
    s.latency_steps = ceil(steps - TINY)
    fraction = s.latency_steps - steps
    s.fraction = 0.0 if -TINY <= fraction <= TINY else fraction


def _settle(s: State, steps: float) -> None:
    """Follow the lead with which new values arrive: a mean, rounded up to steps that stay where it only sways."""
    lead = steps if steps < HORIZONS - 1 else HORIZONS - 1.0
    age = s.slot - s.origin + 1 if s.filled else 1
    s.usual_lead = s.usual_lead + (lead - s.usual_lead) / (age if age < SETTLING else SETTLING)
    off = s.usual_lead - s.usual_steps
    if not s.filled or off > SWAY or off < -1.0 - SWAY:
        s.usual_steps = int(s.usual_lead + 1.0 - SWAY)


def _age(s: State, stamp: float) -> float:
    """Return the time from a send stamp to macro step n [macro steps]."""
    if clock.free(s):
        clock.follow(s)
    age = (s.start_time + s.n * s.period - (stamp + s.clock_offset)) / s.period
    return 0.0 if age < 0.0 and clock.free(s) else age


def _keep_back(s: State, steps: float) -> int:
    """Return how many slots before the newest the estimate starts, so that the latency is always the constant one."""
    newest = s.slot if s.taken == NEWEST else s.newest
    first = s.origin if s.filled and newest - s.newest < SLOTS else newest
    most = newest - first if newest - first < SLOTS // 2 else SLOTS // 2
    wait = s.constant_steps + s.latency_offset / s.period - steps + TINY
    s.early = 0
    if wait >= 1.0:
        s.early = int(wait) if wait < most else int(most)
    return s.early


def locate(c: Settings, s: State) -> None:
    """Find the slot of the value on `y` and whether it is the newest, a late one or nothing new."""
    s.taken = NOTHING
    if not s.y_valid:
        return
    if not -UNLIMITED <= s.y <= UNLIMITED:
        events.once(s, events.BAD_VALUE)
    elif s.latency_mode == CONSTANT:
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
    if s.n < s.constant_steps:
        s.passed = s.y
        return
    s.slot = s.n - s.constant_steps
    s.taken = NEWEST


def _by_stamp(s: State) -> None:
    if s.y_time == NO_STAMP:
        return
    if not -UNLIMITED <= s.y_time <= UNLIMITED:
        events.once(s, events.BAD_STAMP)
    elif not _arrived(s):
        events.once(s, events.FUTURE_STAMP)
    elif s.filled:
        _after_first(s)
    elif s.time - s.y_time > FAR * s.period and not clock.free(s):
        events.once(s, events.OLD_STAMP)
    else:
        s.first_stamp = s.y_time
        s.slot = 0
        s.taken = NEWEST


def _arrived(s: State) -> bool:
    """Return whether a message with this stamp can be here; where the clocks differ its transit time is noted."""
    if not clock.free(s):
        return s.y_time <= s.time + TINY * s.period
    possible = clock.plausible(s)
    if possible and not (s.filled and s.y_time == s.newest_stamp):
        clock.observe(s)
    return possible


def _after_first(s: State) -> None:
    position = (s.y_time - s.first_stamp) / s.period + 0.5
    if not position < FARTHEST_SLOT:
        events.once(s, events.BAD_STAMP)
    elif s.y_time > s.newest_stamp:
        s.slot = int(position)
        s.taken = NEWEST
    elif s.y_time < s.newest_stamp:
        _old(s, position)


def _old(s: State, position: float) -> None:
    if position < s.origin or position < s.newest - SLOTS + 1:
        events.once(s, events.OLD_STAMP)
        return
    slot = int(position)
    if s.marked[s.newest - slot]:
        s.slot = slot
        s.taken = LATE
