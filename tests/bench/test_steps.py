"""Steps in C have the bits of those in Python; how long a step takes is told, and a run that does not fit ends."""

import random
from dataclasses import replace

import numpy as np
import pytest

from couplant.base.errors import CouplantError
from couplant.bench import load_bench, steps
from couplant.bench.handshake import Agreement
from couplant.bench.message import VALUES, Message, pack
from couplant.bench.record import Pace, StepTime
from couplant.bench.runner import rehearse
from couplant.bench.side import Side
from tests.bench.virtual import SCENARIO, START, Bench, Clock, Wire

RUN = 7


class Fed(Wire):
    """Brings what it is told to; keeps what is sent."""

    def __init__(self):
        super().__init__(None, None)
        self.sent = []

    def send(self, datagram):
        self.sent.append(datagram)


def arrivals(scenario, seed, count):
    """Return datagrams by step: late, overtaken, doubled, lost, changed, foreign, or too many at once."""
    chance, found, blocks = random.Random(seed), [[] for _ in range(count)], []
    for n in range(count):
        blocks = [(n * scenario.macro_step, chance.gauss(0, 1), chance.gauss(0, 1)), *blocks][:3]
        echo = (n - 5) * scenario.macro_step
        message = Message(VALUES, 0, scenario.fingerprint(), RUN, n, n * 0.01, echo, 0.0, tuple(blocks))
        whole = pack(message)
        cut, bad = chance.randrange(len(whole)), pack(message._replace(sent=float("inf")))
        odd = [whole[:cut], whole[:cut] + b"\xff" + whole[cut + 1 :], bad, b"", pack(message._replace(run=8))]
        odd += [pack(message._replace(sequence=count + 9)), pack(message._replace(sender=1)), whole]
        for datagram in [whole, *chance.sample(odd, chance.choice([0, 0, 1, 2]))]:
            if chance.random() > 0.05 and n + 12 < count:
                found[n + chance.choice([0, 1, 2, 2, 3, 11])].append(datagram)
    return found


def replayed(bench, algorithm, seed, timing="event"):
    """Return what the right side recorded and sent when datagrams arrive as a seed says."""
    clock, wire = Clock(), Fed()
    with Side(bench.workshops[1].make(algorithm, timing), bench.loaded.scenario, wire, clock) as side:
        side.begin(Agreement(RUN, START))
        for n, datagrams in enumerate(arrivals(bench.loaded.scenario, seed, side.count + 1)):
            clock.now = side.due(n)
            wire.arrived += datagrams
            side.step(n)
        return side.record(), wire.sent


@pytest.fixture(scope="module")
def short(library, tmp_path_factory):
    return Bench(library, tmp_path_factory.mktemp("short"), "duration=4.0")


@pytest.mark.parametrize(("algorithm", "timing"), [("irregular", "event"), ("eros3", "step"), ("wire", "event")])
def test_the_same_arrivals_have_the_same_bits_in_c_and_in_python(short, monkeypatch, algorithm, timing):
    record, sent = replayed(short, algorithm, 4, timing)
    monkeypatch.setattr(steps, "is_native", lambda components: False)
    again, sent_again = replayed(short, algorithm, 4, timing)
    for name in ("sent", "received", "estimate", "status", "messages"):
        assert getattr(record, name).tobytes() == getattr(again, name).tobytes(), name
    assert sent == sent_again and len(sent) == 401
    assert record.counts == again.counts
    assert all(record.counts[name] for name in ("lost", "doubled", "overtaken", "foreign", "truncated", "not_finite"))
    assert np.ptp(record.estimate) > 0.1


def test_a_value_out_of_all_bounds_ends_the_run_in_both(short, monkeypatch):
    found = []
    for _ in range(2):
        monkeypatch.setattr(steps, "DIVERGED", 1e-3)
        record, sent = replayed(short, "zoh", 1)
        found.append((record.sent.tobytes(), len(sent)))
        monkeypatch.setattr(steps, "is_native", lambda components: False)
    assert found[0] == found[1] and found[0][1] < 401


def test_a_rehearsal_tells_how_long_a_step_takes_and_leaves_no_trace(short):
    made, ticks = short.workshops[1].make("irregular", "event"), iter(np.arange(1e6) * 1e-3)
    takes = rehearse(made, short.loaded.scenario, lambda: float(next(ticks)))
    assert 2e-3 < takes.sending < takes.usual <= takes.longest < 1e-2, "a look at the clock takes a millisecond here"
    assert made.inbox.newest_stamp < -1e300
    none = short.loaded.scenario.model_copy(update={"bench": short.loaded.scenario.bench.model_copy()})
    none.bench.__dict__["rehearsal"] = 0
    assert rehearse(made, none, lambda: 0.0) is None


@pytest.mark.parametrize(
    ("takes", "sentence"),
    [
        (StepTime(0.0033, 0.02, 0.0001), "need 3.3 ms of 1 ms"),
        (StepTime(0.0008, 0.02, 0.00035), "need 0.35 ms until values leave, of 0.2 ms after which they are late"),
        (StepTime(0.0008, 0.02, 0.00015), ""),
    ],
)
def test_what_does_not_fit_is_told_in_figures(takes, sentence):
    assert takes.shortage(0.001, 0.0002) == sentence


def test_a_side_whose_steps_do_not_fit_ends_with_the_figures(short):
    with Side(short.workshops[1].make("zoh", "event"), short.loaded.scenario, Fed(), Clock()) as side:
        side.check_fit(StepTime(0.0099, 0.02, 0.0019))
        with pytest.raises(CouplantError, match=r"^1 signal sent and 2 received at 100 Hz need 33 ms of 10 ms\.$"):
            side.check_fit(StepTime(0.033, 0.05, 0.0001))


class Slow(Clock):
    """A clock by which each look takes time."""

    def __call__(self):
        self.now += 0.004
        return self.now


def test_overload_in_a_run_ends_it_long_before_its_end(short):
    scenario = load_bench(SCENARIO, ["duration=60.0"]).scenario
    with Side(short.workshops[1].make("zoh", "event"), scenario, Fed(), Slow()) as side:
        side.begin(Agreement(RUN, START))
        with pytest.raises(CouplantError, match=r"need 12 ms of 10 ms, in the last \d00 steps up to t = ") as error:
            side.run()
    assert float(str(error.value).split("t = ")[1].split(" s")[0]) < 20.0


def test_late_steps_are_counted_by_cause():
    n, ms = 10, 1e-3
    quick = np.full(n, 0.1 * ms)
    begun, done, ended, busy = np.zeros(n), quick.copy(), quick.copy(), quick.copy()
    begun[2], done[2] = 0.9 * ms, 1.0 * ms  # woken late
    done[4] = ended[4] = 0.7 * ms  # interrupted: the processor did something else
    done[6], ended[6], busy[6] = 0.1 * ms, 1.8 * ms, 1.8 * ms  # took longer than its period,
    begun[7], done[7], ended[7] = 0.8 * ms, 0.9 * ms, 0.9 * ms  # so the next one was late
    done[9] = np.nan
    pace = Pace("left", begun, done, ended, busy, ms, 0.2 * ms)
    assert pace.causes == pytest.approx({"own": 0.1, "held": 0.2, "never": 0.1})
    assert pace.share == pytest.approx(0.4)
    assert replace(pace, late=2 * ms).causes == pytest.approx({"own": 0.0, "held": 0.0, "never": 0.1})
