"""Messages of VILLASnode, its format ``villas.binary`` over UDP, so that its nodes may stand between the two sides.

A datagram of the bench is one sample: first the newest values of the signals, as floats that everything in VILLASnode
can read, then the datagram itself as integers of 32 bits, which pass it unchanged. Only these are read there.

    offset  size   big-endian, as msg_format.hpp of VILLASnode has it
     0      1     version, 2 (4 bits); type, 0: data (2 bits); 0 (2 bits)
     1      1     source index: 1 left, 2 right
     2      2     number of values
     4      4     sequence number: counts the samples of a sender, as hooks of VILLASnode expect
     8      8     seconds since 1970 and nanoseconds when it left
    16      4     ... of each value: S floats, then the words of the datagram, which are little-endian in it
"""

import struct
import time
from collections.abc import Callable, Hashable, Sequence
from typing import Any

from couplant.bench.carriers.udp import UdpTransport
from couplant.bench.message import Unusable, said_length, unpack
from couplant.bench.relay import UdpLink
from couplant.bench.transport import End
from couplant.config.bench import SIDES

VERSION_AND_TYPE = 0x20
BILLION = 10**9

_HEAD = struct.Struct(">BBHIII")
_WORD = 4
_LARGEST_FLOAT = struct.unpack(">f", b"\x7f\x7f\xff\xff")[0]


class Samples:
    """Datagrams as samples; `signals` are the numbers of those that the left and the right side send."""

    def __init__(self, signals: Sequence[int], clock: Callable[[], int] = time.time_ns) -> None:
        self._signals, self._clock = signals, clock
        self._counts = [0, 0]  # samples of the left and the right side

    def wrap(self, datagram: bytes) -> bytes:
        """Return a datagram of the bench as a sample; raise `Unusable` if it is none."""
        message = unpack(datagram)
        count, values = self._signals[message.sender], message.blocks[0][1:] if message.blocks else ()
        shown = (*values[:count], *[0.0] * (count - len(values)))
        words = struct.unpack(f"<{len(datagram) // _WORD}I", datagram)
        seconds, rest = divmod(self._clock(), BILLION)
        length, number = len(shown) + len(words), self._counts[message.sender]
        self._counts[message.sender] = (number + 1) % 2**32
        head = _HEAD.pack(VERSION_AND_TYPE, message.sender + 1, length, number, seconds % 2**32, rest)
        floats = (min(max(value, -_LARGEST_FLOAT), _LARGEST_FLOAT) for value in shown)
        return head + struct.pack(f">{count}f{len(words)}I", *floats, *words)

    def unwrap(self, packet: bytes, sender: int | None = None) -> list[bytes]:
        """Return the datagrams in a packet of samples, of one `sender`, 0 left or 1 right, if it is given.

        Raises Unusable if a sample is not as it should be, or is of another sender.
        """
        found, at = [], 0
        while at < len(packet):
            if len(packet) - at < _HEAD.size:
                raise Unusable("truncated")
            kind, index, length, _, _, nanoseconds = _HEAD.unpack_from(packet, at)
            if kind != VERSION_AND_TYPE:
                raise Unusable("version")
            if index not in (1, 2) or sender not in (None, index - 1) or nanoseconds >= BILLION:
                raise Unusable("foreign")
            skipped, at = self._signals[index - 1], at + _HEAD.size
            end = at + _WORD * length
            if length < skipped or end > len(packet):
                raise Unusable("truncated")
            datagram = _swap(packet[at + _WORD * skipped : end])
            datagram = datagram[: said_length(datagram)]  # a path leaves values of a longer sample behind a shorter one
            if unpack(datagram).sender != index - 1:
                raise Unusable("foreign")
            found.append(datagram)
            at = end
        return found


def _swap(words: bytes) -> bytes:
    """Return words of 32 bits with their bytes the other way round."""
    count = len(words) // _WORD
    return struct.pack(f"<{count}I", *struct.unpack(f">{count}I", words))


class VillasTransport(UdpTransport):
    """UDP with samples of VILLASnode.

    `listen` is ``host:port`` of this end, `peer` that of a node, of the relay or of the other side. `signals` are the
    numbers of signals that both sides send. Raises CouplantError if an address cannot be used.
    """

    def __init__(self, side: str, listen: str, peer: str, signals: Sequence[int] = (0, 0)) -> None:
        super().__init__(side, listen, peer)
        self._samples, self._other = Samples(signals), 1 - SIDES.index(side)

    @classmethod
    def more(cls, end: End) -> dict[str, Any]:
        """Return the numbers of signals of both sides."""
        return {"signals": end.signals}

    def send(self, datagram: bytes) -> None:
        """Send a datagram to the peer."""
        super().send(self._samples.wrap(datagram))

    def receive(self) -> list[bytes]:
        """Return the datagrams that have come from the peer; samples that are of nobody else's making are counted."""
        found = []
        for packet in super().receive():
            try:
                found += self._samples.unwrap(packet, self._other)
            except Unusable:
                self.foreign += 1
        return found


class VillasLink(UdpLink):
    """A socket of the relay for `samples`; what is not as it should be is dropped."""

    def __init__(self, made: Any, samples: Samples) -> None:
        super().__init__(made)
        self._samples = samples

    def receive(self, seconds: float) -> Sequence[tuple[bytes, Hashable]]:
        """Return the next datagrams and ``(host, port)``."""
        found: list[tuple[bytes, Hashable]] = []
        for packet, source in super().receive(seconds):
            try:
                found += [(datagram, source) for datagram in self._samples.unwrap(packet)]
            except Unusable:
                continue
        return found

    def send(self, datagram: bytes, address: Any) -> None:
        """Send a datagram to the `address`."""
        super().send(self._samples.wrap(datagram), address)
