"""Stage 1: work out how late the newest value is.

`locate` finds the macro step at which an incoming value was sent, in the sender's count; `latency` also works out
the lead and splits it into whole steps k and a fraction f: k = max(0, ceil(lead / dT - 1e-6)), f = k - lead / dT; with
stamps WHOLE in place of 1e-6, since clocks drift. The lead is the time from the newest value to the macro point, and
what is added to it: latency.offset, and macro steps for the importer and the receiver's hold. Below 0 the estimate is
for a time before the newest value, and f is above 0.
"""

from ..config import Settings
from ..events import once
from ..generated import events
from ..generated.constants import FAR, FARTHEST_SLOT, LEAST_STAMP, SETTLING, SWAY, TINY, WHOLE
from ..generated.numbers import CONSTANT, MAX_STEPS, RESEQUENCED, SLOTS
from ..grid import point_time, same_time
from ..guard import UNLIMITED, bounded
from ..state import State
from . import clock, restart
from .follow import follow, offset
from .history import stamp_of
from .restart import AGAIN, ELSEWHERE, GONE, LATE, NEWEST, NOTHING
from .wrap import is_same


def latency(c: Settings, s: State) -> None:
    """Locate the incoming value and work out the latency of the newest one for macro step n."""
    follow(c, s)
    locate(c, s)
    own, grid, parameter = s.latency, s.grid, s.parameter
    steps = added_lead(s)
    if parameter.latency_mode == CONSTANT:
        newest = grid.n - parameter.constant_steps
        if own.taken != NEWEST and s.history.filled:
            newest = s.history.newest
        steps = (grid.n - newest) + steps
    elif own.taken == NEWEST:
        steps = _age(s, s.input.y_time) + steps
    elif s.history.filled:
        steps = _age(s, own.newest_stamp) + steps
    if parameter.latency_mode == RESEQUENCED:
        steps = steps + _keep_back(s, steps)
    if not steps <= FAR:
        steps = FAR
    elif steps < -FAR:
        steps = -FAR
    if own.taken == NEWEST:
        _settle(c, s, steps)
    own.seconds = bounded(steps * grid.period, UNLIMITED)
    counted = parameter.latency_mode == CONSTANT
    same = TINY if counted else same_time(grid.time, grid.period) / grid.period
    own.steps = ceil(steps - (same if counted or same > WHOLE else WHOLE))
    fraction = own.steps - steps
    own.fraction = 0.0 if -same <= fraction <= same else fraction


def added_lead(s: State) -> float:
    """Return the part of the lead beyond the age of the newest value [macro steps]."""
    return offset(s) / s.grid.period + (s.parameter.host_lead + s.parameter.hold_lead)


def _settle(c: Settings, s: State, steps: float) -> None:
    """Follow the lead with which new values arrive: a mean, and the steps that an estimate usually reaches.

    They stay where the mean only sways. In event timing it is rounded up. In step timing an estimate reaches one step
    further, and that is rounded down: at long reaches a loop bears too much noise as badly as too little.
    """
    own, filled = s.latency, s.history.filled
    lead = steps if steps < MAX_STEPS else float(MAX_STEPS)
    lead = lead if lead > 0.0 else 0.0
    age = own.slot - s.history.origin + 1 if filled else 1
    own.usual_lead = own.usual_lead + (lead - own.usual_lead) / (age if age < SETTLING else SETTLING)
    reach = own.usual_lead if c.event else own.usual_lead + 1.0
    least, shift = (-1.0 - SWAY, 1.0 - SWAY) if c.event else (-SWAY, SWAY)
    off = reach - own.usual_reach
    if not filled or off < least or off > least + 1.0 + 2.0 * SWAY:
        own.usual_reach = int(reach + shift)


def _age(s: State, stamp: float) -> float:
    """Return the time from a send stamp to macro step n [macro steps]."""
    grid, free = s.grid, clock.free(s)
    if free:
        clock.follow(s)
    age = (point_time(grid, grid.n) - (stamp + s.clock.offset)) / grid.period
    return 0.0 if free and age < 0.0 else age


