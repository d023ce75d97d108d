"""What is worse is taken back, nothing stays when a side or the user leaves, and limits are kept."""

from itertools import pairwise

import numpy as np
import pytest
import tomlkit

from couplant.bench.tune.lanes import FIRST_LANE
from couplant.bench.tune.leader import IN_FORCE, Trial, best_of
from couplant.bench.tune.tuner import Budget, as_byte, from_byte
from tests.bench.tune.benches import tried, write_bench
from tests.sweep.loops import LOOPS


@pytest.fixture(scope="module")
def cart(tmp_path_factory):
    """Return the bench of a cart that 40 s are enough for."""
    return write_bench("cart", tmp_path_factory.mktemp("cart"), duration=40.0)


def given(run, side=0):
    """Return the lane that the prototype of a side has at the end."""
    return run.tuners[side].given


@pytest.mark.parametrize("name", ["cart", "dcmotor"])
def test_what_makes_the_loop_unstable_is_taken_back_within_a_second(name, tmp_path):
    """Theory is said to be sure, so that the shadow does not keep it from the prototypes."""
    path = write_bench(name, tmp_path, duration=700 * LOOPS[name]["macro_step"])
    loaded, run = tried(path, tmp_path / "out", "eros3", certain=True)
    trial = run.leader.trials[0]
    assert trial.verdict.startswith("taken back")
    backs = [time for tuner in run.tuners for time, *_ in tuner.taken_back]
    assert 0.0 < min(backs) - trial.given <= 1.0
    assert (given(run), given(run, 1)) == (FIRST_LANE, FIRST_LANE)
    sent = run.records[0].sent
    n = round(trial.given / loaded.scenario.macro_step)
    assert np.abs(sent[n:]).max() < 3.0 * np.abs(sent[:n]).max()


def test_what_is_worse_on_the_recording_is_not_tried(cart, tmp_path):
    _, run = tried(cart, tmp_path, "eros4")
    assert run.leader.trials == []
    assert run.plan.shadow["eros4"] > 1.0
    assert not any(tuner.taken_back for tuner in run.tuners)


def test_what_is_better_takes_the_place_of_what_was_there(cart, tmp_path):
    _, run = tried(cart, tmp_path, "auto")
    assert run.leader.trials[0].verdict == IN_FORCE
    assert given(run) == given(run, 1) == run.leader.trials[0].key


@pytest.mark.parametrize("after", [3, 400, 700, 800, 1100])
def test_a_side_that_vanishes_leaves_the_other_with_what_was_there_before(cart, tmp_path, after):
    _, run = tried(cart, tmp_path, "auto", "foh", certain=True, silent_after=after)
    assert given(run) == FIRST_LANE
    last = [time for time, _, why in run.tuners[0].taken_back if why == "the other side is silent"]
    budget = Budget.of(0.02)
    assert all(time <= (after + budget.silent + 5) * 0.02 for time in last)


@pytest.mark.parametrize("at", [0, 1, 150, 401, 403, 480, 500, 560, 700, 900, 1400])
def test_the_user_may_stop_at_any_step_and_has_what_was_there_before(cart, tmp_path, at):
    _, run = tried(cart, tmp_path, "auto", "foh", certain=True, stop_at=at)
    assert (given(run), given(run, 1)) == (FIRST_LANE, FIRST_LANE)
    assert all(trial.begun <= at * 0.02 for trial in run.leader.trials)


@pytest.mark.landing("a minute of a bench with five signals: 10 s of CPU")
def test_what_a_trial_has_stirred_up_dies_away_before_the_next_one(tmp_path):
    """None of them is stable in this loop, and the plain wire is: each trial leaves the signals larger."""
    loaded, run = tried(write_bench("pendulum", tmp_path), tmp_path / "out", "smb", "irregular", "foh")
    h, tuner, trials = loaded.scenario.macro_step, run.leader.tuner, run.leader.trials
    assert [trial.verdict.startswith("taken back") for trial in trials] == [True] * 3
    half = tuner.budget.trial // 2
    for lanes in tuner.meter.lanes.values():
        known, values = (np.array(part) for part in zip(*((one.known, one.value) for one in lanes.truths), strict=True))
        most = 2.1 * tuner.meter.sizes["u"]
        for before, trial in pairwise(trials):
            ended, begun = (round(time / h) for time in (before.ended, trial.begun))
            assert values[(known > ended) & (known <= ended + half)].std() > most
            assert values[(known > begun - half) & (known <= begun)].std() < most


