"""One recorded log of arrivals, replayed on every carrier: the same estimates bit for bit."""

import time
from contextlib import ExitStack

import numpy as np
import pytest

from couplant.bench import Transport
from couplant.bench.carriers.router import Identity
from couplant.bench.carriers.udp import UdpTransport
from couplant.bench.carriers.villas import VillasTransport
from couplant.bench.handshake import Agreement
from couplant.bench.side import Side
from couplant.config.network import RelayTable
from tests.bench import virtual
from tests.bench.meetings import PATIENCE, Certificates, broker, end, free_port, router
from tests.bench.virtual import START, Clock

BAD = RelayTable(latency=0.03, jitter=0.02, loss=0.05, reorder=0.05, duplicate=0.05, seed=5)


class Recorded(virtual.Wire):
    """Keeps what arrives at a side, and when."""

    made = []  # noqa: RUF012

    def __init__(self, relay, clock):
        super().__init__(relay, clock)
        self.log = []
        self.made.append(self)

    def receive(self):
        found = super().receive()
        self.log += [(self.clock(), datagram) for datagram in found]
        return found


@pytest.fixture(scope="module")
def recorded(bench):
    """Return what arrived at the right side, and its record."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(virtual, "Wire", Recorded)
        records, _ = bench.run("irregular", relay=BAD)
    log = Recorded.made[-1].log
    assert len(log) > 1800, "enough to tell something"
    assert len({datagram for _, datagram in log}) < len(log), "some arrive twice"
    return log, records[1]


class Counted(Transport):
    """A carrier that counts what has arrived."""

    def __init__(self, carrier):
        self.carrier, self.count = carrier, 0

    def send(self, datagram):
        self.carrier.send(datagram)

    def receive(self):
        found = self.carrier.receive()
        self.count += len(found)
        return found

    def wait(self, seconds):
        self.carrier.wait(seconds)

    def close(self):
        self.carrier.close()


def replayed(bench, log, left, right):
    """Return the record of the right side when the left end says what was recorded."""
    clock, counted = Clock(), Counted(right)
    with Side(bench.workshops[1].make("irregular", "event"), bench.loaded.scenario, counted, clock) as side:
        side.begin(Agreement(7, START))
        waiting = list(log)
        for n in range(side.count + 1):
            while waiting and waiting[0][0] <= side.due(n):
                clock.now, datagram = waiting.pop(0)
                expected = counted.count + 1
                left.send(datagram)
                last = time.monotonic() + PATIENCE
                while counted.count < expected:
                    assert time.monotonic() < last, "lost on this machine"
                    right.wait(0.1)
                    side.gather()
            clock.now = side.due(n)
            side.step(n)
            left.receive()
        return side.record()


def meet(name, endpoint, **keys):
    """Return two ends that hear each other."""
    ends = [end(name, side, endpoint, **keys) for side in ("left", "right")]
    last = time.monotonic() + PATIENCE
    while not ends[1].receive():
        assert time.monotonic() < last
        ends[0].send(b"there")
        ends[1].wait(0.1)
    time.sleep(0.3)
    ends[1].receive()
    return ends


def udp(kept, folder):
    ports = [f"127.0.0.1:{free_port()}" for _ in range(2)]
    return UdpTransport("left", ports[0], ports[1]), UdpTransport("right", ports[1], ports[0])


def villas(kept, folder):
    ports = [f"127.0.0.1:{free_port()}" for _ in range(2)]
    return VillasTransport("left", *ports, (2, 1)), VillasTransport("right", *ports[::-1], (2, 1))


def zenoh(protocol):
    def opened(kept, folder):
        endpoint = f"{protocol}/127.0.0.1:{free_port()}"
        kept.enter_context(router(endpoint))
        return meet("zenoh", endpoint)

    return opened


def tls(kept, folder):
    certificates, endpoint = Certificates(folder), f"tls/localhost:{free_port()}"
    kept.enter_context(router(endpoint, identity=Identity(*certificates.files("good"))))
    return meet("zenoh", endpoint, ca=str(certificates.ca))


def mqtt(kept, folder):
    port = free_port()
    kept.enter_context(broker(folder, port))
    return meet("mqtt", f"tcp/127.0.0.1:{port}")


CARRIERS = [
    pytest.param(udp, id="udp"),
    pytest.param(villas, id="villas"),
    pytest.param(zenoh("tcp"), id="zenoh-tcp"),
    pytest.param(zenoh("udp"), id="zenoh-udp"),
    pytest.param(tls, id="zenoh-tls"),
    pytest.param(mqtt, id="mqtt", marks=pytest.mark.needs_system("mosquitto")),
]


@pytest.mark.landing("a bench played again")
@pytest.mark.sample(1)
@pytest.mark.parametrize("opened", CARRIERS)
def test_the_same_estimates_bit_for_bit(bench, recorded, opened, tmp_path):
    log, record = recorded
    with ExitStack() as kept:
        left, right = opened(kept, tmp_path)
        try:
            found = replayed(bench, log, left, right)
        finally:
            left.close()
            right.close()
    for name in ("estimate", "received", "status", "sent", "messages"):
        one, other = getattr(record, name), getattr(found, name)
        assert one.tobytes() == other.tobytes(), name
    assert np.isfinite(found.estimate).all() and np.ptp(found.estimate) > 0.1
    assert found.counts == record.counts and record.counts["doubled"] > 20
