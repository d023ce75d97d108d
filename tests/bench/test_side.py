"""Two sides and a relay in virtual time: closed loop, account of the network, a side that vanishes."""

import json
import random
import time
from itertools import product

import numpy as np
import pytest

from couplant.base.errors import CouplantError
from couplant.base.style import WIRE
from couplant.bench import load_bench
from couplant.bench.handshake import Agreement
from couplant.bench.side import Side
from couplant.config.network import RelayTable
from couplant.report.headline import headline
from tests.bench.virtual import SCENARIO, Bench, Wire, solve_reference

NO_WIRE = "wire=false"


def relay(**more):
    return RelayTable(**{"latency": 0.02, "jitter": 0.01, "loss": 0.02, **more})


@pytest.mark.sample(1)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_irregular_ages_keep_the_loop_stable_where_hold_does_not(bench, reference, seed):
    zoh, irregular = bench.judged(["zoh", "irregular"], reference, relay=relay(seed=seed)).result.runs
    assert zoh.metrics["growth"] > 1.5
    assert irregular.metrics["growth"] < 1.0
    assert irregular.metrics["mae"] < 0.01 * zoh.metrics["mae"]


def test_reordered_doubled_and_lost_messages_are_counted_as_the_relay_told_them(bench, reference):
    result = bench.judged(["irregular"], reference, relay=relay(reorder=0.1, duplicate=0.1))
    assert result.result.runs[0].metrics["growth"] < 1.0
    for direction in result.directions[0]:
        counts, told = direction.counts, direction.told
        assert told["taken"] == counts["sent"] == 2001
        assert min(told["lost"], told["reordered"], told["duplicated"]) > 20
        missing = 2001 - counts["arrived"] - told["lost"]
        assert 0 <= missing <= 6, "what is under way at the end"
        assert told["lost"] - 3 <= counts["lost"] <= told["lost"] + 3
        assert told["duplicated"] - 3 <= counts["doubled"] <= told["duplicated"]
        assert counts["overtaken"] >= told["reordered"] - 3


def test_without_jitter_the_measured_latency_is_the_set_one(bench, reference):
    result = bench.judged(["eros3"], reference, relay=relay(jitter=0.0, loss=0.0))
    for direction in result.directions[0]:
        assert np.allclose(direction.measured, 0.02, rtol=0, atol=1e-9)
        assert (direction.counts["lost"], direction.counts["overtaken"], direction.counts["doubled"]) == (0, 0, 0)


@pytest.mark.parametrize(("effort", "share"), [(0.0019, 0.0), (0.0021, 1.0)])
def test_a_step_is_late_if_its_values_leave_late(bench, reference, effort, share):
    (paces,) = bench.judged(["zoh"], reference, effort=effort).paces
    assert paces[0].share == share
    assert np.allclose(paces[0].begun, 0.0)


def test_equal_seeds_give_equal_runs(bench):
    first, second = (bench.run("irregular", relay=relay(seed=5))[0] for _ in range(2))
    other = bench.run("irregular", relay=relay(seed=6))[0]
    for one, two in zip(first, second, strict=True):
        assert np.array_equal(one.estimate, two.estimate)
    assert not np.array_equal(first[0].estimate, other[0].estimate)


def test_a_side_goes_on_to_its_own_end_when_the_other_vanishes(bench):
    (left, right), _ = bench.run("irregular", silent_after=900)
    state = left.status[:, 0, 1]
    assert np.isfinite(left.done).all()
    assert np.isfinite(left.estimate).all()
    assert state[900] == 2
    assert (state[910:960] == 3).all()
    assert (state[980:] == 4).all()
    assert np.ptp(left.estimate[910:]) == 0.0
    assert np.isnan(right.done[901:]).all()


