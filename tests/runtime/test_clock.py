"""Clocks that differ: latency from stamps of the sender's own clock, whatever it does."""

import random
from itertools import pairwise

import pytest

from couplant_runtime.generated.events import RELATIVE_CLOCK
from tests.drivers import PythonDriver
from tests.runtime.runs import coupling, give, interface

STEP = 0.02
DRIFT = 5e-5
OFFSET = -731.5
LATENCY = 0.04
JITTER = 2 * STEP


def drive(seconds, mode, minimum, driver=PythonDriver, seed=1):
    """Return the largest error of the latency after the first second, in macro steps, and the state at the end.

    A sender with a clock 50 ppm too fast sends a ramp; a message takes 2 to 4 steps, some come twice, in disorder,
    or with an impossible stamp.
    """
    chance = random.Random(seed)
    latency = {"mode": mode, "minimum": minimum} | ({"clock": "free"} if mode == "stamps" else {})
    host = driver(interface=interface("zoh", macro_step=STEP, latency=latency))
    state, worst, under_way, arrived = host.state, 0.0, [], 0.0
    for n in range(int(seconds / STEP)):
        now = n * STEP
        late, back = (LATENCY + STEP * chance.randint(0, 2) for _ in range(2))
        under_way.append((now + late - 1e-9, now, now - back))
        here = [message for message in under_way if message[0] <= now]
        under_way = [message for message in under_way if message[0] > now]
        if here and chance.random() < 0.01:
            under_way.append((now + 0.1, *here[0][1:]))
        for _, sent, echo in here[-1:]:
            arrived = max(arrived, sent)
            stamp = (sent * (1.0 + DRIFT) + OFFSET) + (3600.0 if chance.random() < 0.001 else 0.0)
            if mode == "round_trip":
                host.set("y_echo", echo)
            give(host, sent, stamp)
        if not here:
            give(host, 0.0, valid=False)
        host.step(now, STEP)
        if now > 1.0:
            sent = (state.latency.newest_stamp - OFFSET) / (1.0 + DRIFT)
            worst = max(worst, abs(state.latency.seconds - (now - sent)) / STEP)
        if n % 500 == 100:
            assert_each_value_once(state)
    return worst, state


def assert_each_value_once(state):
    """The values are the times at which they were sent: in the history they fall, and none is there twice."""
    count = min(64, state.history.newest - state.history.origin + 1)
    past = zip(state.history.past[:count], state.history.marked[:count], strict=True)
    kept = [value for value, marked in past if not marked]
    assert len(kept) > 20
    assert all(newer > older for newer, older in pairwise(kept))


@pytest.mark.night("an hour of steps: 12 s of CPU")
def test_an_hour_of_drift_with_a_known_minimum():
    worst, state = drive(3600.0, "stamps", LATENCY)
    assert worst < 0.5
    assert state.clock.drift == pytest.approx(DRIFT, rel=0.1)
    assert state.history.newest - state.history.origin <= 3600.0 / STEP * (1.0 + 2 * DRIFT)


def test_round_trips_need_no_minimum():
    worst, state = drive(400.0, "round_trip", 0.0)
    assert worst < 0.5
    assert state.clock.round_trip == pytest.approx(2.0 * LATENCY, rel=0.3)


def test_without_either_the_latency_is_relative_and_a_line_says_so():
    _, state = drive(20.0, "stamps", 0.0)
    assert state.log.told & RELATIVE_CLOCK
    assert state.latency.seconds < JITTER + STEP


@pytest.mark.parametrize(("count", "logged"), [(250, False), (300, True)])
def test_round_trips_that_never_come_are_told_after_a_while(count, logged):
    driver = coupling("foh", macro_step=STEP, latency={"mode": "round_trip"})
    for n in range(count):
        give(driver, float(n), OFFSET + n * STEP)
        driver.step(n * STEP, STEP)
    assert bool(driver.state.log.told & RELATIVE_CLOCK) == logged


def test_a_value_is_stored_once():
    driver = coupling("foh", macro_step=STEP, latency={"mode": "stamps", "clock": "free", "minimum": LATENCY})
    state = driver.slave.state
    for n in range(40):
        give(driver, float(n // 2), OFFSET + (n // 2) * STEP)
        driver.step(n * STEP, STEP)
    assert state.history.past[:20] == [float(19 - i) for i in range(20)]


def test_round_trip_mode_needs_its_input():
    from couplant_runtime.errors import ParameterRefused
    from couplant_runtime.step import init, reset
    from tests.twin.scenario import plain_settings

    settings = plain_settings()
    state = reset(settings)
    state.parameter.latency_mode = 4
    with pytest.raises(ParameterRefused, match="round_trip"):
        init(settings, state, 0.0)
