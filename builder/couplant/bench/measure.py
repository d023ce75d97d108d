"""Latency before a run: one end sends probes, the other answers each with the clock readings of its own.

An answer tells the round trip. Each direction by itself takes the offset of the clocks, which comes from the shortest
round trips, one every 10 s, with half of it for each direction (F. Cristian, Distributed Computing 3, 1989): it is
wrong by half of what the two directions then differ.
"""

import random
import select
import socket
import time
import zlib
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from couplant.base.arrays import Vector
from couplant.base.errors import CouplantError
from couplant.bench.message import ANSWER, LARGEST, PROBE, Message, Unusable, pack, unpack
from couplant.bench.transport import Transport
from couplant.tables.latencies import Latencies, count_overtaken
from couplant_runtime.generated.numbers import MAX_BURST

SCENARIO = zlib.crc32(b"couplant latency")  # fingerprint of the messages
PATIENCE, LINGER = 5.0, 1.0  # longest wait for the first answer, and wait for answers after the last probe [s]
SPAN = 10.0  # time for which one round trip, the shortest in it, tells the offset of the clocks [s]

_TURN = 0.05
_EMPTY = ((0.0, 0.0),) * MAX_BURST  # a probe is as long as an answer: nobody gets more than was sent in his name


@dataclass(frozen=True, eq=False)
class Measurement:
    """Fate of N probes; NaN: not known, or never."""

    sent: Vector  # shape (N,): when the probe left, by the clock here [s]
    arrived: Vector  # shape (N,): when it arrived, by the clock there [s]
    answered: Vector  # shape (N,): when its answer left, by the clock there [s]
    returned: Vector  # shape (N,): when its answer arrived, by the clock here [s]

    @property
    def round_trip(self) -> Vector:
        """Return the round trips without the time that the answer took, shape (N,) [s]."""
        return (self.returned - self.sent) - (self.answered - self.arrived)

    @property
    def offset(self) -> Vector:
        """Return the difference of the clocks, added here it gives the time there, at each probe, shape (N,) [s]."""
        trips, each = self.round_trip, 0.5 * ((self.arrived - self.sent) + (self.answered - self.returned))
        span = ((self.sent - self.sent[0]) // SPAN).astype(np.int64)
        known = np.flatnonzero(np.isfinite(trips))
        order = known[np.lexsort((trips[known], span[known]))]
        best = order[np.unique(span[order], return_index=True)[1]]
        found: Vector = np.interp(self.sent, self.sent[best], each[best])
        return found

    @property
    def there(self) -> Latencies:
        """Return the latencies of the probes, by the offset of the clocks."""
        return self._latencies(self.sent, self.arrived - self.sent - self.offset)

    @property
    def back(self) -> Latencies:
        """Return the latencies of the answers to the probes that arrived, by the offset of the clocks."""
        came = np.isfinite(self.arrived)
        left, latency = self.arrived - self.offset, self.returned - self.answered + self.offset
        return self._latencies(left[came], latency[came])

    def _latencies(self, sent: Vector, latency: Vector) -> Latencies:
        """Return latencies with the losses up to the last message that came; clocks cannot tell less than none."""
        last = np.flatnonzero(np.isfinite(latency))[-1] + 1
        sent, latency = sent[:last] - sent[0], np.maximum(latency[:last], 0.0)
        return Latencies(sent, latency, int(np.isnan(latency).sum()), count_overtaken(sent + latency))


class Answerer:
    """Answers of the other end to probes."""

    def __init__(self) -> None:
        self._run: tuple[object, int] = (None, 0)
        self._arrivals: deque[tuple[float, float]] = deque(maxlen=MAX_BURST)

    def answer(self, datagram: bytes, source: object, arrived: float, clock: Callable[[], float]) -> bytes | None:
        """Return the answer to what came from a `source` and `arrived` by the `clock` [s], None if it is no probe."""
        try:
            probe = unpack(datagram)
        except Unusable:
            return None
        if probe.kind != PROBE or probe.scenario != SCENARIO or len(probe.blocks) < MAX_BURST:
            return None
        if self._run != (source, probe.run):
            self._run = (source, probe.run)
            self._arrivals.clear()
        self._arrivals.appendleft((arrived, float(probe.sequence)))
        blocks = tuple(self._arrivals)
        return pack(Message(ANSWER, 1, SCENARIO, probe.run, probe.sequence, clock(), probe.sent, arrived, blocks))


def serve_answers(link: socket.socket, stopped: Callable[[], bool]) -> None:
    """Answer the probes that arrive at a socket that does not block, until `stopped`, asked about 20 times a second."""
    answerer, clock = Answerer(), time.perf_counter
    while not stopped():
        if not select.select([link], [], [], _TURN)[0]:
            continue
        try:
            datagram, source = link.recvfrom(LARGEST)
            answer = answerer.answer(datagram, source, clock(), clock)
            if answer is not None:
                link.sendto(answer, source)
        except OSError:
            continue


class Prober:
    """Sends `count` probes, one in each `period` [s], and keeps what comes back."""

    def __init__(self, transport: Transport, clock: Callable[[], float], count: int, period: float) -> None:
        self._transport, self._clock, self._period = transport, clock, period
        self._run = random.randrange(1, 2**32)
        self._sent, self._arrived, self._answered, self._returned = (np.full(count, np.nan) for _ in range(4))

    def measure(self, told: Callable[[float], None] = lambda share: None) -> Measurement:
        """Send all probes, wait for the last answers, and return what became of them; `told` hears the share, 0 to 1.

        Raises CouplantError if nothing is answered.
        """
        start, count = self._clock(), len(self._sent)
        for i in range(count):
            self._wait_until(start + i * self._period)
            if self._clock() > start + PATIENCE and np.isnan(self._returned).all():
                break
            self._sent[i] = self._clock()
            message = Message(PROBE, 0, SCENARIO, self._run, i, float(self._sent[i]), blocks=_EMPTY)
            self._transport.send(pack(message))
            told((i + 1) / count)
        last = self._clock() + LINGER
        while self._clock() < last and not np.isfinite(self._returned).all():
            self._wait_until(min(self._clock() + _TURN, last))
        if np.isnan(self._returned).all():
            raise CouplantError("no answer: on the other machine couplant latency must run without an address to ask.")
        return Measurement(self._sent, self._arrived, self._answered, self._returned)

    def _wait_until(self, due: float) -> None:
        self._gather()
        while (left := due - self._clock()) > 0.0:
            self._transport.wait(left)
            self._gather()

    def _gather(self) -> None:
        datagrams = self._transport.receive()
        returned, count = self._clock(), len(self._sent)
        for datagram in datagrams:
            try:
                answer = unpack(datagram)
            except Unusable:
                continue
            if (answer.kind, answer.scenario, answer.run) != (ANSWER, SCENARIO, self._run):
                continue
            for arrived, sequence in answer.blocks:
                if 0.0 <= sequence < count and np.isnan(self._arrived[int(sequence)]):
                    self._arrived[int(sequence)] = arrived
            i = answer.sequence
            if i < count and np.isnan(self._returned[i]):
                self._arrived[i], self._answered[i], self._returned[i] = answer.time, answer.sent, returned
