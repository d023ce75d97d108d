"""One recorded log of arrivals on every carrier: the same estimates bit for bit, whatever else arrives."""

import socket
import struct
import time
from contextlib import ExitStack
from functools import partial
from math import nan

import numpy as np
import pytest

from couplant.bench.carriers.udp import UdpTransport
from couplant.bench.carriers.villas import VillasTransport
from couplant.config.network import RelayTable
from tests.bench.meetings import PATIENCE
from tests.bench.replay import CARRIERS, record_arrivals, replayed, replayed_by_dcp, sample

BAD = RelayTable(latency=0.03, jitter=0.02, loss=0.05, reorder=0.05, duplicate=0.05, seed=5)
COURSES = ("estimate", "received", "status", "sent", "messages")


@pytest.fixture(scope="module")
def recorded(bench):
    """Return what arrived at the right side, and its record."""
    log, record = record_arrivals(bench, BAD)
    assert len(log) > 1800, "enough to tell something"
    assert len({datagram for _, datagram in log}) < len(log), "some arrive twice"
    assert np.isfinite(record.estimate).all() and np.ptp(record.estimate) > 0.1
    assert record.counts["doubled"] > 20
    return log, record


def check(found, record, names=COURSES):
    for name in names:
        assert getattr(record, name).tobytes() == getattr(found, name).tobytes(), name


@pytest.mark.landing("a bench played again")
@pytest.mark.sample(1)
@pytest.mark.parametrize("opened", CARRIERS)
def test_the_same_estimates_bit_for_bit(bench, recorded, opened, tmp_path):
    log, record = recorded
    with ExitStack() as kept:
        ends = opened(kept, tmp_path)
        for one in ends:
            kept.callback(one.close)
        found = replayed(bench, log, ends)
    check(found, record)
    assert found.counts == record.counts


@pytest.mark.landing("a bench played again")
def test_the_same_estimates_bit_for_bit_by_data_of_dcp(recorded, tmp_path):
    log, record = recorded
    rows, machine = replayed_by_dcp(log, tmp_path)
    assert rows[:, 1].tobytes() == record.sent[:, 0].tobytes()
    assert np.ascontiguousarray(rows[:, 2:]).tobytes() == record.estimate.tobytes()
    assert machine.course.numberings[1].counts["doubled"] > 1000, "each value comes several times"
    assert not sum(machine.dropped.values())


DISTURBED = (40, 400, 1500)
"""Messages after which somebody disturbs."""

FLOOD = 3000

REASONS = ("doubled", "foreign", "truncated", "version", "not_finite")


def changed(datagram, at, form, *values):
    """Return a datagram of the layout in docs/bench.md with other values at a place."""
    found = bytearray(datagram)
    struct.pack_into(f"<{form}", found, at, *values)
    return bytes(found)


def hostile(datagram, most):
    """Return datagrams that nobody may take, made of one that was taken, and what they count as."""
    (run,) = struct.unpack_from("<I", datagram, 16)
    other = changed(datagram, 56, "d", 1e3)  # another value
    return [
        ("doubled", other),  # with a number that has been there
        ("foreign", changed(other, 20, "I", most)), ("foreign", changed(other, 20, "I", 2**32 - 1)),
        ("foreign", changed(changed(other, 20, "I", most - 1), 6, "B", 2)),  # as if from the right side itself
        ("foreign", changed(other, 16, "I", run + 1)), ("foreign", changed(other, 12, "I", 1)),
        ("truncated", other[:-8]), ("truncated", other[:40]), ("version", changed(other, 4, "B", 1)),
        ("not_finite", changed(changed(other, 20, "I", most - 1), 56, "d", nan)), ("foreign", b"nonsense"),
    ]  # fmt: skip


def send_raw(left, datagram):
    """Send a datagram, whatever it holds, as the carrier of the `left` end wraps it."""
    if isinstance(left, VillasTransport):
        UdpTransport.send(left, sample(datagram))
    else:
        left.send(datagram)


def flood(delivery):
    """Send very much at once; return how much was heard of it."""
    before, left = delivery.arrived, delivery.left
    for i in range(FLOOD):
        send_raw(left, i.to_bytes(4, "little") * 50)
    last, begun = delivery.arrived, time.monotonic()
    quiet = begun
    while delivery.arrived == before or time.monotonic() - quiet < 0.5:
        delivery.counted.wait(0.1)
        delivery.side.gather()
        if delivery.arrived != last:
            last, quiet = delivery.arrived, time.monotonic()
        assert time.monotonic() - begun < PATIENCE
    return last - before


