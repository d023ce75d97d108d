"""Weights that do harm: the newest value is given out in their place, until they are worth it again."""

import math
import random
from itertools import accumulate

import numpy as np
import pytest

from couplant_runtime.algorithms import BY_NAME
from couplant_runtime.generated.constants import HARM_PATIENCE as PATIENCE
from couplant_runtime.generated.events import IS_HARMFUL
from tests.kernel.library import Kernel, needs_compiler
from tests.learning.coupling import STEP, Coupling, settings_of

pytestmark = needs_compiler

ZOH, NETWORK = (BY_NAME[name].number for name in ("zoh", "network"))
K = 3


class Run:
    """A signal with a network at `K`, in the C kernel; what it gave out and by which algorithm."""

    def __init__(self, timing="event", sections=None, weights=None):
        self.event = timing == "event"
        settings = settings_of(timing, K, **(sections or {}))
        self.kernel = Kernel(settings)
        self.kernel.init(0.0)
        if weights is not None:
            own = self.kernel.state.neural
            for i in range(settings.neural.size):
                own.base[i] = own.use[i] = weights(i, own.base[i])
        self.sent, self.given, self.active, self.events = [], [], [], []

    def take(self, values):
        state = self.kernel.state
        for value in values:
            n = len(self.sent)
            self.sent.append(value)
            state.input.y = self.sent[n - K] if n >= K else 0.0
            self.kernel.step(n * STEP, STEP)
            line = state.algorithm
            self.given.append((line.level, line.level + line.slope))
            self.active.append(state.switching.active)
            self.events.append(state.log.events)
        return self

    def loss(self, since, to):
        """Return the root mean square error at the network's end of the macro step, over that of the newest value."""
        late = 0 if self.event else 1
        sent, given = np.array(self.sent), np.array(self.given)[:, late]
        true, held, guess = sent[since + late : to], sent[since - K : to - K - late], given[since : to - late]
        return math.sqrt(np.mean((guess - true) ** 2) / np.mean((held - true) ** 2))


def tone(n):
    return math.sin(0.11 * n) + 0.3 * math.sin(0.3 * n + 1.0)


def noise(count, seed=1):
    chance = random.Random(seed)
    return [chance.gauss(0.0, 1.0) for _ in range(count)]


def walk(count):
    return [0.1 * value for value in accumulate(noise(count))]


@pytest.mark.parametrize("timing", ["event", "step"])
@pytest.mark.parametrize("values", [noise(1500), walk(1500)], ids=["noise", "walk"])
def test_where_nothing_can_be_learned_it_ends_at_the_error_of_no_compensation(values, timing):
    run = Run(timing).take(values)
    assert run.loss(10, PATIENCE) > 2.0
    assert run.loss(2 * PATIENCE, 1500) == pytest.approx(1.0, abs=0.03)
    assert run.active[2 * PATIENCE :].count(ZOH) > 0.95 * (1500 - 2 * PATIENCE)
    assert sum(bool(events & IS_HARMFUL) for events in run.events) == 1


@pytest.mark.parametrize("timing", ["event", "step"])
@pytest.mark.parametrize("start", ["eros3", "foh"])
@pytest.mark.parametrize("deviation", [0.04, 0.06, 0.08, 0.1, 0.2])
def test_whatever_the_noise_it_ends_at_most_a_little_above_no_compensation(deviation, start, timing):
    values = [tone(n) + deviation * e for n, e in enumerate(noise(3000))]
    assert Run(timing, {"network": {"start": start}}).take(values).loss(600, 3000) <= 1.1


@pytest.mark.parametrize("enabled", [True, False])
def test_weights_that_are_wrong_are_not_used(enabled):
    """Twice with the wrong sign, learning or not."""
    sections = {"learning": {"enabled": enabled}}
    last = settings_of("event", K).neural.size - 2
    run = Run("event", sections, lambda i, w: -2.0 * w if i >= last else w).take([tone(n) for n in range(1500)])
    assert run.loss(20, PATIENCE) > 2.0
    assert run.loss(300, 1500) <= 1.03
    if not enabled:
        assert set(run.active[300:]) == {ZOH}


@pytest.mark.parametrize("timing", ["event", "step"])
def test_a_signal_that_changes_its_character_loses_the_network_and_gets_it_back(timing):
    run = Run(timing).take([tone(n) for n in range(1000)])
    assert set(run.active[50:]) == {NETWORK}
    run.take(walk(1000))
    assert run.loss(1000 + 2 * PATIENCE, 2000) == pytest.approx(1.0, abs=0.03)
    run.take([tone(n) for n in range(1000)])
    assert set(run.active[2200:]) == {NETWORK}
    assert run.loss(2500, 3000) < 0.5


@pytest.mark.parametrize("timing", ["event", "step"])
def test_where_it_wins_nothing_is_taken_from_it(timing):
    values = [tone(n) + 0.02 * e for n, e in enumerate(noise(2000))]
    run = Run(timing).take(values)
    assert set(run.active[50:]) == {NETWORK}
    assert run.kernel.state.neural.harmful == 0
    assert not any(events & IS_HARMFUL for events in run.events)


def test_jumps_alone_are_no_harm():
    """No weights foresee them, and each overshoots."""
    values = [tone(n) + 5.0 * (n // 60 % 2) for n in range(2000)]
    run = Run().take(values)
    assert NETWORK in run.active and ZOH not in run.active[50:]


def test_it_is_judged_and_learns_while_the_newest_value_is_given_out():
    run = Run().take(noise(1000))
    before = run.kernel.state.quality.skill, run.kernel.state.neural.refused
    run.take(noise(500, 2))
    assert run.kernel.state.quality.skill < -1.0
    assert (run.kernel.state.quality.skill, run.kernel.state.neural.refused) != before
    assert run.kernel.state.neural.refused > before[1]


def test_both_runtimes_give_out_the_same():
    values = [*noise(500), *(tone(n) for n in range(400))]
    run, coupling = Run().take(values), Coupling(settings_of())
    late = [0.0] * K + values[: len(values) - K]
    assert [coupling.take(value) for value in late] == run.given
    assert {ZOH, NETWORK} <= set(run.active)


def test_another_algorithm_is_not_stopped_by_what_the_network_did():
    run = Run().take(noise(600))
    assert run.active[-1] == ZOH
    run.kernel.state.parameter.selected = BY_NAME["foh"].number
    run.take(noise(20))
    assert run.active[-1] == BY_NAME["foh"].number
