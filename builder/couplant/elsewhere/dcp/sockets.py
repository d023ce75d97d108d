"""UDP sockets of a slave or a master: one for control PDUs, one for each other address where data are awaited."""

import select
import socket
import time
from collections.abc import Callable

from couplant.bench.carriers.udp import BUFFER, arrivals, udp_socket
from couplant.elsewhere.dcp.setup import Address

Taker = Callable[[bytes, Address, float, Address | None], None]
"""Takes a datagram, its source, its arrival in absolute time [s], the address for data where it arrived or None."""


def absolute_clock() -> Callable[[], float]:
    """Return a clock of absolute time that nobody sets back [s]."""
    begun = time.time() - time.perf_counter()
    return lambda: begun + time.perf_counter()


class Sockets:
    """Sockets at the address `control` and at those of `listen`; a context manager that closes them.

    Raises CouplantError if an address cannot be used.
    """

    def __init__(self, control: Address) -> None:
        self._control = udp_socket(f"{control[0]}:{control[1]}")
        self._data: dict[Address, socket.socket] = {}
        self._buffer = bytearray(BUFFER)
        self.clock = absolute_clock()

    def __enter__(self) -> "Sockets":
        """Nothing is left to do."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close all sockets."""
        self.listen(set())
        self._control.close()

    @property
    def address(self) -> Address:
        """Return where control PDUs arrive."""
        host, port = self._control.getsockname()[:2]
        return host, port

    def listen(self, addresses: set[Address]) -> None:
        """Await data at these addresses, and no longer at others; control PDUs as ever.

        Raises CouplantError if an address cannot be used.
        """
        wanted = addresses - {self.address}
        for address in self._data.keys() - wanted:
            self._data.pop(address).close()
        for address in sorted(wanted - self._data.keys()):
            self._data[address] = udp_socket(f"{address[0]}:{address[1]}")

    def send(self, datagram: bytes, address: Address) -> None:
        """Send to an address; a full buffer or an unreachable host loses the datagram, as any network may."""
        try:
            self._control.sendto(datagram, address)
        except OSError:
            return

    def take(self, taker: Taker) -> int:
        """Hand datagrams that have arrived to a `taker`, without waiting; return how many there were."""
        count = 0
        for where, one in ((None, self._control), *self._data.items()):
            for datagram, source in arrivals(one, self._buffer):
                count += 1
                taker(bytes(datagram), (source[0], source[1]), self.clock(), where)
        return count

    def wait(self, seconds: float) -> None:
        """Wait for a datagram, at most for `seconds` [s]."""
        select.select([self._control, *self._data.values()], [], [], max(seconds, 0.0))
