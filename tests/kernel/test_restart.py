"""Senders that restart and clocks that are set, in C: against holding, all faults, modes, timings and signals."""

import pytest

from couplant_runtime.generated.constants import STRAYS
from tests.kernel.driver import KernelDriver
from tests.kernel.library import needs_compiler
from tests.runtime.faults import BEFORE, MODES, STEP, WITHIN, Scene, outcome, rms

pytestmark = needs_compiler

JUMPS = (0.02, 0.05, 0.3, 1.0, 10.0, -0.02, -0.05, -0.1, -0.3, -0.7, -2.0, -10.0)
SEEDS = range(2)


def after(scene, saved, jump):
    """Return what comes of a clock that is set by `jump` [s], or that starts at 0, from the `saved` state on."""
    scene.host.restore(saved)
    scene.n, scene.origins = BEFORE, 0
    set_to = -scene.own - BEFORE * STEP if jump is None else jump
    return outcome(scene, lambda i: set_to)


@pytest.mark.parametrize("of", ["smooth", "telegraph", "noisy"])
@pytest.mark.parametrize("timing", ["step", "event"])
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("algorithm", ["eros3", "auto"])
def test_whatever_happens_to_the_clock_it_costs_less_than_one_and_a_half_times_holding(algorithm, mode, timing, of):
    scenes = [Scene(mode, timing, algorithm, KernelDriver, of, seed).run(BEFORE) for seed in SEEDS]
    saved = [scene.host.save() for scene in scenes]
    for jump in (*JUMPS, None):
        found = [after(scene, state, jump) for scene, state in zip(scenes, saved, strict=True)]
        assert max(one.steps for one in found) <= WITHIN
        if algorithm == "eros3" and not any(one.steps >= STRAYS for one in found):
            continue
        assert rms([one.error for one in found]) <= 1.5 * rms([one.held for one in found]), jump
