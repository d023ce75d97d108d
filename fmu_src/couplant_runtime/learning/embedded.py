"""Learning inside the step: a bounded piece of work a macro step, no thread, no server, the same bits everywhere.

Around the weights of the start the network is linear in its weights, y = g0(x) + f(x)' d with f the gradient there.
The change d minimises the squared error over the samples plus |d|^2 / prior^2 times their mean squared error before;
samples with an error above four times its median are left out. A cycle collects samples, then factorises one column
a step, then tests the new weights on the values that follow.
"""

from ..config import Settings
from ..events import tell
from ..generated import events
from ..generated.constants import FORGETTING, IDLE, OUTLIER, PATIENCE, ROUNDING, SMALLEST_SPREAD, TRACKING
from ..generated.numbers import COLLECTING, JUDGING, TRAINING
from ..generated.state import NeuralState
from ..guard import UNLIMITED
from ..stages.restart import NEWEST
from ..state import State
from .judge import better, judge, propose, refuse, take, weigh
from .neural import Neural, gradient
from .normal import add_sample, damp, factor_column, solve, trace
from .parts import neural_of, shape_of
from .sample import Sample, error_near, sample, slots, usable


def neural_start(s: State) -> None:
    """Begin with the weights that the parameters give."""
    own = neural_of(s)
    own.use[:] = own.base
    own.phase = COLLECTING


def span(own: NeuralState) -> float:
    """Return the running range of the signal [signal unit], from the record `own`."""
    return own.highest - own.lowest


def learn(c: Settings, s: State) -> None:
    """Take the newest value as a sample and carry out this step's piece of work."""
    net, own = shape_of(c), neural_of(s)
    if s.discontinuity.detected or (s.switching.starting and s.history.newest == s.history.origin):
        forget(s)
    if s.latency.taken != NEWEST:
        return
    _widen(own, s.history.past[0])
    _watch(s)
    filled = s.history.newest - s.switching.anchor + 1
    if filled < slots(net) or slots(net) > len(s.history.past) or not 0.0 < span(own) <= UNLIMITED:
        return
    one = sample(net, s.history.past, span(own), c.event)
    error = error_near(net, own.use, one)
    if not usable(one) or (abs(one.change) <= IDLE and abs(error) <= IDLE):
        return
    _track(own, abs(error))
    weigh(own, error, one.change)
    if not own.enabled:
        return
    _work(c, s, one)
    _collect(net, own, one, abs(error))


def forget(s: State) -> None:
    """Drop the samples collected, after a jump that was not predicted: they no longer hold."""
    own = neural_of(s)
    own.power = 0.0
    own.right[:] = [0.0] * len(own.right)
    own.matrix[:] = [0.0] * len(own.matrix)
    own.collected = 0
    own.poor = 0
    own.phase = COLLECTING
    own.ranged = 0


def _widen(own: NeuralState, y: float) -> None:
    if not own.ranged:
        own.lowest = own.highest = y
        own.ranged = 1
    if y < own.lowest:
        own.lowest = y
    if y > own.highest:
        own.highest = y


def _watch(s: State) -> None:
    """Return to the weights of the start when the skill stays below zero."""
    own = neural_of(s)
    own.poor = own.poor + 1 if s.quality.skill_zoh < 0.0 and own.use != own.base else 0
    if own.poor >= PATIENCE:
        own.use[:] = own.base
        own.fallbacks = own.fallbacks + 1
        forget(s)
        tell(s, events.FELL_BACK)


def _track(own: NeuralState, error: float) -> None:
    """Follow the median of the errors."""
    if own.spread == 0.0:
        own.spread = error
    own.spread = own.spread * TRACKING if error > own.spread else own.spread / TRACKING
    if own.spread < SMALLEST_SPREAD:
        own.spread = SMALLEST_SPREAD


def _collect(net: Neural, own: NeuralState, one: Sample, error: float) -> None:
    if own.collected < own.cycle_steps:
        own.collected = own.collected + 1
    if net.server or error > OUTLIER * own.spread:
        return
    before = error_near(net, own.base, one)
    add_sample(own.matrix, own.right, gradient(net, own.base, one.near), before)
    own.power = own.power + before * before


def _work(c: Settings, s: State, one: Sample) -> None:
    net, own = shape_of(c), neural_of(s)
    if own.phase == JUDGING:
        if judge(net, own, one):
            _decide(s)
    elif net.server:
        return
    elif own.phase == TRAINING:
        _train(net, s)
    elif own.collected >= own.cycle_steps and own.power > 0.0:
        _begin(net, own)


def _decide(s: State) -> None:
    if better(neural_of(s)):
        take(neural_of(s))
        tell(s, events.LEARNT)
    else:
        refuse(neural_of(s))
        tell(s, events.NOT_LEARNT)


def _begin(net: Neural, own: NeuralState) -> None:
    n = net.size
    damp(own.matrix, own.factor, n, own.power / (own.prior * own.prior) + ROUNDING * trace(own.matrix, n))
    own.candidate[:] = own.right
    _fade(own, n)
    own.collected = 0
    own.column = 0
    own.phase = TRAINING


def _fade(own: NeuralState, n: int) -> None:
    for i in range(n * (n + 1) // 2):
        own.matrix[i] = FORGETTING * own.matrix[i]
    for i in range(n):
        own.right[i] = FORGETTING * own.right[i]
    own.power = FORGETTING * own.power


def _train(net: Neural, s: State) -> None:
    """Factorise one column, or finish."""
    own, n = neural_of(s), net.size
    if own.column < n:
        if not factor_column(own.factor, n, own.column):
            refuse(own)
            tell(s, events.NOT_LEARNT)
        own.column = own.column + 1
        return
    change = solve(own.factor, own.candidate, n)
    for i in range(n):
        own.candidate[i] = own.base[i] + change[i]
    if not propose(net, own):
        refuse(own)
        tell(s, events.NOT_LEARNT)
    elif not own.safe:
        take(own)
        tell(s, events.LEARNT)
