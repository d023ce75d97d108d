"""Stage 6: estimate the value at this macro step and its change per macro step from the history.

The estimate is a line, `level + slope * (theta - shift)`, that the guard keeps near the signal. What it gives for the
time that quality will judge, and what the observer compares with later, is kept here, before any limit.
"""

from ..algorithms import NONE, ZOH
from ..algorithms.model import choose, models
from ..algorithms.phasor import phasor_take
from ..algorithms.rows import LEARN, MODULES, module
from ..config import Settings
from ..events import once
from ..generated import events
from ..generated.algorithms import MODEL
from ..generated.numbers import LOSS_SAFE, LOST, QUALITY_HOLD, RING, SLOTS
from ..guard import UNLIMITED, bounded
from ..learning.foresight import is_harmful
from ..state import State
from .follow import follows_gain
from .guarding import guard_line, measure
from .history import view
from .observer import keep, observe
from .wrap import unwrap


def algorithm(c: Settings, s: State) -> None:
    """Work out the line of the active algorithm and keep the estimates that are judged later."""
    line, active = s.algorithm, s.switching.active
    line.shift = s.latency.fraction
    measure(s)
    if c.plant:
        observe(c, s)
    if c.periodic:
        phasor_take(c, s)
    learner = c.compared or s.parameter.selected
    if learner in LEARN:
        LEARN[learner](c, s)
    if s.own is not None:
        s.own.learn(c, s)
    if active == NONE:
        _hold(c, s)
        line.observed[s.grid.n % RING] = line.level
    else:
        level, slope, shift = module(s, active).line(c, s)
        if not (-UNLIMITED <= level <= UNLIMITED and -UNLIMITED <= slope <= UNLIMITED):
            level, slope = s.history.past[s.latency.early], 0.0
        line.observed[s.grid.n % RING] = bounded(level - slope * shift, level)
        line.level, line.slope, line.shift = guard_line(s, level, slope, shift, 1.0)
        line.held = bounded(line.level + line.slope * (1.0 - line.shift), line.level)
        if active != s.parameter.selected and models(c, s) and active == choose(c, s):
            MODULES[MODEL].line(c, s)  # to see if it is right again
    if c.plant and c.plant.late:
        keep(s, c.plant)
    _keep(c, s)
    if active != NONE and follows_gain(s):
        _scale(s)
    holds = s.parameter.action == QUALITY_HOLD and s.quality.harmful
    if active != NONE and (holds or is_harmful(s)):
        _give_newest(s)


def _scale(s: State) -> None:
    """Give out so much more that what the receiver makes of it is the estimate."""
    line = s.algorithm
    line.level, line.slope = line.level / s.follow.gain, line.slope / s.follow.gain
    line.held = line.held / s.follow.gain


def _give_newest(s: State) -> None:
    """Give out the newest value instead of the estimate, which is judged all the same."""
    once(s, events.IS_HARMFUL)
    s.switching.active = ZOH
    s.algorithm.level = s.algorithm.held = view(s)[0]
    s.algorithm.slope = 0.0


def _hold(c: Settings, s: State) -> None:
    s.algorithm.slope = 0.0
    if not s.history.filled:
        s.algorithm.level = s.algorithm.passed
    elif s.switching.mode == LOST and s.parameter.on_loss == LOSS_SAFE:
        s.algorithm.level = unwrap(s, s.parameter.safe_value, s.algorithm.held)
    else:
        s.algorithm.level = s.algorithm.held


def _keep(c: Settings, s: State) -> None:
    """Keep the estimate for the time at which it is given out: the end of the step, in event timing its start.

    One for a time before the newest value has a horizon too.
    """
    ahead = 0 if c.event else 1
    at = (s.grid.n + ahead) % RING
    line, kept, k = s.algorithm, s.quality, s.latency.steps
    kept.estimated[at] = bounded(line.level + line.slope * (ahead - line.shift), line.level)
    kept.held_then[at] = s.history.past[s.latency.early]
    kept.horizon[at] = k + ahead if k <= SLOTS else 0
    if k + ahead == 0 and s.latency.fraction != 0.0:
        kept.horizon[at] = 1
    kept.judgeable[at] = 1 if s.switching.active == choose(c, s) and not s.switching.starting else 0
