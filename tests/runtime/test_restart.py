"""Senders that restart, clocks that are set, first stamps that are none: the FMU begins anew, and only then."""

import math

import pytest

from couplant_runtime.generated.constants import LONGEST, STRAYS
from couplant_runtime.generated.events import BEGAN_ANEW
from couplant_runtime.generated.numbers import RUNNING
from couplant_runtime.guard import NO_STAMP
from tests.drivers import PythonDriver
from tests.runtime.faults import BEFORE, LATENCY, MODES, STEP, WITHIN, K, Scene, outcome, rms

NAN = float("nan")
BESIDE = math.nextafter(NO_STAMP, 0.0)
TIMINGS = ("step", "event")
FIRST = (0.0, NAN, 1e308, -1e299, BESIDE, NO_STAMP, -1.0, 0.7)
STRAY_JUMPS = (0.3, 7.0, -0.3, -7.0)
OLD = ((40, 36), (64, 60), (150, 60))
"""Messages of so many steps ago once more, and how many of them."""


@pytest.mark.sample(12)
@pytest.mark.parametrize("timing", TIMINGS)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("jump", [0.5, 10.0, -0.05, -0.5, -10.0])
def test_a_clock_that_is_set_costs_less_than_holding(mode, timing, jump):
    found = outcome(Scene(mode, timing).run(BEFORE), lambda i: jump)
    assert found.steps <= WITHIN
    assert found.error <= 1.5 * found.held
    assert found.origins == 1


@pytest.mark.sample(20)
@pytest.mark.parametrize("timing", TIMINGS)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("first", FIRST)
def test_the_first_stamp_does_not_decide_alone(mode, timing, first):
    assert_first_decides_nothing(mode, timing, first, PythonDriver)


def assert_first_decides_nothing(mode, timing, first, driver):
    """After `WITHIN` good stamps the FMU does what it does without the wrong `first` one."""
    scene, clean = (Scene(mode, timing, driver=driver) for _ in range(2))
    for n in range(K + WITHIN):
        scene.step(replaced=first if n == K else None)
        clean.step()
    assert scene.runs
    for _ in range(40):
        scene.step()
        clean.step()
    assert scene.host.state.latency.steps == clean.host.state.latency.steps
    assert scene.y_hat == pytest.approx(clean.y_hat, abs=1e-9)


@pytest.mark.parametrize("none", [BESIDE, NO_STAMP, -1.1e300])
def test_a_stamp_below_all_times_is_none(none):
    scene = Scene("stamps", "step")
    for _ in range(20):
        scene.step(replaced=none)
    assert not scene.host.state.history.filled
    assert scene.host.state.log.told == 0


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("jump", STRAY_JUMPS)
def test_few_strays_never_move_the_origin(mode, jump):
    assert_few_strays_move_nothing(mode, jump, PythonDriver)


def assert_few_strays_move_nothing(mode, jump, driver):
    """One message less than begins anew, again and again, and the FMU runs on the old origin."""
    scene = Scene(mode, "step", driver=driver)
    for _ in range(100):
        scene.step()
    for _ in range(4):
        for _ in range(STRAYS - 1):
            scene.step(jump)
        for _ in range(12):
            scene.step()
        assert scene.runs
    assert scene.origins == 0


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("jump", STRAY_JUMPS)
def test_strays_among_good_stamps_never_move_the_origin(mode, jump):
    scene = Scene(mode, "step")
    for n in range(400):
        scene.step(jump if n > 30 and n % 3 == 1 else 0.0)
    assert scene.origins == 0
    assert scene.host.state.switching.mode == RUNNING


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("back", "count"), OLD)
def test_old_messages_once_more_never_move_the_origin(mode, back, count):
    assert_old_messages_move_nothing(mode, back, count, PythonDriver)


def assert_old_messages_move_nothing(mode, back, count, driver):
    """`count` messages from `back` steps ago come in place of new ones, then it goes on on the old origin."""
    scene = Scene(mode, "step", driver=driver)
    for _ in range(200):
        scene.step()
    for _ in range(count):
        old = scene.n - K - back
        scene.step(replaced=old * STEP + scene.own, value=scene.value(old * STEP))
    for _ in range(12):
        scene.step()
    assert scene.origins == 0
    assert scene.runs