def test_lost_values_come_with_the_next_message(library, tmp_path, reference):
    with_repeats = Bench(library, tmp_path / "three")
    alone = Bench(library, tmp_path / "one", "bench.repeat=1")
    runs = [b.judged(["eros4"], reference, relay=relay(loss=0.1)).result.runs[0] for b in (with_repeats, alone)]
    assert runs[0].metrics["C"] < 0.3 * runs[1].metrics["C"]


def test_step_timing_runs_too(bench, reference):
    zoh, irregular = bench.judged(["zoh", "irregular"], reference, timing="step").result.runs
    assert irregular.timing == "step"
    assert irregular.metrics["mae"] < 0.05 * zoh.metrics["mae"]


def test_values_that_repeat_reach_the_fmu_once(bench):
    made = bench.workshops[0].make("irregular", "event")
    assert {"f.y[2]", "f.y[3]", "f.y_time[3]", "f.y_valid[3]"} <= set(made.inbox.ports)
    assert "f.y[4]" not in made.inbox.ports


def test_round_trip_stamps_need_no_common_clock(library, tmp_path, reference):
    bench = Bench(library, tmp_path, "coupling.latency.mode='round_trip'")
    assert "f.y_echo" in bench.workshops[0].make("irregular", "event").inbox.ports
    zoh, irregular = bench.judged(["zoh", "irregular"], reference).result.runs
    assert irregular.metrics["mae"] < 0.1 * zoh.metrics["mae"]


def test_the_plain_wire_hands_on_what_has_arrived(bench, reference):
    """In event timing that is what ZOH gives; in step timing ZOH is a step older, the wire is not."""
    jump = relay(reorder=0.1, duplicate=0.1)
    wire, zoh = bench.judged([WIRE, "zoh"], reference, relay=jump).result.runs
    stepped, older = bench.judged([WIRE, "zoh"], reference, relay=jump, timing="step").result.runs
    assert (wire.algorithm, wire.label) == (WIRE, "wire")
    assert wire.metrics["growth"] > 1.5 and wire.verdict == "unstable"
    assert older.metrics["mae"] > 1.5 * stepped.metrics["mae"]
    for name, trace in wire.traces.items():
        assert trace.estimate.tobytes() == zoh.traces[name].estimate.tobytes()
        assert trace.estimate.tobytes() == stepped.traces[name].estimate.tobytes()
        first = np.isfinite(trace.received).argmax()
        assert 0 < first < 10 and np.array_equal(trace.estimate[first:], trace.received[first:])
        assert not any(part.any() for part in (trace.active, trace.state, trace.detected, trace.limited))
        assert trace.offset == 0.0


def test_what_is_best_is_told_against_the_plain_wire(bench, reference):
    found = bench.judged([WIRE, "irregular"], reference).result
    assert [run.algorithm for run in found.ranked("event")] == ["irregular", WIRE]
    assert "the plain wire" in headline(found).lower()


def test_a_side_with_a_wire_has_no_coupling_fmu(bench):
    left, right = (shop.make(WIRE, "event") for shop in bench.workshops)
    assert set(left.wiring.components) == {"inbox", "left"} and set(right.wiring.components) == {"inbox", "right"}
    assert left.status == right.status == []
    assert sorted(right.inbox.ports) == ["v1.newest", "x1.newest"]


def test_a_wire_begins_with_the_start_and_is_judged_with_the_lag_of_the_signal(library, tmp_path, reference):
    changes = ("coupling.start=0.25", "coupling.latency.offset=0.01", "duration=1.0")
    bench = Bench(library, tmp_path, *changes)
    (run,) = bench.judged([WIRE], solve_reference(bench.loaded)).result.runs
    assert all(trace.estimate[0] == 0.25 and trace.offset == 0.01 for trace in run.traces.values())


def test_a_wire_runs_first_unless_it_is_named_or_not_wanted():
    for words, names in (
        ((), [WIRE, "irregular"]),
        ((NO_WIRE,), ["irregular"]),
        (("algorithms=['zoh', 'wire']",), ["zoh", WIRE]),
        (("algorithms=['wire']", NO_WIRE), [WIRE]),
    ):
        scenario = load_bench(SCENARIO, words).scenario
        assert scenario.cases == [("event", name) for name in names]
    plain, without = (load_bench(SCENARIO, words).scenario.fingerprint() for words in ((), (NO_WIRE,)))
    assert plain != without, "both sides must run the same"


