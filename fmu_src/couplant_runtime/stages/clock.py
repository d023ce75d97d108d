"""The sender's clock where it is not the receiver's: offset and drift from the lower envelope of the transit times.

The transit time, receiver's time of arrival minus send stamp, is the latency plus the offset of the clocks. Blocks of
BLOCK messages keep their smallest one; a line through the last BLOCKS of these points gives the drift, and the lowest
point carried along the line to now is the transit time of the fastest message. Its latency has to be known: half the
smallest round trip, or `latency.minimum`.
"""

from ..events import once
from ..generated import events
from ..generated.constants import BLOCK, LARGEST_DRIFT, LEAST_BLOCKS, STRAY
from ..generated.numbers import BLOCKS, CLOCK_FREE, ROUND_TRIP
from ..guard import NO_STAMP, UNLIMITED, bounded
from ..state import State


def free(s: State) -> bool:
    """Return whether the send stamps are in the sender's own time."""
    return s.parameter.latency_mode == ROUND_TRIP or s.parameter.latency_clock == CLOCK_FREE


def plausible(s: State) -> bool:
    """Return whether a message with the stamp on `y_time` can have arrived by now."""
    if s.clock.blocks + s.clock.block_count == 0:
        return True
    margin = 0.5 if s.clock.blocks > 0 and _least(s) > 0.0 else STRAY
    return s.grid.time - s.input.y_time > s.clock.offset - margin * s.grid.period


def observe(s: State) -> None:
    """Take the transit time of the message that has just arrived into the envelope."""
    transit = bounded(s.grid.time - s.input.y_time, UNLIMITED)
    if s.clock.block_count == 0 or transit < s.clock.block_transit[BLOCKS]:
        s.clock.block_transit[BLOCKS] = transit
        s.clock.block_time[BLOCKS] = s.grid.time
    s.clock.block_count = s.clock.block_count + 1
    if s.parameter.latency_mode == ROUND_TRIP:
        _echo(s)
    if not _least(s) > 0.0 and (s.parameter.latency_mode != ROUND_TRIP or s.clock.blocks > 0):
        once(s, events.RELATIVE_CLOCK)
    follow(s)
    if s.clock.block_count >= BLOCK:
        _close(s)


def follow(s: State) -> None:
    """Work out what added to a send stamp gives the receiver's time, as of now."""
    if s.clock.blocks + s.clock.block_count == 0:
        return
    lowest = UNLIMITED
    for i in range(BLOCKS + 1):
        if i < s.clock.blocks or (i == BLOCKS and s.clock.block_count > 0):
            here = s.clock.block_transit[i] - s.clock.drift * (s.grid.time - s.clock.block_time[i])
            if here < lowest:
                lowest = here
    s.clock.offset = bounded(lowest - _least(s), 0.0)


def _least(s: State) -> float:
    """Return the latency of the fastest message [s]."""
    if s.parameter.latency_mode == ROUND_TRIP and s.clock.round_trip > 0.0:
        return 0.5 * s.clock.round_trip
    return s.parameter.latency_minimum


def _echo(s: State) -> None:
    trip = s.grid.time - s.input.y_echo
    if s.input.y_echo == NO_STAMP or not 0.0 < trip <= UNLIMITED:
        return
    if not s.clock.round_trip > 0.0 or trip < s.clock.round_trip:
        s.clock.round_trip = trip


def _close(s: State) -> None:
    """Keep the lowest point of the block that is full, and take the drift from the last ones."""
    if s.clock.blocks == BLOCKS:
        s.clock.block_time[: BLOCKS - 1] = s.clock.block_time[1:BLOCKS]
        s.clock.block_transit[: BLOCKS - 1] = s.clock.block_transit[1:BLOCKS]
        s.clock.blocks = BLOCKS - 1
    s.clock.block_time[s.clock.blocks] = s.clock.block_time[BLOCKS]
    s.clock.block_transit[s.clock.blocks] = s.clock.block_transit[BLOCKS]
    s.clock.blocks = s.clock.blocks + 1
    s.clock.block_count = 0
    if s.clock.blocks >= LEAST_BLOCKS:
        s.clock.drift = _drift(s)


def _drift(s: State) -> float:
    """Return the slope of the least-squares line through the lowest points, with its sign turned."""
    time = 0.0
    transit = 0.0
    for i in range(s.clock.blocks):
        time = time + (s.clock.block_time[i] - s.clock.block_time[0])
        transit = transit + (s.clock.block_transit[i] - s.clock.block_transit[0])
    time = time / s.clock.blocks
    transit = transit / s.clock.blocks
    above = 0.0
    below = 0.0
    for i in range(s.clock.blocks):
        x = s.clock.block_time[i] - s.clock.block_time[0] - time
        above = above + x * (s.clock.block_transit[i] - s.clock.block_transit[0] - transit)
        below = below + x * x
    drift = -above / below if below > 0.0 else 0.0
    if drift > LARGEST_DRIFT:
        drift = LARGEST_DRIFT
    return drift if drift > -LARGEST_DRIFT else -LARGEST_DRIFT
