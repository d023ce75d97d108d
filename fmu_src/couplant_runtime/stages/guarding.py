"""The guard: no estimate far outside the signal.

An estimate may lie `output.guard` ranges outside the values of late. Their range is that of the values at least 16
slots old, which fades in 4096 macro steps, and of the 16 newest. While that range grows by a third or more, the
estimate may go on as far again as a movement went by itself in the last values: rates and bends that three changes in
succession have in common, for no longer than the movement lasted. A signal that leaves rest faster than by its square,
as what has mass does, is not guarded at all: nothing tells yet how far it goes.
"""

from ..generated.constants import (
    GUARD_CHANGES,
    GUARD_FADE,
    GUARD_GROWN,
    GUARD_GROWTH,
    GUARD_RECENT,
    GUARD_RUN,
    GUARD_SHARE,
    GUARD_START,
    GUARD_STRETCH,
    GUARD_YOUNG,
)
from ..guard import UNLIMITED, bounded
from ..state import State


def measure(s: State) -> None:
    """Work out how far the estimates of this macro step may lie outside the values of late."""
    own, past = s.guard, s.history.past
    own.acts = 0
    own.low, own.high = -UNLIMITED, UNLIMITED
    if not s.parameter.guard > 0.0 or not s.history.filled:
        return
    _remember(s)
    low, high = own.lowest, own.highest
    for value in past[:GUARD_RECENT]:
        low = value if value < low else low
        high = value if value > high else high
    _limit(s, low, high)


def guarded(s: State, level: float, slope: float, shift: float, share: float) -> tuple[float, float, float]:
    """Return a line with both ends within limits, again as `level`, `slope` and `shift`.

    Parameters
    ----------
    s : State
        With the limits of this macro step.
    level : float
        Of the line where it is not shifted, signal unit.
    slope : float
        Change of the estimate, signal unit per macro step.
    shift : float
        Of the line, macro steps.
    share : float
        Of the estimate that the line has, -.
    """
    here = level - slope * shift
    there = here + slope
    start, end = _within(s, here), _within(s, there)
    if (start == here and end == there) or not -UNLIMITED <= end - start <= UNLIMITED:
        return level, slope, shift
    if share >= GUARD_SHARE:
        s.guard.acts = 1
    return start, end - start, 0.0


def _within(s: State, value: float) -> float:
    if value < s.guard.low:
        return s.guard.low
    return s.guard.high if value > s.guard.high else value


def _remember(s: State) -> None:
    """Keep the range of the older values."""
    own, past = s.guard, s.history.past
    if s.history.newest == s.history.origin:
        own.lowest = own.highest = past[0]
    fade = bounded((own.highest - own.lowest) * GUARD_FADE, 0.0)
    own.lowest = own.lowest + fade
    own.highest = own.highest - fade
    for value in past[GUARD_RECENT:]:
        own.lowest = value if value < own.lowest else own.lowest
        own.highest = value if value > own.highest else own.highest


def _limit(s: State, low: float, high: float) -> None:
    own, guard = s.guard, s.parameter.guard
    width = high - low
    before = own.highest - own.lowest
    down, up = low, high
    if before < GUARD_GROWN * width:
        reach = _reach(s, GUARD_GROWTH * (width - before), before < GUARD_YOUNG * width)
        if not -UNLIMITED <= reach < UNLIMITED:
            return
        goes = s.history.past[0] + reach
        down = goes if goes < low else low
        up = goes if goes > high else high
    own.low = bounded(down - guard * width, -UNLIMITED)
    own.high = bounded(up + guard * width, UNLIMITED)


def _reach(s: State, most: float, young: bool) -> float:
    """Return how far the movement goes on from the newest value, at most `most`; UNLIMITED: no one knows."""
    past = s.history.past
    for marked in s.history.marked[1 : GUARD_CHANGES + 1]:
        if marked:
            return 0.0
    rate = [past[i] - past[i + 1] for i in range(GUARD_CHANGES)]
    bend = [rate[i] - rate[i + 1] for i in range(GUARD_CHANGES - 1)]
    run = _run(past)
    if young and _sets_out(rate, bend, run):
        return UNLIMITED
    if run < GUARD_RUN:
        return 0.0
    lead = s.latency.steps + 1 if s.latency.steps + 1 < run else run
    bent = _common(bend[0], bend[1])
    pace = _common(rate[0], _common(rate[1] + bent, rate[2] + 2.0 * bent))
    reach = GUARD_STRETCH * (lead * pace + 0.5 * lead * (lead + 1) * bent)
    if reach > most:
        return most
    return -most if reach < -most else reach


def _sets_out(rate: list[float], bend: list[float], run: int) -> bool:
    """Return whether a signal at rest sets out smoothly, faster than by the square of time."""
    growth = _common(bend[0] - bend[1], bend[1] - bend[2])
    if rate[2] == 0.0:
        least = GUARD_START * bend[1]
        return _common(bend[0], least) != 0.0 and _common(bend[0], least) == least
    return run >= GUARD_CHANGES - 1 and _common(growth, bend[0]) != 0.0 and _common(growth, rate[0]) != 0.0


def _run(past: list[float]) -> int:
    """Return how many changes of the newest values in succession have the sign of the newest."""
    newest = past[0] - past[1]
    run = 0
    while run < GUARD_RECENT and (
        (newest > 0.0 and past[run] > past[run + 1]) or (newest < 0.0 and past[run] < past[run + 1])
    ):
        run = run + 1
    return run


def _common(a: float, b: float) -> float:
    """Return what two numbers have in common: the smaller one, 0 if their signs differ."""
    if a > 0.0 and b > 0.0:
        return a if a < b else b
    if a < 0.0 and b < 0.0:
        return a if a > b else b
    return 0.0
