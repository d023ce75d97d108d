"""Stage 5: choose the algorithm that may run, so that no estimate mixes values from both sides of a jump.

One rule for start-up, ladder and recovery: with c slots since the first value, the last flag or the end of a hold
that was longer than what is bridged before it, c = 1 holds, 1 < c < m(k) continues the line through the two newest
values, c >= m(k) runs the selected algorithm. One that identifies a model holds until the model has settled.
"""

from ..algorithms import FOH, NONE, ROWS, ZOH
from ..algorithms.auto import bank_start
from ..algorithms.model import choose
from ..algorithms.rows import module
from ..config import Settings
from ..events import once, tell
from ..generated import events
from ..generated.numbers import HOLDING, LOST, RING, RUNNING, SLOTS, STARTING
from ..state import State


def switching(c: Settings, s: State) -> None:
    """Set the active algorithm and the state of the FMU for this macro step."""
    own, parameter = s.switching, s.parameter
    if parameter.selected != own.selected_before:
        _start_anew(s)
    before = own.mode
    missing = s.grid.n - s.history.news
    own.active = NONE
    strays = s.clock.strays > 2
    if not s.history.filled:
        own.mode = STARTING if s.grid.n <= parameter.lost_steps else LOST
    elif missing > parameter.lost_steps:
        own.mode, own.brief = LOST, 0
    elif missing > parameter.coast_steps or (missing > 0 and strays):
        own.mode = HOLDING
        own.brief = int(is_brief(s, missing) and not strays and before != LOST)
    elif s.latency.steps > SLOTS:
        own.mode, own.brief = HOLDING, 0
        once(s, events.TOO_LATE)
    else:
        if before >= HOLDING and not own.brief:
            own.anchor = s.history.newest
        _choose(c, s)
    if own.mode != before:
        _tell_change(s, before)


def is_brief(s: State, missing: int) -> bool:
    """Return whether the history goes on behind `missing` macro steps without news, no more held than bridged."""
    return missing <= 2 * s.parameter.coast_steps


def _start_anew(s: State) -> None:
    s.switching.selected_before = s.parameter.selected
    s.switching.anchor = s.history.newest
    s.switching.starting = 1
    s.discontinuity.flagged = 0
    s.quality.judgeable[:] = [0] * RING
    if ROWS[s.parameter.selected].blends:
        bank_start(s)


def _choose(c: Settings, s: State) -> None:
    own, selected, early = s.switching, choose(c, s), s.latency.early
    usable = s.history.newest - early - own.anchor + 1
    if usable > SLOTS - early:
        usable = SLOTS - early
    need = module(s, selected).needed(c, s)
    if usable >= need:
        own.active = selected
        s.discontinuity.flagged = 0
    elif usable <= 1 or own.anew or (s.discontinuity.flagged and s.parameter.hold_after_flag):
        own.active = ZOH
    else:
        own.active = FOH
    if usable >= need or need > SLOTS:
        own.starting = own.anew = 0
    own.mode = STARTING if own.starting else RUNNING
    if s.model and selected == c.compared and not s.model.settled:
        own.active = ZOH
        own.mode = STARTING


def _tell_change(s: State, before: int) -> None:
    if s.switching.mode == HOLDING:
        tell(s, events.BEGAN_HOLDING)
    elif s.switching.mode == LOST and s.history.filled:
        tell(s, events.BECAME_LOST)
    elif s.switching.mode == LOST:
        # which of the wires it is likely to be
        tell(s, events.NEVER_STAMPED if s.input.y_valid else events.NEVER_VALID)
    elif before >= HOLDING:
        tell(s, events.RECOVERED)
