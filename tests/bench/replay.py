"""One recorded log of arrivals, brought to the right side of the bench by each carrier, and as data of DCP."""

import struct
import time
from itertools import pairwise

import numpy as np
import pytest

from couplant.bench import Transport
from couplant.bench.carriers.router import Identity
from couplant.bench.carriers.udp import UdpTransport
from couplant.bench.carriers.villas import VillasTransport
from couplant.bench.handshake import Agreement
from couplant.bench.message import unpack
from couplant.bench.side import Side
from couplant.elsewhere.dcp.part import Part
from couplant.elsewhere.dcp.side import load_side
from tests.bench import virtual
from tests.bench.meetings import PATIENCE, Certificates, broker, end, free_port, router
from tests.bench.silkit.stand_in import itself, needs_silkit, simulation
from tests.bench.virtual import SCENARIO, START, Clock
from tests.elsewhere.dcp.hand import LOOPBACK, Hand

SIGNALS = (2, 1)  # that the left side and the right side send


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


def record_arrivals(bench, relay):
    """Return what arrived at the right side when, and its record."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(virtual, "Wire", Recorded)
        records, _ = bench.run("irregular", relay=relay)
    return Recorded.made[-1].log, records[1]


class Counted(Transport):
    """A carrier that counts what has arrived."""

    def __init__(self, carrier):
        self.carrier, self.count = carrier, 0

    @property
    def foreign(self):
        return getattr(self.carrier, "foreign", 0)

    def send(self, datagram):
        self.carrier.send(datagram)

    def receive(self):
        found = self.carrier.receive()
        self.count += len(found)
        return found

    def wait(self, seconds):
        self.carrier.wait(seconds)

    def remarks(self):
        return self.carrier.remarks()

    def close(self):
        self.carrier.close()


class Delivery:
    """The way from the `left` end to the `side` at the right one, whose carrier is `counted`."""

    def __init__(self, left, side, counted):
        self.left, self.side, self.counted = left, side, counted

    def send(self, datagram):
        """Send one datagram of the left side, and wait until the right one has taken it."""
        self.gathered(1, lambda: self.left.send(datagram))

    def gathered(self, count, send):
        """Wait until so many more messages than before `send` have arrived, taken or not."""
        expected = self.arrived + count
        send()
        last = time.monotonic() + PATIENCE
        while self.arrived < expected:
            assert time.monotonic() < last, "lost on this machine"
            self.counted.wait(0.1)
            self.side.gather()

    @property
    def arrived(self):
        return self.counted.count + self.counted.foreign


def replayed(bench, log, ends, disturb=lambda delivery, n: None):
    """Return the record of the right side when the left end says what was recorded.

    After the n-th message `disturb` may do what it wants.
    """
    clock, (left, right) = Clock(), ends
    counted = Counted(right)
    with Side(bench.workshops[1].make("irregular", "event"), bench.loaded.scenario, counted, clock) as side:
        side.begin(Agreement(7, START))
        delivery, waiting, count = Delivery(left, side, counted), list(log), 0
        for n in range(side.count + 1):
            while waiting and waiting[0][0] <= side.due(n):
                clock.now, datagram = waiting.pop(0)
                delivery.send(datagram)
                disturb(delivery, count)
                count += 1
            clock.now = side.due(n)
            side.step(n)
            left.receive()
        return side.record()


def replayed_by_dcp(log, folder, disturb=lambda hand, n: None):
    """Return the rows of a slave, time, what it sends and its estimates, and its machine; `log` as for `replayed`.

    The slave is the right side in soft real time. Each value of a message is data of its own, numbered by macro steps.
    """
    file = folder / "right.toml"
    file.write_text(f'bench = "{SCENARIO.as_posix()}"\nside = "right"\nalgorithm = "irregular"\n', encoding="utf-8")
    with virtual.FmuLibrary() as library:
        part = Part(load_side(file), library, folder / "fmus")
        hand, h = Hand(part.description, mode=1, model=part), part.period
        hand.now = START - 1.0
        lead_to_run(hand)
        waiting, count = list(log), 0
        for n in range(round(20.0 / h) + 1):
            due = START + n * h
            while waiting and waiting[0][0] <= due:
                hand.now, datagram = waiting.pop(0)
                for time_, *values in unpack(datagram).blocks:
                    hand.data(round(time_ / h), *values)
                disturb(hand, count)
                count += 1
            hand.now = due
            hand.advance()
        part.free()
    return np.array(part.rows), hand.machine


def lead_to_run(hand):
    """Lead the slave of the right side through its configuration to a run that starts at `START`."""
    numbers = {variable.name: variable.reference for variable in hand.machine.description.variables}
    port = hand.machine.description.port
    request, more = hand.register(uuid=hand.machine.description.uuid)
    hand.ok(*request, **more)
    for request in (
        (0x20, "II", 1, 100), (0x22, "HHQB", 1, 0, numbers["x1"], 9), (0x22, "HHQB", 1, 1, numbers["v1"], 9),
        (0x26, "HBHI", 1, 0, port, LOOPBACK), (0x2B, "HB", 1, 0), (0x23, "HHQ", 2, 0, numbers["f"]),
        (0x25, "HBHI", 2, 0, 6000, LOOPBACK), (0x2B, "HB", 2, 0), (0x21, "IH", 1, 2),
    ):  # fmt: skip
        hand.ok(*request)
    for kind in (0x03, 0x04):
        hand.ok(kind)
        hand.advance()
    hand.ok(0x06, "q", round(START))


def sample(datagram, signals=SIGNALS):
    """Return a datagram as a sample of VILLASnode, whatever it holds: written from the table of docs/villas.md."""
    sender, sequence = datagram[6], datagram[20:24][::-1]
    floats = bytes(4 * signals[sender - 1]) if sender in (1, 2) else b""
    words = b"".join(datagram[at:end][::-1] for at, end in pairwise(range(0, len(datagram) + 1, 4)))
    head = bytes([0x20, sender]) + struct.pack(">H", (len(floats) + len(words)) // 4) + sequence + bytes(8)
    return head + floats + words


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
    return VillasTransport("left", *ports, SIGNALS), VillasTransport("right", *ports[::-1], SIGNALS)


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


def silkit(kept, folder):
    kept.enter_context(simulation())
    return meet("silkit", "tcp/127.0.0.1:8500")


def silkit_itself(kept, folder):
    return meet("silkit", kept.enter_context(itself()))


CARRIERS = [
    pytest.param(udp, id="udp"),
    pytest.param(villas, id="villas"),
    pytest.param(zenoh("tcp"), id="zenoh-tcp"),
    pytest.param(zenoh("udp"), id="zenoh-udp"),
    pytest.param(tls, id="zenoh-tls"),
    pytest.param(mqtt, id="mqtt", marks=pytest.mark.needs_system("mosquitto")),
    pytest.param(silkit, id="silkit"),
    pytest.param(silkit_itself, id="silkit-itself", marks=needs_silkit),
]
"""How two ends of each carrier are opened."""
