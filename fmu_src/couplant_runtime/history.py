"""Stage 2: store the value at the macro step at which it was sent.

`past` holds 64 slots of the sender's grid, newest first. Empty slots between two received values are filled by
interpolation and marked; slots before the first value repeat it.
"""

from .config import Settings
from .guard import UNLIMITED, bounded
from .latency import CONSTANT, LATE, NEWEST
from .residual import residual_start
from .state import BURST, RING, SLOTS, State
from .variables import NO_STAMP
from .wrap import unwrap


def history(c: Settings, s: State) -> None:
    """Store the located value."""
    if s.taken == NEWEST:
        _advance(s)
        s.news = s.due
        s.newest_stamp = s.y_time if s.latency_mode != CONSTANT else 0.0
    elif s.taken == LATE:
        _fill(s, s.newest - s.slot, s.y, s.y_time)
    if s.y_valid and s.filled and s.latency_mode != CONSTANT:
        _repeated(s)


def view(s: State) -> list[float]:
    """Return the history as the algorithms see it: from the slot on that makes the latency constant [signal unit]."""
    return s.past[s.early :] if s.early else s.past


def _advance(s: State) -> None:
    gap = s.slot - s.newest
    value = unwrap(s, s.y, s.past[0]) if s.filled else s.y
    if not s.filled or gap >= SLOTS:
        _restart(s, value)
    elif gap > 0:
        s.past[gap:] = s.past[: SLOTS - gap]
        s.marked[gap:] = s.marked[: SLOTS - gap]
        s.stamps[gap:] = s.stamps[: SLOTS - gap]
        s.newest = s.slot
    s.past[0] = value
    s.marked[0] = 0
    s.stamps[0] = _stamp(s, s.y_time)
    _interpolate(s, 0, gap)


def _restart(s: State, value: float) -> None:
    """Begin a new history with the incoming value: nothing before it may enter an algorithm."""
    s.past[:] = [value] * SLOTS
    s.marked[:] = [0] * SLOTS
    s.observed[:] = [value] * RING
    s.filled = 1
    s.starting = 1
    s.flagged = 0
    s.newest = s.origin = s.anchor = s.tested = s.slot
    s.spectrum = s.spectrum_before = 0.0
    s.stamps[0] = _stamp(s, s.y_time)
    residual_start(s)


def _stamp(s: State, time: float) -> float:
    """Return a send time on the sender's grid [macro steps]; in constant mode values are sent at macro steps."""
    return s.slot * 1.0 if s.latency_mode == CONSTANT else (time - s.first_stamp) / s.period


def _repeated(s: State) -> None:
    """Fill empty slots with the earlier values that the message repeats."""
    for i in range(BURST):
        value, time = s.burst[i], s.burst_time[i]
        if not s.burst_valid[i] or not -UNLIMITED <= value <= UNLIMITED:
            continue
        if not NO_STAMP < time < s.newest_stamp:
            continue
        position = (time - s.first_stamp) / s.period + 0.5
        if position < s.origin or position < s.newest - SLOTS + 1:
            continue
        slot = s.newest - int(position)
        if s.marked[slot]:
            _fill(s, slot, value, time)


def _fill(s: State, slot: int, value: float, time: float) -> None:
    """Put a late value into slot number `slot` before the newest and interpolate anew on both sides."""
    s.marked[slot] = 0
    s.stamps[slot] = _stamp(s, time)
    newer = slot - 1
    while s.marked[newer]:
        newer = newer - 1
    s.past[slot] = unwrap(s, value, s.past[newer])
    older = slot + 1
    while older < SLOTS and s.marked[older]:
        older = older + 1
    _interpolate(s, newer, slot)
    _interpolate(s, slot, older)


def _interpolate(s: State, newer: int, older: int) -> None:
    if older >= SLOTS:
        return
    for slot in range(newer + 1, older):
        part = (older - slot) / (older - newer)
        s.past[slot] = bounded(s.past[older] + (s.past[newer] - s.past[older]) * part, s.past[older])
        s.marked[slot] = 1
