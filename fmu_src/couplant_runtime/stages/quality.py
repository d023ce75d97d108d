"""Stage 3: judge the estimate made for a time whose true value has just arrived.

e_tol = (|f'| + zeta |f''|) delta kappa dT with backward differences (Baumann 2024, 5-10), and what the noise in the two
values that are compared may make (`signal.noise`). The skill is
1 - sqrt(sum lambda^i e^2 / sum lambda^i e_wire^2) against no FMU, the value as it came; the same with e_zoh against
ZOH, which gives what the FMU had received when it made the estimate, is what other stages decide by.

In event timing e_wire is the error of the newest value received by t_n. In step timing the receiver has an estimate
a communication step after the values that it is made of, and the wire has none of that: e_wire^2 is the mean over the
communication points after t_n-1 up to t_n, of the newest value received by then against that of t_n.
"""

from math import sqrt

from ..algorithms import ROWS
from ..algorithms.auto import bank_learn
from ..algorithms.model import choose, judge, models
from ..config import Settings
from ..events import tell
from ..generated import events
from ..generated.constants import CALM, ENOUGH, LONGEST_CALM, MANY, MEMORY, NOISE, TINY, TOLERATED_NOISE, WORST_SKILL
from ..generated.numbers import (
    CONSTANT,
    GOOD,
    HARMFUL,
    NEUTRAL,
    QUALITY_STOP,
    QUALITY_WARN,
    RING,
    SLOTS,
    UNKNOWN,
    USEFUL,
)
from ..generated.state import Quality
from ..grid import point_time
from ..guard import UNLIMITED, bounded
from ..state import State
from .energy import creates, energy_judge
from .follow import offset


def quality(c: Settings, s: State) -> None:
    """Judge every kept estimate whose true value has arrived, each once and in order.

    In event timing the estimate for t_n is made after this stage, so it waits for the next macro step.
    """
    if not s.history.filled:
        return
    own, n = s.quality, s.grid.n
    read_wire(c, s)
    own.wire_count = 0
    if own.judged < n - RING + 1:
        own.judged = n - RING + 1
    bad = 0
    made = n - 1 if c.event else n
    while own.judged <= made:
        position = _position(s, own.judged)
        if position > s.history.newest + TINY:
            break
        bad = bad | _judge(c, s, position, own.judged % RING)
        own.judged = own.judged + 1
    own.grade = grade(own.skill) if own.measured >= ENOUGH else UNKNOWN
    own.harmful = 1 if own.measured >= ENOUGH and grade(own.skill_zoh) == HARMFUL else 0
    if creates(s):
        own.grade, own.harmful, bad = HARMFUL, 1, 1
    if bad and s.parameter.action == QUALITY_STOP:
        own.stopped = 1
        tell(s, events.QUALITY_ENDS)
    if own.warned and own.calm >= own.patience:
        own.warned = 0
        tell(s, events.GOOD_QUALITY)


def read_wire(c: Settings, s: State) -> None:
    """Take in what the receiver would have without an FMU at this communication point, for the macro point to come.

    In event timing the last one counts alone, which is the macro point.
    """
    own, at, value = s.quality, s.grid.due % RING, s.history.past[0]
    if c.event or own.wire_count == 0:
        own.wire_count, own.wire_mean[at], own.wire_spread[at] = 0, value, 0.0
    own.wire_count = own.wire_count + 1 if own.wire_count < MANY else MANY
    count, off, spread = own.wire_count, value - own.wire_mean[at], own.wire_spread[at]
    own.wire_mean[at] = bounded(own.wire_mean[at] + off / count, value)
    own.wire_spread[at] = bounded(spread + (off * off * ((count - 1) / count) - spread) / count, UNLIMITED)


def closing(s: State) -> int:
    """Return the events to tell when the run ends: what its warnings were about."""
    return events.QUALITY_TOTAL if s.quality.all_exceeded > 0.0 else 0


def _position(s: State, n: int) -> float:
    """Return where on the sender's grid the value lies that the estimate for macro step `n` stood for [slots]."""
    grid, leads = s.grid, s.parameter.host_lead + s.parameter.hold_lead
    if s.parameter.latency_mode == CONSTANT:
        return n + offset(s) / grid.period + leads
    first = s.latency.first_stamp + s.clock.offset
    return (point_time(grid, n) + offset(s) - first) / grid.period + leads


