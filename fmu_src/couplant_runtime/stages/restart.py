"""When the sender begins anew: it restarted or its clock was set, so its stamps no longer go on from those before.

Stamps that do not fit are strays. STRAYS of them in succession, one a macro step at most, whose stamps advance and
whose transit times agree, are a sender that began anew. Strays that may be old messages once more count only when the
signal is lost as well.
"""

from ..events import tell
from ..generated import events
from ..generated.constants import AGREE, DOUBT, FAR, FAR_APART, LONGEST, OUTSIDE, STRAYS, USUAL
from ..generated.numbers import SLOTS
from ..grid import same_time
from ..guard import NO_STAMP, bounded
from ..state import State
from . import clock

NOTHING, NEWEST, LATE, STRAY = range(4)
AGAIN, GONE, ELSEWHERE = range(3)
"""Why a stamp does not go on from those before: the same message again, older than the history, from another time."""


def is_usual(s: State) -> bool:
    """Return whether the transit time of the message is a usual one."""
    margin = (AGREE if s.clock.known < STRAYS else OUTSIDE) * s.grid.period
    return -margin <= clock.transit(s) - clock.low(s) <= clock.width(s) + margin


def doubts(s: State) -> bool:
    """Return whether a message that could be taken goes on from the strays rather than from the ones taken."""
    return (s.clock.doubt >= DOUBT and _agrees(s, clock.transit(s)) and not is_usual(s)) or _comes_back(s)


def _comes_back(s: State) -> bool:
    """Return whether a sender that was lost comes back with stamps so old that no estimate could make up for them."""
    most = (LONGEST if clock.free(s) else FAR_APART) * s.grid.period
    later = clock.transit(s) - clock.low(s) - clock.width(s)
    return s.clock.known == STRAYS and is_lost(s) and later > most


def take(s: State) -> None:
    """Note that a message was taken: its transit time is a usual one."""
    own, passed = s.clock, clock.transit(s)
    if own.known <= 1 or own.usual >= USUAL:
        own.low[1] = passed if own.known == 0 else own.low[0]
        own.high[1] = passed if own.known == 0 else own.high[0]
        own.low[0] = own.high[0] = passed
        own.usual = 0
    if passed < own.low[0]:
        own.low[0] = passed
    if passed > own.high[0]:
        own.high[0] = passed
    own.usual = own.usual + 1
    if own.known < STRAYS:
        own.known = own.known + 1
        if own.known == STRAYS:
            _doubt_first(s)
    if own.strays > 1 and _agrees(s, passed):
        own.strays = own.strays - 1
        own.certain = own.certain if own.certain < own.strays else own.strays
    else:
        _excuse(s)
        _forget(s)


def stray(s: State, why: int) -> None:
    """Look at a message with a stamp that does not go on from those before, `why` as numbered above."""
    own, passed, stamp = s.clock, clock.transit(s), s.input.y_time
    s.latency.taken = STRAY
    if own.doubt > 0 and stamp == own.stray_stamp:
        return
    if not _agrees(s, passed):
        _forget(s)
        own.stray_low = own.stray_high = passed
        own.stray_stamp = NO_STAMP
    if passed < own.stray_low:
        own.stray_low = passed
    if passed > own.stray_high:
        own.stray_high = passed
    if stamp > own.stray_stamp:
        own.stray_stamp = stamp
        _count(s, why)
    if _is_due(s):
        _begin(s)


def contradicts(s: State) -> bool:
    """Return whether few messages are known and this one contradicts them; then begin with this one.

    It does if it is far from the only one, or much faster than all by a clock whose offset only they tell.
    """
    own, passed, free = s.clock, clock.transit(s), clock.free(s)
    later = (passed - clock.low(s)) / s.grid.period
    far = not -FAR_APART <= later <= FAR_APART
    fast = later < -AGREE - clock.width(s) / s.grid.period
    doubtful = (own.known == 1 and far) or (own.known < STRAYS and fast and free)
    if not doubtful or (passed > FAR * s.grid.period and not free):
        return False
    own.stray_low = own.stray_high = passed
    own.strays = 0
    _begin(s)
    return True


