"""The guard: no estimate far outside the signal.

An estimate may lie `output.guard` ranges outside the values of late, and 1.75 times as far from the newest one as the
signal has ever changed of late in the time that it reaches ahead; within those ranges also as far as the movement goes
by itself: rates and bends that three changes in succession have in common, for no longer than the movement has lasted.
The range is that of the values at least 16 slots old, which fades in 4096 macro steps, and of the 16 newest. While it
grows by a third or more, a movement may go on to a range outside. A signal that leaves rest faster than by the square
of time, as what has mass does, is not guarded at all: nothing tells yet how far it goes. Changes are those between
values received; what sets out in a hole may have done so in its last macro step.
"""

from dataclasses import dataclass

from ..generated.constants import (
    GUARD_BEND,
    GUARD_CHANGE,
    GUARD_CHANGES,
    GUARD_FADE,
    GUARD_GROWN,
    GUARD_GROWTH,
    GUARD_MOST,
    GUARD_RECENT,
    GUARD_RUN,
    GUARD_SHARE,
    GUARD_START,
    GUARD_STRETCH,
    GUARD_YOUNG,
)
from ..generated.numbers import MAX_STEPS, SLOTS
from ..guard import UNLIMITED, between, bounded
from ..state import State


@dataclass
class _Movement:
    """The changes between the newest values received.

    Attributes
    ----------
    change : list of float
        GUARD_CHANGES of them, newest first, signal unit.
    gap : list of int
        Their times, macro steps; 0: there is none.
    run : int
        Newest ones in one direction.
    lasted : int
        The time of those, macro steps.
    """

    change: list[float]
    gap: list[int]
    run: int = 0
    lasted: int = 0


def measure(s: State) -> None:
    """Work out how far the estimates of this macro step may lie outside the values of late."""
    own, past = s.guard, s.history.past
    own.acts = 0
    own.low, own.high = -UNLIMITED, UNLIMITED
    if not s.parameter.guard > 0.0 or not s.history.filled:
        return
    _remember(s)
    low, high = own.lowest, own.highest
    for value in past[:GUARD_RECENT]:
        low = value if value < low else low
        high = value if value > high else high
    _limit(s, low, high)


def guard_line(s: State, level: float, slope: float, shift: float, share: float) -> tuple[float, float, float]:
    """Return a line with both ends within limits, again as `level`, `slope` and `shift`.

    Parameters
    ----------
    s : State
        With the limits of this macro step.
    level : float
        Of the line where it is not shifted, signal unit.
    slope : float
        Change of the estimate, signal unit per macro step.
    shift : float
        Of the line, macro steps.
    share : float
        Of the estimate that the line has, -.
    """
    here = level - slope * shift
    there = here + slope
    start, end = between(here, s.guard.low, s.guard.high), between(there, s.guard.low, s.guard.high)
    if (start == here and end == there) or not -UNLIMITED <= end - start <= UNLIMITED:
        return level, slope, shift
    if share >= GUARD_SHARE:
        s.guard.acts = 1
    return start, end - start, 0.0


def _remember(s: State) -> None:
    """Keep the range of the older values."""
    own, past = s.guard, s.history.past
    if s.history.newest == s.history.origin:
        own.lowest = own.highest = past[0]
    fade = bounded((own.highest - own.lowest) * GUARD_FADE, 0.0)
    own.lowest = own.lowest + fade
    own.highest = own.highest - fade
    for value in past[GUARD_RECENT:]:
        own.lowest = value if value < own.lowest else own.lowest
        own.highest = value if value > own.highest else own.highest


def _limit(s: State, low: float, high: float) -> None:
    own, newest = s.guard, s.history.past[0]
    width = high - low
    lead = s.latency.steps + 1 if s.latency.steps < MAX_STEPS else MAX_STEPS + 1
    room = s.parameter.guard * width
    change = GUARD_CHANGE * _change(s, lead)
    down = low - room if low - room > newest - change else newest - change
    up = high + room if high + room < newest + change else newest + change
    goes = _goes(s, lead, low, high)
    if goes >= UNLIMITED:
        return
    own.low = bounded(goes if goes < down else down, -UNLIMITED)
    own.high = bounded(goes if goes > up else up, UNLIMITED)


def _change(s: State, lead: int) -> float:
    """Return the most that the signal has changed of late in `lead` macro steps, signal unit."""
    past = s.history.past
    over = lead if lead < SLOTS // 2 else SLOTS // 2
    most = 0.0
    for i in range(SLOTS - over):
        change = abs(past[i] - past[i + over])
        most = change if change > most else most
    return most * (lead / over)


