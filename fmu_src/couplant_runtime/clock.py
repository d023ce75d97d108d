"""The sender's clock where it is not the receiver's: offset and drift from the lower envelope of the transit times.

The transit time, receiver's time of arrival minus send stamp, is the latency plus the offset of the clocks. Blocks of
BLOCK messages keep their smallest one; a line through the last BLOCKS of these points gives the drift, and the lowest
point carried along the line to now is the transit time of the fastest message. Its latency has to be known: half the
smallest round trip, or `latency.minimum`.
"""

from . import events
from .guard import UNLIMITED, bounded
from .state import BLOCKS, State
from .variables import NO_STAMP

FREE = 2
ROUND_TRIP = 4
BLOCK = 256
LEAST_BLOCKS = 3
LARGEST_DRIFT = 1e-3
STRAY = 64.0


def free(s: State) -> bool:
    """Return whether the send stamps are in the sender's own time."""
    return s.latency_mode == ROUND_TRIP or s.latency_clock == FREE


def plausible(s: State) -> bool:
    """Return whether a message with the stamp on `y_time` can have arrived by now."""
    if s.blocks + s.block_count == 0:
        return True
    margin = 0.5 if s.blocks > 0 and _least(s) > 0.0 else STRAY
    return s.time - s.y_time > s.clock_offset - margin * s.period


def observe(s: State) -> None:
    """Take the transit time of the message that has just arrived into the envelope."""
    transit = bounded(s.time - s.y_time, UNLIMITED)
    if s.block_count == 0 or transit < s.block_transit[BLOCKS]:
        s.block_transit[BLOCKS] = transit
        s.block_time[BLOCKS] = s.time
    s.block_count = s.block_count + 1
    if s.latency_mode == ROUND_TRIP:
        _echo(s)
    if not _least(s) > 0.0 and (s.latency_mode != ROUND_TRIP or s.blocks > 0):
        events.once(s, events.RELATIVE_CLOCK)
    follow(s)
    if s.block_count >= BLOCK:
        _close(s)


def follow(s: State) -> None:
    """Work out what added to a send stamp gives the receiver's time, as of now."""
    if s.blocks + s.block_count == 0:
        return
    lowest = UNLIMITED
    for i in range(BLOCKS + 1):
        if i < s.blocks or (i == BLOCKS and s.block_count > 0):
            here = s.block_transit[i] - s.latency_drift * (s.time - s.block_time[i])
            if here < lowest:
                lowest = here
    s.clock_offset = bounded(lowest - _least(s), 0.0)


def _least(s: State) -> float:
    """Return the latency of the fastest message [s]."""
    if s.latency_mode == ROUND_TRIP and s.round_trip > 0.0:
        return 0.5 * s.round_trip
    return s.latency_minimum


def _echo(s: State) -> None:
    trip = s.time - s.y_echo
    if s.y_echo == NO_STAMP or not 0.0 < trip <= UNLIMITED:
        return
    if not s.round_trip > 0.0 or trip < s.round_trip:
        s.round_trip = trip


def _close(s: State) -> None:
    """Keep the lowest point of the block that is full, and take the drift from the last ones."""
    if s.blocks == BLOCKS:
        s.block_time[: BLOCKS - 1] = s.block_time[1:BLOCKS]
        s.block_transit[: BLOCKS - 1] = s.block_transit[1:BLOCKS]
        s.blocks = BLOCKS - 1
    s.block_time[s.blocks] = s.block_time[BLOCKS]
    s.block_transit[s.blocks] = s.block_transit[BLOCKS]
    s.blocks = s.blocks + 1
    s.block_count = 0
    if s.blocks >= LEAST_BLOCKS:
        s.latency_drift = _drift(s)


def _drift(s: State) -> float:
    """Return the slope of the least-squares line through the lowest points, with its sign turned."""
    time = 0.0
    transit = 0.0
    for i in range(s.blocks):
        time = time + (s.block_time[i] - s.block_time[0])
        transit = transit + (s.block_transit[i] - s.block_transit[0])
    time = time / s.blocks
    transit = transit / s.blocks
    above = 0.0
    below = 0.0
    for i in range(s.blocks):
        x = s.block_time[i] - s.block_time[0] - time
        above = above + x * (s.block_transit[i] - s.block_transit[0] - transit)
        below = below + x * x
    drift = -above / below if below > 0.0 else 0.0
    if drift > LARGEST_DRIFT:
        drift = LARGEST_DRIFT
    return drift if drift > -LARGEST_DRIFT else -LARGEST_DRIFT
