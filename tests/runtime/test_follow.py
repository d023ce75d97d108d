"""Stage 1: the lag of the receiver, learnt from its answer."""

import math
import random
from itertools import pairwise

import pytest

from couplant_runtime.generated.numbers import FOLLOW_LAG
from tests.runtime.runs import coupling

STEP = 0.001
MOST = 0.03


def follower(mode="lag", timing="step", offset=0.01, algorithm="eros3", **more):
    latency = {"follow": mode, "offset": offset, "offset_max": MOST, **more.pop("latency", {})}
    return coupling(algorithm, 0, timing, STEP, latency=latency, **more)


def signal(time):
    """Return a signal of three tones that moves at all times but one."""
    return sum(math.sin(w * time + w) for w in (7.0, 16.0, 31.0))


class Machine:
    """A coupling whose receiver does what it is told, later: what was given out at each macro point, and its answer."""

    def __init__(self, driver, parts=1, event=False):
        self.driver, self.parts, self.event = driver, parts, event
        self.given, self.n = [0.0], 0

    def run(self, steps, lag, gain=1.0, noise=0.0, moves=signal, answer=None):
        """Go on for so many macro steps with a `lag` [macro steps]; `answer` takes the place of what was done."""
        chance = random.Random(1)
        for _ in range(steps):
            self.driver.set("y", moves(self.n * STEP))
            if self.event:
                self.given[-1] = self.driver.get("y_hat")
            place = len(self.given) - 1 - lag
            before = max(0, math.floor(place))
            part = place - before if place > 0.0 else 0.0
            ahead = self.given[min(before + 1, len(self.given) - 1)]
            done = gain * (self.given[before] + part * (ahead - self.given[before])) + noise * chance.gauss(0.0, 1.0)
            self.driver.set("applied", done if answer is None else answer(done))
            for i in range(self.parts):
                assert self.driver.step(self.n * STEP + i * STEP / self.parts, STEP / self.parts)
            self.given.append(self.driver.get("y_hat"))
            self.n += 1
        return self

    @property
    def lag(self):
        return self.driver.get("latency.lag") / STEP


@pytest.mark.sample(2)
@pytest.mark.parametrize(("timing", "parts"), [("step", 1), ("step", 4), ("event", 1), ("event", 2)])
@pytest.mark.parametrize("lag", [0.4, 7.3, 25.0])
def test_the_lag_and_the_gain_are_found(timing, parts, lag):
    machine = Machine(follower("lag_and_gain", timing), parts, timing == "event").run(1400, lag, 0.95, 0.003)
    assert machine.lag == pytest.approx(lag, abs=0.15)
    assert machine.driver.get("latency.gain") == pytest.approx(0.95, abs=0.003)
    assert machine.driver.get("latency.followed")
    assert 0.0 < machine.driver.get("latency.deviation") < 0.001


def test_the_estimate_is_so_much_larger_that_the_machine_does_it():
    machine = Machine(follower("lag_and_gain")).run(1200, 5.0, 0.9)
    now = (machine.n - 1) * STEP
    assert 0.9 * machine.driver.get("y_hat") == pytest.approx(signal(now + 6.0 * STEP), abs=0.02)
    assert machine.driver.get("quality.error") < 0.02


def test_a_gain_is_left_alone_where_it_is_not_asked_for():
    machine = Machine(follower("lag")).run(1200, 5.0, 0.95, 0.1)
    assert machine.driver.get("latency.gain") == 1.0
    assert machine.lag == pytest.approx(5.0, abs=0.5)


def test_a_lag_that_changes_is_followed_at_a_limited_rate():
    machine, lags = Machine(follower()).run(1000, 10.0, noise=0.01), []
    for _ in range(1500):
        lags.append(machine.run(1, 16.0, noise=0.01).lag)
    assert lags[-1] == pytest.approx(16.0, abs=0.3)
    assert max(abs(b - a) for a, b in pairwise(lags)) <= 0.05 + 1e-9


def test_the_lag_keeps_its_limits():
    machine = Machine(follower(latency={"offset_min": 0.004, "offset_max": 0.012})).run(1000, 20.0)
    assert machine.lag == pytest.approx(12.0)
    assert Machine(follower(latency={"offset_min": 0.004})).run(1000, 1.0).lag == pytest.approx(4.0)


def test_a_machine_at_rest_tells_nothing():
    machine = Machine(follower("lag_and_gain")).run(800, 6.0, noise=0.01)
    learnt, at_rest = machine.lag, signal(0.8)
    machine.run(100, 6.0, noise=0.01, moves=lambda _: at_rest)
    before = machine.lag
    machine.run(1000, 6.0, noise=0.01, moves=lambda _: at_rest)
    assert machine.lag == before == pytest.approx(learnt, abs=0.5)


@pytest.mark.parametrize("wrong", [math.nan, math.inf, 1e300, -1e99])
def test_what_is_no_answer_leaves_the_lag_as_it_is(wrong):
    machine = Machine(follower()).run(800, 6.0, noise=0.01)
    learnt = machine.lag
    assert machine.run(500, 6.0, answer=lambda _: wrong).lag == pytest.approx(learnt, abs=0.1)
    assert machine.run(500, 6.0, noise=0.01).lag == pytest.approx(6.0, abs=0.3)


@pytest.mark.sample(1)
@pytest.mark.parametrize(("held", "share"), [(0.5, 0.0), (0.0, -1.0), (0.0, 0.2)])
def test_answers_that_do_not_fit_lead_back_to_the_offset(held, share):
    machine = Machine(follower("lag_and_gain", offset=0.009)).run(800, 6.0, noise=0.01)
    assert machine.lag == pytest.approx(6.0, abs=0.3)
    machine.run(1500, 6.0, answer=lambda done: held + share * done)
    assert not machine.driver.get("latency.followed")
    assert machine.lag == pytest.approx(9.0)
    assert machine.driver.get("latency.gain") == pytest.approx(1.0)
    assert machine.run(4500, 6.0, noise=0.01).lag == pytest.approx(6.0, abs=1.0)


def test_nothing_is_learnt_without_limits_or_without_being_asked():
    for more in ({"offset_max": 0.0}, {"follow": "off"}):
        driver = follower()
        for key, value in more.items():
            driver.state.follow.offset_max, driver.state.follow.mode = (
                (value, FOLLOW_LAG) if key == "offset_max" else (MOST, 1)
            )
        assert Machine(driver).run(600, 5.0).lag == pytest.approx(10.0)


def test_a_signal_that_wraps_round_has_a_lag():
    driver = follower(signal={"period": 1.0})
    Machine(driver).run(900, 6.0, moves=lambda time: time % 1.0, answer=lambda done: done % 1.0)
    assert driver.get("latency.gain") == 1.0


def test_steps_that_a_host_leaves_out_are_not_learnt_from():
    machine = Machine(follower()).run(800, 6.0, noise=0.01)
    machine.driver.step(machine.n * STEP, 5 * STEP)
    before = machine.lag
    machine.given += [machine.driver.get("y_hat")] * 5
    machine.n += 5
    assert machine.run(8, 6.0, answer=lambda done: done + 0.3).lag == before


def test_a_saved_state_goes_on_alike():
    one, other = (Machine(follower("lag_and_gain")) for _ in range(2))
    one.run(700, 6.0, 0.97, 0.01)
    other.driver.restore(one.driver.save())
    other.given, other.n = [*one.given], one.n
    assert one.run(300, 6.0, 0.97).lag == other.run(300, 6.0, 0.97).lag
    assert one.driver.save() == other.driver.save()
