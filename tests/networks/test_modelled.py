"""With a model jitter, loss and bursts cost little more than the constant latency that is their largest."""

import pytest

from tests.kernel.library import needs_compiler
from tests.networks.modelled import Run, simulate

pytestmark = needs_compiler

BAD = {
    "jitter": {"jitter": 4},
    "loss": {"loss": 0.05},
    "jitter_and_loss": {"jitter": 2, "loss": 0.05},
    "bursts": {"bursts": (0.03, 0.25)},
    "long_bursts": {"bursts": (0.01, 0.1)},
}
LARGEST = {"jitter": 4, "loss": 1, "jitter_and_loss": 3, "bursts": 8, "long_bursts": 16}
"""What comes on top of the latency, macro steps: of bursts about what one in ten exceeds."""


@pytest.mark.sample(2)
@pytest.mark.parametrize("timing", ["event", "step"])
@pytest.mark.parametrize("k", [3, 8, 15])
@pytest.mark.parametrize("bad", BAD)
def test_bad_networks_cost_no_more_than_their_largest_latency(bad, k, timing):
    constant = simulate(Run(k + LARGEST[bad], timing))
    for seed in (1, 2, 3):
        found = simulate(Run(k, timing, seed=seed, **BAD[bad]))
        assert found.growth < 1.05
        assert found.mae <= 1.5 * constant.mae
        assert (found.active[-1] == 12).all()


@pytest.mark.parametrize("timing", ["event", "step"])
def test_random_forces_cost_no_more(timing):
    constant = simulate(Run(12, timing, forces="random"))
    for bad in ("jitter", "jitter_and_loss", "bursts"):
        found = simulate(Run(8, timing, forces="random", **BAD[bad]))
        assert found.mae <= 1.5 * constant.mae
