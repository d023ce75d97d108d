"""What `irregular` knows about a signal: autocorrelation, tolerances, noise that bounds the gain."""

from dataclasses import replace

import numpy as np
import pytest

from couplant.analysis.algorithms import LinearAlgorithm
from couplant.analysis.exact.autocorrelation import LARGEST_GAIN, regular, spectrum_of_band, tolerances_of_spectrum
from couplant.pack.settings import BAND
from couplant_runtime.generated.constants import MORE_NOISE, MOST_NOISE
from couplant_runtime.generated.numbers import HORIZONS
from tests.analysis.exact import oracle

BANDS = [(1e-4, 2e-4), BAND, (0.3, 0.31), (1e-4, 3.14), (3.0, 3.1415), (0.5, 4.0), (0.0, 1.0)]


def gain(algorithm):
    """Return the largest gain of an estimate at the macro point, at a thousand frequencies."""
    turns = np.exp(-1j * np.outer(np.linspace(0.0, np.pi, 1001), np.arange(len(algorithm.a))))
    return np.abs(turns @ np.array(algorithm.a)).max()


@pytest.mark.parametrize(("low", "high"), BANDS)
def test_the_autocorrelation_by_numpy(low, high):
    spectrum = spectrum_of_band(low, high, 8, 2, 1e-4)
    correlation, gradient = oracle.correlation(low, high)
    assert np.abs(spectrum.correlation - correlation).max() < 5e-14
    assert np.abs(spectrum.gradient - gradient).max() < 2e-13 * np.abs(gradient).max()


@pytest.mark.parametrize("high", [1e3, 1e9, 1e100, 1e300])
def test_a_band_without_end_is_white_noise(high):
    spectrum = spectrum_of_band(0.01, high, 9, 2, 1e-6)
    assert spectrum.correlation[0] == 1.0
    assert np.abs(spectrum.correlation[1:]).max() < 5.0 / high
    assert np.abs(spectrum.gradient).max() < 5.0


@pytest.mark.sample(4)
@pytest.mark.parametrize("timing", ["event", "step"])
@pytest.mark.parametrize(("low", "high", "values", "degree", "noise"), [
    (*BAND, 9, 2, 1e-6), (*BAND, 2, 0, 1e-3), (1e-4, 2e-4, 10, 3, 1e-6), (0.3, 0.31, 5, 1, 1e-5),
    (1e-4, 3.14, 9, 2, 0.5),
])  # fmt: skip
def test_tolerances_by_numpy(low, high, values, degree, noise, timing):
    spectrum, step = spectrum_of_band(low, high, values, degree, noise), timing == "step"
    zeta, delta = tolerances_of_spectrum(spectrum, step)
    assert len(zeta) == len(delta) == HORIZONS
    for k in (0, 1, 2, 3, 6, 20, 64):
        one = regular(spectrum, k, step)
        expected = oracle.tolerance(LinearAlgorithm(k, one.a, one.slopes), timing)
        assert (zeta[k + step], delta[k + step]) == pytest.approx(expected, rel=1e-10)


@pytest.mark.parametrize(("low", "high"), BANDS)
@pytest.mark.parametrize(("values", "degree", "least"), [(9, 2, 1e-6), (5, 3, 1e-5), (10, 0, 1e-4)])
def test_the_noise_is_the_first_on_the_ladder_that_the_gain_bears(low, high, values, degree, least):
    """By numpy, at the same 129 frequencies; no decision was near the edge."""
    spectrum = spectrum_of_band(low, high, values, degree, least)
    turns = np.exp(-1j * np.outer(np.linspace(0.0, np.pi, 129), np.arange(values)))
    noise = least
    for k in range(HORIZONS - 1):
        while noise < MOST_NOISE:
            tried = replace(spectrum, noise=(noise,) * HORIZONS)
            largest = np.abs(turns @ np.array(regular(tried, k, False).a)).max()
            assert abs(largest / LARGEST_GAIN - 1.0) > 1e-9
            if largest <= LARGEST_GAIN:
                break
            noise *= MORE_NOISE
        assert spectrum.noise[k] == noise


@pytest.mark.parametrize("values", [5, 9])
def test_no_more_noise_than_the_gain_asks_for(values):
    spectrum = spectrum_of_band(*BAND, values, 2, 1e-6)
    assert spectrum.noise[0] == 1e-6 and list(spectrum.noise) == sorted(spectrum.noise)
    reached = [gain(regular(spectrum, k, False)) <= 1.01 * LARGEST_GAIN for k in range(HORIZONS - 1)]
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
    found = regular(spectrum, k, True)
    ends = LinearAlgorithm(k, tuple(np.add(found.a, found.slopes)), (0.0,) * len(found.a), "end")
    assert gain(ends) <= 1.01 * LARGEST_GAIN


def test_more_noise_of_the_signal_is_kept():
    assert set(spectrum_of_band(*BAND, 9, 2, 0.5).noise) == {0.5}
