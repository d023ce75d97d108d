"""Observers for models: what the chosen ones do on forces, noise and plants that they were not chosen by."""

from functools import cache

import numpy as np
import pytest

from couplant.analysis.senders import with_models
from couplant.analysis.stability import stability
from couplant.base.errors import UsageError
from couplant.design.models import design_models, model_tables
from tests.design.oscillator import EXCITED, IDEAL, STEP, error, held_error, motion, oscillator

FORCES = ("rc1", "both", "rnd")


JACOBI = ('host="jacobi"', 'timing=["step"]')
HOLD = 0.0167
"""Error of the estimates at k = 1 in step timing without noise, which no faster observer makes less."""


@cache
def chosen(k, noise):
    return design_models(oscillator(k), noise=noise, excited=EXCITED)


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("k", "noise", "most"),
    [
        (3, 0.01, (0.022, 0.022, 0.033)),
        (5, 0.01, (0.03, 0.04, 0.055)),
        (8, 0.01, (0.08, 0.09, 0.14)),
        (3, 0.0, (1.3 * 0.0042, 1.3 * 0.0039, 1.3 * 0.011)),
        (5, 0.0, (0.015, 0.025, 0.04)),
        (8, 0.0, (1.3 * 0.026, 1.3 * 0.034, 1.3 * 0.058)),
    ],
)
def test_errors_of_the_observer_that_is_chosen(k, noise, most):
    found = chosen(k, noise)
    assert found.stable_share == 1.0
    assert all(error(found.system, name, noise) <= limit for name, limit in zip(FORCES, most, strict=True))


@pytest.mark.landing("observers for a long latency")
def test_most_plants_are_stable_at_a_long_latency():
    assert chosen(15, 0.01).stable_share >= 0.9


@pytest.mark.sample(1)
@pytest.mark.parametrize("noise", [0.0, 0.01])
def test_modes_are_those_without_delay(noise):
    weights, radius = chosen(3, noise).chosen.weights, np.exp(np.linalg.eigvals(IDEAL).real.max() * STEP)
    for k in range(1, 26):
        assert stability(with_models(oscillator(k), weights)).radius == pytest.approx(radius, abs=1e-6)


@pytest.mark.parametrize("words", [(), JACOBI])
def test_step_timing_is_stable(words):
    weights = chosen(3, 0.01).chosen.weights
    for k in range(1, 16):
        assert stability(with_models(oscillator(k, "step", *words), weights, bool(words))).stable


@pytest.mark.sample(2)
@pytest.mark.parametrize("words", [(), JACOBI])
@pytest.mark.parametrize("k", [3, 8, 15])
def test_step_timing_costs_a_step_and_a_half(k, words):
    """What the masses do; estimates, each for the middle of its step, cost besides what any held value does."""
    weights = chosen(3, 0.01).chosen.weights
    found = with_models(oscillator(k, "step", *words), weights, bool(words))
    later = [with_models(oscillator(k + more), weights) for more in (1, 2)]
    assert sum(motion(found, name) for name in FORCES) <= 0.5 * sum(motion(one, n) for one in later for n in FORCES)
    for name in FORCES:
        assert held_error(found, name) <= 0.5 * sum(error(one, name) for one in later) + HOLD


def test_the_wire_that_it_is_judged_against_is_as_late_in_step_timing():
    event, step = chosen(3, 0.01), design_models(oscillator(3, "step"), noise=0.01, excited=EXCITED, plants=0)
    assert step.wire == pytest.approx(event.wire, rel=1e-9)


def test_noise_makes_it_slower():
    quiet, noisy = chosen(3, 0.0), chosen(3, 0.01)
    speed = [one.chosen.weights["mass_1"].drive / one.chosen.weights["mass_1"].noise[0] ** 2 for one in (quiet, noisy)]
    assert speed[0] > 100.0 * speed[1]
    assert quiet.chosen.error < noisy.chosen.error


def test_tables_are_settings_of_models():
    found = chosen(3, 0.01)
    names = {"mass_1.x1": "x1", "mass_1.v1": "v1", "mass_2.f": "f"}
    tables = model_tables(found.system, found.chosen.weights, names)
    assert (tables["mass_2"]["inputs"], tables["mass_2"]["outputs"]) == (["x1", "v1"], ["f"])
    assert tables["mass_2"]["D"] == [[-2.0, -0.001]]
    assert "D" not in tables["mass_1"]
    assert tables["mass_1"]["late"] is True and "late" not in tables["mass_2"]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"noise": 1.0}, "noise of mass_1.x1 = 1, allowed 0 to below 1"),
        ({"noise": {"mass_1.z": 0.1}}, "noise of mass_1.z"),
        ({"corner": 400.0}, "corner = 400, allowed above 0 to 157.08 rad/s"),
        ({"excited": {"mass_3": 1.0}}, "excitation of mass_3"),
        ({"excited": {"mass_1": 0.0}}, "nothing is excited"),
    ],
)
def test_wrong_numbers_are_told(given, message):
    with pytest.raises(UsageError, match=message):
        design_models(oscillator(3), **given)
