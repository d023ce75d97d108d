"""The relay by a clock of the test: shares, delays, order, equal fates for equal seeds."""

import numpy as np
import pytest

from couplant.bench.message import HELLO, VALUES, Message
from couplant.bench.relay import PATIENCE, Relay
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
