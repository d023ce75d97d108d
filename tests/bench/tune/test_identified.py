"""Benches whose sides nobody knows: they are identified while they run, from what each was really given.

Tuned on the DC motor and the heater, and the search for a model on the pendulum and the cylinder; nothing was chosen on
the others.
"""

import ast
import pickle
import socket
import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import pytest

from couplant.analysis.signal.pieces import Pieces
from couplant.bench import load_bench
from couplant.bench.inbox import Inbox
from couplant.bench.message import VALUES, Message, pack
from couplant.bench.session import solve_reference
from couplant.bench.transport import Transport
from couplant.bench.tune.dry import IDENTIFYING, DryBench, latest, patience, run_plain
from couplant.bench.tune.leader import Follower
from couplant.bench.tune.live import LEAD, OWN, same_lanes
from couplant.bench.tune.meter import is_growing
from couplant.bench.tune.sides import RECORDED, Candidate, Worded, side_by_side
from couplant.bench.tune.ticker import INFORMED, THINKING, Ticker
from couplant.bench.tune.tuner import NOTHING, Budget, Word
from couplant.config.bench import SIDES
from couplant.cosim.fmu.load import FmuLibrary
from couplant.design.both_sides import identify_sides
from couplant.sweep.for_bench import known_loop, proposals, shells
from tests.bench.tune.benches import courses_by_hand, errors_of, rms_of, tuned, windows_of, write_bench
from tests.commands import Started
from tests.sweep.loops import LOOPS

NEAR = {"heater": 1.2}
"""Error over that of the best model of the true sides, 1.1 for others: 616 macro steps are six times as long as what
moves the heater remembers."""
WORSE = {"heater": (2, 1.3), "tank": (2, 1.4)}
"""Windows in which a run of the wire was better, and by how much; for others there is none."""
_LONG = pytest.mark.night("a bench of a minute with many macro steps: a minute of CPU each")


def gain(A, B, C, D, frequency):
    return (np.array(C) @ np.linalg.solve(1j * frequency * np.eye(len(A)) - np.array(A), B) + np.array(D)).ravel()


@pytest.mark.landing("an identification: 10 s of CPU")
def test_sides_are_found_by_what_they_were_given_whatever_the_latency(tmp_path):
    h, count = LOOPS["dcmotor"]["macro_step"], 1200
    loaded = load_bench(write_bench("dcmotor", tmp_path, duration=count * h))
    with FmuLibrary() as library:
        one, other = run_plain(loaded, "wire", library, tmp_path / "wire")[0]
    sent, given = ([part[:count, None] for part in parts]
                   for parts in ((one.sent, other.sent), (one.estimate, other.estimate)))  # fmt: skip
    idle = 0.0 * given[0], 0.0 * given[1]
    found = identify_sides(Pieces(*sent, np.ones((count, 1), dtype=bool), h, (given[0], given[1]), idle))
    assert not any(found.doubtful)
    for side, name in zip(found.loops[0].sides, ("a", "b"), strict=True):
        true = [LOOPS["dcmotor"][name][part] for part in "ABCD"]
        for w in (6.0, 20.0):
            assert abs(gain(side.A, side.B, side.C, side.D, w) / gain(*true, w) - 1.0) < 0.35


@pytest.mark.landing("both sides are identified, and a bench of ten minutes or more: 15 s of CPU each")
@pytest.mark.parametrize("name", ["heater", "tank", *(pytest.param(one, marks=_LONG) for one in
                                                      ("dcmotor", "pendulum", "cylinder", "cart"))])  # fmt: skip
def test_what_is_found_on_a_bench_that_nobody_knows_is_near_the_best(name, tmp_path):
    loaded, run, _ = tuned(write_bench(name, tmp_path), tmp_path / "tuned", known=False)
    h, leader = loaded.scenario.macro_step, run.leader
    assert leader.over_at <= Budget.of(h).total
    chosen = run.candidates[leader.tuner.force]
    assert chosen.models
    known = [p for p in proposals(loaded, known_loop(loaded), {"latency_steps": 3})[0] if p.models][:3]
    settings = [(one, one, {}) for one in ("wire", "auto")] + [(chosen.name, chosen.algorithm, chosen.models)]
    settings += [(f"known {one.name}", one.algorithm, one.models) for one in known]
    courses = courses_by_hand(loaded, settings, tmp_path / "hand")
    hand = {key: rms_of(one) for key, one in courses.items()}
    assert hand[chosen.name] <= NEAR.get(name, 1.1) * min(hand.values())
    assert hand[chosen.name] < 0.9 * min(hand["wire"], hand["auto"]), "what needs no model"
    ours = windows_of(errors_of(loaded, solve_reference(loaded), run.records), h)
    theirs = windows_of(courses["wire"], h)
    worse, (count, most) = np.flatnonzero(ours > 1.0001 * theirs), WORSE.get(name, (0, 1.0))
    assert len(worse) <= count
    assert np.all(ours[worse] <= most * theirs[worse])


