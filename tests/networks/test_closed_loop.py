"""The oscillator through bad networks: what `irregular` and `auto` are worth, event timing, k from stamps."""

from functools import lru_cache

import numpy as np
import pytest

from tests.kernel.library import needs_compiler
from tests.networks.loop import Network, closed_loop
from tests.pages.markdown import rows, shows

pytestmark = needs_compiler
NETWORKS = {"steady": Network(3, 3), "jitter": Network(2, 4), "loss": Network(3, 3, 0.05)}
NETWORKS |= {"wide": Network(2, 6), "bursts": Network(3, 3, bursts=(0.04, 0.29))}
SEEDS = {"steady": 1, "jitter": 10, "loss": 10, "wide": 7, "bursts": 7}
FIXED = ("zoh", "foh", "eros3", "eros4", "irregular")


@lru_cache
def median(algorithm, network, both, values=1):
    """Return the medians over the seeds of C, MAE and growth."""
    line = NETWORKS[network]
    line = Network(line.low, line.high, line.loss, values)
    sections = {"burst": values} if values > 1 else {}
    runs = [closed_loop(algorithm, line, both, seed, **sections) for seed in range(SEEDS[network])]
    return np.median(runs, axis=0)


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("network", "both", "share"), [("jitter", 0, 0.35), ("jitter", 1, 0.12), ("loss", 0, 0.25), ("loss", 1, 0.12)]
)
def test_irregular_ages_are_worth_much_more_than_interpolation(network, both, share):
    assert median("irregular", network, both)[0] <= share * median("eros3", network, both)[0]


@pytest.mark.sample(1)
@pytest.mark.parametrize("network", ["wide", "bursts"])
@pytest.mark.parametrize("both", [0, 1])
def test_wide_latencies_and_bursts_do_irregular_no_harm(network, both):
    """Twelve per cent are lost in bursts. With one force errors grew, C was twice that of the best published one."""
    combined, mae, growth = median("irregular", network, both)
    assert combined <= 1.1 * min(median(name, network, both)[0] for name in ("foh", "eros3", "eros4"))
    assert mae <= median("foh", network, both)[1] and growth < 1.0


@pytest.mark.sample(1)
@pytest.mark.parametrize("algorithm", ["foh", "eros3"])
@pytest.mark.parametrize("network", ["jitter", "loss"])
@pytest.mark.parametrize("both", [0, 1])
def test_interpolated_holes_do_no_harm(algorithm, network, both):
    assert median(algorithm, network, both)[1] <= 1.1 * median("zoh", network, both)[1]


@pytest.mark.sample(1)
@pytest.mark.parametrize("network", ["steady", "jitter", "loss"])
@pytest.mark.parametrize("both", [0, 1])
def test_auto_is_nearly_the_best_fixed_algorithm(network, both):
    best = min(median(name, network, both)[0] for name in FIXED)
    combined, _, growth = median("auto", network, both)
    assert combined <= 1.2 * best
    assert growth < 1.0


@pytest.mark.sample(1)
@pytest.mark.parametrize(("algorithm", "both"), [("foh", 0), ("foh", 1), ("eros3", 0), ("eros3", 1), ("irregular", 0)])
def test_messages_that_repeat_their_last_values_help(algorithm, both):
    assert median(algorithm, "jitter", both, values=3)[0] < median(algorithm, "jitter", both)[0]


@pytest.mark.sample(4)
@pytest.mark.parametrize("latency", [1, 2, 3, 4, 5, 6])
@pytest.mark.parametrize("jitter", [0, 2])
def test_irregular_bears_long_latencies(latency, jitter):
    line = Network(latency, latency + jitter)
    (_, mae, growth), (_, other, _) = (closed_loop(name, line, 0, 1) for name in ("irregular", "eros3"))
    assert growth < 1.0
    assert mae < other


@pytest.mark.landing("ten seeds of five algorithms: 5 s of CPU")
@pytest.mark.parametrize(("row", "both"), [("force on one mass", 0), ("force on both", 1)])
def test_the_page_tells_what_a_bad_network_does(row, both):
    names = ("wire", "zoh", "foh", "eros3", "irregular")
    cells = rows("docs/results.md", "| | " + " | ".join(f"`{name}`" for name in names))[row]
    for name, cell in zip(names, cells, strict=True):
        error, _, growth = median(name, "jitter", both)
        assert shows(cell, error), (name, error)
        assert (growth > 1.05) == ("unstable" in cell), (name, growth)


@lru_cache
def drifting(algorithm, drift, jitter):
    """Return the median MAE where the stamps of the senders gain `drift` on the receivers, 25 s."""
    line = Network(3 - jitter, 3 + jitter)
    return np.median([closed_loop(algorithm, line, 0, seed, drift)[1] for seed in range(1 + 4 * jitter)])


@pytest.mark.sample(3)
@pytest.mark.parametrize("jitter", [0, 1])
@pytest.mark.parametrize("drift", [-5e-5, 5e-5])
@pytest.mark.parametrize("algorithm", ["eros3", "eros4"])
def test_clocks_that_drift_do_not_double_the_error(algorithm, drift, jitter):
    """A latency of 3.00x macro steps is one of 3, not of 4 with a fraction near 1: then errors are 1.7 to 2.3 times."""
    assert drifting(algorithm, drift, jitter) <= 1.6 * drifting(algorithm, 0.0, jitter)
