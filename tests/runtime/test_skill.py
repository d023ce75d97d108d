"""Stage 3: the skill against no FMU, the value as it came, from an oracle that knows messages and nothing of stages."""

import math
import random

import numpy as np
import pytest

from couplant_runtime.generated.constants import WORST_SKILL
from couplant_runtime.generated.numbers import HARMFUL, USEFUL

from .runs import coupling, estimates, give, names

MACRO = 0.25
MEMORY = 0.98


def tones(t):
    """Return a signal at the time `t` [macro steps]."""
    return np.sin(0.31 * t) + 0.4 * np.sin(0.77 * t + 1.0)


class Network:
    """Messages of a sender, one a macro step, as late as it is said: `arrivals`, shape (count,) [macro steps].

    Values are sent at macro points; inf is the arrival of one that is lost.
    """

    def __init__(self, arrivals):
        self.arrivals = np.asarray(arrivals)
        self.values = tones(np.arange(self.arrivals.size))

    def newest(self, time):
        """Return the number of the message sent last of those that have come by `time` [macro steps], -1 for none."""
        come = np.flatnonzero(self.arrivals <= time + 1e-9)
        return come[-1] if come.size else -1

    def polled(self, micro):
        """Return the network as a host sees it that looks for the last arrival `micro` times in a macro step.

        Shown is the number of the message that each look finds, -1 for none; one that is shown never is lost.
        """
        points = np.arange(self.arrivals.size * micro) / micro
        order = np.argsort(self.arrivals, kind="stable")
        found = np.searchsorted(self.arrivals[order], points + 1e-9, side="right") - 1
        shown = np.where(found < 0, -1, order[np.maximum(found, 0)])
        seen = np.full(self.arrivals.size, np.inf)
        for number in range(seen.size):
            at = np.flatnonzero(shown == number)
            seen[number] = points[at[0]] if at.size else np.inf
        return shown, Network(seen)


def constant(k, count):
    return Network(np.arange(count) + float(k))


def jittery(count, lost=0.1):
    """Return a network with one and a half macro steps of jitter, in which messages are lost or overtaken."""
    chance = np.random.default_rng(5)
    arrivals = np.arange(count) + 2.3 + 1.5 * chance.random(count)
    arrivals[5:][chance.random(count - 5) < lost] = np.inf
    return Network(arrivals)


def run(driver, network, shown, micro):
    """Return the estimates for macro points by their number, of a run with `micro` communication steps in each."""
    made = {}
    for i, number in enumerate(shown):
        n, j = divmod(i, micro)
        give(driver, network.values[max(number, 0)], max(number, 0) * MACRO, valid=number >= 0)
        if driver.slave.settings.event and j == 0:
            made[n] = driver.get("debug.unlimited")
        assert driver.step(i * MACRO / micro, MACRO / micro)
        if not driver.slave.settings.event and j == micro - 1:
            made[n + 1] = driver.get("debug.unlimited")
    return made


def faded(values):
    """Return the sum of values, each with so much less weight as there are later ones."""
    values = np.asarray(values)
    return float(values @ MEMORY ** np.arange(values.size - 1.0, -1.0, -1.0))


def oracle(network, made, micro, steps, event):
    """Return the skills against no FMU and against ZOH, and the number of estimates judged.

    An estimate is judged at the first macro point with its value or a newer one, and only if its own has come.
    """
    errors, wire, hold = [], [], []
    newest = [network.newest(n) for n in range(steps)]
    points = [1.0] if event else np.arange(1, micro + 1) / micro
    for m in sorted(made):
        judging = next((n for n in range(steps) if newest[n] >= m and (n > m or not event)), None)
        if judging is None or network.arrivals[m] > judging + 1e-9 or m < 1:
            continue
        true = network.values[m]
        errors.append((made[m] - true) ** 2)
        wire.append(np.mean([(network.values[max(network.newest(m - 1 + p), 0)] - true) ** 2 for p in points]))
        hold.append((network.values[max(network.newest(m if event else m - 1), 0)] - true) ** 2)
    skills = (1.0 - math.sqrt(faded(errors) / faded(other)) for other in (wire, hold))
    return *skills, len(errors)


@pytest.mark.sample(3)
@pytest.mark.parametrize("micro", [1, 4, 10])
@pytest.mark.parametrize("timing", ["event", "step"])
@pytest.mark.parametrize("mode", ["constant", "longest", "stamps", "jitter and loss"])
def test_the_skill_is_that_of_an_oracle(mode, timing, micro):
    """The first estimates, of which the stage judges some, have faded at the end."""
    steps, event, stamped = 900, timing == "event", mode in ("stamps", "jitter and loss")
    k = 64 if mode == "longest" else 2
    network = jittery(steps) if mode == "jitter and loss" else constant(k, steps)
    latency = {"mode": "stamps"} if stamped else {}
    driver = coupling("foh", k, timing, MACRO, latency=latency)
    shown, network = network.polled(micro)
    made = run(driver, network, shown, micro)
    against_wire, against_zoh, judged = oracle(network, made, micro, steps, event)
    assert driver.committed("quality.skill") == pytest.approx(against_wire, rel=1e-6)
    assert driver.committed("quality.skill_zoh") == pytest.approx(against_zoh, rel=1e-6)
    assert 0 <= judged - driver.state.quality.measured <= k + 4
    if event:
        assert against_wire == against_zoh
    elif k == 2:
        assert against_wire < against_zoh - 0.01


