"""The lag of the receiver, learnt from what it really does with the estimate: `applied`.

What is applied at a time t is taken for gain times the estimate that was given out for t - L. With the present lag T,
u the estimate given out for t - T and u' its rate, that is applied - u + T (-u') = L (-u') + (gain - 1) u + constant,
which is solved by least squares over the answers of late, as if L were known beforehand: the offset of the
configuration, as evenly likely as offset_min .. offset_max. Older answers fade once the lag is known to FOLLOW_SHARP of
that. A receiver that stands still tells nothing: no answer counts that is further off than the values of late reach,
nor do answers that leave more than FOLLOW_PLAUSIBLE of the estimate's variance unexplained; lag and gain stay then.
"""

from math import sqrt

from ..config import Settings
from ..generated.constants import (
    FOLLOW_ENOUGH,
    FOLLOW_FARTHEST,
    FOLLOW_GAIN_RATE,
    FOLLOW_GAIN_SPREAD,
    FOLLOW_LARGEST,
    FOLLOW_LEAST_GAIN,
    FOLLOW_MEMORY,
    FOLLOW_MOST_GAIN,
    FOLLOW_PLAUSIBLE,
    FOLLOW_RATE,
    FOLLOW_SHARP,
    TINY,
)
from ..generated.numbers import FOLLOW_LAG_AND_GAIN, FOLLOW_OFF, SLOTS, SUMS
from ..guard import UNLIMITED, between, bounded, larger
from ..state import State
from .wrap import unwrap


def follows(s: State) -> bool:
    """Return whether the FMU follows the lag of its receiver."""
    return s.parameter.follow > FOLLOW_OFF


def follows_gain(s: State) -> bool:
    """Return whether it follows the amplitude of the answer too; not of a signal that wraps round."""
    return s.parameter.follow == FOLLOW_LAG_AND_GAIN and not s.parameter.signal_period > 0.0


def offset(s: State) -> float:
    """Return the `latency.offset` in force [s]."""
    return s.follow.lag if follows(s) else s.parameter.latency_offset


def note_given(s: State) -> None:
    """Keep what is given out for this macro point."""
    s.follow.given[s.grid.n % SLOTS] = s.reconstruction.given


def follow(c: Settings, s: State) -> None:
    """Learn from the answer at the macro point before the last, and keep the present one."""
    own, n, now = s.follow, s.grid.n, s.input.applied
    if not follows(s):
        return
    if not c.event:
        note_given(s)
    if n != own.step + 1:
        own.known = 0
    own.step = n
    _learn(s)
    own.answer[1] = own.answer[0]
    own.answer[0] = bounded(now, 0.0)
    own.known = own.known + 1 if own.known < SLOTS else SLOTS
    if not -UNLIMITED <= now <= UNLIMITED:
        own.known = 0


def _learn(s: State) -> None:
    own, past = s.follow, s.history.past
    lag = between(own.lag / s.grid.period, 0.0, FOLLOW_FARTHEST)
    whole = int(lag)
    if own.known < whole + 4:
        return
    newer, here, older, oldest = (own.given[(s.grid.n - whole - i) % SLOTS] for i in (1, 2, 3, 4))
    part, rise = lag - whole, older - here
    first, second = 0.5 * (older - newer), 0.5 * (oldest - here)
    bend = first + second - 2.0 * rise
    value = here + part * (first + part * (rise - first - bend + part * bend))
    rate = first + part * (second - first)
    error = unwrap(s, own.answer[1], value) - value
    low = high = past[0]
    for one in past:
        low = one if one < low else low
        high = one if one > high else high
    if abs(error) < high - low and abs(value) + abs(rate) + abs(error) < FOLLOW_LARGEST:
        _add(s, (1.0, rate, value, error + lag * rate))
        if own.sums[0] >= FOLLOW_ENOUGH:
            _solve(s, lag)


def _add(s: State, row: tuple[float, ...]) -> None:
    sums, at = s.follow.sums, 0
    for i in range(4):
        for j in range(i + 1):
            sums[at] = sums[at] + row[i] * row[j]
            at = at + 1


def _centred(s: State, i: int, j: int) -> float:
    """Return the sum of products of columns `i` and `j`, of which 1 is 0, without their means."""
    sums = s.follow.sums
    first, second = i * (i + 1) // 2, j * (j + 1) // 2
    return sums[first + j] - sums[first] * sums[second] / sums[0]


def _move(s: State, lag: float, found: float, gain: float) -> None:
    """Move what is in force, `lag` [macro steps] and gain, towards what was found."""
    own = s.follow
    own.lag = (lag + between(found - lag, -FOLLOW_RATE, FOLLOW_RATE)) * s.grid.period
    own.gain = own.gain + between(gain - own.gain, -FOLLOW_GAIN_RATE, FOLLOW_GAIN_RATE)
    own.gain = between(own.gain, FOLLOW_LEAST_GAIN, FOLLOW_MOST_GAIN)


def _left(s: State, found: float, more: float) -> float:
    """Return the variance that a lag and a gain of 1 + `more` leave unexplained."""
    on_rate = 2.0 * _centred(s, 3, 1) - found * _centred(s, 1, 1)
    on_value = _centred(s, 3, 2) - found * _centred(s, 2, 1)
    explained = found * on_rate + more * (2.0 * on_value - more * _centred(s, 2, 2))
    return larger((_centred(s, 3, 3) - explained) / s.follow.sums[0], 0.0)


def _solve(s: State, lag: float) -> None:
    """Work out lag and gain from the sums; `lag` is in force [macro steps]."""
    own, given, period = s.follow, s.parameter, s.grid.period
    least, most = given.offset_min / period, between(given.offset_max / period, 0.0, FOLLOW_FARTHEST)
    expected = (most - least) * (most - least) / 12.0
    if not (most > least and expected > TINY):
        return
    known, values = own.power / expected, _centred(s, 2, 2)
    a, u = _centred(s, 1, 1) + known, _centred(s, 3, 1) + known * (given.latency_offset / period)
    d = values + own.power / (FOLLOW_GAIN_SPREAD * FOLLOW_GAIN_SPREAD)
    b, v = (_centred(s, 2, 1), _centred(s, 3, 2)) if follows_gain(s) else (0.0, 0.0)
    det = a * d - b * b
    if not (a > 0.0 and det > 0.0):
        return
    found = between((u * d - b * v) / det, least, most)
    more = between((a * v - b * u) / det, FOLLOW_LEAST_GAIN - 1.0, FOLLOW_MOST_GAIN - 1.0)
    power = _left(s, found, more)
    if -UNLIMITED <= found <= UNLIMITED and -UNLIMITED <= more <= UNLIMITED and power <= UNLIMITED:
        own.power = power
        own.deviation = bounded(period * sqrt(power / a), UNLIMITED)
        own.followed = 1 if power * own.sums[0] <= FOLLOW_PLAUSIBLE * values else 0
        if own.followed:
            _move(s, lag, found, 1.0 + more)
        _forget(s, FOLLOW_SHARP * FOLLOW_SHARP * expected * a)


def _forget(s: State, sharp: float) -> None:
    """Let older answers fade: so far that their information is that of the deviation wanted, `sharp` over power."""
    own, n = s.follow, s.follow.sums[0]
    keep = larger(own.power / sharp if sharp > own.power else 1.0, FOLLOW_ENOUGH / n)
    keep = FOLLOW_MEMORY / n if keep > FOLLOW_MEMORY / n else keep
    for i in range(SUMS):
        own.sums[i] = own.sums[i] * keep
