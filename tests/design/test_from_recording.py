"""Recommendations on signals with known answers, and the torque recordings where they are at hand."""

import numpy as np
import pytest
import tomlkit

from couplant.analysis.algorithms import generic
from couplant.analysis.signal.recording import estimates
from couplant.base.errors import UsageError
from couplant.config import parse_interface
from couplant.design.from_recording import design_for
from couplant.design.inspection import inspect_recording
from couplant.tables import resample

STEP = 0.02
T = np.arange(1500) * STEP


def inspected(value, k=3, timing="event"):
    return inspect_recording(resample(T, value, STEP), k, timing)


@pytest.mark.sample(1)
@pytest.mark.parametrize("timing", ["event", "step"])
def test_clean_sine_below_every_limit(timing):
    found = inspected(np.sin(0.5 * T), timing=timing)
    assert found.recommended in ("auto", "auto_designed", "auto_learnt")
    assert found.ladder


def test_noise_forbids_what_amplifies_it():
    value = np.sin(1.5 * T) + 0.3 * np.sin(6 * T + 1) + 0.03 * np.random.default_rng(3).standard_normal(T.size)
    found = inspected(value)
    errors = {row.algorithm: row.rms for row in found.table}
    assert found.recommended in ("auto", "auto_designed", "auto_learnt")
    assert errors["designed"] < 0.6 * errors["wire"] < 0.6 * errors["eros3"]


@pytest.mark.sample(1)
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_unpredictable_signals_get_no_fmu(seed):
    walk = np.cumsum(np.random.default_rng(seed).standard_normal(T.size))
    assert inspected(walk).recommended == "wire"


def test_jumps_are_reported_and_hold_is_chosen_outside_the_limit():
    found = inspected(np.repeat(np.random.default_rng(1).standard_normal(40), 38)[: T.size])
    assert found.jumps.size >= 35 and not found.ladder
    assert found.recommended == "wire"


def test_steps_of_quantisation_are_no_jumps_and_the_floor_is_among_the_settings():
    value = 0.05 * np.round(10 * np.sin(0.5 * T))
    found = inspected(value)
    assert found.jumps.size == 0 and (found.quantum, found.floor) == (0.05, 0.1)
    assert tomlkit.parse(found.settings())["signals"]["y"]["discontinuity"] == {"floor": 0.1}
    value[700:] += 2.0
    found = inspected(value)
    assert found.jumps.tolist() == [700]
    text = '[interface]\nname = "a"\nmacro_step = 0.02\ntiming = "event"\n' + found.settings()
    assert parse_interface(tomlkit.parse(text).unwrap(), "a.toml").signals["y"].discontinuity.floor == 0.1


def test_values_that_a_slow_sender_repeats_are_no_jumps_to_detect():
    found = inspected(np.sin(0.5 * STEP * (np.arange(T.size) // 10 * 10)))
    assert found.repeats == 10 and found.jumps.size > 50 and found.floor == 0
    assert "discontinuity" not in found.settings()


def test_constant_signal():
    found = inspected(np.full(T.size, 4.0))
    assert (found.recommended, found.design) == ("wire", None)
    with pytest.raises(UsageError, match="never changes"):
        design_for(resample(T, np.full(T.size, 4.0)), 3)


def test_design_is_made_from_the_spectrum_and_holds_on_other_data():
    """The same process, another seed: the error does not come back."""
    driver = [smooth_noise(seed) for seed in (1, 2)]
    one = design_for(resample(T, driver[0], STEP), 4)
    rms = [np.sqrt(np.mean((estimates(a, driver[1]) - driver[1]) ** 2)) for a in (one.algorithm, generic("zoh", 4))]
    assert rms[0] < 0.6 * rms[1]
    assert sum(one.algorithm.a) == pytest.approx(1.0, abs=1e-11)


def smooth_noise(seed):
    rng = np.random.default_rng(seed)
    noise = rng.standard_normal(T.size + 200)
    for width in (30, 20, 10):
        noise = np.convolve(noise, np.full(width, 1 / width), "same")
    return noise[100:-100] / noise.std() + 0.02 * rng.standard_normal(T.size)
