"""Latencies before a run, measured on clocks and a line of our own, and over loopback."""

import heapq
import math
import random
import socket
import threading

import numpy as np
import pytest

from couplant.base.errors import CouplantError
from couplant.bench import Transport
from couplant.bench.carriers.udp import UdpTransport, udp_socket
from couplant.bench.measure import ANSWER, SCENARIO, Answerer, Prober, serve_answers
from couplant.bench.message import PROBE, Message, pack, unpack


class Line(Transport):
    """The way to an `Answerer` and back, in virtual time; the clock there has an offset and drifts."""

    def __init__(self, there, back, loss=(0.0, 0.0), offset=5000.0, drift=0.0, deaf=False):
        self.now, self.offset, self.drift, self.deaf = 1000.0, offset, drift, deaf
        self.delays, self.loss, self.chance = (there, back), loss, random.Random(1)
        self.answerer, self.events, self.arrived = Answerer(), [], []
        self.truth = [[], []]

    def clock(self):
        return self.now

    def there(self):
        return self.now + self.offset + self.drift * (self.now - 1000.0)

    def send(self, datagram):
        self._pass(0, datagram)

    def receive(self):
        found, self.arrived = self.arrived, []
        return found

    def close(self):
        self.events = []

    def wait(self, seconds):
        until = self.now + seconds
        if not self.events or self.events[0][0] > until:
            self.now = until
            return
        self.now, _, way, datagram = heapq.heappop(self.events)
        if way == 1:
            self.arrived.append(datagram)
        elif not self.deaf:
            self._pass(1, self.answerer.answer(datagram, "here", self.there(), self.there))

    def _pass(self, way, datagram):
        delay = self.delays[way](self.chance)
        lost = self.chance.random() < self.loss[way]
        self.truth[way].append(math.nan if lost else delay)
        if not lost:
            heapq.heappush(self.events, (self.now + delay, len(self.truth[0]) + 1e6 * way, way, datagram))


def jittery(low, high):
    return lambda chance: chance.uniform(low, high)


def measured(line, count=500):
    return Prober(line, line.clock, count, 0.01).measure()


def test_latencies_of_each_direction():
    line = Line(jittery(0.012, 0.03), jittery(0.012, 0.02))
    found = measured(line)
    there, back = found.there, found.back
    assert np.allclose(there.latency + back.latency, found.round_trip, rtol=0, atol=1e-9)
    assert np.ptp(found.offset) == 0.0 and found.offset[0] == pytest.approx(5000.0, abs=0.001)
    assert np.allclose(there.latency, line.truth[0], rtol=0, atol=0.001)
    assert np.allclose(np.sort(back.latency), np.sort(line.truth[1]), rtol=0, atol=0.001), "answers overtake"
    assert there.lost == back.lost == 0 and there.reordered > 0


def test_directions_that_differ_are_taken_as_alike():
    found = measured(Line(lambda chance: 0.01, lambda chance: 0.03))
    assert np.allclose(found.there.latency, 0.02) and np.allclose(found.back.latency, 0.02)
    assert np.allclose(found.round_trip, 0.04)


def test_losses_are_told_by_direction():
    line = Line(jittery(0.01, 0.012), jittery(0.01, 0.012), loss=(0.2, 0.1))
    found = measured(line)
    lost = [int(np.isnan(truth).sum()) for truth in line.truth]
    assert lost[0] - 3 <= found.there.lost <= lost[0] and 80 < lost[0] < 120
    assert lost[1] - 3 <= found.back.lost <= lost[1] and 25 < lost[1] < 60
    assert np.all(found.there.arrived >= 0.0) and np.all(np.diff(found.there.sent) > 0.0)


def test_clocks_that_drift():
    line = Line(jittery(0.01, 0.011), jittery(0.01, 0.011), drift=5e-5)
    found = measured(line, 6000)
    assert np.ptp(found.offset) == pytest.approx(5e-5 * 60.0, rel=0.4)
    assert np.allclose(found.there.latency, 0.0105, rtol=0, atol=0.002)


def test_nobody_answers():
    line = Line(lambda chance: 0.01, lambda chance: 0.01, deaf=True)
    with pytest.raises(CouplantError, match="no answer: on the other machine couplant latency must run"):
        measured(line, 10_000)
    assert line.now < 1010.0, "it does not go on for nothing"


def test_an_answer_is_no_longer_than_the_probe_and_only_for_probes():
    answerer, clock = Answerer(), lambda: 7.0
    empty = ((0.0, 0.0),) * 8
    for sequence in range(12):
        probe = pack(Message(PROBE, 0, SCENARIO, 5, sequence, 1.0, blocks=empty))
        answer = answerer.answer(probe, "a", 6.0, clock)
        assert len(answer) <= len(probe)
    message = unpack(answer)
    assert (message.kind, message.sequence, message.echo, message.time, message.sent) == (ANSWER, 11, 1.0, 6.0, 7.0)
    assert [sequence for _, sequence in message.blocks] == list(range(11, 3, -1))
    assert len(unpack(answerer.answer(probe, "b", 6.0, clock)).blocks) == 1, "nothing of another one's"
    short = pack(Message(PROBE, 0, SCENARIO, 5, 1, 1.0))
    for other in (short, answer, b"", pack(Message(PROBE, 0, SCENARIO + 1, 5, 1, 1.0, blocks=empty))):
        assert answerer.answer(other, "a", 6.0, clock) is None


@pytest.fixture
def answering():
    """Answer at a free port of loopback."""
    ended = threading.Event()
    with udp_socket("127.0.0.1:0") as link:
        thread = threading.Thread(target=serve_answers, args=(link, ended.is_set))
        thread.start()
        yield f"127.0.0.1:{link.getsockname()[1]}"
        ended.set()
        thread.join()


def test_over_loopback(answering):
    import time

    address = ("127.0.0.1", int(answering.rpartition(":")[2]))
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as stranger:
        stranger.sendto(b"CPLT and nothing else", address)
    transport = UdpTransport("left", "127.0.0.1:0", answering)
    found = Prober(transport, time.perf_counter, 30, 0.005).measure()
    transport.close()
    assert np.isfinite(found.round_trip).sum() > 15
    trips = found.round_trip[np.isfinite(found.round_trip)]
    assert trips.min() > 0.0
    both = found.there.latency[: len(found.back.latency)] + found.back.latency[: len(found.there.latency)]
    assert np.nanmin(both) == pytest.approx(trips.min(), abs=1e-6)
