"""Stage 2: store the value at the macro step at which it was sent.

`past` holds 64 slots of the sender's grid, newest first. Empty slots between two received values are filled by
interpolation and marked; slots before the first value repeat it.
"""

from .config import Settings
from .guard import bounded
from .latency import CONSTANT, LATE, NEWEST
from .state import RING, SLOTS, State


def history(c: Settings, s: State) -> None:
    """Store the located value."""
    if s.taken == NEWEST:
        _advance(s)
        s.news = s.due
        s.newest_stamp = s.y_time if s.latency_mode != CONSTANT else 0.0
    elif s.taken == LATE:
        _fill(s, s.newest - s.slot)


def _advance(s: State) -> None:
    gap = s.slot - s.newest
    if not s.filled or gap >= SLOTS:
        _restart(s)
    elif gap > 0:
        s.past[gap:] = s.past[: SLOTS - gap]
        s.marked[gap:] = s.marked[: SLOTS - gap]
        s.newest = s.slot
    s.past[0] = s.y
    s.marked[0] = 0
    _interpolate(s, 0, gap)


def _restart(s: State) -> None:
    """Begin a new history with the incoming value: nothing before it may enter an algorithm."""
    s.past[:] = [s.y] * SLOTS
    s.marked[:] = [0] * SLOTS
    s.observed[:] = [s.y] * RING
    s.filled = 1
    s.starting = 1
    s.flagged = 0
    s.newest = s.origin = s.anchor = s.tested = s.slot
    s.spectrum = s.spectrum_before = 0.0


def _fill(s: State, slot: int) -> None:
    """Put a late value into slot number `slot` before the newest and interpolate anew on both sides."""
    s.past[slot] = s.y
    s.marked[slot] = 0
    newer = slot - 1
    while s.marked[newer]:
        newer = newer - 1
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
