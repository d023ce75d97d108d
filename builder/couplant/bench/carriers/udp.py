"""Datagrams over UDP, to and from one address."""

import select
import socket
from collections.abc import Iterator
from typing import Any

from couplant.base.errors import CouplantError, why
from couplant.bench.transport import Transport

_MOST_AT_ONCE = 256
BUFFER = 65536  # length of the longest datagram, and more [byte]


class UdpTransport(Transport):
    """Datagrams over UDP; those from other addresses than the peer are dropped and counted.

    `listen` is ``host:port`` of this end, port 0 for any free one, `peer` that of the relay or of the other side,
    nothing that of this end itself.

    Raises CouplantError if an address cannot be used.
    """

    def __init__(self, side: str, listen: str, peer: str) -> None:
        self.foreign = 0  # datagrams from elsewhere
        self._socket, self._buffer = udp_socket(listen), bytearray(BUFFER)
        try:
            self._peer = _find(peer or self.address, self._socket.family)[0]
        except CouplantError:
            self.close()
            raise

    @property
    def address(self) -> str:
        """Return ``host:port`` of this end."""
        host, port = self._socket.getsockname()[:2]
        return f"{host}:{port}"

    def send(self, datagram: bytes) -> None:
        """Send to the peer; a full buffer or an unreachable host loses the datagram, as any network may."""
        try:
            self._socket.sendto(datagram, self._peer)
        except OSError:
            return

    def receive(self) -> list[bytes]:
        """Return messages that have arrived from the peer."""
        found = []
        for datagram, source in arrivals(self._socket, self._buffer):
            if source == self._peer:
                found.append(bytes(datagram))
            else:
                self.foreign += 1
        return found

    def wait(self, seconds: float) -> None:
        """Wait for a datagram."""
        select.select([self._socket], [], [], seconds)

    def close(self) -> None:
        """Close the socket."""
        self._socket.close()


def arrivals(link: socket.socket, buffer: bytearray) -> Iterator[tuple[memoryview, Any]]:
    """Yield the datagrams that have arrived, each a part of the `buffer` until the next one, and their sources."""
    whole = memoryview(buffer)
    for _ in range(_MOST_AT_ONCE):
        try:
            size, source = link.recvfrom_into(buffer)
        except ConnectionError:  # Windows tells here that an earlier datagram did not get through
            continue
        except OSError:
            return
        yield whole[:size], source


def udp_socket(listen: str) -> socket.socket:
    """Return a socket that never blocks.

    Raises CouplantError if the address cannot be used.
    """
    address, family = _find(listen)
    made = socket.socket(family, socket.SOCK_DGRAM)
    try:
        made.bind(address)
    except OSError as error:
        made.close()
        raise CouplantError(f"{listen}: {why(error)}.") from None
    made.setblocking(False)
    return made


def _find(text: str, family: int = 0) -> tuple[tuple[Any, ...], int]:
    host, _, port = text.rpartition(":")
    try:
        found = socket.getaddrinfo(host.strip("[]"), int(port), family, socket.SOCK_DGRAM)[0]
    except OSError as error:
        raise CouplantError(f"{text}: {why(error)}.") from None
    except (OverflowError, ValueError):
        raise CouplantError(f"{text}: allowed is HOST:PORT with a port of 0 to 65535.") from None
    return found[4], found[0]
