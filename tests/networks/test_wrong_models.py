"""Models that are wrong: which show it, which fall to `auto`, which do not; energies with and without a bond."""

import pytest

from couplant_runtime.algorithms import BY_NAME
from tests.kernel.library import needs_compiler
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
    ],
    ids=lambda more: "-".join(more) + "-" + more["forces"],
)
def test_models_that_are_nearly_right_stay(more, k, timing):
    for seed in range(2):
        found = simulate(Run(k, timing, plant=drawn(seed, 0.05), seed=seed, **more))
        assert (found.active != AUTO).all()


@pytest.mark.parametrize("timing", TIMINGS)
def test_with_a_bond_models_wrong_by_a_fifth_create_nothing_that_lasts(timing):
    """Of forty plants largest energies are 1.17 and 1.37 times those without delay; without a bond 3.5 and 8.9."""
    for seed in (100, 101, 119, 123, 134):
        assert simulate(Run(8, timing, forces="both", plant=drawn(seed, 0.2), bond=TAKE_BACK)).largest <= 1.4
    assert simulate(Run(8, timing, forces="both", plant=drawn(134, 0.2))).largest > 3.0