def _keep_back(s: State, steps: float) -> int:
    """Return how many slots before the newest the estimate starts, so that the latency is always the constant one."""
    newest = s.latency.slot if s.latency.taken == NEWEST else s.history.newest
    first = s.history.origin if s.history.filled and newest - s.history.newest < SLOTS else newest
    most = newest - first if newest - first < SLOTS // 2 else SLOTS // 2
    wait = s.parameter.constant_steps + added_lead(s) - steps + TINY
    s.latency.early = 0
    if wait >= 1.0:
        s.latency.early = int(wait) if wait < most else int(most)
    return s.latency.early


def locate(c: Settings, s: State) -> None:
    """Find the slot of the value on `y` and whether it is the newest, a late one or nothing new."""
    s.latency.taken = NOTHING
    given = s.input
    if not given.y_valid:
        return
    if not -UNLIMITED <= given.y <= UNLIMITED:
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
    slot = s.grid.n - s.parameter.constant_steps
    if slot < 0:
        s.algorithm.passed = s.input.y
        return
    s.latency.slot = slot
    s.latency.taken = NEWEST


def _by_stamp(s: State) -> None:
    stamp, free, same = s.input.y_time, clock.free(s), same_time(s.grid.time, s.grid.period)
    if not -UNLIMITED <= stamp <= UNLIMITED:
        once(s, events.BAD_STAMP)
        return
    if stamp < LEAST_STAMP:
        return
    sent = free or stamp + s.clock.offset <= s.grid.time + same
    first = sent and (not s.history.filled or restart.contradicts(s))
    if not first and not (sent and (not free or clock.plausible(s))):
        once(s, events.FUTURE_STAMP)
        restart.stray(s, ELSEWHERE)
    elif not first:
        _after_first(s, stamp)
    elif not s.history.filled:
        _first(s, stamp)
    if s.latency.taken == NEWEST or (s.latency.taken == LATE and restart.is_usual(s)):
        _take(s)


def _take(s: State) -> None:
    """Note the transit time of a message that is taken."""
    restart.take(s)
    if s.latency.taken == NEWEST:
        s.clock.transit = clock.transit(s)
        if restart.is_lost(s):  # clocks may have drifted any way since
            s.clock.blocks = s.clock.block_count = 0
    if clock.free(s):
        clock.observe(s)


def _first(s: State, stamp: float) -> None:
    if s.grid.time - stamp > FAR * s.grid.period and not clock.free(s):
        once(s, events.OLD_STAMP)
        restart.stray(s, GONE)
        return
    s.latency.first_stamp = stamp
    s.latency.slot = 0
    s.latency.taken = NEWEST


def _after_first(s: State, stamp: float) -> None:
    own = s.latency
    position = (stamp - own.first_stamp) / s.grid.period + 0.5
    if not position < FARTHEST_SLOT:
        once(s, events.BAD_STAMP)
    elif stamp < own.newest_stamp:
        _old(s, position)
    elif stamp > own.newest_stamp and not restart.doubts(s):
        own.slot = int(position)
        own.taken = NEWEST
    elif stamp > own.newest_stamp:
        restart.stray(s, ELSEWHERE)


def _old(s: State, position: float) -> None:
    received = s.history
    if position < received.origin or position < received.newest - SLOTS + 1:
        once(s, events.OLD_STAMP)
        _later(s, GONE)
        return
    slot = int(position) if position < received.newest else received.newest
    place = received.newest - slot
    if received.marked[place] and not restart.doubts(s):
        _later(s, AGAIN)
        if s.latency.taken != NEWEST:
            s.latency.slot = slot
            s.latency.taken = LATE
        return
    again = received.stamps[place] == stamp_of(s, s.input.y_time) and is_same(s, s.input.y, received.past[place])
    _later(s, AGAIN if again and not received.marked[place] else ELSEWHERE)


def _later(s: State, why: int) -> None:
    """Look at an older message: one that is later than usual may not go on from those before."""
    if not restart.is_usual(s):
        restart.stray(s, why)