@pytest.mark.parametrize("k", [0, 1, 3])
@pytest.mark.parametrize("algorithm", ["zoh", "foh", "eros3"])
def test_in_event_timing_both_skills_are_the_same_bits(algorithm, k):
    """Without latency both compare with the value itself."""
    driver, source = coupling(algorithm, k, "event"), random.Random(4)
    for n in range(150):
        estimates(driver, [source.gauss(0.0, 1.0)], first=n)
        assert driver.committed("quality.skill") == driver.committed("quality.skill_zoh")


def test_zoh_is_worse_than_no_fmu_by_the_step_that_it_predicts_across():
    """On a ramp with k = 1: two steps late against one."""
    driver = coupling("zoh", 1)
    estimates(driver, [0.25 * n for n in range(400)])
    assert driver.get("quality.skill") == pytest.approx(-1.0, abs=1e-9)
    assert driver.get("quality.skill_zoh") == 0.0


def test_without_latency_no_fmu_is_without_error():
    driver = coupling("foh", 0)
    estimates(driver, [math.sin(0.3 * n) for n in range(60)])
    assert (driver.get("quality.skill"), driver.state.quality.grade) == (WORST_SKILL, HARMFUL)


@pytest.mark.parametrize("algorithm", ["zoh", "foh", "eros3", "eros4"])
@pytest.mark.parametrize("level", [0.0, 0.1, -7e9])
def test_a_signal_at_rest_is_no_harm(algorithm, level):
    driver = coupling(algorithm, 2)
    estimates(driver, [level] * 100)
    assert abs(driver.get("quality.skill")) < 0.1


@pytest.mark.parametrize("k", [1, 3])
def test_smaller_steps_are_judged_as_a_receiver_with_these_steps_finds_them(k):
    """The estimate is judged at the end of the macro step, close to its error over all points: docs/quality.md."""
    told = []
    for micro in (1, 2, 4, 10):
        driver = coupling("foh", k, macro_step=MACRO)
        own, wire, skills = [], [], []
        for i in range(500 * micro):
            n, j = divmod(i, micro)
            give(driver, tones(n - k), valid=n >= k)
            driver.step(i * MACRO / micro, MACRO / micro)
            now = n + (j + 1) / micro
            own.append((driver.get("y_hat") - tones(now)) ** 2)
            wire.append((tones(math.floor(now + 1e-9) - k) - tones(now)) ** 2)
            skills.append(driver.get("quality.skill"))
        last = slice(-200 * micro, None)
        told.append(np.mean(skills[last]))
        assert told[-1] == pytest.approx(1.0 - math.sqrt(np.mean(own[last]) / np.mean(wire[last])), abs=0.1)
    assert told == sorted(told) and told[-1] > told[0] + 0.25
    if k == 1:
        assert told == pytest.approx([-0.61, -0.05, 0.07, 0.13], abs=0.01)


def test_the_grade_words_the_skill_and_holding_goes_by_what_the_fmu_could_hold():
    """`foh` is worse than no FMU, better than ZOH: the FMU has nothing better to give out."""
    driver = coupling("foh", 1, quality={"action": "hold"})
    estimates(driver, [float(tones(n)) for n in range(300)])
    own = driver.state.quality
    assert own.skill < -0.1 and own.skill_zoh > 0.1
    assert (own.grade, own.harmful, names(driver)[0]) == (HARMFUL, 0, "foh")
    whole = coupling("foh", 1, "event", quality={"action": "hold"})
    estimates(whole, [float(tones(n)) for n in range(300)])
    assert whole.state.quality.grade >= USEFUL


def test_after_a_late_host_only_what_came_since_counts():
    """Four communication steps in each macro step; then the host leaves one out, and the wire is read anew."""
    driver = coupling("foh", 2, macro_step=MACRO)
    for i in range(42):
        give(driver, float(i))
        driver.step(i * MACRO / 4, MACRO / 4)
    assert (driver.state.quality.wire_count, driver.state.quality.wire_mean[11]) == (1, 40.0)
    driver.step(42 * MACRO / 4, 1.5 * MACRO)
    give(driver, 60.0)
    driver.step(12.0 * MACRO, MACRO / 4)
    assert (driver.state.quality.wire_mean[12], driver.state.quality.wire_spread[12]) == (60.0, 0.0)