def _agrees(s: State, passed: float) -> bool:
    """Return whether this transit time agrees with those of the strays."""
    own = s.clock
    low = passed if passed < own.stray_low else own.stray_low
    high = passed if passed > own.stray_high else own.stray_high
    return own.doubt > 0 and high - low <= clock.width(s) + AGREE * s.grid.period


def _doubt_first(s: State) -> None:
    """Leave the first message out of account if none of those after it came as fast: it does not decide alone."""
    own = s.clock
    if own.low[0] - own.low[1] > s.grid.period:
        own.low[1] = own.low[0]
        if clock.free(s):
            own.blocks = own.block_count = 0
            clock.note(s, own.low[0])


def _excuse(s: State) -> None:
    """Take back what was held against the strays: so late, up to a step more than before, is usual."""
    own, high = s.clock, s.clock.high[0] + s.grid.period
    if own.doubt > 0 and own.stray_high > own.high[0]:
        own.high[0] = own.stray_high if own.stray_high < high else high


def _forget(s: State) -> None:
    s.clock.strays = s.clock.certain = s.clock.doubt = 0


def _count(s: State, why: int) -> None:
    """Count a stray.

    The same message again says little: on a second way messages come late and twice, and go on when the first fails.
    """
    own = s.clock
    doubt = own.doubt + (1, DOUBT // 2, DOUBT)[why]
    own.doubt = doubt if doubt < DOUBT else DOUBT
    if why == AGAIN or (own.strays > 0 and s.grid.due <= own.stray_step):
        return
    own.stray_step = s.grid.due
    own.strays = own.strays + 1 if own.strays < STRAYS else STRAYS
    if why == ELSEWHERE and own.certain < STRAYS:
        own.certain = own.certain + 1
    if own.strays > 1 and s.history.filled:
        s.algorithm.held = s.history.past[s.latency.early]


def _is_due(s: State) -> bool:
    """Return whether a sender has begun anew."""
    own = s.clock
    return own.certain >= STRAYS or (own.strays >= STRAYS and (own.known < STRAYS or is_lost(s)))


def is_lost(s: State) -> bool:
    """Return whether nothing has come for so long that nothing goes on."""
    lost = s.parameter.lost_steps
    return s.grid.due - s.history.news > (lost if lost < SLOTS else SLOTS)


def _begin(s: State) -> None:
    """Take the message as the first of its sender; the slots go on behind a gap that nothing spans."""
    own = s.clock
    s.switching.anew = 1 if own.known >= STRAYS else 0
    own.jump = bounded(clock.low(s) - own.stray_low, 0.0) if own.known > 0 else 0.0
    if clock.free(s):
        own.blocks = own.block_count = 0
        own.drift = 0.0
        clock.note(s, own.stray_low)
    else:
        _agree_on_offset(s)
    own.low[:] = [own.stray_low] * 2
    own.high[:] = [own.stray_high] * 2
    own.known = own.usual = own.strays
    _forget(s)
    s.latency.slot = s.history.newest + SLOTS if s.history.filled else 0
    s.latency.first_stamp = s.input.y_time - s.latency.slot * s.grid.period
    s.latency.taken = NEWEST
    tell(s, events.BEGAN_ANEW)


def _agree_on_offset(s: State) -> None:
    """Set the offset of a common clock.

    The fastest message takes as long as it did, where that is known, else what its stamp says if that can be, else no
    time.
    """
    own, period = s.clock, s.grid.period
    near = OUTSIDE * period
    credible = -same_time(s.grid.time, period) <= own.stray_low <= FAR_APART * period
    unknown = own.known < STRAYS or own.guessed
    before = 0.0 if unknown else clock.low(s) - own.offset
    offset = bounded(own.stray_low - before, 0.0)
    own.guessed = 1 if unknown and not credible else 0
    own.offset = 0.0 if credible and (unknown or -near <= offset <= near) else offset
