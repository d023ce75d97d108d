"""The lag of the receiver, learnt from what it really does with the estimate: `applied`.

What is applied at a time t is taken for gain times the estimate that was given out for t - L. With the present lag T,
u the estimate given out for t - T and u' its rate, that is applied - u + T (-u') = L (-u') + (gain - 1) u + constant,
which is solved by least squares over the answers of late, as if L were known beforehand: the offset of the
configuration, as evenly likely as offset_min .. offset_max. Older answers fade once the lag is known to FOLLOW_SHARP of
that. A receiver that stands still tells nothing, lag and gain stay: no answer counts that is further off than the
values of late reach. Where answers leave more than FOLLOW_PLAUSIBLE of the estimate's variance unexplained, lag and
gain go back to where they began.
"""

from math import sqrt

from ..config import Settings
from ..generated.constants import (
    FOLLOW_DOUBT,
    FOLLOW_ENOUGH,
    FOLLOW_FARTHEST,
    FOLLOW_GAIN_RATE,
    FOLLOW_GAIN_SPREAD,
    FOLLOW_LARGEST,
    FOLLOW_LEAST,
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

_FIRST = (0, 1, 3, 6)
"""Places of the sums of 1, slope, value and answer. [-]"""


def follows(s: State) -> bool:
    """Return whether the FMU follows the lag of its receiver."""
    return s.follow.mode > FOLLOW_OFF


def follows_gain(s: State) -> bool:
    """Return whether the stage follows the amplitude of the answer too; not of a signal that wraps round."""
    return s.follow.mode == FOLLOW_LAG_AND_GAIN and not s.parameter.signal_period > 0.0


def offset(s: State) -> float:
    """Return the `latency.offset` in force [s]."""
    return s.follow.lag if follows(s) else s.parameter.latency_offset


def note_given(s: State) -> None:
    """Keep the output for this macro point."""
    s.follow.given[s.grid.n % SLOTS] = s.reconstruction.given


def follow(c: Settings, s: State) -> None:
    """Learn from the answer at the macro point before the last, and keep the present one."""
    own, n, now = s.follow, s.grid.n, s.follow.applied
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
        if own.sums[0] >= (FOLLOW_LEAST if own.followed else FOLLOW_ENOUGH):
            _solve(s, lag)


def _add(s: State, row: tuple[float, ...]) -> None:
    sums, at = s.follow.sums, 0
    for i in range(4):
        for j in range(i + 1):
            sums[at] = sums[at] + row[i] * row[j]
            at = at + 1


def _central_sums(s: State) -> list[float]:
    """Return the sums without the means of slope, value and answer."""
    sums = s.follow.sums
    c: list[float] = []
    for i in range(4):
        for j in range(i + 1):
            c.append(sums[len(c)] - sums[_FIRST[i]] * sums[_FIRST[j]] / sums[0])
    return c


def _move(s: State, lag: float, found: float, gain: float) -> None:
    """Move the values in force, `lag` [macro steps] and gain, towards those measured."""
    own = s.follow
    own.lag = (lag + between(found - lag, -FOLLOW_RATE, FOLLOW_RATE)) * s.grid.period
    own.gain = own.gain + between(gain - own.gain, -FOLLOW_GAIN_RATE, FOLLOW_GAIN_RATE)
    own.gain = between(own.gain, FOLLOW_LEAST_GAIN, FOLLOW_MOST_GAIN)


def _forget(s: State, sharp: float) -> None:
    """Let older answers fade: so far that their information is that of the deviation wanted, `sharp` over power."""
    own, n = s.follow, s.follow.sums[0]
    wanted = own.power / sharp if sharp > own.power else 1.0
    most = FOLLOW_MEMORY if own.followed else FOLLOW_DOUBT
    keep = between(most / n, 0.0, larger(wanted, FOLLOW_LEAST / n))
    for i in range(SUMS):
        own.sums[i] = own.sums[i] * keep


def _solve(s: State, lag: float) -> None:
    """Work out lag and gain from the sums; `lag` is in force [macro steps]."""
    own, period, gains = s.follow, s.grid.period, follows_gain(s)
    least, most = own.offset_min / period, between(own.offset_max / period, 0.0, FOLLOW_FARTHEST)
    if not most - least > TINY:
        return
    expected = (most - least) * (most - least) / 12.0
    c, known = _central_sums(s), own.power / expected
    a, u = c[2] + known, c[7] + known * (s.parameter.latency_offset / period)
    d = c[5] + own.power / (FOLLOW_GAIN_SPREAD * FOLLOW_GAIN_SPREAD)
    b, v = (c[4], c[8]) if gains else (0.0, 0.0)
    det = a * d - b * b
    if not (a > 0.0 and det > 0.0):
        return
    found = between((u * d - b * v) / det, least, most)
    more = between((a * v - b * u) / det, FOLLOW_LEAST_GAIN - 1.0, FOLLOW_MOST_GAIN - 1.0)
    on_rate, on_value = 2.0 * c[7] - found * c[2], 2.0 * (c[8] - found * c[4]) - more * c[5]
    power = larger((c[9] - found * on_rate - more * on_value) / own.sums[0], 0.0)
    if not -UNLIMITED <= found + more + power <= UNLIMITED:
        return
    own.power = power
    own.deviation = bounded(period * sqrt(power / a), UNLIMITED)
    own.followed = 1 if power * own.sums[0] <= FOLLOW_PLAUSIBLE * c[5] else 0
    if own.followed:
        _move(s, lag, found, 1.0 + more)
    else:
        _move(s, lag, s.parameter.latency_offset / period, 1.0)
    _forget(s, FOLLOW_SHARP * FOLLOW_SHARP * expected * a)
