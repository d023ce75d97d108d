"""Two sides agree on a run and a start, over a line that loses messages and with clocks that differ."""

import threading
import time

import pytest

from couplant.base.errors import CouplantError
from couplant.bench.handshake import Handshake
from couplant.bench.message import START, Message, pack
from tests.bench.carriers import pair

ELSEWHERE = 5000.0


def agree(loss=0.0, shared=True, offset=0.0, runs=1):
    """Return what both sides agreed on, run by run."""
    left, right = pair(loss)
    clocks = [time.perf_counter, lambda: time.perf_counter() + offset]
    ends = [Handshake(link, clock, 77, 20.0, shared) for link, clock in zip((left, right), clocks, strict=True)]
    found = {0: [], 1: []}

    def work(i):
        for _ in range(runs):
            found[i].append(ends[0].lead() if i == 0 else ends[1].follow())

    threads = [threading.Thread(target=work, args=(i,)) for i in (0, 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60.0)
    assert len(found[0]) == len(found[1]) == runs
    return list(zip(found[0], found[1], strict=True))


@pytest.mark.parametrize("loss", [0.0, 0.3])
def test_sides_that_share_a_clock_agree_on_the_same_start(loss):
    runs = agree(loss, runs=2)
    for left, right in runs:
        assert (left.run, left.start) == (right.run, right.start)
        assert right.offset == 0.0
    assert runs[0][0].run != runs[1][0].run


def test_clocks_that_differ():
    ((left, right),) = agree(0.1, shared=False, offset=ELSEWHERE)
    assert left.run == right.run
    assert right.offset == pytest.approx(-ELSEWHERE, abs=0.02)
    assert right.start + right.offset == pytest.approx(left.start, abs=1e-9)


def test_nobody_there():
    link, _ = pair()
    with pytest.raises(CouplantError, match=r"no answer from the other side within 0.2 s\.$"):
        Handshake(link, time.perf_counter, 77, 0.2, True).follow()


def test_another_layout():
    link, other = pair()
    old = bytearray(pack(Message(START, 0, 77)))
    old[4] -= 1
    other.send(bytes(old))
    with pytest.raises(CouplantError, match=r"within 0.2 s: its couplant sends messages of another layout\.$"):
        Handshake(link, time.perf_counter, 77, 0.2, True).follow()


def test_another_scenario():
    link, other = pair()
    for _ in range(3):
        other.send(pack(Message(START, 0, 78, 1, 0, 0.0, 0.0, 0.0)))
    with pytest.raises(CouplantError, match="belongs to another scenario"):
        Handshake(link, time.perf_counter, 77, 0.2, True).follow()