C1, C2, CC, D1, D2 = 4.0, 40.0, 8.0, 0.02, 0.002
MODELS = {
    "models.one.A": [[0.0, 1.0], [-C1, -D1]],
    "models.one.B": [[0.0], [1.0]],
    "models.one.C": [[1.0, 0.0], [0.0, 1.0]],
    "models.one.inputs": ["f"],
    "models.one.outputs": ["x1", "v1"],
    "models.two.A": [[0.0, 1.0], [-10.0 * (C2 + CC), -10.0 * (D2 + D2)]],
    "models.two.B": [[0.0, 0.0], [10.0 * CC, 10.0 * D2]],
    "models.two.C": [[CC, D2]],
    "models.two.D": [[-CC, -D2]],
    "models.two.disturbance": [0.0, 10.0],
    "models.two.inputs": ["x1", "v1"],
    "models.two.outputs": ["f"],
}
"""What each side of the example knows of the other one."""


@pytest.fixture(scope="module")
def modelled(library, tmp_path_factory):
    words = [f"{key}={json.dumps(value)}" for key, value in MODELS.items()]
    more = [f"models.{name}.{text}" for name in ("one", "two") for text in ("order=2", "drive=100.0", "noise=[0.01]")]
    return Bench(library, tmp_path_factory.mktemp("modelled"), *words, *more, "coupling.latency.coast_steps=24")


@pytest.mark.landing("two sides in real time")
@pytest.mark.sample(1)
@pytest.mark.parametrize(("latency", "timing"), [(0.03, "event"), (0.15, "event"), (0.15, "step")])
def test_messages_carry_what_a_model_needs(modelled, latency, timing):
    """At 15 macro steps EROS3 and `auto` end with 32 and 3.1, and the model with 8.8 where messages tell no echo."""
    reference = solve_reference(modelled.loaded)
    line = relay(latency=latency, jitter=0.0, loss=0.0)
    (run,) = modelled.judged(["model"], reference, relay=line, timing=timing).result.runs
    assert run.metrics["growth"] < 1.0
    assert run.metrics["mae"] < {(0.03, "event"): 0.015, (0.15, "event"): 0.06, (0.15, "step"): 0.11}[latency, timing]


def test_a_wire_carries_the_messages_that_models_have(modelled):
    """All runs of a bench have the same layout of messages."""
    made = [shop.make(WIRE, "event") for shop in modelled.workshops]
    assert (made[0].width, made[1].width) == (1 + 2 * 2, 2 + 2 * 1)
    (left, _), _ = modelled.run(WIRE, relay=relay(jitter=0.0, loss=0.0))
    assert left.counts["foreign"] == 0 and len(left.messages) > 1900


def test_a_side_is_told_what_the_other_one_was_given(modelled):
    made = [shop.make("model", "event") for shop in modelled.workshops]
    assert {"f.given[1]", "f.given[2]", "f.given_slope[2]"} <= set(made[0].inbox.ports)
    assert {"x1.companion[1]", "x1.given[1]", "v1.given_slope[1]"} <= set(made[1].inbox.ports)
    assert (made[0].width, made[1].width) == (1 + 2 * 2, 2 + 2 * 1)


def test_blocks_of_earlier_steps_tell_what_it_was_given_then(modelled):
    made = [shop.make("model", "event").inbox for shop in modelled.workshops]
    places = {put.port: (put.place, put.column) for inbox in made for put in inbox.puts}
    for signal, inputs in {"f": 2, "x1": 1, "v1": 1}.items():
        for i, (place, key) in product(range(1, inputs + 1), product((1, 2), ("given", "given_slope"))):
            taker = f"{signal}.earlier_{key.rpartition('_')[2]}[{(place - 1) * inputs + i}]"
            assert places[taker] == (place, places[f"{signal}.{key}[{i}]"][1])
    assert [places[f"x1.{key}"] for key in ("companion[1]", "earlier_companion[1]", "earlier_companion[2]")] == [
        (place, places["v1.y"][1]) for place in range(3)
    ]


