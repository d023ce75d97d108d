"""What `irregular` knows about a signal: noise that bounds the gain."""

import numpy as np
import pytest

from couplant.analysis.algorithms import LinearAlgorithm
from couplant.pack.spectrum import BAND, LARGEST_GAIN, regular, spectrum_of_band
from couplant_runtime.generated.numbers import HORIZONS


def gain(algorithm):
    """Return the largest gain of an estimate at the macro point, at a thousand frequencies."""
    turns = np.exp(-1j * np.outer(np.linspace(0.0, np.pi, 1001), np.arange(algorithm.m)))
    return np.abs(turns @ np.array(algorithm.a)).max()


@pytest.mark.parametrize("values", [5, 9])
def test_no_more_noise_than_the_gain_asks_for(values):
    spectrum = spectrum_of_band(*BAND, values, 2, 1e-6)
    assert spectrum.noise[0] == 1e-6 and list(spectrum.noise) == sorted(spectrum.noise)
    reached = [gain(regular(spectrum, k, "event")) <= 1.01 * LARGEST_GAIN for k in range(HORIZONS - 1)]
    enough = [noise < spectrum.noise[-1] for noise in spectrum.noise[:-1]]
    assert all(fine for fine, less in zip(reached, enough, strict=True) if less) and sum(enough) >= 7
    for k in range(1, sum(enough)):
        noise = spectrum.noise[k]
        if noise > spectrum.noise[k - 1]:
            less = spectrum_of_band(*BAND, values, 2, noise / 1.6)
            assert less.noise[k] > noise / 1.6


@pytest.mark.parametrize("k", [1, 3, 4, 5, 6])
def test_the_bound_holds_at_the_end_of_the_step_in_step_timing(k):
    """There the estimate reaches one step further: with the noise of k the gain was 52 at k = 3."""
    spectrum = spectrum_of_band(*BAND, 9, 2, 1e-6)
    found = regular(spectrum, k, "step")
    ends = LinearAlgorithm(k, tuple(np.add(found.a, found.A)), (0.0,) * found.m, "end")
    assert gain(ends) <= 1.01 * LARGEST_GAIN


def test_more_noise_of_the_signal_is_kept():
    assert set(spectrum_of_band(*BAND, 9, 2, 0.5).noise) == {0.5}
