"""The residual detector: does the newest value miss the parabola through the six before it?

After RESEARCH 5: r = y_n - h (previous 6), h the one-step prediction of the least-squares parabola. A jump if |r| exceeds SHARPNESS
times the larger of 1.4826 times the median of the last 21 |r| and 0.004 of the range of the last 32 values, and is
no mere growth: of the sign of the residual before it, it must be 4 times the largest of the last three. On a jump
the six values are moved by r, so that a jump is flagged once. If the next value moves on by 1.5 r or more, the flag
is taken back: it was the start of a movement.
"""

from .guard import UNLIMITED, bounded
from .state import FIT, RESIDUALS, SLOTS, State

PREDICTION = (1.5, 0.3, -0.4, -0.6, -0.3, 0.5)
SHARPNESS = 6.0
SPREAD = 1.4826
SHARE_OF_RANGE = 0.004
RANGE = 32
LAST = 3
GROWTH = 4.0
MOVEMENT = 1.5
RELATIVE_FLOOR = 1e-9


def residual_break(s: State, newest: int) -> bool:
    """Take the value in slot number `newest` before the newest into the test; return whether it is a jump."""
    value = s.past[newest]
    before = s.residual
    miss = bounded(value - _predicted(s), 0.0)
    s.residual = miss
    jump = _exceeds(s, newest, abs(miss)) and _sudden(s, miss, before)
    step = value - s.past[newest + 1] if newest + 1 < SLOTS else 0.0
    if s.break_size != 0.0 and _moves_on(step, s.break_size):
        s.anchor = s.anchor_before
        s.flagged = 0
        jump = False
    s.break_size = miss if jump else 0.0
    if jump:
        for i in range(FIT):
            s.fitted[i] = bounded(s.fitted[i] + miss, value)
    _push(s.fitted, FIT, value)
    _push(s.residuals, RESIDUALS, abs(miss))
    return jump


def residual_start(s: State) -> None:
    """Begin anew with the newest value as if it had always been there."""
    s.fitted[:] = [s.past[0]] * FIT
    s.residuals[:] = [0.0] * RESIDUALS
    s.residual = s.break_size = 0.0


def _predicted(s: State) -> float:
    total = 0.0
    for i in range(FIT):
        total = total + PREDICTION[i] * (s.fitted[i] - s.fitted[0])
    return bounded(s.fitted[0] + total, s.fitted[0])


def _exceeds(s: State, newest: int, size: float) -> bool:
    floor = RELATIVE_FLOOR * abs(s.past[newest])
    if s.floor > floor:
        floor = s.floor
    usual = SPREAD * _median(s.residuals)
    wide = SHARE_OF_RANGE * _range(s, newest)
    return size > SHARPNESS * (usual if usual > wide else wide) and size > floor


def _sudden(s: State, miss: float, before: float) -> bool:
    """Return whether the residual breaks with the ones before it, rather than growing out of them."""
    if (miss > 0.0 and before < 0.0) or (miss < 0.0 and before > 0.0):
        return True
    largest = 0.0
    for i in range(LAST):
        if s.residuals[i] > largest:
            largest = s.residuals[i]
    return abs(miss) > GROWTH * largest


def _moves_on(step: float, miss: float) -> bool:
    return step >= MOVEMENT * miss if miss > 0.0 else step <= MOVEMENT * miss


def _median(values: list[float]) -> float:
    """Return the middle one of RESIDUALS values."""
    ordered = list(values)
    for i in range(1, RESIDUALS):
        value = ordered[i]
        place = i
        while place > 0 and ordered[place - 1] > value:
            ordered[place] = ordered[place - 1]
            place = place - 1
        ordered[place] = value
    return ordered[RESIDUALS // 2]


def _range(s: State, newest: int) -> float:
    low = high = s.past[newest]
    end = newest + RANGE if newest + RANGE < SLOTS else SLOTS
    for slot in range(newest + 1, end):
        if s.past[slot] < low:
            low = s.past[slot]
        if s.past[slot] > high:
            high = s.past[slot]
    return bounded(high - low, UNLIMITED)


def _push(values: list[float], count: int, value: float) -> None:
    for i in range(count - 1, 0, -1):
        values[i] = values[i - 1]
    values[0] = value
