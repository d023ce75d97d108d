"""The noise of recordings: as large as it was made, and none where a signal has none or moves as fast."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from couplant.analysis.signal.sampling import noise_of
from couplant.tables import Recording, read_recording

RECORDINGS = sorted((Path(__file__).resolve().parents[2] / "examples" / "03_recording").glob("torque_*.csv"))
N = np.arange(3000)
_CHANCE = np.random.default_rng(1)
LEVELS = np.repeat(_CHANCE.standard_normal(120), _CHANCE.integers(25, 55, 120))[: N.size]
SIGNALS = {
    "still": np.full(N.size, 3.0),
    "ramp": 0.01 * N,
    "tone": np.sin(0.1 * N),
    "tones": 5.0 + np.sin(0.03 * N) + 0.3 * np.sin(0.12 * N + 1.0),
    "jumps": LEVELS,
}


def recording(value):
    return Recording("s", 0.01, np.asarray(value, dtype=float))


def white(size, seed=0):
    return np.random.default_rng(seed).standard_normal(size)


@pytest.mark.parametrize("deviation", [1e-3, 1e-2, 0.1, 10.0])
@pytest.mark.parametrize("name", SIGNALS)
def test_noise_is_as_large_as_it_was_made(name, deviation):
    found = noise_of(recording(SIGNALS[name] + deviation * white(N.size)))
    assert found.certain
    assert found.deviation == pytest.approx(deviation, rel=0.2 if name == "jumps" else 0.07)
    rms = np.sqrt(np.mean((SIGNALS[name] + deviation * white(N.size)) ** 2))
    assert found.share == pytest.approx(found.deviation / rms, rel=1e-3)


@pytest.mark.parametrize("name", SIGNALS)
def test_clean_signals_have_none(name):
    found = noise_of(recording(SIGNALS[name]))
    assert found is None or (found.deviation < 1e-9 and not found.certain)


@pytest.mark.parametrize("omega", [0.5, 1.0])
def test_a_fast_clean_signal_is_not_taken_for_noise(omega):
    found = noise_of(recording(np.sin(omega * N)))
    assert not found.certain and found.deviation < 0.02


def test_noise_that_was_filtered_cannot_be_told_from_a_signal():
    value = np.convolve(white(N.size + 8), np.hanning(11)[1:-1], "valid")
    assert not noise_of(recording(value)).certain


@pytest.mark.parametrize("path", RECORDINGS, ids=lambda path: path.stem)
@pytest.mark.parametrize("added", [0.3, 1.0, 3.0])
def test_noise_that_is_added_to_a_recording_is_found(path, added):
    one = read_recording(path)
    before, after = noise_of(one), noise_of(replace(one, value=one.value + added * white(one.value.size)))
    assert before.certain and after.certain
    assert after.deviation == pytest.approx(np.hypot(before.deviation, added), rel=0.1)


def test_units_offsets_and_signs_do_not_matter():
    value = SIGNALS["tones"] + 0.01 * white(N.size)
    one, other = noise_of(recording(value)), noise_of(recording(1e6 - 1000.0 * value))
    assert other.deviation == pytest.approx(1000.0 * one.deviation, rel=1e-3)


def test_quantisation_is_noise_of_a_step_over_the_root_of_twelve():
    assert noise_of(recording(np.round(SIGNALS["tones"], 1))).deviation == pytest.approx(0.1 / 12**0.5, rel=0.05)


def test_values_that_a_slow_sender_repeats_count_once():
    value = SIGNALS["tones"][::3] + 0.05 * white(N.size // 3)
    assert noise_of(recording(np.repeat(value, 3))).deviation == pytest.approx(0.05, rel=0.15)


def test_a_short_recording_tells_nothing():
    assert noise_of(recording(white(40))) is None
