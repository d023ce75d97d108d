"""Random latencies: ages of the newest value, and the constant case against the exact answer."""

import numpy as np
import pytest

from couplant.analysis import generic
from couplant.analysis.monte_carlo import ages, time_varying
from couplant.analysis.stability import stability
from couplant.analysis.system import Connection, Prototype, System
from couplant.base.errors import UsageError

PLANT = Prototype("p", [[0.0, 1.0], [-4.0, -0.6]], [[0.0], [1.5]], [[1.0, 0.1]], [[0.2]])


def system(name, k, timing):
    return System((PLANT,), (Connection("p.y1", "p.u1", generic(name, k)),), 0.1, timing)


def test_ages_of_constant_latency():
    assert np.all(ages([3], 0.0, (2, 50), np.random.default_rng(0)) == 3)


def test_ages_follow_the_newest_value():
    """Between 2 and 5 steps old, one step older each step without news, never older than before plus one."""
    k = ages([2, 5], 0.0, (4000,), np.random.default_rng(0))
    assert k.min() == 2 and k.max() == 5
    assert np.diff(k).max() == 1
    assert np.mean(k == 2) == pytest.approx(0.5, abs=0.03)


def test_ages_grow_with_loss():
    k = ages([1], 0.5, (20_000,), np.random.default_rng(0))
    assert np.mean(k == 1) == pytest.approx(0.5, abs=0.02)
    assert np.mean(k == 2) == pytest.approx(0.25, abs=0.02)


@pytest.mark.sample(1)
@pytest.mark.parametrize("timing", ["event", "step"])
@pytest.mark.parametrize(("name", "k"), [("zoh", 0), ("zoh", 2), ("foh", 2), ("eros3", 3)])
def test_constant_latency_gives_the_exact_growth(name, k, timing):
    one = system(name, k, timing)
    found = time_varying(one, name, [k], runs=3)
    assert found.growth_rates == pytest.approx(stability(one).growth_rate, abs=2e-3)
    assert found.ages[k] == 1.0


def test_share_of_stable_runs(oscillator):
    assert time_varying(oscillator(), "zoh", [2, 3, 4], runs=4, steps=2000).stable_share == 0.0
    assert time_varying(oscillator(), "eros3", [2, 3, 4], runs=4, steps=4000).stable_share == 1.0


def test_same_seed_same_answer(oscillator):
    first, second = (time_varying(oscillator(), "foh", [2, 4], loss=0.05, runs=2, steps=300, seed=4) for _ in "ab")
    assert np.array_equal(first.growth_rates, second.growth_rates)


@pytest.mark.parametrize(
    ("latencies", "loss", "message"),
    [([], 0.0, "at least one"), ([65], 0.0, "0 to 64"), ([1.5], 0.0, "whole"), ([1], 1.0, "loss = 1.0")],
)
def test_refusals(latencies, loss, message, oscillator):
    with pytest.raises(UsageError, match=message):
        time_varying(oscillator(), "foh", latencies, loss=loss, steps=10)


def test_observer_is_refused(oscillator):
    with pytest.raises(UsageError, match="state of its own"):
        time_varying(oscillator(), "smb", [3], steps=10)
