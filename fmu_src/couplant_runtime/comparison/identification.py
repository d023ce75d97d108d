"""Identify the model of one signal online, and continue the signal with it to now.

Signals count from their first value and in units of their running range, so that unit and offset do not matter. A
sample is a received value whose predecessors were received too, with no flagged jump between them; stamped values are
given some time to come late. The estimate k steps
ahead comes from k predictions in a row; missing values before are predicted as well. It is held where it leaves twice
the range of the signal.
"""

from collections.abc import Callable
from typing import NamedTuple

from ..algorithms import ZOH
from ..config import Settings
from ..generated.constants import MANY
from ..generated.numbers import CONSTANT, INPUTS, PARAMETERS, SLOTS
from ..generated.state import ModelState
from ..guard import UNLIMITED, bounded
from ..state import State
from .least_squares import dot, start, update

SETTLING = 30  # samples for each macro step of latency until a model is used
MOTION = 1e-6  # squared length of regressors, in ranges, below which a sample tells nothing
PATIENCE = 4  # that stamped values may come late [slots]
REACH = 2.0  # beyond the running range of the signal up to which an estimate is believed [ranges]
WINDOW = 12  # values that bridge missing ones [slots]
Y, U = 0, 1  # places of the two ranges


Step = Callable[[Settings, State], None]
Needed = Callable[[Settings, State], int]
Line = Callable[[Settings, State], tuple[float, float, float]]


class Model(NamedTuple):
    """Model that an algorithm identifies."""

    order: int  # number of past values that it continues
    # what it weighs to continue past values [signal unit, newest first] by one, from these, from inputs [unit of u,
    # newest first] and from the position of the last input that acted before
    regressors: Callable[[list[float], list[float], int], list[float]]


def model_of(s: State) -> ModelState:
    """Return the identified model in the state of an FMU that has one."""
    assert s.model is not None
    return s.model


def make_algorithm(model: Model) -> tuple[Needed, Line, Step]:
    """Return `needed`, `line` and `learn` of the algorithm that identifies `model`."""

    def needed(c: Settings, s: State) -> int:
        return model.order

    def line(c: Settings, s: State) -> tuple[float, float, float]:
        return *model_line(s, model), 0.0

    def learn(c: Settings, s: State) -> None:
        identify(s, model)

    return needed, line, learn


def identify(s: State, model: Model) -> None:
    """Keep the input of this macro step, and take every value that is new as a sample of `model`."""
    own = model_of(s)
    _keep_input(own, s.grid.n)
    if not s.history.filled or s.latency.steps > SLOTS:
        return
    if not own.ranged:
        own.first = s.history.past[s.latency.early]
        own.ranged = 1
    _widen(own, Y, s.history.past[s.latency.early] - own.first)
    _widen(own, U, own.inputs[1])
    newest = s.history.newest - s.latency.early
    latest = newest if s.parameter.latency_mode == CONSTANT else newest - PATIENCE
    for slot in range(_first(s, model), latest + 1):
        _sample(s, model, newest - slot)
    if latest > own.learnt:
        own.learnt = latest
    own.settled = 1 if own.samples >= SETTLING * (s.latency.steps if s.latency.steps > 1 else 1) else 0


def model_line(s: State, model: Model) -> tuple[float, float]:
    """Return level [signal unit] and slope [signal unit per macro step] of the estimate that `model` makes."""
    own, k = model_of(s), s.latency.steps
    values = _bridge(s, model)
    for ahead in range(k + 1):
        values.insert(0, _predict(own, model, values, k - ahead))
    here = values[1] - s.latency.fraction * (values[1] - values[2])
    there = values[0] - s.latency.fraction * (values[0] - values[1])
    if not _within(own, here):
        s.switching.active = ZOH
        return s.history.past[s.latency.early], 0.0
    return own.first + here, there - here if _within(own, there) else 0.0


def _keep_input(own: ModelState, n: int) -> None:
    """Shift the inputs to macro step `n`; what is not a number, and steps that the host left out, repeat the last."""
    last = own.inputs[0]
    steps = n - own.recorded if n - own.recorded < INPUTS else INPUTS
    own.inputs[:] = ([last] * steps + own.inputs)[:INPUTS]
    own.recorded = n
    if -UNLIMITED <= own.u <= UNLIMITED:
        if not own.heard:
            own.first_u = own.u
            own.heard = 1
        own.inputs[0] = bounded(own.u - own.first_u, last)


def _widen(own: ModelState, which: int, value: float) -> None:
    own.low[which] = value if value < own.low[which] else own.low[which]
    own.high[which] = value if value > own.high[which] else own.high[which]


def _first(s: State, model: Model) -> int:
    """Return the first slot that is new and may have all its predecessors in the history."""
    first = model_of(s).learnt + 1
    possible = s.switching.anchor + model.order
    oldest = s.history.newest - SLOTS + 1 + model.order
    first = possible if possible > first else first
    return oldest if oldest > first else first


def _sample(s: State, model: Model, age: int) -> None:
    """Learn from the value `age` slots before the newest, unless it or a predecessor was not received."""
    own, at, n = model_of(s), s.latency.early + age, model.order
    for slot in range(at, at + n + 1):
        if s.history.marked[slot]:
            return
    scales = _scales(own, model)
    if s.latency.steps + age + n >= INPUTS or not all(0.0 < scale <= UNLIMITED for scale in scales):
        return
    values = [value - own.first for value in s.history.past[at : at + n + 1]]
    phi = model.regressors(values[1:], own.inputs, s.latency.steps + age + 1)
    motion = 0.0
    for i in range(PARAMETERS - 1):
        motion = motion + phi[i] / scales[i] * (phi[i] / scales[i])
    if motion < MOTION:
        return
    if not own.samples:
        start(own.covariance, scales)
    if update(own.parameters, own.covariance, phi, values[0], own.forgetting, scales):
        own.samples = own.samples + 1 if own.samples < MANY else MANY
    else:
        own.samples = 0
        own.parameters[:] = [0.0] * PARAMETERS


def _scales(own: ModelState, model: Model) -> list[float]:
    n = model.order
    ranges = [own.high[i] - own.low[i] for i in (Y, U)]
    return [ranges[Y]] * n + [ranges[U]] * (PARAMETERS - 1 - n) + [1.0]


def _bridge(s: State, model: Model) -> list[float]:
    """Return the newest values, newest first, with predictions where values are missing."""
    own, n = model_of(s), model.order
    usable = s.history.newest - s.latency.early - s.switching.anchor + 1
    values: list[float] = []
    for age in range((usable if usable < WINDOW else WINDOW) - 1, -1, -1):
        value = s.history.past[s.latency.early + age] - own.first
        if s.history.marked[s.latency.early + age] and len(values) >= n:
            value = _predict(own, model, values, s.latency.steps + age + 1)
        values.insert(0, value)
    return values


def _predict(own: ModelState, model: Model, values: list[float], at: int) -> float:
    return dot(own.parameters, model.regressors(values, own.inputs, at))


def _within(own: ModelState, value: float) -> bool:
    reach = REACH * (own.high[Y] - own.low[Y])
    return own.low[Y] - reach <= value <= own.high[Y] + reach