@pytest.mark.landing("two sides in real time")
def test_messages_that_are_lost_cost_a_model_little(modelled):
    reference = solve_reference(modelled.loaded)
    lines = (relay(latency=0.08, jitter=0.0, loss=loss) for loss in (0.0, 0.3))
    quiet, lossy = (modelled.judged(["model"], reference, relay=line).result.runs[0].metrics for line in lines)
    assert lossy["growth"] < 1.0 and lossy["mae"] < 1.3 * quiet["mae"]


def latencies(record):
    """Return the latencies that the coupling FMUs of a side see, without its first and last step [s]."""
    stamp, _, arrived = record.messages.T
    h = 0.01
    return h * np.ceil(np.maximum(arrived - stamp, 0.0) / h - 1e-6)[1:-1]


def test_grids_that_are_shifted_share_the_latency_unevenly(library, tmp_path):
    shifted = Bench(library, tmp_path, "bench.shift=0.013", "duration=4.0")
    quiet = relay(latency=0.032, jitter=0.0, loss=0.0)
    result = shifted.judged(["zoh", "eros3"], solve_reference(shifted.loaded), relay=quiet)
    for one, shift in zip(result.directions[0], (0.013, -0.013), strict=True):
        assert np.allclose(one.measured, 0.032, rtol=0, atol=1e-9)
        assert one.shift == pytest.approx(shift)
        assert np.allclose(one.age - one.shift, 0.032 - shift, rtol=0, atol=1e-9), "what the coupling FMUs see"
    assert "began 13.0 ms after the left one" in result.shift_text
    zoh, eros3 = result.result.runs
    assert eros3.metrics["mae"] < 0.3 * zoh.metrics["mae"]


def test_the_right_side_starts_when_the_first_message_arrives(library, tmp_path):
    one_by_one = Bench(library, tmp_path, "bench.start='on_arrival'", "duration=4.0")
    quiet = relay(latency=0.032, jitter=0.0, loss=0.0)
    (left, right), _ = one_by_one.run("eros3", relay=quiet)
    assert right.shift == pytest.approx(0.032 + 0.002)
    assert np.all(latencies(right) == 0.0), "the grid of the right side lies as much later as a message takes"
    assert np.allclose(latencies(left), 0.07), "the left one sees the round trip"
    assert np.array_equal(right.estimate[:-8], left.sent[:-8]), "there is nothing to make up for"


def test_a_lost_first_message_does_not_move_the_start(library, tmp_path):
    bench = Bench(library, tmp_path, "bench.start='on_arrival'", "duration=0.5")
    seed = next(filter(first_is_lost, range(100)))
    (_, right), _ = bench.run("eros3", relay=relay(latency=0.032, jitter=0.0, loss=0.2, seed=seed))
    assert right.messages[0, 0] > 0.0, "the first one is lost"
    assert right.shift == pytest.approx(0.034)


def test_a_message_to_start_with_that_does_not_come_is_told(library, tmp_path):
    bench = Bench(library, tmp_path, "bench.start='on_arrival'", "bench.connect=0.05")
    silent = Wire(None, time.perf_counter)
    with Side(bench.workshops[1].make("zoh", "event"), bench.loaded.scenario, silent) as side:
        side.begin(Agreement(7, 0.0))
        with pytest.raises(CouplantError, match=r"^no message to start with from the other side within 0.05 s\.$"):
            side.run()


def first_is_lost(seed):
    """Tell whether the relay loses the first message of the left side."""
    chance = random.Random(f"{seed}/0")
    return [chance.random() for _ in range(3)][2] < 0.2
