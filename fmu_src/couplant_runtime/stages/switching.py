"""Stage 5: choose the algorithm that may run, so that no estimate mixes values from both sides of a jump.

One rule for start-up, ladder and recovery: with c slots since the first value, the last flag or the end of a hold,
c = 1 holds, 1 < c < m(k) continues the line through the two newest values, c >= m(k) runs the selected algorithm. One
that identifies a model holds until the model has settled.
"""

from ..algorithms import FOH, NONE, ROWS, ZOH
from ..algorithms.auto import bank_start
from ..algorithms.rows import MODULES
from ..config import Settings
from ..events import once, tell
from ..generated import events
from ..generated.numbers import HOLDING, LOST, RING, RUNNING, SLOTS, STARTING
from ..state import State


def switching(c: Settings, s: State) -> None:
    """Set the active algorithm and the state of the FMU for this macro step."""
    if s.parameter.selected != s.switching.selected_before:
        _start_anew(s)
    before = s.switching.mode
    missing = s.grid.n - s.history.news
    s.switching.active = NONE
    if not s.history.filled:
        s.switching.mode = STARTING
    elif missing > s.parameter.lost_steps:
        s.switching.mode = LOST
    elif missing > s.parameter.coast_steps:
        s.switching.mode = HOLDING
    elif s.latency.steps > SLOTS:
        s.switching.mode = HOLDING
        once(s, events.TOO_LATE)
    else:
        if before >= HOLDING:
            s.switching.anchor = s.history.newest
        _choose(c, s)
    _tell_change(s, before)


def _start_anew(s: State) -> None:
    s.switching.selected_before = s.parameter.selected
    s.switching.anchor = s.history.newest
    s.switching.starting = 1
    s.discontinuity.flagged = 0
    s.quality.judgeable[:] = [0] * RING
    if ROWS[s.parameter.selected].blends:
        bank_start(s)


def _choose(c: Settings, s: State) -> None:
    usable = s.history.newest - s.latency.early - s.switching.anchor + 1
    if usable > SLOTS - s.latency.early:
        usable = SLOTS - s.latency.early
    need = MODULES[s.parameter.selected].needed(c, s)
    if usable >= need:
        s.switching.active = s.parameter.selected
        s.discontinuity.flagged = 0
    elif usable <= 1 or (s.discontinuity.flagged and s.parameter.hold_after_flag):
        s.switching.active = ZOH
    else:
        s.switching.active = FOH
    if usable >= need or need > SLOTS:
        s.switching.starting = 0
    s.switching.mode = STARTING if s.switching.starting else RUNNING
    if s.model and s.parameter.selected == c.compared and not s.model.settled:
        s.switching.active = ZOH
        s.switching.mode = STARTING


def _tell_change(s: State, before: int) -> None:
    if s.switching.mode == before:
        return
    if s.switching.mode == HOLDING:
        tell(s, events.BEGAN_HOLDING)
    elif s.switching.mode == LOST:
        tell(s, events.BECAME_LOST)
    elif before >= HOLDING:
        tell(s, events.RECOVERED)
