"""The relay by a clock of the test: shares, delays, order, equal fates for equal seeds."""

import select
import socket
from contextlib import ExitStack

import numpy as np
import pytest

from couplant.bench.carriers.udp import udp_socket
from couplant.bench.message import HELLO, VALUES, Message, pack
from couplant.bench.relay import PATIENCE, SILENCE, Relay, RelayServer, UdpLink
from couplant.config.network import RelayTable

COUNT, STEP = 20_000, 0.01


def message(i, sender=0, run=1):
    return Message(VALUES, sender, 0, run, i)


def passed(settings, count=COUNT, sender=0):
    """Return the relay, and number and time of leaving of everything that left."""
    relay, out = Relay(settings), []

    def flush(until):
        while (due := relay.next_due()) is not None and due <= until:
            out.extend((int(datagram), due) for _, datagram in relay.due(due))

    for i in range(count):
        flush(i * STEP)
        relay.take(i * STEP, message(i, sender), str(i).encode())
    flush(float("inf"))
    return relay, np.array([number for number, _ in out]), np.array([time for _, time in out])


def test_delays_are_uniform_between_the_limits():
    _, number, time = passed(RelayTable(latency=0.02, jitter=0.01))
    delay = time - STEP * number
    assert len(number) == COUNT
    assert 0.01 <= delay.min() < 0.0101
    assert 0.0299 < delay.max() <= 0.03 + 1e-9
    assert np.histogram(delay, 10, (0.01, 0.03))[0] == pytest.approx(COUNT / 10, rel=0.1)


@pytest.mark.parametrize("loss", [0.0, 0.02, 0.5, 1.0])
def test_loss(loss):
    relay, number, _ = passed(RelayTable(latency=0.02, loss=loss))
    (line,) = relay.lines.values()
    assert line.taken == COUNT
    assert line.lost == COUNT - len(number)
    assert line.lost / COUNT == pytest.approx(loss, abs=4.0 * (loss * (1.0 - loss) / COUNT) ** 0.5)


def test_duplicates_have_delays_of_their_own():
    relay, number, time = passed(RelayTable(latency=0.02, jitter=0.01, duplicate=0.1))
    twice, counts = np.unique(number, return_counts=True)
    doubled = twice[counts == 2]
    (line,) = relay.lines.values()
    assert line.duplicated == len(doubled) == pytest.approx(0.1 * COUNT, rel=0.1)
    apart = [np.ptp(time[number == i]) for i in doubled[:200]]
    assert np.mean(apart) == pytest.approx(0.02 / 3, rel=0.2), "mean distance of two uniform numbers"


def test_a_reordered_message_leaves_right_after_the_next_one():
    relay, number, time = passed(RelayTable(latency=0.02, reorder=0.05))
    (line,) = relay.lines.values()
    swapped = np.flatnonzero(np.diff(number) < 0)
    assert len(number) == COUNT
    assert line.reordered - 1 <= len(swapped) <= line.reordered
    assert line.reordered == pytest.approx(0.05 * COUNT, rel=0.1)
    assert (number[swapped] - number[swapped + 1] == 1).all()
    assert (time[swapped + 1] == time[swapped]).all()


def test_a_message_that_waits_for_one_that_never_comes_leaves_all_the_same():
    relay = Relay(RelayTable(latency=0.02, reorder=1.0))
    relay.take(0.0, message(0), b"0")
    assert relay.due(0.02 + 0.9 * PATIENCE) == []
    assert relay.due(0.02 + 1.1 * PATIENCE) == [(0, b"0")]


def test_jitter_alone_changes_the_order_unless_it_may_not():
    _, free, _ = passed(RelayTable(latency=0.02, jitter=0.02))
    _, kept, time = passed(RelayTable(latency=0.02, jitter=0.02, in_order=True))
    assert (np.diff(free) < 0).mean() > 0.1
    assert (np.diff(kept) == 1).all()
    assert (np.diff(time) >= 0.0).all()


