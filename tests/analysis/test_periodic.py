"""Which signals are periodic: waves of a grid, with noise and events, and real signals that are none."""

import numpy as np
import pytest

from couplant.analysis.signal.periodic import LEAST_SHARE, Periodic, periodic, round_frequency
from tests.recordings.real import channels
from tests.runtime.periodic import HARMONICS, Wave

STEP = 1e-3
T = STEP * np.arange(3000)


def noise(size, seed=0):
    return size * np.random.default_rng(seed).standard_normal(T.size)


@pytest.mark.parametrize("kind", ["nominal", "higher", "lower", "ramp", "swing", "drift", "jump", "sag", "back"])
def test_a_phase_of_a_grid_is_periodic_whatever_happens_there(kind):
    wave = Wave(kind, harmonics=HARMONICS[:2])
    found = periodic(100.0 * (wave.values(T) + noise(0.005)) + 3.0, STEP)
    assert found is not None and found.share > 0.98
    assert (found.nominal, found.harmonics) == (50.0, 7)
    assert found.frequency == pytest.approx(float(np.median(wave.frequency(T))), abs=0.1)


@pytest.mark.parametrize("frequency", [8.3, 16.7, 47.13, 50.5, 55.0, 61.2, 137.7, 390.0])
def test_the_frequency_is_found_between_the_lines_of_a_spectrum(frequency):
    found = periodic(np.cos(2.0 * np.pi * frequency * T) + noise(0.02), STEP)
    assert found is not None and found.harmonics == 1
    assert found.frequency == pytest.approx(frequency, rel=2e-4)
    # within half of what is followed to both sides
    assert abs(found.nominal - found.frequency) <= 0.05 * found.nominal


@pytest.mark.parametrize(("found", "nominal"), [
    (50.4, 50.0), (47.6, 50.0), (47.13, 47.0), (58.2, 60.0), (55.0, 55.0), (16.9, 16.6667), (137.7, 138.0),
    (1.234, 1.23),
])  # fmt: skip
def test_what_is_proposed_is_a_round_number(found, nominal):
    assert round_frequency(found) == nominal


def test_harmonics_that_are_chance_do_not_count():
    wave = np.cos(2.0 * np.pi * 50.0 * T) + 0.02 * np.cos(2.0 * np.pi * 150.0 * T)
    found = periodic(wave + noise(0.01), STEP)
    assert found is not None and found.harmonics == 3


def not_periodic(name):
    wave = np.cos(2.0 * np.pi * 50.0 * T)
    walk = np.cumsum(noise(1.0, 2))
    return {
        "constant": np.full(T.size, 3.0),
        "noise": noise(1.0),
        "walk": walk,
        "steps": np.repeat(noise(1.0)[:100], 30),
        "two tones": np.sin(2.0 * np.pi * 13.0 * T) + np.sin(2.0 * np.pi * 31.0 * T),
        "noisy wave": wave + noise(0.5),
        "bursts": wave * (np.sin(2.0 * np.pi * 0.7 * T) > 0.0) + noise(0.1),
        "speed that rises": np.cos(2.0 * np.pi * (30.0 * T + 5.0 * T**2)),
        "saw": (47.0 * T) % 1.0,
        "too fast": np.cos(2.0 * np.pi * 470.0 * T),
        "too slow": np.cos(2.0 * np.pi * 0.5 * T),
        "too short": wave[:150],
    }[name]


FAST_OR_SHORT = ("too fast", "too slow", "too short")
NAMES = ("constant", "noise", "walk", "steps", "two tones", "noisy wave", "bursts", "speed that rises", "saw")


@pytest.mark.parametrize("name", [*NAMES, *FAST_OR_SHORT])
def test_what_is_none_or_cannot_be_told_is_none(name):
    assert periodic(not_periodic(name), STEP) is None


def test_no_real_signal_that_the_tests_carry_is_taken_for_a_wave():
    """Flights, gait, electrocardiograms, drive cycles: some of them repeat, none as a wave."""
    found = {one.name: periodic(one.value[: int(0.6 * one.value.size)], one.macro_step) for one in channels()}
    assert len(found) == 34 and not any(found.values())


def test_phasors_reach_as_far_as_their_frequency_is_followed():
    one = Periodic(50.4, 50.0, 7, LEAST_SHARE)
    assert all(one.reaches(factor) for factor in (0.9, 0.95, 1.0, 1.05))
    assert not any(one.reaches(factor) for factor in (0.7, 1.1, 1.3))
    assert one.algorithm("off") == {"selected": "phasor", "frequency": 50.0, "harmonics": 7, "follow": "off"}
