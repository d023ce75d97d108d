"""The way of a signal against the network written down a second time, and its draws against the published ones."""

import numpy as np
import pytest

from couplant.analysis.signal.way import Way, draw
from couplant.config.network import NetworkTable, signal_seed
from tests.models.carrier import Carrier, uniform

STEP = 0.01


def test_draws_are_those_of_the_network():
    messages = np.array([0, 1, 17, 123456])
    for seed in (0, 1, 2**31 - 1):
        for stream in (0, 2):
            assert draw(seed, messages, stream).tolist() == [uniform(seed, int(n), stream) for n in messages]


@pytest.mark.parametrize("jitter", [0, 1, 5])
@pytest.mark.parametrize("loss", [0.0, 0.2, 1.0])
@pytest.mark.parametrize("k", [1, 4])
def test_what_comes_in_is_what_the_network_gives_out(k, loss, jitter):
    way = Way(NetworkTable(latency_steps=k, jitter_steps=jitter, loss=loss, seed=8), "torque")
    assert way.varies == (loss > 0.0 or jitter > 0)
    carrier = Carrier(STEP, k * STEP, jitter_steps=jitter, loss=loss, seed=signal_seed(8, "torque"))
    shown = [carrier.carry(float(n), 0.0) for n in range(300)]
    arrivals, latest = way.arrivals(301), way.latest(301)
    for n, one in enumerate(shown, start=1):
        assert arrivals[n] == (one["received"] if one["valid"] else -1)
        assert latest[n] == (one["received"] if arrivals[:n + 1].max() >= 0 else -1)
    assert (way.arrivals(100) == arrivals[:100]).all()


@pytest.mark.parametrize("network", [{"batch": 5}, {"loss": 0.12, "loss_run": 3.0}, {"loss": 0.2, "loss_run": 1.0}])
@pytest.mark.parametrize("jitter", [0, 3])
def test_batches_and_losses_in_a_row_are_those_of_the_network(network, jitter):
    way = Way(NetworkTable(latency_steps=2, jitter_steps=jitter, seed=8, **network), "torque")
    carrier = Carrier(STEP, 2 * STEP, jitter_steps=jitter, seed=signal_seed(8, "torque"), **network)
    shown = [carrier.carry(float(n), 0.0) for n in range(300)]
    arrivals = way.arrivals(301)
    assert way.varies
    assert arrivals[1:].tolist() == [one["received"] if one["valid"] else -1 for one in shown]


def test_without_latency_a_value_comes_in_at_once():
    assert Way().arrivals(5).tolist() == Way().latest(5).tolist() == [0, 1, 2, 3, 4]


@pytest.mark.parametrize(
    ("network", "words"),
    [({}, ""), ({"jitter_steps": 2}, " and up to 2 more at random"), ({"loss": 0.05}, ", 5 % lost"),
     ({"batch": 4, "loss": 0.1, "loss_run": 2.0}, ", 4 at a time, 10 % lost, 2 in a row on the mean")],
)
def test_jitter_and_loss_in_words(network, words):
    assert Way(NetworkTable(**network)).disturbances == words
