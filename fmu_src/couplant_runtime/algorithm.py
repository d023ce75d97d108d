"""Stage 6: estimate the value at this macro step and its change per macro step from the history.

The estimate is a line, `level + slope * (theta - shift)`. What it gives for the time that quality will judge,
and what the observer compares with later, is kept here, before any limit.
"""

from . import events
from .algorithms.rows import LEARN, MODULES
from .config import Settings
from .generated.algorithms import NONE, ZOH
from .guard import UNLIMITED, bounded
from .history import view
from .quality import HARMFUL, HOLD
from .state import RING, SLOTS, State
from .switching import LOST
from .wrap import unwrap

SAFE = 2


def algorithm(c: Settings, s: State) -> None:
    """Work out the line of the active algorithm and keep the estimates that are judged later."""
    s.shift = s.fraction
    learner = c.compared or s.selected
    if learner in LEARN:
        LEARN[learner](c, s)
    if s.active == NONE:
        _hold(c, s)
    else:
        s.level, s.slope, s.shift = MODULES[s.active].line(c, s)
        if not (-UNLIMITED <= s.level <= UNLIMITED and -UNLIMITED <= s.slope <= UNLIMITED):
            s.level, s.slope = s.past[s.early], 0.0
        s.held = bounded(s.level + s.slope * (1.0 - s.shift), s.level)
    s.observed[s.n % RING] = bounded(s.level - s.slope * s.shift, s.level)
    _keep(c, s)
    if s.action == HOLD and s.grade == HARMFUL and s.active != NONE:
        _give_newest(s)


def _give_newest(s: State) -> None:
    """Give out the newest value instead of the estimate, which is judged all the same."""
    events.once(s, events.HARMFUL)
    s.active = ZOH
    s.level = s.held = view(s)[0]
    s.slope = 0.0


def _hold(c: Settings, s: State) -> None:
    s.slope = 0.0
    if not s.filled:
        s.level = s.passed
    elif s.mode == LOST and s.on_loss == SAFE:
        s.level = unwrap(s, s.safe_value, s.held)
    else:
        s.level = s.held


def _keep(c: Settings, s: State) -> None:
    """Keep the estimate for the time at which it is given out: the end of the step, in event timing its start."""
    ahead = 0 if c.event else 1
    at = (s.n + ahead) % RING
    s.estimated[at] = bounded(s.level + s.slope * (ahead - s.shift), s.level)
    s.held_then[at] = s.past[s.early]
    s.horizon[at] = s.latency_steps + ahead if s.latency_steps <= SLOTS else 0
    s.judgeable[at] = 1 if s.active == s.selected and not s.starting else 0
