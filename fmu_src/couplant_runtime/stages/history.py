"""Stage 2: store the value at the macro step at which it was sent.

`past` holds 64 slots of the sender's grid, newest first. Empty slots between two received values are filled by
interpolation and marked; slots before the first value repeat it. A value is late if it comes more macro steps after the
one before than it was sent after it, or together with a newer one.
"""

from typing import Any

from ..config import Settings
from ..generated.constants import LEAST_STAMP, MOST_COUNTED
from ..generated.numbers import CONSTANT, RING, SLOTS
from ..guard import UNLIMITED, bounded
from ..state import State
from .companions import forget, take, take_earlier
from .residual import residual_start
from .restart import LATE, NEWEST, STRAY
from .wrap import unwrap


def history(c: Settings, s: State) -> None:
    """Store the located value."""
    own, given, stamped = s.history, s.input, s.parameter.latency_mode != CONSTANT
    if s.latency.taken == NEWEST:
        _advance(c, s)
        own.news = s.grid.due
        s.latency.newest_stamp = given.y_time if stamped else 0.0
    elif s.latency.taken == LATE:
        own.reordered = _count(own.reordered, 1)
        _fill(s, own.newest - s.latency.slot, given.y, given.y_time)
        take(c, s, s.latency.slot)
    if stamped and given.y_valid and own.filled and s.latency.taken != STRAY:
        _fill_repeated(c, s)


def view(s: State) -> list[float]:
    """Return the history as the algorithms see it: from the slot on that makes the latency constant [signal unit]."""
    return s.history.past[s.latency.early :] if s.latency.early else s.history.past


def stamp_of(s: State, time: float) -> float:
    """Return where `time` [s] is on the sender's grid [macro steps]; in constant mode values come at macro steps."""
    if s.parameter.latency_mode == CONSTANT:
        return s.latency.slot * 1.0
    return (time - s.latency.first_stamp) / s.grid.period


def _advance(c: Settings, s: State) -> None:
    own = s.history
    gap = s.latency.slot - own.newest
    value = unwrap(s, s.input.y, own.past[0]) if own.filled else s.input.y
    if own.filled and gap > 0:
        own.lost = _count(own.lost, gap - 1)
        own.late = _count(own.late, int(s.grid.due - own.news > gap))
    if not own.filled or gap >= SLOTS:
        _restart(s, value)
        forget(c, s, SLOTS)
    elif gap > 0:
        lists: tuple[list[Any], ...] = (own.past, own.marked, own.stamps)
        for slots in lists:
            slots[:0] = slots[:gap]
            del slots[SLOTS:]
        own.newest = s.latency.slot
        forget(c, s, gap)
    own.past[0] = value
    own.marked[0] = 0
    own.stamps[0] = stamp_of(s, s.input.y_time)
    take(c, s, own.newest)
    if gap > 1:
        _interpolate(s, 0, gap)


def _restart(s: State, value: float) -> None:
    """Begin a new history with the incoming value: nothing before it may enter an algorithm."""
    s.history.past[:] = [value] * SLOTS
    s.history.marked[:] = [0] * SLOTS
    s.algorithm.observed[:] = [value] * RING
    s.history.filled = 1
    s.switching.starting = 1
    s.discontinuity.flagged = 0
    s.history.newest = s.history.origin = s.switching.anchor = s.discontinuity.tested = s.latency.slot
    s.discontinuity.spectrum = s.discontinuity.spectrum_before = 0.0
    s.history.stamps[0] = stamp_of(s, s.input.y_time)
    residual_start(s)


def _fill_repeated(c: Settings, s: State) -> None:
    """Fill empty slots with the earlier values that the message repeats."""
    own, given = s.history, s.input
    repeated = zip(given.burst, given.burst_time, given.burst_valid, strict=True)
    for place, (value, time, valid) in enumerate(repeated):
        if not valid or not -UNLIMITED <= value <= UNLIMITED:
            continue
        if not LEAST_STAMP <= time < s.latency.newest_stamp:
            continue
        position = (time - s.latency.first_stamp) / s.grid.period + 0.5
        if position < own.origin or position < own.newest - SLOTS + 1:
            continue
        slot = own.newest - int(position)
        if slot >= 0 and own.marked[slot]:
            own.late = _count(own.late, 1)
            _fill(s, slot, value, time)
            take_earlier(c, s, own.newest - slot, place)


def _fill(s: State, slot: int, value: float, time: float) -> None:
    """Put a late value into slot number `slot` before the newest and interpolate anew on both sides."""
    past, marked = s.history.past, s.history.marked
    marked[slot] = 0
    s.history.lost = s.history.lost - (s.history.lost > 0)
    s.history.stamps[slot] = stamp_of(s, time)
    newer = slot - 1
    while marked[newer]:
        newer = newer - 1
    past[slot] = unwrap(s, value, past[newer])
    older = slot + 1
    while older < SLOTS and marked[older]:
        older = older + 1
    _interpolate(s, newer, slot)
    _interpolate(s, slot, older)


def _count(count: int, more: int) -> int:
    return count + more if count + more < MOST_COUNTED else MOST_COUNTED


def _interpolate(s: State, newer: int, older: int) -> None:
    if older >= SLOTS:
        return
    past = s.history.past
    for slot in range(newer + 1, older):
        part = (older - slot) / (older - newer)
        past[slot] = bounded(past[older] + (past[newer] - past[older]) * part, past[older])
        s.history.marked[slot] = 1
