"""The sender's clock where it is not the receiver's: offset and drift from the lower envelope of the transit times.

The transit time, receiver's time of arrival minus send stamp, is the latency plus the offset of the clocks. Blocks of
BLOCK messages keep their smallest one; a line through the last BLOCKS of these points gives the drift, and the lowest
point carried along the line to now is the transit time of the fastest message. Its latency has to be known: half the
smallest round trip, or `latency.minimum`.
"""

from ..events import once
from ..generated import events
from ..generated.constants import AGREE, BLOCK, LARGEST_DRIFT, LEAST_BLOCKS, LEAST_STAMP, LONGEST
from ..generated.numbers import BLOCKS, CLOCK_FREE, ROUND_TRIP
from ..generated.state import Clock
from ..guard import UNLIMITED, bounded
from ..state import State


def free(s: State) -> bool:
    """Return whether the send stamps are in the sender's own time."""
    parameter = s.parameter
    return parameter.latency_mode == ROUND_TRIP or parameter.latency_clock == CLOCK_FREE


def transit(s: State) -> float:
    """Return the receiver's time of arrival of the incoming message less its send stamp [s]."""
    return bounded(s.grid.time - s.input.y_time, UNLIMITED)


def low(s: State) -> float:
    """Return the smallest usual transit time [s]."""
    first, second = s.clock.low
    return first if first < second else second


def width(s: State) -> float:
    """Return how much usual transit times differ [s]."""
    first, second = s.clock.high
    return bounded((first if first > second else second) - low(s), 0.0)


def plausible(s: State) -> bool:
    """Return whether a message with the stamp on `y_time` can have arrived by now."""
    own = s.clock
    if own.blocks + own.block_count == 0:
        return True
    least = _least(s)
    settled = own.blocks > 0 and least > 0.0
    margin = 0.5 * s.grid.period if settled else AGREE * s.grid.period + width(s)
    return transit(s) > own.fastest - least - margin


def observe(s: State) -> None:
    """Take the transit time of the message that has just arrived into the envelope.

    One far below it tells that clock or way are others now.
    """
    own, round_trip = s.clock, s.parameter.latency_mode == ROUND_TRIP
    if own.blocks > 0 and transit(s) < own.fastest - s.grid.period:
        own.blocks = own.block_count = 0
    note(s, transit(s))
    if round_trip:
        _echo(s)
    if not _least(s) > 0.0 and (not round_trip or own.blocks > 0):
        once(s, events.RELATIVE_CLOCK)
    follow(s)
    if own.block_count >= BLOCK:
        _close(own)


def note(s: State, passed: float) -> None:
    """Enter a transit time, `passed` [s], into the present block."""
    own = s.clock
    if own.block_count == 0 or passed < own.block_transit[BLOCKS]:
        own.block_transit[BLOCKS] = passed
        own.block_time[BLOCKS] = s.grid.time
    own.block_count = own.block_count + 1


def follow(s: State) -> None:
    """Work out what added to a send stamp gives the receiver's time, as of now.

    An estimate so wild that the newest message would be far slower than the fastest is not believed.
    """
    own, time = s.clock, s.grid.time
    if own.blocks + own.block_count == 0:
        return
    lowest = UNLIMITED
    for i in range(BLOCKS + 1):
        if i < own.blocks or (i == BLOCKS and own.block_count > 0):
            here = own.block_transit[i] - own.drift * (time - own.block_time[i])
            if here < lowest:
                lowest = here
    own.fastest = bounded(lowest, 0.0)
    own.offset = bounded(lowest - _least(s), 0.0)
    slower = own.transit - own.fastest - LONGEST * s.grid.period
    if slower > 0.0:
        own.offset = bounded(own.offset + slower, own.offset)


def _least(s: State) -> float:
    """Return the latency of the fastest message [s]."""
    if s.parameter.latency_mode == ROUND_TRIP and s.clock.round_trip > 0.0:
        return 0.5 * s.clock.round_trip
    return s.parameter.latency_minimum


def _echo(s: State) -> None:
    own, trip = s.clock, s.grid.time - s.input.y_echo
    if not s.input.y_echo >= LEAST_STAMP or not 0.0 < trip <= UNLIMITED:
        return
    if not own.round_trip > 0.0 or trip < own.round_trip:
        own.round_trip = trip


def _close(own: Clock) -> None:
    """Keep the lowest point of the block that is full, and take the drift from the last ones."""
    if own.blocks == BLOCKS:
        own.block_time[: BLOCKS - 1] = own.block_time[1:BLOCKS]
        own.block_transit[: BLOCKS - 1] = own.block_transit[1:BLOCKS]
        own.blocks = BLOCKS - 1
    own.block_time[own.blocks] = own.block_time[BLOCKS]
    own.block_transit[own.blocks] = own.block_transit[BLOCKS]
    own.blocks = own.blocks + 1
    own.block_count = 0
    if own.blocks >= LEAST_BLOCKS:
        own.drift = _drift(own.block_time, own.block_transit, own.blocks)


def _drift(times: list[float], transits: list[float], count: int) -> float:
    """Return the slope of the least-squares line through the lowest points, with its sign turned."""
    time = 0.0
    transit = 0.0
    for i in range(count):
        time = time + (times[i] - times[0])
        transit = transit + (transits[i] - transits[0])
    time = time / count
    transit = transit / count
    above = 0.0
    below = 0.0
    for i in range(count):
        x = times[i] - times[0] - time
        above = above + x * (transits[i] - transits[0] - transit)
        below = below + x * x
    drift = -above / below if below > 0.0 else 0.0
    if drift > LARGEST_DRIFT:
        drift = LARGEST_DRIFT
    return drift if drift > -LARGEST_DRIFT else -LARGEST_DRIFT
