"""FMUs of candidates are freed outside of the steps of a side: by the thread that starts them, or after the run."""

import pickle
import threading
from types import SimpleNamespace

import pytest

from couplant.bench.side import Side
from couplant.bench.tune import dry
from couplant.bench.tune.lanes import FIRST_LANE, Lanes
from couplant.bench.tune.leader import Follower, Leader
from couplant.bench.tune.live import Ticker
from couplant.bench.tune.sides import Threaded
from couplant.bench.tune.tuner import Budget, Tuner
from couplant.cosim.fmu.instance import FmuComponent
from tests.bench.tune.benches import tried, write_bench
from tests.bench.tune.test_lanes import Fixed, H, begun, feed

MADE = []


class Held(Fixed):
    """Is freed when it is let go, and remembers which thread did it."""

    def __init__(self):
        super().__init__(1.0)
        self.let_go, self.thread = threading.Event(), None

    def free(self):
        self.let_go.wait(5.0)
        self.freed, self.thread = True, threading.current_thread()


class Parcel:
    """Starts a component as a coupling FMU that another process packed."""

    def start(self, signal, t_0):
        MADE.append(Fixed(t_0))
        return MADE[-1]


@pytest.fixture
def stock():
    MADE.clear()
    made = Threaded(["y"], H)
    made.packed[2, "y"] = pickle.dumps(Parcel())
    yield made
    made.close()


def settle(stock):
    """Wait until the thread has done what it was told."""
    stock.worker.submit(int).result()


def test_a_step_waits_for_no_fmu_to_be_freed(stock):
    """The step is over while the FMU is still there: it is let go only then."""
    lanes, gone = begun(0.0), Held()
    lanes.add(2, gone)
    tuner = Tuner({"y": lanes}, Budget.of(H), stock, H, {})
    reader = SimpleNamespace(stopped=False, order=None, was_identified=False)
    ticker = Ticker(SimpleNamespace(end=lambda: None), Follower(tuner), reader, {"y": lanes}, None, stock)
    feed(lanes, 0, 0.0)
    lanes.leave(2)
    ticker.look(0, None, None)
    assert list(lanes.lanes) == [0, FIRST_LANE]
    assert not gone.freed
    gone.let_go.set()
    settle(stock)
    assert gone.freed
    assert gone.thread not in (None, threading.main_thread())


def test_what_came_too_late_is_freed_and_so_is_what_nobody_fetched(stock):
    for n in (10, 20, 30):
        stock.order(2, n)
        settle(stock)
        found = stock.deliver(2, n) if n == 20 else None
        assert (found is None) == (n != 20)
    settle(stock)
    stock.close()
    assert [one.value for one in MADE] == pytest.approx([0.1, 0.2, 0.3])
    assert [one.freed for one in MADE] == [True, False, True]


def test_a_run_on_a_clock_that_waits_frees_candidates_at_its_end(tmp_path, monkeypatch):
    """Thinking, which is another process on a bench that does not wait, has FMUs of its own."""
    depth, in_a_step, there, out = [0], [], set(), []
    free, start, drop = FmuComponent.free, FmuComponent.start, Lanes.drop

    def counted(function, by):
        def call(*given):
            depth[0] += by
            try:
                return function(*given)
            finally:
                depth[0] -= by

        return call

    def note_start(one, *given):
        start(one, *given)
        there.add(id(one))

    def note_free(one):
        in_a_step.append(depth[0] > 0)
        there.discard(id(one))
        free(one)

    def note_drop(lanes, key):
        out.append((lanes.name, key))
        drop(lanes, key)

    for owner, name, new in (
        (FmuComponent, "start", note_start),
        (FmuComponent, "free", note_free),
        (Lanes, "drop", note_drop),
        (Side, "step", counted(Side.step, 1)),
        (Tuner, "tick", counted(Tuner.tick, 1)),
        (Leader, "tick", counted(Leader.tick, 1)),
        (Follower, "tick", counted(Follower.tick, 1)),
        (dry, "replay", counted(dry.replay, -9)),
    ):
        monkeypatch.setattr(owner, name, new)
    path = write_bench("cart", tmp_path, duration=30.0)
    _, run = tried(path, tmp_path / "out", "eros3", "foh", "auto", certain=True)
    assert len(run.leader.trials) >= 2
    assert {name for name, _ in out} == {f"{name}.coupling" for name in "Fsv"}
    assert len(out) >= 6
    assert not any(in_a_step)
    assert not there
