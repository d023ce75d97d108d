"""What senders were given, of messages that were lost or overtaken: plants that are unstable alone, and others."""

from contextlib import suppress
from functools import lru_cache
from itertools import product

import numpy as np
import pytest

from couplant.base.errors import UsageError
from couplant.config.network import NetworkTable, latency_in
from couplant.cosim.fmu.prototype import Scene
from couplant.design.observers import observers
from couplant.sweep.advice import errors_of, simulate_setup
from couplant.sweep.advised import Setup
from tests.kernel.library import needs_compiler
from tests.networks.loop import Network
from tests.networks.sides import settings, simulate
from tests.sweep.loops import LOOPS, system

pytestmark = needs_compiler

JITTER, LOSS = {"latency_steps": 2, "jitter_steps": 4}, {"latency_steps": 6, "loss": 0.4}
NONE = {"burst": 1, "latency": {"mode": "stamps"}}
"""Settings of a coupling FMU about whose network nothing was said."""
SEEDS = (51, 52, 53, 54, 55)
"""None of them was used while this was built."""


@lru_cache
def loop(name: str, k: int, noise: float):
    """Return a loop with the first observers that it has: a constant w need not show in its outputs."""
    one = system(name, k, "event", noise=noise)
    for _, tables in observers(one, Scene(one, 1500).sizes):
        with suppress(UsageError):
            settings(one, tables, fallback="model")
            return one, tables
    raise AssertionError(f"{name} has no observer")


@lru_cache
def constant(name: str, k: int, noise: float, seed: int, count: int = 1000) -> float:
    """Return the error with a constant latency."""
    one, observed = loop(name, k, noise)
    return simulate(one, settings(one, observed, fallback="model"), count, seed).error()


def bad(name: str, k: int, noise: float, seed: int, table, told=None, count: int = 1000):
    """Return what comes of a run in a network, with the settings that it tells unless `told` are others."""
    one, observed = loop(name, k, noise)
    told = told or latency_in(NetworkTable(**table), modelled=True)
    low = table["latency_steps"]
    network = Network(low, low + table.get("jitter_steps", 0), table.get("loss", 0.0), told.get("burst", 1))
    return simulate(one, settings(one, observed, fallback="model", **told), count, seed, network)


@pytest.mark.sample(2)
@pytest.mark.parametrize("noise", [0.0, 0.01, 0.05])
@pytest.mark.parametrize("told", [None, NONE], ids=["told", "nothing"])
@pytest.mark.parametrize("seed", SEEDS)
def test_a_pendulum_bears_messages_that_overtake_each_other(seed, told, noise):
    assert bad("pendulum", 6, noise, seed, JITTER, told).error() <= 1.5 * constant("pendulum", 6, noise, seed)


@pytest.mark.sample(2)
@pytest.mark.parametrize("noise", [0.0, 0.01, 0.05])
@pytest.mark.parametrize("seed", SEEDS)
def test_a_pendulum_bears_that_two_messages_in_five_are_lost(seed, noise):
    run = bad("pendulum", 6, noise, seed, LOSS, count=1500)
    assert run.error() <= 2.0 * constant("pendulum", 6, noise, seed, 1500)
    assert run.error(slice(1000, None)) <= 1.5 * max(run.error(slice(500, 1000)), 0.1)


@pytest.mark.sample(1, rest="night")
@pytest.mark.parametrize("name", [name for name in LOOPS if name != "pendulum"])
def test_what_messages_repeat_does_no_harm_to_other_plants(name):
    """On the mean: a single course of the network moves an error by a tenth in either direction."""
    ratios = []
    for k, table in product((3, 6), ({"jitter_steps": 2}, {"loss": 0.2}, {"jitter_steps": 3, "loss": 0.1})):
        table = {"latency_steps": k, **table}
        told = latency_in(NetworkTable(**table), modelled=True)
        for seed in (61, 62, 63, 64):
            errors = [bad(name, k, 0.01, seed, table, one, 500).error() for one in (told, {**told, "burst": 1})]
            ratios.append(errors[0] / errors[1])
    assert np.exp(np.mean(np.log(ratios))) <= 1.02


@pytest.mark.landing("builds five FMUs and runs them three times: 9 s of CPU")
@pytest.mark.parametrize("timing", ["event", "step"])
def test_a_scenario_with_fmus_bears_it_too(timing):
    """Its networks tell how many values a message repeats, and carry what was said with them."""

    def error(steps: int, network: dict) -> float:
        one = system("pendulum", steps, timing)
        setup = Setup(one, "model", dict(observers(one, Scene(one, 1500).sizes))[""], network, "model")
        return float(np.mean(list(errors_of(simulate_setup(setup, 1200), one).values())))

    constant = error(6, {})
    assert error(2, {"jitter_steps": 4, "seed": 91}) <= 1.0 * constant
    assert error(6, {"loss": 0.4, "seed": 92}) <= 1.5 * constant