def _goes(s: State, lead: int, low: float, high: float) -> float:
    """Return where the movement goes, signal unit; UNLIMITED: no one knows."""
    own, newest = s.guard, s.history.past[0]
    found = _movement(s)
    room = s.parameter.guard * (high - low)
    if found.gap[GUARD_CHANGES - 1] == 0:
        return newest
    if own.highest - own.lowest < GUARD_GROWN * (high - low):
        return _grows(s, found, lead, low, high)
    return newest if found.run < GUARD_RUN else between(newest + _reach(found, lead), low - room, high + room)


def _grows(s: State, m: _Movement, lead: int, low: float, high: float) -> float:
    """Return where the movement of a growing signal goes, signal unit; UNLIMITED: no one knows."""
    own, newest = s.guard, s.history.past[0]
    width = high - low
    before = own.highest - own.lowest
    grown = width - before
    rested = before < GUARD_YOUNG * width and s.history.newest - s.history.origin >= GUARD_RECENT
    away = newest > own.highest if m.change[0] > 0.0 else newest < own.lowest
    if rested and away and _sets_out(m):
        return UNLIMITED
    if m.run < GUARD_RUN:
        return newest
    most = GUARD_GROWTH * (grown * (grown / before) if grown < before else grown)
    goes = newest + between(_reach(m, lead), -most, most)
    return goes if rested else between(goes, low - GUARD_MOST * width, high + GUARD_MOST * width)


def _movement(s: State) -> _Movement:
    past = s.history.past
    found = _Movement([0.0] * GUARD_CHANGES, [0] * GUARD_CHANGES)
    at, on = 0, True
    for i in range(GUARD_RECENT):
        if not on and i >= GUARD_CHANGES:
            break
        before = _before(s, at)
        change = past[at] - past[before]
        if i < GUARD_CHANGES:
            found.change[i] = change
            found.gap[i] = before - at
        on = on and _common(change, found.change[0]) != 0.0 and at < GUARD_RECENT
        if on:
            found.run = found.run + 1
            found.lasted = at + 1
        at = before
    return found


def _before(s: State, at: int) -> int:
    """Return the slot of the value received before that in slot `at`, or `at`."""
    while at < SLOTS - 1 and s.history.marked[at + 1]:
        at = at + 1
    return at + 1 if at < SLOTS - 1 else SLOTS - 1


def _sets_out(m: _Movement) -> bool:
    """Return whether a signal at rest sets out smoothly, faster than by the square of time."""
    count = GUARD_CHANGES - 1
    gap = [1.0 if m.change[i + 1] == 0.0 else float(m.gap[i]) for i in range(count)]
    rate = [m.change[i] / gap[i] for i in range(count)]
    if rate[2] == 0.0:
        least = GUARD_START * rate[1]
        return least != 0.0 and _common(rate[0], least) == least
    if m.run < GUARD_CHANGES - 2:
        return False
    bend = [(rate[i] - rate[i + 1]) / (0.5 * (gap[i] + gap[i + 1])) for i in range(count - 1)]
    growth = _common((1.0 - GUARD_BEND / m.lasted) * bend[0] - bend[1], bend[1] - bend[2])
    both = _common(bend[0], bend[1])
    return _common(growth, both) != 0.0 and _common(growth, rate[0]) != 0.0


def _reach(m: _Movement, lead: int) -> float:
    """Return how far the movement goes on from the newest value in `lead` macro steps, signal unit."""
    lasts = lead if lead < m.lasted else m.lasted
    first = 0.5 * (m.gap[0] + m.gap[1])
    second = 0.5 * (m.gap[1] + m.gap[2])
    rate, before, earlier = (m.change[i] / m.gap[i] for i in range(3))
    bent = _common((rate - before) / first, (before - earlier) / second)
    shared = _common(before + bent * first, earlier + bent * (first + second))
    pace = _common(rate, shared) + bent * (0.5 * (m.gap[0] - 1))
    return GUARD_STRETCH * (lasts * pace + 0.5 * lasts * (lasts + 1) * bent)


def _common(a: float, b: float) -> float:
    """Return the common part of two numbers: the smaller one, 0 if their signs differ."""
    if a > 0.0 and b > 0.0:
        return a if a < b else b
    if a < 0.0 and b < 0.0:
        return a if a > b else b
    return 0.0
