"""The oscillator through bad networks: what `irregular` and `auto` are worth, event timing, k from stamps."""

from functools import lru_cache

import numpy as np
import pytest

from tests.kernel.library import needs_compiler
from tests.networks.loop import Network, closed_loop

pytestmark = needs_compiler
NETWORKS = {"steady": Network(3, 3), "jitter": Network(2, 4), "loss": Network(3, 3, 0.05)}
SEEDS = {"steady": 1, "jitter": 10, "loss": 10}
FIXED = ("zoh", "foh", "eros3", "eros4", "irregular")


@lru_cache
def median(algorithm, network, both, values=1):
    """Return the medians over the seeds of C, MAE and growth."""
    line = NETWORKS[network]
    line = Network(line.low, line.high, line.loss, values)
    sections = {"burst": values} if values > 1 else {}
    runs = [closed_loop(algorithm, line, both, seed, **sections) for seed in range(SEEDS[network])]
    return np.median(runs, axis=0)


@pytest.mark.parametrize(
    ("network", "both", "share"), [("jitter", 0, 0.35), ("jitter", 1, 0.12), ("loss", 0, 0.25), ("loss", 1, 0.12)]
)
def test_irregular_ages_are_worth_much_more_than_interpolation(network, both, share):
    assert median("irregular", network, both)[0] <= share * median("eros3", network, both)[0]


@pytest.mark.parametrize("algorithm", ["foh", "eros3"])
@pytest.mark.parametrize("network", ["jitter", "loss"])
@pytest.mark.parametrize("both", [0, 1])
def test_interpolated_holes_do_no_harm(algorithm, network, both):
    assert median(algorithm, network, both)[1] <= 1.1 * median("zoh", network, both)[1]


@pytest.mark.parametrize("network", NETWORKS)
@pytest.mark.parametrize("both", [0, 1])
def test_auto_is_nearly_the_best_fixed_algorithm(network, both):
    best = min(median(name, network, both)[0] for name in FIXED)
    combined, _, growth = median("auto", network, both)
    assert combined <= 1.2 * best
    assert growth < 1.0


@pytest.mark.parametrize(("algorithm", "both"), [("foh", 0), ("foh", 1), ("eros3", 0), ("eros3", 1), ("irregular", 0)])
def test_messages_that_repeat_their_last_values_help(algorithm, both):
    assert median(algorithm, "jitter", both, values=3)[0] < median(algorithm, "jitter", both)[0]


@pytest.mark.parametrize("latency", [1, 2, 3, 4, 5, 6])
@pytest.mark.parametrize("jitter", [0, 2])
def test_irregular_bears_long_latencies(latency, jitter):
    line = Network(latency, latency + jitter)
    (_, mae, growth), (_, other, _) = (closed_loop(name, line, 0, 1) for name in ("irregular", "eros3"))
    assert growth < 1.0
    assert mae < other
