"""Both runtimes through the same seeded accidents: equal values and equal state, bit for bit."""

import math
import random

import pytest

from couplant.pack.settings import runtime_settings
from couplant_runtime.algorithms import BY_NAME, NAMES
from couplant_runtime.generated.constants import CAREFUL
from couplant_runtime.generated.events import BAD_CONJUGATE, CREATES_ENERGY, OVERDRAWN, QUALITY_TOTAL
from couplant_runtime.generated.numbers import BLOCKS
from tests.kernel.library import needs_compiler
from tests.runtime.runs import interface
from tests.twin.answers import run_answers
from tests.twin.bonds import run_bond
from tests.twin.clocks import run_clock, run_faults
from tests.twin.derivatives import run_derivatives
from tests.twin.pair import Pair
from tests.twin.plants import run_plants
from tests.twin.scenario import neural_settings, run, run_extreme, run_into_errors, run_into_noise
from tests.twin.waves import run_waves

pytestmark = needs_compiler

RUNS = 30
SEEDS = range(20)
STEPS = 230
ENOUGH = 100_000


@pytest.mark.sample(4, rest="night")
@pytest.mark.landing("long random runs of both runtimes: 13 s of CPU each")
@pytest.mark.parametrize("seed", SEEDS)
def test_random_runs_agree(seed):
    assert sum(run(seed * RUNS + i, STEPS).steps for i in range(RUNS)) > ENOUGH / len(SEEDS)


@pytest.mark.sample(1)
@pytest.mark.parametrize("seed", SEEDS)
def test_values_of_any_size_and_calls_in_any_order_agree(seed):
    assert sum(run_extreme(seed * RUNS + i, 40).steps for i in range(RUNS)) > 0


@pytest.mark.landing("long random runs of both runtimes: 20 s of CPU")
def test_the_runs_reach_every_algorithm_state_and_event():
    seeds = (*range(5000, 5090), 5132, 5264, 5400)  # the last have weights for a latency that they come to
    reached = set().union(*(run(seed, 220).reached for seed in seeds))
    expected = {("active", 0)} | {("active", BY_NAME[name].number) for name in NAMES}
    expected |= {("mode", i) for i in range(1, 5)} | {("taken", i) for i in range(3)}
    expected |= {("event", bit) for bit in range(15)} | {("limited", 0), ("limited", 1)}
    assert expected - reached == set()


@pytest.mark.sample(1)
@pytest.mark.parametrize("seed", range(16))
def test_learning_agrees(seed):
    assert sum(run(seed * 5 + i, 400, neural_settings).steps for i in range(5)) > 1000


@pytest.mark.sample(1)
@pytest.mark.parametrize("seed", range(4))
def test_learning_with_values_of_any_size_agrees(seed):
    assert sum(run_extreme(seed * 20 + i, 60, neural_settings).steps for i in range(20)) > 0


@pytest.mark.landing("long runs of both runtimes")
def test_learning_reaches_every_event():
    reached = set().union(*(run(seed, 600, neural_settings).reached for seed in range(7000, 7010)))
    reached |= run_into_noise(1).reached
    assert {("active", 9), ("event", 16), ("event", 17), ("event", 18)} - reached == set()


def test_holding_the_newest_value_where_weights_harm_agrees_until_they_win_again():
    pair = run_into_noise(3)
    assert {("active", 1), ("event", 15)} <= pair.reached
    assert (pair.state.switching.active, pair.state.neural.harmful) == (9, 0)


@pytest.mark.sample(1)
@pytest.mark.parametrize("seed", range(4))
def test_clocks_that_run_away_agree(seed):
    """Longer than the line through the lowest points remembers; each seed another clock."""
    pair = run_clock(seed, 256 * (BLOCKS + 2))
    assert pair.state.clock.blocks == BLOCKS
    assert pair.state.clock.drift != 0.0


@pytest.mark.sample(1)
@pytest.mark.parametrize("seed", range(6))
def test_clocks_that_are_set_agree(seed):
    assert ("event", 23) in run_faults(seed, 1200).reached


def test_warnings_agree_when_they_begin_and_end():
    pair = run_into_errors(1000, 2)
    assert {("event", 11), ("event", 21)} <= pair.reached
    assert pair.closing() == QUALITY_TOTAL