class Disturber:
    """Sends what is hostile after some of the messages of a `log`; counts what has to be refused."""

    def __init__(self, log, most):
        self.log, self.most, self.counts, self.flooded = log, most, dict.fromkeys(REASONS, 0), 0

    def __call__(self, delivery, n):
        if n not in DISTURBED:
            return
        for reason, datagram in hostile(self.log[n][1], self.most):
            self.counts[reason] += 1
            delivery.gathered(1, partial(send_raw, delivery.left, datagram))
        if isinstance(delivery.left, UdpTransport):  # from another address, as good as it may be
            genuine = changed(self.log[n][1], 20, "I", self.most - 1)
            packet = sample(genuine) if isinstance(delivery.left, VillasTransport) else genuine
            host, port = delivery.counted.carrier.address.split(":")
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as stranger:
                self.counts["foreign"] += 1
                delivery.gathered(1, lambda: stranger.sendto(packet, (host, int(port))))
        self.flooded += flood(delivery)


@pytest.mark.landing("a bench played again")
@pytest.mark.parametrize("opened", CARRIERS)
def test_hostile_messages_are_refused_and_counted_and_change_no_bit(bench, recorded, opened, tmp_path):
    log, record = recorded
    disturber = Disturber(log, len(record.done))
    with ExitStack() as kept:
        ends = opened(kept, tmp_path)
        for one in ends:
            kept.callback(one.close)
        found = replayed(bench, log, ends, disturber)
    check(found, record)
    wanted = {**disturber.counts, "foreign": disturber.counts["foreign"] + disturber.flooded}
    if isinstance(ends[0], VillasTransport):  # whose samples are looked at before they are messages
        wanted["foreign"] += sum(wanted.pop(reason) for reason in ("truncated", "version", "not_finite"))
    assert {name: found.counts[name] - record.counts[name] for name in wanted} == wanted
    assert found.counts["lost"] == record.counts["lost"] and found.counts["overtaken"] == record.counts["overtaken"]
    # what a box did not hold is told; the network, a broker or the system may have lost some
    pushed_out = sum(int(line.split()[0]) for line in found.log if "faster than they were taken" in line)
    assert 0 < disturber.flooded + pushed_out <= len(DISTURBED) * FLOOD


def disturb_slave(hand, n, counts):
    """Send what is hostile to a slave in its run; count what has to be refused, by reason."""
    if n not in DISTURBED:
        return
    machine, stranger = hand.machine, ("127.0.0.1", 4567)
    numbering, outlet, state = machine.course.numberings[1], hand.outlet, machine.state
    newest = (numbering._newest) % 65536

    def bring(reason, datagram, where=None):
        counts[reason] += 1
        machine.receive(datagram, stranger, hand.now, where)

    def data(number, *values, data_id=1):
        return struct.pack(f"<BHH{len(values)}d", 0xF0, number, data_id, *values)

    before = dict(numbering.counts)
    machine.receive(data(newest, 1e3, 1e3), stranger, hand.now)  # a number that has been there
    machine.receive(data((newest + 5000) % 65536, 1e3, 1e3), stranger, hand.now)  # one far away
    assert numbering.counts == {**before, "doubled": before["doubled"] + 1, "strange": before["strange"] + 1}
    bring("length", data(newest + 1, 1e3))
    bring("length", data(newest + 1, 1e3, 1e3)[:-1])
    bring("unexpected", data(newest + 1, 1e3, 1e3, data_id=7))
    bring("unexpected", data(newest + 1, 1e3, 1e3), ("127.0.0.1", 7777))  # at an address for other data
    bring("not_finite", data(newest + 1, 1e3, nan))
    for request in (b"\x09" + struct.pack("<HBB", hand.number, 9, state), b"\x80" + struct.pack("<HB", hand.number, 9)):
        bring("foreign", request)  # of another master
    for i in range(FLOOD):
        bring("unknown" if i % 2 else "unexpected", bytes([0x44]) * 50 if i % 2 else data(i, 1.0, data_id=900))
    assert (machine.state, outlet.take(stranger)) == (state, [])


@pytest.mark.landing("a bench played again")
def test_hostile_data_of_dcp_are_refused_and_counted_and_change_no_bit(recorded, tmp_path):
    log, record = recorded
    counts = dict.fromkeys(("length", "unexpected", "not_finite", "foreign", "unknown"), 0)
    rows, machine = replayed_by_dcp(log, tmp_path, partial(disturb_slave, counts=counts))
    assert np.ascontiguousarray(rows[:, 2:]).tobytes() == record.estimate.tobytes()
    assert {name: machine.dropped[name] for name in counts} == counts