def test_the_fate_of_a_message_depends_on_seed_direction_and_number_only():
    settings = RelayTable(latency=0.02, jitter=0.01, loss=0.1)
    one, two = Relay(settings), Relay(settings)
    for i in range(500):
        one.take(i * STEP, message(i), b"x")
        two.take(7.0 * i, message(i, run=2), b"x")
        two.take(7.0 * i, message(i, sender=1, run=2), b"x")
        two.take(7.0 * i, Message(HELLO, 0, 0, 0, i), b"x")
    assert one.lines[1, 0].delays == two.lines[2, 0].delays
    assert one.lines[1, 0].delays != two.lines[2, 1].delays
    other = Relay(settings.model_copy(update={"seed": 2}))
    for i in range(500):
        other.take(i * STEP, message(i), b"x")
    assert other.lines[1, 0].delays != one.lines[1, 0].delays


class Net:
    """A relay on a real socket, by a clock of the test."""

    def __init__(self, kept):
        self.now, self.kept = 100.0, kept
        self.link = kept.enter_context(udp_socket("127.0.0.1:0"))
        self.server = RelayServer(RelayTable(), 77, UdpLink(self.link), lambda: self.now)

    def end(self):
        made = self.kept.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
        made.bind(("127.0.0.1", 0))
        made.setblocking(False)
        return made

    def say(self, end, kind, sender, after=0.01, run=1):
        """Send a message and let the relay do what follows."""
        self.now += after
        blocks = ((0.0, 1.0),) if kind == VALUES else ()
        end.sendto(pack(Message(kind, sender, 77, run, blocks=blocks)), self.link.getsockname())
        assert select.select([self.link], [], [], 20.0)[0]
        self.server._turn()
        self.server._turn()

    def is_heard(self, end):
        """Tell whether anything has arrived at an end; nothing is under way on this machine any more."""
        return bool(select.select([end], [], [], 0.05)[0]) and bool(end.recv(65536))


@pytest.fixture
def net():
    with ExitStack() as kept:
        yield Net(kept)


def name(end):
    return ":".join(map(str, end.getsockname()))


def test_a_hello_from_elsewhere_redirects_no_run(net, caplog):
    left, right, stranger = net.end(), net.end(), net.end()
    net.say(left, HELLO, 0)
    net.say(right, HELLO, 1)
    assert net.is_heard(left)
    with caplog.at_level("WARNING"):
        for kind in (HELLO, VALUES, HELLO):
            net.say(stranger, kind, 1)
            assert not net.is_heard(left), "the stranger speaks for nobody"
        net.say(left, VALUES, 0)
    assert net.is_heard(right)
    assert not net.is_heard(stranger), "the stranger hears nothing"
    (line,) = caplog.messages
    assert line == f"the right side is at {name(right)}: what comes from {name(stranger)} is dropped"
    assert net.server.dropped == 3
    assert len(net.server.relay.lines) == 3, "an account of what the sides said only"


def test_a_side_that_was_silent_for_long_may_come_back_from_elsewhere(net):
    left, right, again = net.end(), net.end(), net.end()
    net.say(left, HELLO, 0)
    net.say(right, HELLO, 1)
    net.say(again, HELLO, 1, after=0.9 * SILENCE)
    net.say(again, VALUES, 1, after=0.2 * SILENCE)
    assert net.server.dropped == 2, "not yet, and never by values"
    net.say(again, HELLO, 1)
    net.say(left, VALUES, 0)
    assert net.is_heard(again)
    assert not net.is_heard(right)


def test_a_side_that_starts_again_at_its_address_is_heard_at_once(net):
    left, right = net.end(), net.end()
    net.say(left, HELLO, 0)
    net.say(right, VALUES, 1)
    assert net.is_heard(left)
    net.say(right, HELLO, 1, run=0)
    assert net.is_heard(left)
    assert net.server.dropped == 0


def test_messages_without_a_sense_end_no_relay(net):
    chance, end = np.random.default_rng(5), net.end()
    good = pack(Message(VALUES, 1, 77, 1, blocks=((0.0, 1.0), (1.0, 2.0))))
    for _ in range(300):
        data = bytearray(good)
        for i in chance.integers(len(data), size=chance.integers(1, 5)):
            data[i] = chance.integers(256)
        end.sendto(bytes(data[: chance.integers(len(data) + 1)]), net.link.getsockname())
        assert select.select([net.link], [], [], 20.0)[0]
        net.server._turn()
    net.say(end, HELLO, 1)
    assert net.server.dropped > 200