@pytest.mark.landing("benches of 14 and 26 s: 5 s of CPU each")
@pytest.mark.parametrize(("name", "duration", "rings"), [("rths", 14.0, True), ("cart", 26.0, False)])
def test_what_rings_to_the_end_was_held_against_little_and_says_so(name, duration, rings, tmp_path):
    """The frame grows for 8 s more before it is calmed; the cart drives about as it likes."""
    _, run = tried(write_bench(name, tmp_path, duration=duration), tmp_path / "out", "auto", takes=8.0)
    assert run.leader.trials[0].verdict == IN_FORCE
    assert run.leader.is_over
    assert run.leader.reason.startswith("signals are still five times as large as recorded") == rings


def test_a_signal_near_its_limits_ends_the_search(tmp_path):
    path = write_bench("cart", tmp_path, duration=20.0, coupling={"output": {"min": -1e-3, "max": 1e-3}})
    _, run = tried(path, tmp_path / "out", "auto", certain=True)
    assert run.leader.trials == []
    assert "is near its limits, -0.001 to 0.001" in run.leader.reason
    assert (given(run), given(run, 1)) == (FIRST_LANE, FIRST_LANE)


def test_a_signal_near_its_limits_on_the_right_ends_the_search_too(tmp_path):
    path = write_bench("cart", tmp_path, duration=20.0)
    bench = tomlkit.parse(path.read_text(encoding="utf-8"))
    bench["signals"]["s"]["coupling"] = {"output": {"min": -1e-3, "max": 1e-3}}
    path.write_text(tomlkit.dumps(bench), encoding="utf-8")
    _, run = tried(path, tmp_path / "out", "auto", certain=True)
    assert run.leader.trials == []
    assert run.leader.is_over
    assert (given(run), given(run, 1)) == (FIRST_LANE, FIRST_LANE)


def test_what_falls_behind_the_search_leaves_both_sides(cart, tmp_path):
    _, run = tried(cart, tmp_path, "foh", certain=True)
    ends = [time for tuner in run.tuners for time, *_ in tuner.taken_back]
    assert min(ends) > run.leader.over_at * 0.02
    assert run.leader.trials[0].verdict.startswith("taken back")
    assert (given(run), given(run, 1)) == (FIRST_LANE, FIRST_LANE)


def test_a_dry_run_is_repeatable(cart, tmp_path):
    first, second = (tried(cart, tmp_path / name, "foh", "auto", certain=True)[1] for name in ("one", "two"))
    assert first.leader.trials == second.leader.trials
    assert all(a.estimate.tobytes() == b.estimate.tobytes() for a, b in zip(first.records, second.records, strict=True))


@pytest.mark.parametrize("ratio", [0.1, 0.5, 0.97, 1.0, 3.0])
def test_a_ratio_passes_as_a_byte(ratio):
    assert from_byte(as_byte(ratio)) == pytest.approx(ratio, rel=0.011)
    assert as_byte(None) == 0
    assert 1 <= as_byte(1e-9) <= as_byte(1e9) <= 255


@pytest.mark.parametrize(("macro_step", "total"), [(0.002, 60.0), (0.05, 60.0), (0.5, 600.0), (1.0, 1200.0)])
def test_the_search_takes_a_minute_or_twelve_hundred_macro_steps(macro_step, total):
    budget = Budget.of(macro_step)
    assert budget.total * macro_step == pytest.approx(total)
    assert budget.window * macro_step <= max(0.25, 10 * macro_step)
    assert budget.record + budget.shadow + budget.trial < budget.total


def trial(key, wire, verdict="not better", ended=10.0):
    return Trial(key, str(key), 0.0, 1.0, ended, 1.0, wire, verdict)


@pytest.mark.parametrize(
    ("trials", "best"),
    [
        ([], 1),
        ([trial(2, 0.5, IN_FORCE)], 2),
        ([trial(2, 0.5, "taken back: ..")], 2),
        ([trial(2, 0.5, "taken back: ..", ended=1.5)], 1),
        ([trial(2, 0.5, IN_FORCE), trial(3, 0.4, "taken back: ..")], 3),
        ([trial(2, 0.5, IN_FORCE), trial(3, 0.6)], 2),
        ([trial(2, 1.2)], 1),
    ],
)
def test_the_best_is_what_erred_least_on_the_whole(trials, best):
    force = next((one.key for one in trials if one.verdict == IN_FORCE), FIRST_LANE)
    assert best_of(trials, force, 2.0) == best
