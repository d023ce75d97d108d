"""Spectra, bands, jumps and the open-loop comparison, on signals whose answers are known."""

import numpy as np
import pytest
from scipy.signal import find_peaks, welch

from couplant.analysis import LinearAlgorithm, generic
from couplant.analysis.signal.recording import (
    _valleys,
    bands,
    compare,
    discontinuities,
    estimates,
    open_loop_error,
    spectrum,
)
from couplant.tables import resample

STEP = 0.02
T = np.arange(4000) * STEP
RNG = np.random.default_rng(8)


def recording(value):
    return resample(T[: value.size], value, STEP)


def test_power_is_kept():
    """The density integrates to the variance."""
    noise = RNG.standard_normal(4000)
    found = spectrum(recording(noise))
    assert np.sum(found.power) * (found.omega[1] - found.omega[0]) == pytest.approx(noise.var(), rel=0.05)
    assert found.omega[-1] == pytest.approx(np.pi / STEP)


@pytest.mark.parametrize("size", [64, 401, 4000])
def test_the_density_is_that_of_scipy(size):
    one = recording(np.cumsum(RNG.standard_normal(size)))
    found, length = spectrum(one), max(64, size // 4)
    frequency, power = welch(one.value, 1.0 / one.macro_step, "hann", length, detrend="constant")
    np.testing.assert_allclose(found.omega, 2 * np.pi * frequency[1:], rtol=1e-15)
    np.testing.assert_allclose(found.power, power[1:] / (2 * np.pi), rtol=1e-12)


@pytest.mark.parametrize("depth", [0.5, 2.0])
def test_valleys_are_prominent_peaks_upside_down(depth):
    for values in (RNG.standard_normal(900), np.round(np.cumsum(RNG.standard_normal(900))), np.ones(5)):
        assert _valleys(values, depth) == find_peaks(-values, prominence=depth)[0].tolist()


def test_the_error_of_one_algorithm_is_that_of_the_comparison():
    one = recording(np.sin(1.5 * T))
    for name in ("eros3", "smb"):
        assert open_loop_error(one, generic(name, 3), "step") == compare(one, [generic(name, 3)], "step")[0].rms


def test_band_of_two_tones_reaches_the_higher_one():
    found = bands(spectrum(recording(np.sin(1.5 * T) + 0.3 * np.sin(6 * T + 1))))
    assert 6.0 <= found.useful <= 7.5 and found.disturbances == ()


def test_weak_hump_above_the_signal_is_a_disturbance():
    slow = np.cumsum(RNG.standard_normal(4000))
    slow = np.convolve(np.convolve(slow, np.full(60, 1 / 60), "same"), np.full(40, 1 / 40), "same")
    slow *= 4.0 / slow.std()
    buzz = 0.1 * sum(np.sin(w * T + p) for w, p in zip(np.linspace(38, 46, 9), RNG.uniform(0, 6, 9), strict=True))
    found = bands(spectrum(recording(slow + buzz + 1e-3 * RNG.standard_normal(4000))))
    assert found.useful < 15
    assert any(low <= 42 <= high for low, high in found.disturbances)


def test_jumps_are_found_where_they_are():
    value = np.sin(0.5 * T)
    value[1000:] += 3.0
    value[2500:] -= 2.0
    assert discontinuities(recording(value)).tolist() == [1000, 2500]


def test_nothing_is_flagged_without_jumps():
    """docs/reference.md 6: constants, one unit in the last place, ramps, tones below 86 % of Nyquist."""
    flat = np.full(2000, 1.0)
    flat[::7] = np.nextafter(1.0, 2.0)
    for value in (
        np.full(2000, 3.0),
        flat,
        np.arange(2000.0),
        np.sin(0.86 * np.pi * np.arange(2000)),
        np.sin(T[:2000]),
    ):
        assert discontinuities(recording(value)).size == 0


def test_long_recordings_are_scanned_without_seams():
    value = np.sin(0.01 * np.arange(250_000))
    value[99_999:] += 5.0
    value[200_003:] += 5.0
    assert discontinuities(resample(np.arange(value.size) * STEP, value)).tolist() == [99_999, 200_003]


@pytest.mark.parametrize("timing", ["event", "step"])
@pytest.mark.parametrize("name", ["zoh", "foh", "smb", "eros3", "eros4"])
def test_estimates_follow_the_equations(name, timing):
    from tests.analysis.test_stability import by_equation

    value = RNG.standard_normal(80)
    value = value - value[0]
    algorithm = generic(name, 3)
    pairs = np.array(by_equation(algorithm, value))
    expected = pairs[:, 0] if timing == "event" else np.concatenate([[0.0], pairs[:-1].sum(axis=1)])
    assert estimates(algorithm, value, timing) == pytest.approx(expected, abs=1e-10)


def test_estimates_keep_an_offset():
    for name in ("foh", "smb", "eros4"):
        value = 1e6 + np.sin(T)
        assert estimates(generic(name, 3), value) - 1e6 == pytest.approx(
            estimates(generic(name, 3), value - 1e6), abs=1e-6
        )


def test_figures_of_the_comparison():
    line = np.arange(500.0)
    zoh, foh = compare(recording(line), [generic("zoh", 3), generic("foh", 3)])
    assert (zoh.mae, zoh.rms, zoh.worst) == pytest.approx((3.0, 3.0, 3.0))
    assert foh.worst == pytest.approx(0.0, abs=1e-9) and foh.combined == pytest.approx(0.0, abs=1e-4)
    halved = compare(recording(np.sin(T)), [LinearAlgorithm(0, (0.5,), (0.0,))])[0]
    assert halved.combined == pytest.approx(50.0)
