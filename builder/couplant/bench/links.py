"""How the relay reaches the two sides: by one UDP socket, or by an end of its own towards each."""

from __future__ import annotations

import select
import socket
from abc import ABC, abstractmethod
from collections.abc import Hashable, Sequence
from typing import Any

from couplant.bench.carriers.meeting import Meeting
from couplant.bench.message import LARGEST
from couplant.config.bench import SIDES


class Link(ABC):
    """Where messages of both sides arrive."""

    @abstractmethod
    def receive(self, seconds: float) -> Sequence[tuple[bytes, Hashable]]:
        """Return messages that have arrived and where from; wait for them at most for `seconds` [s]."""

    @abstractmethod
    def send(self, datagram: bytes, address: Any) -> None:
        """Send to the `address` that something came from; what cannot be sent is lost."""

    @abstractmethod
    def words(self, address: Any) -> str:
        """Return an `address` in words."""


class UdpLink(Link):
    """One UDP socket that does not block."""

    def __init__(self, made: socket.socket) -> None:
        self._socket = made

    def receive(self, seconds: float) -> Sequence[tuple[bytes, Hashable]]:
        """Return the next datagram and ``(host, port)``."""
        try:
            return [self._socket.recvfrom(LARGEST)] if select.select([self._socket], [], [], seconds)[0] else []
        except OSError:
            return []

    def send(self, datagram: bytes, address: Any) -> None:
        """Send to the `address`."""
        try:
            self._socket.sendto(datagram, address)
        except OSError:
            return

    def words(self, address: Any) -> str:
        """Return ``host:port`` of an `address`."""
        host, port, *_ = address
        return f"{host}:{port}"


class TwoEnds(Link):
    """An end towards each side, the left one first; where something came from is the index of its end."""

    def __init__(self, ends: Sequence[Meeting]) -> None:
        self._ends = ends

    def receive(self, seconds: float) -> Sequence[tuple[bytes, Hashable]]:
        """Return messages that have arrived at both ends."""
        select.select([end.fileno() for end in self._ends], [], [], seconds)
        return [(datagram, i) for i, end in enumerate(self._ends) for datagram in end.receive()]

    def send(self, datagram: bytes, address: Any) -> None:
        """Send to the side whose index the `address` is."""
        self._ends[address].send(datagram)

    def words(self, address: Any) -> str:
        """Return the name of the side whose index the `address` is."""
        return f"the end of the {SIDES[address]} side"
