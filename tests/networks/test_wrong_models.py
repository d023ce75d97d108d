"""Models that are wrong: which show it, which fall to `auto`, which do not; energies with and without a bond."""

import math

import pytest

from couplant.config import parse_interface
from couplant.pack.settings import runtime_settings
from couplant_runtime.algorithms import BY_NAME
from tests.kernel.library import Kernel, needs_compiler
from tests.networks import modelled
from tests.networks.modelled import F, Run, drawn, simulate

pytestmark = needs_compiler

AUTO, MODEL = BY_NAME["auto"].number, BY_NAME["model"].number
TIMINGS = ("event", "step")
TAKE_BACK = (("take_back", 0.02), ("source", "bond"))
BURSTS = 0.03, 0.25
"""Chances in a macro step that a burst of losses begins and that it ends: one message in nine is lost."""


@pytest.fixture
def wrong_force(monkeypatch):
    """Return a function that makes the side of mass 1 believe in a force so many times as large."""
    right = modelled.tables

    def scale(times):
        def tables(**more):
            found = right(**more)
            for key in "CD":
                found["mass_2"][key] = [[times * one for one in row] for row in found["mass_2"][key]]
            return found

        modelled.settings.cache_clear()
        monkeypatch.setattr(modelled, "tables", tables)

    yield scale
    modelled.settings.cache_clear()


@pytest.mark.parametrize("timing", TIMINGS)
@pytest.mark.parametrize(("k", "times", "most"), [(1, 1e-3, 2.5), (3, 1e-3, 2.5), (8, 10.0, 2.5)])
def test_a_model_that_is_far_worse_than_nothing_falls_to_auto(wrong_force, k, times, most, timing):
    """Force in kN where it is in N, or ten times too large; without the ladder energies grow 1e6- to 1e51-fold."""
    wrong_force(times)
    found = simulate(Run(k, timing))
    assert (found.active[-1] == (MODEL, MODEL, AUTO)).all()
    assert (found.active[175:, F] == AUTO).all()  # the force began at macro step 50, 2.5 s before
    assert found.skill[:175, F].min() < -2.0
    assert found.largest <= most


@pytest.mark.sample(4)
@pytest.mark.parametrize("timing", TIMINGS)
@pytest.mark.parametrize("k", [3, 8])
@pytest.mark.parametrize(
    "more",
    [
        {"forces": "both"},
        {"forces": "random"},
        {"forces": "jump"},
        {"forces": "jump", "noise": 0.01},
        {"forces": "random", "loss": 0.05, "jitter": 2},
        {"forces": "random", "bursts": BURSTS},
        {"forces": "random", "bursts": (0.01, 0.1)},
    ],
    ids=str,
)
def test_models_that_are_nearly_right_stay(more, k, timing):
    for seed in (1, 3):
        found = simulate(Run(k, timing, plant=drawn(seed, 0.05), seed=seed, **more))
        assert (found.active != AUTO).all()


def lagging(inputs, shown, drive=1.0, fallback="auto"):
    """Return the active algorithms for a sender that lags behind what it is given; its model hears what is shown."""
    lag = {"A": [[-5.0]], "B": [[5.0]], "C": [[1.0]], "inputs": ["u"], "outputs": ["y"]}
    lag |= {"drive": drive, "fallback": fallback}
    signal = {"algorithm": "model", "latency": {"constant_steps": 3}}
    head = {"name": "i", "macro_step": modelled.STEP}
    document = {"interface": head, "signals": {"y": signal}, "models": {"lag": lag}}
    kernel, x, sent, active = Kernel(runtime_settings(parse_interface(document, "test"), "y")), 0.0, [0.0] * 4, []
    kernel.init(0.0)
    for n, (u, told) in enumerate(zip(inputs, shown, strict=True)):
        sent = [x, *sent[:3]]
        kernel.state.input.y, kernel.state.plant.u[0] = sent[3], told
        kernel.step(n * modelled.STEP, modelled.STEP)
        x = u + (x - u) * math.exp(-5.0 * modelled.STEP)
        active.append(kernel.state.switching.active)
    return active


def test_a_model_that_is_right_again_comes_back():
    inputs = [math.sin(0.1 * n) for n in range(1200)]
    active = lagging(inputs, [(-10.0 if 150 <= n < 350 else 1.0) * u for n, u in enumerate(inputs)])
    assert active.index(AUTO) in range(200, 300)
    assert active[360] == AUTO and active[-1] == MODEL
    assert AUTO not in lagging(inputs, inputs)


def test_a_wrong_model_leaves_for_what_it_is_to_fall_back_to():
    """Gains ten times too large for a while; holding begins within the 50 estimates that tell it, and ends after."""
    inputs = [math.sin(0.1 * n) for n in range(1200)]
    shown = [(-10.0 if 150 <= n < 350 else 1.0) * u for n, u in enumerate(inputs)]
    held, stays = (lagging(inputs, shown, fallback=to)[50:] for to in ("zoh", "model"))
    assert set(held) == {BY_NAME["zoh"].number, MODEL}
    assert held.index(BY_NAME["zoh"].number) == lagging(inputs, shown)[50:].index(AUTO)
    assert held[310] != MODEL and held[-1] == MODEL
    assert set(stays) == {MODEL}


def test_at_rest_small_errors_are_none():
    """Half a per cent that a slow observer leaves for long, and nothing moves: holding makes no error at all."""
    inputs = [1.1 if n > 50 else 0.0 for n in range(1500)]
    assert AUTO not in lagging(inputs, [1.005 * u for u in inputs], drive=1e-8)


@pytest.mark.parametrize("timing", TIMINGS)
def test_with_a_bond_models_wrong_by_a_fifth_create_nothing_that_lasts(timing):
    """Of forty plants largest energies are 1.17 and 1.37 times those without delay; without a bond 3.5 and 8.9."""
    for seed in (100, 101, 119, 123, 134):
        assert simulate(Run(8, timing, forces="both", plant=drawn(seed, 0.2), bond=TAKE_BACK)).largest <= 1.4
    assert simulate(Run(8, timing, forces="both", plant=drawn(134, 0.2))).largest > 3.0