def _judge(c: Settings, s: State, position: float, at: int) -> int:
    """Judge the estimate kept at ring place `at`; return 1 if its error exceeds the tolerance."""
    own, received = s.quality, s.history
    known = position >= received.origin and position >= received.newest - SLOTS + 4
    if not own.judgeable[at] or not known:
        return 0
    slot = int(position + TINY)
    part = position - slot
    newer = received.newest - slot
    true = received.past[newer]
    if received.marked[newer]:
        return 0
    if part > TINY and newer > 0:
        newer = newer - 1
        if received.marked[newer]:
            return 0
        true = true + part * (received.past[newer] - true)
    if ROWS[choose(c, s)].blends:
        bank_learn(s, at, true, position)
    if models(c, s):
        judge(s, at, true)
    energy_judge(s, own.judged, true)
    _measure(own, at, true)
    own.tolerance = _tolerance(c, s, newer, own.horizon[at])
    own.judged_ok = 1 if own.error <= own.tolerance + NOISE * abs(true) else 0
    if s.parameter.action == QUALITY_WARN:
        _count(s)
    return 1 - own.judged_ok


def _measure(own: Quality, at: int, true: float) -> None:
    error, of_hold, of_wire = (values[at] - true for values in (own.estimated, own.held_then, own.wire_mean))
    own.error = bounded(abs(error), UNLIMITED)
    own.error_power = bounded(MEMORY * own.error_power + error * error, UNLIMITED)
    own.hold_power = bounded(MEMORY * own.hold_power + of_hold * of_hold, UNLIMITED)
    own.wire_power = bounded(MEMORY * own.wire_power + (of_wire * of_wire + own.wire_spread[at]), UNLIMITED)
    own.skill_zoh = _skill(own.error_power, own.hold_power)
    own.skill = _skill(own.error_power, own.wire_power)
    rounding = NOISE * true
    if own.wire_power == 0.0 and own.error_power > rounding * rounding:
        own.skill = WORST_SKILL
    own.measured = own.measured + 1 if own.measured < MANY else MANY


def _skill(power: float, other: float) -> float:
    """Return the skill of errors with a faded sum of squares against `other` ones [signal unit squared]."""
    skill = 1.0 - sqrt(power / other) if other > 0.0 else 0.0
    return skill if skill > WORST_SKILL else WORST_SKILL


def grade(skill: float) -> int:
    """Return the grade of a `skill`: 1 harmful, 2 neutral, 3 useful, 4 good."""
    if skill < -0.1:
        return HARMFUL
    if skill < 0.1:
        return NEUTRAL
    return USEFUL if skill < 0.5 else GOOD


def _tolerance(c: Settings, s: State, newer: int, horizon: int) -> float:
    past, parameter = s.history.past, s.parameter
    first = past[newer] - past[newer + 1]
    second = first - (past[newer + 1] - past[newer + 2])
    judged = ROWS[s.switching.selected_before]
    name = ROWS[c.neural.origin].name if judged.as_origin and c.neural else judged.name
    zeta = parameter.zeta / s.grid.period if parameter.zeta >= 0.0 else c.zeta[name][horizon]
    delta = parameter.delta if parameter.delta >= 0.0 else c.delta[name][horizon]
    noise = TOLERATED_NOISE * parameter.noise
    return bounded((abs(first) + zeta * abs(second)) * (delta * horizon) + noise, UNLIMITED)


def _count(s: State) -> None:
    """Count the estimate judged last; a warning begins with one beyond its tolerance, `quality` ends it after calm."""
    own = s.quality
    own.all_judged = own.all_judged + 1.0
    if own.judged_ok:
        own.calm = own.calm + 1 if own.calm < MANY else MANY
        return
    if not own.warned:
        _warn(s)
    own.lasted = own.lasted + own.calm + 1.0
    own.exceeded = own.exceeded + 1.0
    own.all_exceeded = own.all_exceeded + 1.0
    own.calm = 0
    if own.error > own.worst:
        own.worst = own.error
    if own.error > own.all_worst:
        own.all_worst = own.error


def _warn(s: State) -> None:
    """Begin a warning; the more there have been, the longer it takes to end: flicker is told a few times only."""
    own = s.quality
    own.warned = 1
    own.worst = own.exceeded = own.lasted = 0.0
    own.calm = 0
    own.patience = 2 * own.patience if own.patience > 0 else CALM
    if own.patience > LONGEST_CALM:
        own.patience = LONGEST_CALM
    tell(s, events.BAD_QUALITY)
