"""The datagrams of the bench. All numbers are little-endian; docs/bench.md has the same table.

    offset  size
     0      4     "CPLT"
     4      1     version of the layout, 2
     5      1     kind: 1 hello, 2 start, 3 values, 4 probe, 5 answer
     6      1     sender: 1 left, 2 right
     7      1     numbers S in a block besides its time
     8      1     number P of blocks, 0 to 8
     9      3     zero; while a bench is tuned what is tried
    12      4     fingerprint of the scenario
    16      4     run, 0 while there is none
    20      4     sequence number of the message, from 0
    24      8     clock of the sender when the message left [s]
    32      8     echo: values: send time of the newest message received; start, answer: clock in hello, probe [s]
    40      8     start of the run in the clock of the left side, in hello and start; answer: arrival [s]
    48      8 (1 + S) P   blocks, newest first: send time [s]; values sent, in the order of the scenario; where it
                           has models: value and slope [per s] of what the sender was given for each signal

Every real number is finite; `NO_TIME`, or any time below -1e300 s, stands for one that does not exist yet.
"""

import struct
from math import isfinite
from typing import NamedTuple

from couplant_runtime.generated.constants import LEAST_STAMP
from couplant_runtime.generated.numbers import MAX_BURST
from couplant_runtime.guard import NO_STAMP

MAGIC = b"CPLT"
VERSION = 2
HELLO, START, VALUES, PROBE, ANSWER = 1, 2, 3, 4, 5
NO_TIME = NO_STAMP
REASONS = ("foreign", "truncated", "version", "not_finite")  # why a datagram is dropped

_HEAD = struct.Struct("<4s5B3xIIIddd")
LARGEST = 65507  # length of the longest UDP datagram [byte]


class Message(NamedTuple):
    """One datagram."""

    kind: int  # `HELLO`, `START`, `VALUES`, `PROBE` or `ANSWER`
    sender: int  # index into `couplant.config.bench.SIDES`
    scenario: int  # as in the layout, 32 bits
    run: int = 0  # as in the layout, 32 bits
    sequence: int = 0  # as in the layout, 32 bits
    sent: float = NO_TIME  # as in the layout [s]
    echo: float = NO_TIME  # as in the layout [s]
    time: float = NO_TIME  # as in the layout [s]
    blocks: tuple[tuple[float, ...], ...] = ()  # newest first: send time [s], then the numbers


class Unusable(ValueError):
    """A datagram that is not taken."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def pack(message: Message) -> bytes:
    """Return the datagram of a message; its blocks have equal length."""
    kind, sender, scenario, run, sequence, sent, echo, time, blocks = message
    signals = len(blocks[0]) - 1 if blocks else 0
    head = _HEAD.pack(MAGIC, VERSION, kind, sender + 1, signals, len(blocks), scenario, run, sequence, sent, echo, time)
    numbers = [number for block in blocks for number in block]
    return head + struct.pack(f"<{len(numbers)}d", *numbers)


def said_length(datagram: bytes) -> int:
    """Return the length that a datagram says it has, 0 if it is too short to say so [byte]."""
    return _HEAD.size + 8 * (1 + datagram[7]) * datagram[8] if len(datagram) > 8 else 0


def unpack(datagram: bytes, whole: bool = True) -> Message:
    """Return the message in a datagram; where it is not wanted `whole` without its blocks, which nobody looks at.

    Raises Unusable if it is none of ours, of another version, shorter or longer than it says, or holds what is not
    finite.
    """
    if datagram[:4] != MAGIC:
        raise Unusable("foreign")
    if len(datagram) < _HEAD.size:
        raise Unusable("truncated")
    _, version, kind, sender, signals, count, scenario, run, sequence, sent, echo, time = _HEAD.unpack_from(datagram)
    if version != VERSION:
        raise Unusable("version")
    if kind not in (HELLO, START, VALUES, PROBE, ANSWER) or sender not in (1, 2) or count > MAX_BURST:
        raise Unusable("foreign")
    width = 1 + signals
    if len(datagram) != _HEAD.size + 8 * width * count:
        raise Unusable("truncated")
    numbers = struct.unpack_from(f"<{width * count}d", datagram, _HEAD.size) if whole else ()
    # a finite sum, which takes a tenth of the time, has finite parts only
    if not all(map(isfinite, (sent, echo, time, *(() if isfinite(sum(numbers)) else numbers)))):
        raise Unusable("not_finite")
    blocks = tuple(numbers[at : at + width] for at in range(0, len(numbers), width))
    sent, echo, time = (number if number >= LEAST_STAMP else NO_TIME for number in (sent, echo, time))
    return Message(kind, sender - 1, scenario, run, sequence, sent, echo, time, blocks)
