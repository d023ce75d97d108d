"""Stage 5: choose the algorithm that may run, so that no estimate mixes values from both sides of a jump.

One rule for start-up, ladder and recovery: with c slots since the first value, the last flag or the end of a hold,
c = 1 holds, 1 < c < m(k) continues the line through the two newest values, c >= m(k) runs the selected algorithm. One
that identifies a model holds until the model has settled.
"""

from . import events
from .algorithms import ROWS
from .algorithms.auto import bank_start
from .algorithms.rows import MODULES
from .config import Settings
from .generated.algorithms import FOH, NONE, ZOH
from .state import RING, SLOTS, State

STARTING, RUNNING, HOLDING, LOST = 1, 2, 3, 4


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


def _start_anew(s: State) -> None:
    s.selected_before = s.selected
    s.anchor = s.newest
    s.starting = 1
    s.flagged = 0
    s.judgeable[:] = [0] * RING
    if ROWS[s.selected].blends:
        bank_start(s)


def _choose(c: Settings, s: State) -> None:
    usable = s.newest - s.early - s.anchor + 1
    if usable > SLOTS - s.early:
        usable = SLOTS - s.early
    need = MODULES[s.selected].needed(c, s)
    if usable >= need:
        s.active = s.selected
        s.flagged = 0
    elif usable <= 1 or (s.flagged and s.hold_after_flag):
        s.active = ZOH
    else:
        s.active = FOH
    if usable >= need or need > SLOTS:
        s.starting = 0
    s.mode = STARTING if s.starting else RUNNING
    if s.model and s.selected == c.compared and not s.model.settled:
        s.active = ZOH
        s.mode = STARTING


def _tell_change(s: State, before: int) -> None:
    if s.mode == before:
        return
    if s.mode == HOLDING:
        events.tell(s, events.HOLDING)
    elif s.mode == LOST:
        events.tell(s, events.LOST)
    elif before >= HOLDING:
        events.tell(s, events.RECOVERED)
