"""Steps of quantisation and slow senders, on signals that have them and on those that only look like it."""

import numpy as np
import pytest

from couplant.analysis.signal.sampling import proposed_floor, quantum, repeats
from couplant.tables import Recording

N = np.arange(2000)
TRIANGLE = np.abs((N / 100) % 2 - 1)


def chance():
    return np.random.default_rng(5)


def recording(value):
    return Recording("y", 0.01, np.asarray(value, float))


def held(value, share):
    """Return a signal of which a share of the values is lost at random, the last one in their place."""
    return value[np.maximum.accumulate(np.where(chance().random(N.size) < share, 0, N))]


def levels(values):
    """Return random ones of some values, changed in 3 % of the macro steps."""
    changed = np.maximum.accumulate(np.where(chance().random(N.size) < 0.03, N, 0))
    return chance().choice(values, N.size)[changed]


QUANTISED = {
    "coarse tone": 0.025 * np.round(6 * np.sin(N / 16)) + 7,
    "tone": 0.025 * np.round(20 * np.sin(N / 10)),
    "tone of 13 levels": 0.025 * np.round(6.3 * np.sin(N / 14.2)),
    "slow tone": 0.025 * np.round(100 * np.sin(N / 60)),
    "slow ramp": 0.025 * np.round(0.03 * N + 0.2),
    "ramp": 0.025 * np.round(0.71 * N + 0.2),
    "steep ramp": 0.025 * np.round(1.3 * N),
    "triangle": 0.025 * np.round(25 * TRIANGLE),
    "noise of half a step": 0.025 * np.round(0.1 * N + 0.5 * chance().standard_normal(N.size)),
    "lost values bridged": np.interp(N, N[N % 97 != 50], 0.025 * np.round(20 * np.sin(N[N % 97 != 50] / 30))),
}

NEITHER = {
    "constant": np.full(N.size, 3.0),
    "tone": np.sin(N / 20),
    "tone of six values": np.sin(2 * np.pi * N / 6),
    "tone of twelve values": np.sin(2 * np.pi * N / 12),
    "file of six digits": np.round(np.sin(N / 20), 6),
    "noise": chance().standard_normal(N.size),
    "tone with noise": np.sin(N / 40) + 0.01 * chance().standard_normal(N.size),
    "walk": np.cumsum(chance().standard_normal(N.size)),
    "ramp": 0.013 * N,
    "saw": (N / 37) % 1,
    "short saw": (N / 12.67) % 1,
    "triangle": TRIANGLE,
    "ramps between rests": np.clip(3 * (TRIANGLE - 0.5), -0.8, 0.8),
    "decay": np.exp(-N / 50),
    "counter": N % 256,
    "two levels": levels([-1.0, 1.0]),
    "three levels": levels([0.0, 1.0, 2.0]),
    "any levels": levels(chance().uniform(-1, 1, 500)),
    "bits": chance().integers(0, 2, N.size)[N // 5 * 5],
    "square": (N // 10) % 2,
    "gears": np.clip(np.round(4 + 5 * np.sin(N / 60)), -1, 8),
    "pulses": (N % 40 < 3) * 1.0,
    "a third lost at random": held(np.sin(N / 20), 0.3),
    "most lost at random": held(np.sin(N / 20), 0.8),
    "values that stay for 3 to 5": chance().random(N.size)[np.repeat(N, chance().integers(3, 6, N.size))[: N.size]],
    "steps of any size": np.cumsum(chance().uniform(0.5, 1.5, N.size) * chance().choice([-1, 1], N.size)),
    "tone in many steps": np.round(40 * np.sin(N / 9)),
    "few values": np.round(5 * np.sin(N[:40] / 10)),
}


@pytest.mark.parametrize("name", QUANTISED)
def test_steps_of_quantisation_are_measured(name):
    found = recording(QUANTISED[name])
    assert quantum(found) == pytest.approx(0.025, rel=1e-3) and repeats(found) is None


@pytest.mark.parametrize("name", NEITHER)
def test_other_signals_are_neither(name):
    found = recording(NEITHER[name])
    assert (quantum(found), repeats(found)) == (None, None)


@pytest.mark.parametrize("period", [2, 3, 4, 7, 10, 2.5, 5.5])
def test_the_period_of_a_slow_sender_is_found(period):
    last = np.floor(np.floor(N / period) * period + 1e-9)
    rest = np.where((last > 400) & (last < 700), 400 // period * period, last)
    for value in (np.sin(last / 24), np.sin(rest / 24), 1 - np.exp(-last / 300), np.sin(last / 24) + 1e6):
        assert (quantum(recording(value)), repeats(recording(value))) == (None, pytest.approx(period, rel=1e-2))


def test_a_slow_sender_of_noise_is_found_and_one_that_loses_messages():
    sent = N // 4
    assert repeats(recording(chance().standard_normal(500)[sent])) == 4
    assert repeats(recording(held(np.sin(N / 6), 0.05)[sent])) == 4


def test_a_slow_sender_of_a_quantised_signal_is_both():
    for turn in (40, 62):
        found = recording(0.025 * np.round(20 * np.sin(N // 3 * 3 / turn)))
        assert (quantum(found), repeats(found)) == (pytest.approx(0.025), 3)


def test_rounding_is_no_change():
    rounding = 1e-13 * chance().standard_normal(N.size)
    assert quantum(recording(QUANTISED["tone"] + rounding)) == pytest.approx(0.025)
    assert repeats(recording(np.sin(N // 4 / 6) + rounding)) == 4


def test_the_sign_offset_and_unit_of_a_signal_do_not_matter():
    value = QUANTISED["tone"]
    for size, offset in ((-1.0, 0.0), (1e-9, 0.0), (1e9, -3e9), (1.0, 1e4)):
        assert quantum(recording(size * value + offset)) == pytest.approx(abs(size) * 0.025, rel=1e-5)


def test_a_file_of_few_digits_hides_no_step():
    value = np.round(10 / 4096 * np.round(20 * np.sin(N / 30)), 4)
    assert quantum(recording(value)) == pytest.approx(10 / 4096, rel=2e-3)


def test_the_floor_is_two_steps():
    assert (proposed_floor(0.025), proposed_floor(None)) == (0.05, 0.0)