def test_stamps_that_do_not_agree_begin_nothing():
    scene = Scene("free", "step")
    for n in range(300):
        scene.step(0.0 if n < 100 else (n * 7919 % 101) * 0.5 + 5.0)
    assert scene.origins == 0
    assert scene.host.state.switching.mode > RUNNING


@pytest.mark.parametrize("mode", ["stamps", "resequenced"])
def test_a_clock_that_is_set_right_again_is_right(mode):
    scene = Scene(mode, "step")
    for n in range(600):
        scene.step(3.0 if 100 <= n < 350 else 0.0)
    assert scene.origins == 2
    assert scene.host.state.clock.offset == 0.0
    assert scene.runs


def test_a_clock_that_is_ahead_from_the_start_works_and_is_believed_once_it_is_right():
    scene = Scene("stamps", "step")
    latencies = []
    for n in range(300):
        scene.step(5.0 if n < 150 else 0.0)
        latencies.append(scene.host.state.latency.seconds)
    assert latencies[149] == pytest.approx(0.0)
    assert latencies[299] == pytest.approx(LATENCY)
    assert scene.runs


def test_beginning_anew_is_told():
    scene = Scene("stamps", "step")
    for n in range(200):
        scene.step(3.0 if n >= 100 else 0.0)
    (told,) = [message.msg for message in scene.host.slave.log_queue if "begins anew" in message.msg]
    assert told.endswith("stamps jumped by 3 s: the sender begins anew, its fastest message as late as before")
    assert not scene.host.state.log.events & BEGAN_ANEW
    assert scene.host.get("latency.seconds") == pytest.approx(LATENCY)


def test_a_longer_way_on_which_messages_come_twice_is_no_restart():
    """Two ways, 2 and 6 steps long; the first fails, and the second repeats what is known before it goes on."""
    scene = Scene("stamps", "step")
    for n in range(200):
        now = scene.n
        late = 2 if n < 100 else 6
        scene.step(replaced=(now - late) * STEP, value=scene.value((now - late) * STEP))
    assert scene.origins == 0
    assert scene.host.get("latency.steps") == 6


def test_an_estimated_clock_asks_for_no_wild_lead():
    scene = Scene("free", "step")
    worst = 0
    for n in range(400):
        scene.step(-0.002 * max(n - 100, 0))
        worst = max(worst, scene.host.state.latency.steps if scene.runs else 0)
    assert worst <= K + LONGEST


def test_an_echo_that_is_none_is_not_taken():
    scene = Scene("round_trip", "step")
    scene.step()
    for n in range(40):
        scene.host.set("y_echo", BESIDE)
        scene.host.set("y_time", n * STEP)
        scene.host.set("y", 1.0)
        scene.host.set("y_valid", True)
        scene.host.step(scene.n * STEP, STEP)
        scene.n += 1
    assert scene.host.state.clock.round_trip == 0.0


@pytest.mark.parametrize("mode", ["stamps", "free", "round_trip"])
def test_a_drift_of_fifty_millionths_costs_little(mode):
    """It lifts a lead of 3 macro steps by 0.04 in 8 s: no reason for k = 4 from the first message on."""
    drifting, steady = Scene(mode, "step"), Scene(mode, "step")
    errors = [(drifting.step(-5e-5 * (n - K) * STEP), steady.step()) for n in range(800)][100:]
    assert rms([error for error, _ in errors]) < 1.1 * rms([error for _, error in errors])


@pytest.mark.parametrize("own", [0.0, 1e9, 1e15, -1e17])
def test_stamps_that_resolve_no_macro_steps_do_no_harm(own):
    scene = Scene("free", "step")
    scene.own = own
    for n in range(300):
        scene.step(3e3 if 100 < n < 200 else 0.0)
    assert math.isfinite(scene.y_hat)
