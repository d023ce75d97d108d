"""Frames of a side: the same from both kinds of steps, ten a second, lost where nobody takes them."""

import json
import socket

import numpy as np
import pytest

from couplant.bench import steps
from couplant.bench.handshake import Agreement
from couplant.bench.live.history import History
from couplant.bench.live.tap import MOST_POINTS, Tap, Viewing, unpack_frame
from couplant.bench.side import Side
from couplant.bench.wiring import SideWorkshop
from couplant.config.bench import SIDES
from tests.bench.virtual import START, Bench, Clock

H = 0.01


class Mirror:
    """Hands back what was sent, as if from the other side, but for each tenth message."""

    def __init__(self, clock):
        self.clock, self.sent = clock, []

    def send(self, datagram):
        self.sent.append(datagram)

    def receive(self):
        return []

    def close(self):
        return


@pytest.fixture(scope="module")
def watched(library, tmp_path_factory):
    bench = Bench(library, tmp_path_factory.mktemp("watched"), "duration=1.0")
    folder = tmp_path_factory.mktemp("fmus")
    bench.workshops = [SideWorkshop(bench.loaded, side, library, folder / side, watched=True) for side in SIDES]
    return bench


def frames_of(bench, algorithm):
    """Return the frames of the left side; messages of the right side are those of a run, 20 ms later."""
    clock = Clock()
    mirrors = [Mirror(clock), Mirror(clock)]
    found = []
    made = [shop.make(algorithm, "event") for shop in bench.workshops]
    scenario = bench.loaded.scenario
    with Side(made[0], scenario, mirrors[0], clock) as left, Side(made[1], scenario, mirrors[1], clock) as right:
        for side in (left, right):
            side.begin(Agreement(7, START))
        tap = Tap(Viewing("127.0.0.1", 9, "word"), "left", 0, H, 0.002)
        for n in range(left.count + 1):
            clock.now = left.due(n)
            if n >= 2 and n % 10:
                left._steps.take(mirrors[1].sent[n - 2], clock.now - START)
            left.step(n)
            right.step(n)
            if n % 10 == 9:
                found.append(unpack_frame(tap.frame(n, left._steps, left._done)))
        tap.close()
    return found


@pytest.mark.parametrize("native", [True, False])
def test_a_frame_tells_what_has_happened_since_the_last_one(watched, native, monkeypatch):
    monkeypatch.setattr(steps, "is_native", lambda components: native)
    frames = frames_of(watched, "irregular")
    assert len(frames) == 10
    for i, one in enumerate(frames):
        assert [point[0] for point in one["points"]] == pytest.approx([H * (10 * i + j) for j in range(10)])
        assert one["latency"] == pytest.approx([0.02] * 3, abs=1e-9)
        assert one["counts"] == [9 * i + 8, i, 0, 0, 0, 10 * i + 10]
        assert len(one["skill"]) == 1 and len(one["status"]) == 4
        text = json.dumps(one, allow_nan=False)
        assert History({"left": (2, 1)}, 1).add(json.loads(text))
    assert frames[-1]["status"][1] == 2.0


def test_both_kinds_of_steps_give_the_same_frames(watched, monkeypatch):
    found = []
    for native in (True, False):
        monkeypatch.setattr(steps, "is_native", lambda components, native=native: native)
        found.append(frames_of(watched, "irregular"))
    assert found[0] == found[1]


def test_a_plain_wire_has_no_skill(watched):
    assert all(one["skill"] == [] and one["status"] == [0.0] * 4 for one in frames_of(watched, "wire"))


class Rows:
    """Steps with a record of N points, of which nothing is known, at 10 kHz."""

    def __init__(self, count, signals):
        self.sent = self.received = self.estimate = np.full((count, signals), np.nan)
        self.status = np.full((count, 4 * signals), np.nan)
        self.rows = self

    def arrivals_since(self, first):
        return np.empty((0, 3))

    def account_of(self, names):
        return [0] * len(names)

    def skills(self):
        return [np.inf] * self.sent.shape[1]


@pytest.mark.parametrize("signals", [1, 255])
def test_frames_are_datagrams_ten_a_second_whatever_the_step(signals):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as taker:
        taker.bind(("127.0.0.1", 0))
        taker.settimeout(60.0)
        tap = Tap(Viewing(*taker.getsockname(), "word"), "left", 0, 1e-4, 1e-5)
        rows = Rows(5000, signals)
        for n in range(5000):
            tap.look(n, rows, np.zeros(5000))
        tap.close()
        found = [unpack_frame(taker.recv(65507)) for _ in range(5)]
        taker.setblocking(False)
        with pytest.raises(BlockingIOError):
            taker.recv(1)
    assert [one["time"] for one in found] == pytest.approx([0.0999, 0.1999, 0.2999, 0.3999, 0.4999])
    assert all(1 <= len(one["points"]) <= MOST_POINTS and one["points"][-1][0] == one["time"] for one in found)
    assert found[0]["skill"] == [None] * signals


def test_a_side_goes_on_where_nobody_looks():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as gone:
        gone.bind(("127.0.0.1", 0))
        address = gone.getsockname()
    tap = Tap(Viewing(*address, "word"), "left", 0, 0.01, 0.002)
    for n in range(5000):
        tap.look(n, ROWS, np.zeros(5000))
    tap.close()


ROWS = Rows(5000, 1)
