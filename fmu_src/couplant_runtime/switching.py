"""Stage 5: choose the algorithm that may run, so that no estimate mixes values from both sides of a jump.

One rule for start-up, ladder and recovery: with c slots since the first value, the last flag or the end of a hold,
c = 1 holds, 1 < c < m(k) continues the line through the two newest values, c >= m(k) runs the selected algorithm.
"""

from . import events
from .algorithms import EROS3, EROS4, FOH, LINEAR, NETWORK, NONE, SMB, ZOH, eros3, eros4, smb
from .config import Settings
from .state import RING, SLOTS, State

STARTING, RUNNING, HOLDING, LOST = 1, 2, 3, 4
NEVER = SLOTS + 1


def switching(c: Settings, s: State) -> None:
    """Set the active algorithm and the state of the FMU for this macro step."""
    if s.selected != s.selected_before:
        _start_anew(s)
    before = s.mode
    missing = s.n - s.news
    s.active = NONE
    if not s.filled:
        s.mode = STARTING
    elif missing > s.lost_steps:
        s.mode = LOST
    elif missing > s.coast_steps:
        s.mode = HOLDING
    elif s.latency_steps > SLOTS:
        s.mode = HOLDING
        events.once(s, events.TOO_LATE)
    else:
        if before >= HOLDING:
            s.anchor = s.newest
        _choose(c, s)
    _tell_change(s, before)


def needed(c: Settings, s: State) -> int:
    """Return m(k), the slots that the selected algorithm needs; more than there are if it has no weights for k."""
    k = s.latency_steps
    if s.selected == EROS3:
        return eros3.taps(k)
    if s.selected == EROS4:
        return eros4.taps(k)
    if s.selected == SMB:
        return smb.taps(k)
    if s.selected == LINEAR:
        return len(c.by_steps[k].a) if k in c.by_steps else NEVER
    if s.selected == NETWORK:
        return c.network.inputs + 1 if k == c.network.steps else NEVER
    return 2 if s.selected == FOH else 1


def _start_anew(s: State) -> None:
    s.selected_before = s.selected
    s.anchor = s.newest
    s.starting = 1
    s.flagged = 0
    s.judgeable[:] = [0] * RING


def _choose(c: Settings, s: State) -> None:
    usable = s.newest - s.anchor + 1
    if usable > SLOTS:
        usable = SLOTS
    need = needed(c, s)
    if usable >= need:
        s.active = s.selected
        s.flagged = 0
    elif usable == 1 or (s.flagged and s.hold_after_flag):
        s.active = ZOH
    else:
        s.active = FOH
    if usable >= need or need > SLOTS:
        s.starting = 0
    s.mode = STARTING if s.starting else RUNNING


def _tell_change(s: State, before: int) -> None:
    if s.mode == before:
        return
    if s.mode == HOLDING:
        events.tell(s, events.HOLDING)
    elif s.mode == LOST:
        events.tell(s, events.LOST)
    elif before >= HOLDING:
        events.tell(s, events.RECOVERED)