def dry(path, folder, identify):
    """Return a dry run of a bench whose sides `identify` is to find, with two algorithms to try."""
    loaded = load_bench(path)
    first = Candidate("before", loaded.scenario.algorithms[0])

    def propose(ages, lost):
        return [Candidate(name, name) for name in ("zoh", "auto")]

    return DryBench(loaded, first, shells(loaded), propose, folder, identify=identify, to_the_end=False).tune()


@pytest.mark.landing("a minute of a bench on a clock that waits: 10 s of CPU")
def test_where_nothing_is_identified_the_list_is_tried(tmp_path):
    heard = []
    run = dry(write_bench("cart", tmp_path), tmp_path / "tuned", lambda rows: heard.append(rows))
    (rows,) = heard
    budget, sent = Budget.of(0.02), run.records[0].sent
    assert {one.shape[1] for one in rows.values()} == {4, 5}  # values, then value and slope of what was given
    asked = np.flatnonzero((sent[:, 0] == rows["left"][-1, 0]) & (sent[:, 1] == rows["left"][-1, 1]))
    assert asked == pytest.approx(budget.record + patience(budget, 0.02), abs=20)
    assert np.array_equal(rows["left"][:, :2], sent[asked[0] + 1 - len(rows["left"]) : asked[0] + 1])
    assert [trial.name for trial in run.leader.trials] == ["auto"]
    assert not any(tuner.was_identified for tuner in run.tuners)


@pytest.mark.landing("a minute of a bench on a clock that waits: 10 s of CPU")
def test_nobody_waits_for_a_longer_recording_where_the_signals_grow(tmp_path):
    heard = []
    run = dry(write_bench("shaft3", tmp_path), tmp_path / "tuned", lambda rows: heard.append(rows))
    h = LOOPS["shaft3"]["macro_step"]
    assert not heard
    begun = run.leader.trials[0].begun if run.leader.trials else run.leader.over_at * h
    assert begun < (Budget.of(h).record + patience(Budget.of(h), h)) * h + 2.5


@pytest.mark.parametrize("h", [0.002, 0.005, 0.02, 0.1, 0.5, 1.0])
def test_a_longer_recording_leaves_room_for_two_trials(h):
    budget = Budget.of(h)
    longer = budget.record + patience(budget, h)
    assert budget.record < longer <= RECORDED
    assert longer + round(IDENTIFYING / h) <= latest(budget)
    whole = budget.lead + budget.shadow + budget.trial + budget.window
    assert latest(budget) + budget.lead + budget.shadow + 6 * budget.window + whole <= budget.total


@pytest.mark.parametrize(("course", "grows"), [(np.sin, False), (lambda t: np.exp(0.1 * t) * np.sin(t), True)])
def test_what_grows_is_told_from_what_swings(course, grows):
    lanes = SimpleNamespace(truths=[SimpleNamespace(value=value) for value in course(np.arange(0.0, 60.0, 0.2))])
    assert is_growing([lanes]) == grows


class Heard(Transport):
    """A carrier of which the test says what has come."""

    def __init__(self):
        self.arrived = []

    def send(self, datagram):
        pass

    def receive(self):
        found, self.arrived = self.arrived, []
        return found

    def close(self):
        pass


def test_what_both_sides_say_is_kept_and_what_was_lost_lies_between():
    inner = Heard()
    worded = Worded(inner, "left", 7, kept=True)
    worded.tuner = SimpleNamespace(word=Word(), hear=lambda word: None)
    for n in range(6):
        worded.send(pack(Message(VALUES, 0, 7, 1, n, blocks=((0.1 * n, 1.0 * n, 5.0, 0.0),))))
        if n not in (0, 2, 3):
            inner.arrived.append(pack(Message(VALUES, 1, 7, 1, n, blocks=((0.1 * n, 10.0 * n, 6.0, 0.5),))))
    worded.receive()
    rows = side_by_side(dict(zip(SIDES, worded.blocks, strict=True)), 0.1)
    assert rows["left"][:, 0].tolist() == pytest.approx([0.0, 1.0, 2.0, 3.0, 4.0, 5.0])
    assert rows["right"][:, 0].tolist() == pytest.approx([10.0, 10.0, 20.0, 30.0, 40.0, 50.0])
    assert np.array_equal(rows["right"][:, 1:], np.tile([6.0, 0.5], (6, 1)))


def test_two_machines_have_the_same_lanes_whatever_each_finds():
    model = SimpleNamespace()
    common = [Candidate("wire", "wire"), Candidate("auto", "auto")]
    own = [Candidate("model, slow", "model", {"left": model}, 0.1), Candidate("model", "model", {"left": model}, 0.2),
           Candidate("auto", "auto", {}, 0.3)]  # fmt: skip
    assert [(one.name, one.expected) for one in same_lanes(common, own, True)] == [
        ("wire", float("inf")), ("auto", 0.3), (OWN, 0.1)
    ]  # fmt: skip
    assert [one.name for one in same_lanes(common, own, False)] == ["wire", "auto", "model, slow", "model"]