def test_holding_the_newest_value_where_estimates_harm_agrees():
    assert ("event", 15) in run_into_errors(200, 4).reached


@pytest.mark.sample(4)
@pytest.mark.parametrize("seed", SEEDS)
def test_ends_of_power_bonds_agree(seed):
    assert run_bond(seed, 200).steps == 200


@pytest.mark.landing("many runs of both runtimes: 6 s of CPU")
def test_ends_of_power_bonds_reach_every_grade_and_event():
    runs = [run_bond(seed, 200) for seed in SEEDS]
    expected = {("event", event.bit_length() - 1) for event in (BAD_CONJUGATE, CREATES_ENERGY, OVERDRAWN)}
    assert expected | {("grade", grade) for grade in range(4)} <= set().union(*(run.reached for run in runs))


@pytest.mark.landing("long runs of both runtimes")
def test_phasors_of_periodic_signals_agree():
    runs = [run_waves(seed) for seed in range(16)]
    reached = set().union(*(run.reached for run in runs))
    assert {("followed", 0), ("followed", 1), ("jumped", 0), ("jumped", 1), ("active", 13)} <= reached


@pytest.mark.landing("long runs of both runtimes")
def test_lags_learnt_from_answers_agree():
    runs = [run_answers(seed) for seed in range(16)]
    assert {("followed", 0), ("followed", 1)} <= set().union(*(run.reached for run in runs))
    assert {run.state.follow.gain < 1.0 for run in runs if run.state.parameter.signal_period == 0.0} == {True, False}
    assert sum(run.state.follow.lag != run.state.parameter.latency_offset for run in runs) > 4


@pytest.mark.sample(1)
@pytest.mark.parametrize("part", range(8))
def test_models_of_the_sender_agree(part):
    """With echo and twin, companions or none, late, lost and repeated messages, and numbers of any size."""
    reached = set().union(*(run_plants(5 * part + i, 200).reached for i in range(5)))
    assert {("active", 12), ("taken", 1)} <= reached


@pytest.mark.sample(3)
@pytest.mark.parametrize("seed", range(12))
def test_derivatives_of_the_sender_agree(seed):
    """With weights for one latency or several, with values, derivatives or both lost, and numbers of any size."""
    assert run_derivatives(seed, 200).steps == 200


@pytest.mark.landing("many runs of both runtimes: 4 s of CPU")
def test_derivatives_of_the_sender_reach_what_they_can():
    reached = set().union(*(run_derivatives(seed, 200).reached for seed in range(12)))
    assert {("active", 0), ("active", 2), ("active", 6), ("lost", True), ("lost", False), ("taken", 1)} <= reached


@pytest.mark.landing("long runs of both runtimes")
def test_models_reach_what_they_can():
    reached = set().union(*(run_plants(seed, 160).reached for seed in range(100, 112)))
    assert {("again", True), ("again", False), ("active", 0), ("active", 1), ("active", 12)} <= reached
    assert {("wrong", 0, 1), ("wrong", 1, 1), ("active", 8)} <= reached  # such models fall
    assert {("falls to", 1), ("falls to", 8), ("falls to", 12), ("grown", 1), ("moved", True)} <= reached


def test_a_difference_is_found(monkeypatch):
    monkeypatch.setattr("couplant_runtime.stages.quality.MEMORY", 0.97)
    with pytest.raises(AssertionError, match=r"error_power"):
        for seed in range(20):
            run(seed, 200)


@pytest.mark.parametrize("timing", ["event", "step"])
@pytest.mark.parametrize("jitter", [0, 2])
def test_weights_of_irregular_that_a_loop_does_not_bear_agree(timing, jitter):
    """A tone far above its band makes it careful, then more so; values come late at random."""
    latency = {"mode": "stamps"} if jitter else {}
    pair = Pair(runtime_settings(interface("irregular", 0 if jitter else 5, timing, 0.01, latency=latency), "s"))
    pair.init(0.0)
    chance, patience = random.Random(1), set()
    for n in range(700):
        sent = max(0, n - 5 - chance.randint(0, jitter))
        pair.set("y", math.sin((0.65 if sent > 60 else 0.1) * sent))
        if jitter:
            pair.set("y_time", sent * 0.01)
        assert pair.step(n * 0.01, 0.01)
        patience.add(pair.state.irregular.patience)
    assert {0, CAREFUL, 4 * CAREFUL} <= patience
