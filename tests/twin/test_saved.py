"""States from files: whatever they hold, both runtimes refuse them with one sentence or go on, and alike."""

import pytest

from couplant_runtime.state import Clock, State
from couplant_runtime.variables import choose
from tests.kernel.library import needs_compiler
from tests.twin.pair import Pair
from tests.twin.saved import MOST, places, run_changed
from tests.twin.scenario import neural_settings, plain_settings, run, some_settings

pytestmark = needs_compiler


@pytest.mark.sample(1)
@pytest.mark.parametrize("make", [some_settings, neural_settings])
@pytest.mark.parametrize("seed", range(4))
def test_changed_states_are_refused_or_harmless(seed, make):
    counts = [run_changed(10 * seed + i, 12, make) for i in range(5)]
    assert sum(refused for refused, _ in counts) > 10
    assert sum(accepted for _, accepted in counts) > 10


@pytest.mark.landing("long random runs of both runtimes: 7 s of CPU each")
@pytest.mark.parametrize("make", [some_settings, neural_settings])
def test_no_state_of_its_own_is_refused(make):
    for seed in range(200, 220):
        for steps in (0, 3, 60):
            pair = run(seed, steps, make)
            pair.running = pair.running or pair.state.grid.n >= 0
            assert pair.restore(pair.save())


def test_time_never_goes_back():
    """A step may begin a little before the last one's end; one that ended before it left a state that was refused."""
    pair = Pair(plain_settings())
    pair.init(0.0)
    assert pair.step(0.0, 0.01)
    before = pair.time
    assert pair.step(before - 5e-9, 1e-9) and pair.time == before
    assert pair.restore(pair.save())
    assert pair.step(before, 0.01) and pair.time == before + 0.01


@pytest.fixture(scope="module")
def filled():
    return grown(Pair(plain_settings()))


def grown(pair):
    pair.set("latency.constant_steps", 2)
    pair.set("algorithm.selected", 4)
    pair.init(0.0)
    for n in range(80):
        pair.set("y", 0.01 * n * n)
        assert pair.step(pair.time, 0.01)
    return pair


def refusal(pair, record, field, value, at=None):
    """Restore the state with one number changed; return what both say, "" if they take it."""
    state = State.copy(pair.state)
    if at is None:
        setattr(getattr(state, record), field, value)
    else:
        getattr(getattr(state, record), field)[at] = value
    kept, said = pair.save(), []
    for restore in (lambda data: pair.restore(data), pair.kernel.restore):
        try:
            done = restore(state.serialise(pair.settings.fingerprint, Clock(0.0, 1, 1)))
            said.append("" if done else "refused")
        except ValueError as problem:
            said.append(str(problem))
    assert pair.restore(kept)
    assert bool(said[0]) == bool(said[1])
    return said[1]


@pytest.mark.parametrize(
    ("record", "field", "value", "at"),
    [
        ("history", "newest", 9 * 10**18, None),
        ("history", "newest", 10**9, None),
        ("history", "marked", 1, 0),
        ("history", "marked", 2, 7),
        ("history", "stamps", 1e300, 5),
        ("latency", "early", -1, None),
        ("latency", "steps", -5, None),
        ("latency", "usual_reach", 66, None),
        ("latency", "usual_lead", float("nan"), None),
        ("clock", "blocks", 9, None),
        ("clock", "doubt", -1, None),
        ("quality", "horizon", 66, 3),
        ("irregular", "next_pattern", 12, None),
        ("switching", "active", 10, None),
        ("switching", "active", 7, None),
        ("switching", "active", 9, None),
        ("switching", "selected_before", 0, None),
        ("switching", "anchor", 10**6, None),
        ("grid", "n", 10**15, None),
        ("grid", "anchor_time", 5.0, None),
        ("grid", "period", 0.0, None),
        ("parameter", "selected", 99, None),
        ("parameter", "latency_mode", 7, None),
        ("parameter", "constant_steps", 65, None),
        ("parameter", "detector", 9, None),
        ("residual", "fits", 13, None),
        ("algorithm", "level", float("inf"), None),
        ("log", "told", -1, None),
    ],
)
def test_what_no_run_can_hold_is_refused(filled, record, field, value, at):
    assert refusal(filled, record, field, value, at)


def test_a_refusal_names_field_value_and_range(filled):
    said = refusal(filled, "history", "newest", 9 * 10**18)
    assert said.startswith("saved state: field history.newest = 9") and "allowed 0 to 1.8" in said


@pytest.mark.parametrize("features", [{}, {"energy": 1}])
def test_every_whole_number_beyond_its_type_of_use_is_refused(features):
    """The largest number that a place holds, in each field that is no pattern to compare with."""
    pair = grown(Pair(plain_settings(choose(features))))
    for record, field, code, count in places(pair.state):
        if code != "d" and (record, field) != ("irregular", "pattern") and record != "debug":
            assert refusal(pair, record, field, MOST[code], None if count == 1 else count - 1), (record, field)


@pytest.mark.parametrize("clock", [Clock(float("nan"), 1, 0), Clock(0.0, 2, 0), Clock(0.0, 1, -1), Clock(0.0, 0, 0)])
def test_a_wrong_clock_is_refused(filled, clock):
    before = filled.state.pack()
    assert not filled.restore(filled.state.serialise(filled.settings.fingerprint, clock))
    assert filled.state.pack() == before
