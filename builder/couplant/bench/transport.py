"""How the two sides reach each other: a thin class that can be replaced.

Nothing in the FMU or in the rest of the bench knows what is behind it. Write a class with the methods of `Transport`
and name it: ``couplant bench SCENARIO --transport my_package.my_module:MyTransport``.
"""

from __future__ import annotations

import importlib
import select
import socket
import time
from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any

from couplant.errors import CouplantError, UsageError

LOOPBACK = ("127.0.0.1", "::1", "localhost")
_MOST_AT_ONCE = 256
_BUFFER = 65536


class Transport(ABC):
    """Carries datagrams between the two sides.

    A datagram arrives whole or not at all; it may be late, doubled or out of order. No method but `wait` takes longer
    than a system call.

    Parameters
    ----------
    side : str
        ``"left"`` or ``"right"``: the side that this end belongs to.
    listen, peer : str
        What ``--listen`` and ``--peer`` say; for UDP ``host:port``. On one machine `peer` is the relay.
    """

    @abstractmethod
    def __init__(self, side: str, listen: str, peer: str) -> None: ...

    @abstractmethod
    def send(self, datagram: bytes) -> None:
        """Hand a datagram (at most 1 kB) to the network without waiting; one that cannot be sent is lost."""

    @abstractmethod
    def receive(self) -> list[bytes]:
        """Return everything that has arrived since the last call, in the order of arrival, without waiting."""

    @abstractmethod
    def close(self) -> None:
        """Release everything; allowed more than once."""

    def wait(self, seconds: float) -> None:
        """Wait until something has arrived, at most for `seconds` [s]; called between steps only."""
        time.sleep(seconds)


class UdpTransport(Transport):
    """Datagrams over UDP; those from other addresses than the peer are dropped and counted.

    Parameters
    ----------
    listen : str
        ``host:port`` of this end, port 0 for any free one.
    peer : str
        ``host:port`` of the relay or of the other side.

    Attributes
    ----------
    foreign : int
        Datagrams from elsewhere.

    Raises
    ------
    CouplantError
        If an address cannot be used.
    """

    def __init__(self, side: str, listen: str, peer: str) -> None:
        self.foreign = 0
        self._socket = udp_socket(listen)
        try:
            self._peer = _resolve(peer, self._socket.family)
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
        """Return what has arrived from the peer."""
        found = []
        for _ in range(_MOST_AT_ONCE):
            try:
                datagram, source = self._socket.recvfrom(_BUFFER)
            except ConnectionError:  # Windows tells here that an earlier datagram did not get through
                continue
            except OSError:
                break
            if source == self._peer:
                found.append(datagram)
            else:
                self.foreign += 1
        return found

    def wait(self, seconds: float) -> None:
        """Wait for a datagram."""
        select.select([self._socket], [], [], seconds)

    def close(self) -> None:
        """Close the socket."""
        self._socket.close()


def udp_socket(listen: str) -> socket.socket:
    """Return a socket that never blocks.

    Raises
    ------
    CouplantError
        If the address cannot be used.
    """
    address, family = _find(listen)
    made = socket.socket(family, socket.SOCK_DGRAM)
    try:
        made.bind(address)
    except OSError as error:
        made.close()
        raise CouplantError(f"{listen}: {(error.strerror or str(error)).lower()}.") from None
    made.setblocking(False)
    return made


def load_transport(name: str) -> type[Transport]:
    """Return the class that ``--transport`` names as ``package.module:Class``.

    Raises
    ------
    UsageError
        If there is no such class or it is no `Transport`.
    """
    module, _, attribute = name.partition(":")
    try:
        found = getattr(importlib.import_module(module), attribute)
    except (ImportError, AttributeError, ValueError) as error:
        raise UsageError(f"--transport {name}: {error}; allowed is package.module:Class.") from None
    if not (isinstance(found, type) and issubclass(found, Transport)):
        raise UsageError(f"--transport {name}: allowed is a class derived from couplant.bench.Transport.")
    return found


def check_addresses(options: Mapping[str, str | None], anywhere: bool) -> None:
    """Refuse what is not ``host:port``, and other hosts than loopback unless allowed `anywhere`; None: not given.

    Raises
    ------
    UsageError
        Naming the option, the value and what is allowed.
    """
    for option, text in options.items():
        if text is None:
            continue
        host, _, port = text.rpartition(":")
        if not host or not port.isdigit() or int(port) > 65535:
            raise UsageError(f"{option} {text}: allowed is HOST:PORT with a port of 0 to 65535.")
        if host.strip("[]") not in LOOPBACK and not anywhere:
            raise UsageError(f"{option} {text}: other machines than this one are allowed with --anywhere only.")


def _resolve(text: str, family: int) -> tuple[Any, ...]:
    return _find(text, family)[0]


def _find(text: str, family: int = 0) -> tuple[tuple[Any, ...], int]:
    host, _, port = text.rpartition(":")
    try:
        found = socket.getaddrinfo(host.strip("[]"), int(port), family, socket.SOCK_DGRAM)[0]
    except (OSError, ValueError) as error:
        raise CouplantError(f"{text}: {error}.") from None
    return found[4], found[0]