def test_a_rehearsal_begins_with_what_signals_start_with():
    """What a model takes of another signal is none of it."""
    inputs = {"s": ("y", "y_time", "companion[1]"), "v": ("y", "y_time", "companion[1]")}
    told = {"s": {"companion[1]": (0, 2)}, "v": {"companion[1]": (0, 1)}}
    assert Inbox(inputs, ("s", "v"), {"s": 0.5, "v": -2.0}, told=told).blank == (0.5, -2.0)


def ticker(order, heard, n, own=4, senders=SIDES):
    """Return the plan that the left side goes by at macro point `n`, when it has `heard` a phase of the right one."""
    tuner = SimpleNamespace(budget=Budget.of(0.01), heard=Word(NOTHING, heard))
    reader = SimpleNamespace(order=order, plain=[(2, "zoh", 1.0)], own=own)
    return Ticker(None, SimpleNamespace(tuner=tuner), reader, {}, None, None, None, senders).answer(n)


def test_the_left_side_waits_for_the_right_one_and_knows_what_it_has():
    order = [(4, OWN, 0.1), (3, "auto", 0.2)]
    late = latest(Budget.of(0.01))
    assert ticker(order, THINKING, 100) is None
    assert ticker(None, INFORMED, 100) is None
    assert ticker(order, INFORMED, 100) == order
    assert ticker(order, 2, 100) == order[1:]  # it found no model
    assert ticker(order, THINKING, late) == [(2, "zoh", 1.0)]
    assert ticker(order, 0, 100, senders=SIDES[:1]) == order  # both run here


def test_the_right_side_says_whether_it_still_thinks():
    said = []
    for order, own, key in ((None, 0, NOTHING), ([], 5, NOTHING), ([], 0, NOTHING), ([], 5, 3)):
        tuner = SimpleNamespace(heard=Word(key), word=Word(key, 2))
        one = Ticker(None, Follower(tuner), SimpleNamespace(order=order, own=own), {}, None, None, None, SIDES)
        one._tell()
        said.append(tuner.word.phase)
    assert said == [THINKING, INFORMED, 2, 2]


ALONE = """
import pickle, sys
from pathlib import Path
from couplant.bench import load_bench
from couplant.bench.tune.live import tune_live
from couplant.bench.tune.sides import Candidate
from couplant.sweep.for_bench import shells

if __name__ == "__main__":
    path, found, side, listen, peer, folder = sys.argv[1:]
    loaded, rows, heard = load_bench(path), pickle.loads(Path(found).read_bytes()), {}
    plain = lambda ages, lost: [Candidate(name, name) for name in ("zoh", "auto")]
    identify = lambda said: (heard.update(said), lambda ages, lost: rows)[1]
    reach = side, listen, peer, False
    one = tune_live(loaded, shells(loaded), plain, Path(folder), lambda *_: None, False, reach, identify)
    tried = [(trial.name, trial.begun) for trial in one.trials] if one else []
    print(repr((sorted(heard), tried)))
"""


@pytest.mark.landing("a minute in real time")
def test_on_two_machines_each_gives_its_prototype_a_model_of_its_own(tmp_path):
    path = write_bench("cart", tmp_path)
    loaded = load_bench(path)
    rows, _ = proposals(loaded, known_loop(loaded), {"latency_steps": 1})
    candidates = [Candidate(one.name, one.algorithm, one.models, one.expected) for one in rows]
    found, script = tmp_path / "found.pickle", tmp_path / "alone.py"
    found.write_bytes(pickle.dumps(candidates))
    script.write_text(ALONE, encoding="utf-8")
    free = [socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in SIDES]
    for one in free:
        one.bind(("127.0.0.1", 0))
    ends = [f"127.0.0.1:{one.getsockname()[1]}" for one in free]
    for one in free:
        one.close()
    processes = []
    for side, listen, peer in zip(SIDES, ends, ends[::-1], strict=True):
        (tmp_path / side).mkdir()
        line = [sys.executable, script, path, found, side, listen, peer, tmp_path / side]
        processes.append(Started([*map(str, line)], stdout=subprocess.PIPE, text=True))
    left, right = (process.communicate()[0] for process in processes)
    assert [process.returncode for process in processes] == [0, 0]
    (heard, tried), idle = ast.literal_eval(left), ast.literal_eval(right)
    assert (sorted(SIDES), []) == idle
    assert heard == sorted(SIDES)
    name, begun = tried[0]
    assert name == OWN or begun >= latest(Budget.of(0.02, lead=LEAD)) * 0.02  # where the machine is too busy
