"""Two sides and a relay in virtual time: closed loop, account of the network, a side that vanishes."""

import numpy as np
import pytest

from couplant.config.network import RelayTable
from tests.bench.virtual import Bench


def relay(**more):
    return RelayTable(**{"latency": 0.02, "jitter": 0.01, "loss": 0.02, **more})


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
