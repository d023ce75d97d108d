"""The relay between the two sides: it delays, loses, doubles and reorders what passes, and keeps account.

It reaches them by one UDP socket, or by an end of its own towards each.
"""

import heapq
import logging
import random
import select
import socket
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any

from couplant.bench.carriers.meeting import Meeting
from couplant.bench.message import HELLO, LARGEST, VALUES, Message, Unusable, unpack
from couplant.config.bench import SIDES
from couplant.config.network import RelayTable

PATIENCE = 0.25  # longest wait of a message that is to be overtaken for the next one [s]
MOST_UNDER_WAY = 100_000  # messages under way; more are lost

SILENCE = 10.0
"""Time after which a side that says nothing may come back from another address; it says hello every 20 ms. [s]"""

_TURN = 0.05
_log = logging.getLogger(__name__)


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
        self._socket, self._buffer = made, bytearray(LARGEST)

    def receive(self, seconds: float) -> Sequence[tuple[bytes, Hashable]]:
        """Return the next datagram and ``(host, port)``."""
        try:
            if select.select([self._socket], [], [], seconds)[0]:
                size, source = self._socket.recvfrom_into(self._buffer)
                return [(bytes(memoryview(self._buffer)[:size]), source)]
        except OSError:
            pass
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


@dataclass
class Line:
    """One direction of one run."""

    chance: random.Random  # its random numbers: the fate of the i-th message depends on the seed and on i alone
    taken: int = 0  # messages that came
    lost: int = 0  # messages that were not handed on
    reordered: int = 0  # messages that the next one overtook
    duplicated: int = 0  # messages that were handed on twice
    delays: list[float] = field(default_factory=list)  # delays that were set [s]
    waiting: tuple[float, bytes] | None = None  # when due [s], what is held back
    last_due: float = 0.0  # when the last one leaves [s]

    @property
    def counts(self) -> dict[str, int]:
        """Return how many messages were taken, lost, reordered, duplicated."""
        return {name: getattr(self, name) for name in ("taken", "lost", "reordered", "duplicated")}


Lines = dict[tuple[int, int], Line]  # directions by run and sender


class Relay:
    """Relay of messages, by the clock that the caller gives."""

    def __init__(self, settings: RelayTable) -> None:
        self._settings = settings
        self._under_way: list[tuple[float, int, int, bytes]] = []
        self._count = 0
        self.lines: Lines = {}  # by run and sender; run 0 has the messages before the runs

    def take(self, now: float, message: Message, datagram: bytes) -> None:
        """Take a message at the time `now` [s] and decide on its fate."""
        settings, key = self._settings, (message.run if message.kind == VALUES else 0, message.sender)
        if key not in self.lines:
            self.lines[key] = Line(random.Random(f"{settings.seed}/{message.sender}"))
        line = self.lines[key]
        line.taken += 1
        delay, second = (settings.latency + settings.jitter * (2.0 * line.chance.random() - 1.0) for _ in range(2))
        lost, swapped, doubled = (line.chance.random() for _ in range(3))
        if lost < settings.loss or len(self._under_way) >= MOST_UNDER_WAY:
            line.lost += 1
            return
        due = max(now + delay, line.last_due) if settings.in_order else now + delay
        line.last_due = due
        line.delays.append(delay)
        if swapped < settings.reorder and line.waiting is None:
            line.reordered += 1
            line.waiting = (due, datagram)
        else:
            self._pass(due, message.sender, datagram)
            self._release(line, message.sender, due)
        if doubled < settings.duplicate:
            line.duplicated += 1
            line.delays.append(second)
            self._pass(now + second, message.sender, datagram)

    def due(self, now: float) -> list[tuple[int, bytes]]:
        """Return sender and datagram of all messages due at the time `now` [s], in the order in which they leave."""
        for (_, sender), line in self.lines.items():
            if line.waiting is not None and now > line.waiting[0] + PATIENCE:
                self._release(line, sender, now)
        found = []
        while self._under_way and self._under_way[0][0] <= now:
            found.append(heapq.heappop(self._under_way)[2:])
        return found

    def next_due(self) -> float | None:
        """Return when the next message leaves [s], None if none is under way."""
        return self._under_way[0][0] if self._under_way else None

    def _pass(self, due: float, sender: int, datagram: bytes) -> None:
        self._count += 1
        heapq.heappush(self._under_way, (due, self._count, sender, datagram))

    def _release(self, line: Line, sender: int, due: float) -> None:
        """Let the message that waits leave right after the one that leaves at `due`."""
        if line.waiting is not None:
            earliest, datagram = line.waiting
            line.waiting = None
            self._pass(max(earliest, due), sender, datagram)


class RelayServer:
    """A relay on a link; it learns the addresses of the two sides from their hellos.

    What comes from another address than that of its side is dropped, told once for each side, as long as the side is
    heard; one that has been silent for `SILENCE` may say hello from elsewhere. Messages are dropped of scenarios with
    another `fingerprint`; `clock` returns the time [s].
    """

    def __init__(self, settings: RelayTable, fingerprint: int, link: Link, clock: Callable[[], float]) -> None:
        self.relay = Relay(settings)
        self.dropped = 0
        self._fingerprint, self._link, self._clock = fingerprint, link, clock
        self._addresses: list[Hashable] = [None, None]
        self._heard = [clock(), clock()]
        self._told: set[int] = set()

    def serve(self, stopped: Callable[[], bool]) -> None:
        """Pass messages on until told to stop; `stopped` is asked about twenty times a second."""
        asked = self._clock()
        while self._clock() - asked < _TURN or not stopped():
            now = self._clock()
            if now - asked >= _TURN:
                asked = now
            self._turn()

    def _turn(self) -> None:
        for sender, datagram in self.relay.due(self._clock()):
            address = self._addresses[1 - sender]
            if address is not None:
                self._link.send(datagram, address)
        next_due = self.relay.next_due()
        wait = _TURN if next_due is None else min(max(next_due - self._clock(), 0.0), _TURN)
        for datagram, source in self._link.receive(wait):
            self._receive(datagram, source)

    def _receive(self, datagram: bytes, source: Hashable) -> None:
        try:
            message = unpack(datagram, whole=False)
        except Unusable:
            self.dropped += 1
            return
        if message.scenario != self._fingerprint or not self._is_from_its_side(message, source):
            self.dropped += 1
            return
        self.relay.take(self._clock(), message, datagram)

    def _is_from_its_side(self, message: Message, source: Hashable) -> bool:
        side, now = message.sender, self._clock()
        known = self._addresses[side]
        if known is None or (message.kind == HELLO and now - self._heard[side] > SILENCE):
            known = self._addresses[side] = source
        if source == known:
            self._heard[side] = now
        elif side not in self._told:
            self._told.add(side)
            at, elsewhere = map(self._link.words, (known, source))
            _log.warning("the %s side is at %s: what comes from %s is dropped", SIDES[side], at, elsewhere)
        return source == known
