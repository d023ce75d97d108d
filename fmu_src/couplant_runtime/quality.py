"""Stage 3: judge the estimate made for a time whose true value has just arrived.

e_tol = (|f'| + zeta |f''|) delta kappa dT with backward differences (Baumann 2024, 5-10), and the skill
1 - sqrt(sum lambda^i e^2 / sum lambda^i e_zoh^2) against what a coupling without compensation would have given.
"""

from math import sqrt

from . import events
from .algorithms import ROWS
from .algorithms.auto import bank_learn
from .config import Settings
from .guard import UNLIMITED, bounded
from .latency import CONSTANT, TINY
from .state import RING, SLOTS, State

MEMORY = 0.98
WORST_SKILL = -1000.0
NOISE = 1e-9
WARN, STOP, HOLD = 2, 3, 4
UNKNOWN, HARMFUL, NEUTRAL, USEFUL, GOOD = range(5)
ENOUGH = 20
MANY = 1000000


def quality(c: Settings, s: State) -> None:
    """Judge every kept estimate whose true value has arrived, each once and in order.

    In event timing the estimate for t_n is made after this stage, so it waits for the next macro step.
    """
    if not s.filled:
        return
    if s.judged < s.n - RING + 1:
        s.judged = s.n - RING + 1
    bad = 0
    made = s.n - 1 if c.event else s.n
    while s.judged <= made:
        position = _position(s, s.judged)
        if position > s.newest + TINY:
            break
        bad = bad | _judge(c, s, position, s.judged % RING)
        s.judged = s.judged + 1
    _act(s, bad)


def _position(s: State, n: int) -> float:
    """Return where on the sender's grid the value lies that the estimate for macro step `n` stood for [slots]."""
    if s.latency_mode == CONSTANT:
        return n + s.latency_offset / s.period
    return (s.start_time + n * s.period + s.latency_offset - (s.first_stamp + s.clock_offset)) / s.period


def _judge(c: Settings, s: State, position: float, at: int) -> int:
    """Judge the estimate kept at ring place `at`; return 1 if its error exceeds the tolerance."""
    if not s.judgeable[at] or position < s.origin or position < s.newest - SLOTS + 4:
        return 0
    slot = int(position + TINY)
    part = position - slot
    newer = s.newest - slot
    true = s.past[newer]
    if s.marked[newer]:
        return 0
    if part > TINY and newer > 0:
        newer = newer - 1
        if s.marked[newer]:
            return 0
        true = true + part * (s.past[newer] - true)
    if ROWS[s.selected].blends:
        bank_learn(s, at, true)
    _measure(s, s.estimated[at] - true, s.held_then[at] - true)
    s.quality_tolerance = _tolerance(c, s, newer, s.horizon[at])
    s.judged_ok = 1 if s.quality_error <= s.quality_tolerance + NOISE * abs(true) else 0
    return 1 - s.judged_ok


def _measure(s: State, error: float, error_of_hold: float) -> None:
    s.quality_error = bounded(abs(error), UNLIMITED)
    s.error_power = bounded(MEMORY * s.error_power + error * error, UNLIMITED)
    s.hold_power = bounded(MEMORY * s.hold_power + error_of_hold * error_of_hold, UNLIMITED)
    skill = 0.0
    if s.hold_power > 0.0:
        skill = 1.0 - sqrt(s.error_power / s.hold_power)
    s.quality_skill = skill if skill > WORST_SKILL else WORST_SKILL
    s.measured = s.measured + 1 if s.measured < MANY else MANY
    s.grade = grade(s.quality_skill) if s.measured >= ENOUGH else UNKNOWN


def grade(skill: float) -> int:
    """Return what a `skill` is worth: 1 harmful, 2 neutral, 3 useful, 4 good."""
    if skill < -0.1:
        return HARMFUL
    if skill < 0.1:
        return NEUTRAL
    return USEFUL if skill < 0.5 else GOOD


def _tolerance(c: Settings, s: State, newer: int, horizon: int) -> float:
    past = s.past
    first = past[newer] - past[newer + 1]
    second = first - (past[newer + 1] - past[newer + 2])
    judged = ROWS[s.selected_before]
    name = ROWS[c.neural.origin].name if judged.tolerances == "none" and c.neural else judged.name
    zeta = s.zeta / s.period if s.zeta >= 0.0 else c.zeta[name][horizon]
    delta = s.delta if s.delta >= 0.0 else c.delta[name][horizon]
    return bounded((abs(first) + zeta * abs(second)) * (delta * horizon), UNLIMITED)


def _act(s: State, bad: int) -> None:
    if not bad:
        return
    if s.action == WARN:
        events.tell(s, events.BAD_QUALITY)
    elif s.action == STOP:
        s.stopped = 1
        events.tell(s, events.QUALITY_STOP)
