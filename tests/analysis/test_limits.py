"""Limit frequencies of docs/reference.md 2 and what happens beside the road."""

import numpy as np
import pytest

from couplant.analysis import (
    GENERIC,
    LinearAlgorithm,
    SlidingModeObserver,
    frequency_response,
    generic,
    limit_frequencies,
)

TABLE = {
    "zoh": ((27.132, 3.333), (27.132, 1.111), (27.132, 0.476), (27.132, 0.256)),
    "foh": ((8.664, 18.199), (4.018, 9.100), (1.975, 4.550), (1.124, 2.600)),
    "eros3": ((18.151, 16.282), (8.755, 7.614), (4.142, 3.856), (2.294, 2.241)),
    "eros4": ((25.319, 17.809), (14.701, 9.283), (8.073, 5.111), (3.605, 3.129)),
}


@pytest.mark.parametrize("name", TABLE)
@pytest.mark.parametrize("column", range(4))
def test_recomputed_table(name, column):
    found = limit_frequencies(generic(name, (0, 1, 3, 6)[column]))
    gain, phase = TABLE[name][column]
    assert 100 * found.gain == pytest.approx(gain, abs=5.1e-4)
    assert 100 * found.phase == pytest.approx(phase, abs=5.1e-4)


@pytest.mark.parametrize(
    ("k", "ratio", "gain", "phase"),
    [(0, 0.85, 8.664, 18.199), (1, 0.70, 4.250, 13.163), (3, 0.85, 1.866, 6.423), (6, 0.85, 0.988, 3.357)],
)
def test_recomputed_table_of_the_observer(k, ratio, gain, phase):
    found = limit_frequencies(SlidingModeObserver(k, "transfer", ratio))
    assert 100 * found.gain == pytest.approx(gain, abs=5.1e-4)
    assert 100 * found.phase == pytest.approx(phase, abs=5.1e-4)


@pytest.mark.parametrize("timing", ["event", "step"])
@pytest.mark.parametrize("name", GENERIC)
def test_nothing_crosses_before_the_limit(name, timing):
    """At every latency both limits exist, lie on their tolerance, and a fine grid below finds no crossing."""
    for k in range(0, 65, 4):
        algorithm = generic(name, k)
        found = limit_frequencies(algorithm, timing)
        gain = np.abs(np.abs(frequency_response(algorithm, np.linspace(0, found.gain, 3000), timing)) - 1)
        phase = np.abs(np.angle(frequency_response(algorithm, np.linspace(0, found.phase, 3000), timing)))
        assert gain[-1] == pytest.approx(0.03, abs=1e-9) and gain[:-1].max() < 0.03
        assert phase[-1] == pytest.approx(np.deg2rad(3), abs=1e-9) and phase[:-1].max() < np.deg2rad(3)


def test_shallow_dip_counts():
    """EROS4 at k = 6 touches the tolerance 2.6e-5 deep where the published table reads on to 4.90 %."""
    algorithm = generic("eros4", 6)
    grid = np.linspace(0.036, 0.045, 40_000)
    depth = (np.abs(np.abs(frequency_response(algorithm, grid)) - 1) - 0.03).max()
    assert depth == pytest.approx(2.6e-5, abs=1e-6)
    assert 100 * limit_frequencies(algorithm).gain == pytest.approx(3.605, abs=5e-4)


def test_weights_that_lose_constants_have_limit_zero():
    found = limit_frequencies(LinearAlgorithm(2, (0.9,), (0.0,)))
    assert found.gain == 0.0 and found.limit == 0.0


def test_limit_may_be_missing():
    """Without any output there is no phase to deviate; hold with ΔT/2 of lead hides the phase of the hold."""
    assert limit_frequencies(LinearAlgorithm(0, (0.0,), (0.0,))).phase is None


def test_conversion_to_rad_per_s():
    found = limit_frequencies(generic("zoh", 3)).in_rad_per_s(0.02)
    assert found.phase == pytest.approx(0.00476 * np.pi / 0.02, rel=1e-3)
