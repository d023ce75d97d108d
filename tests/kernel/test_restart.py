"""Senders that restart and clocks that are set, in C: against holding, all faults, modes, timings and signals."""

import pytest

from couplant_runtime.generated.constants import STRAYS
from tests.kernel.driver import KernelDriver
from tests.kernel.library import needs_compiler
from tests.runtime.faults import BEFORE, MODES, STEP, WITHIN, K, Scene, disturbed, outcome, rms
from tests.runtime.test_restart import (
    FIRST,
    OLD,
    STRAY_JUMPS,
    assert_few_strays_move_nothing,
    assert_first_decides_nothing,
    assert_old_messages_move_nothing,
)

pytestmark = needs_compiler

JUMPS = (0.02, 0.05, 0.3, 1.0, 10.0, -0.02, -0.05, -0.1, -0.3, -0.7, -2.0, -10.0)
SEEDS = range(2)


def after(scene, saved, jump):
    """Return what comes of a clock that is set by `jump` [s], or that starts at 0, from the `saved` state on."""
    scene.host.restore(saved)
    scene.n, scene.origins = BEFORE, 0
    set_to = -scene.own - BEFORE * STEP if jump is None else jump
    return outcome(scene, lambda i: set_to)


@pytest.mark.sample(6)
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


@pytest.mark.sample(3)
@pytest.mark.parametrize("jump", [0.2, 1.5, -0.07, -0.12, -0.4, -0.9, -6.0])
def test_jitter_loss_and_disorder_hide_nothing(jump):
    """Messages that were passed by leave holes in the history; those of a clock that is set back must not fill them."""
    for seed in range(12):
        steps, lead = disturbed(seed, KernelDriver, jump)
        assert steps <= WITHIN
        assert lead == pytest.approx(K + 1.0, abs=1.0)


@pytest.mark.sample(4)
@pytest.mark.parametrize("timing", ["step", "event"])
@pytest.mark.parametrize("mode", MODES)
def test_the_first_stamp_does_not_decide_alone(mode, timing):
    for first in FIRST:
        assert_first_decides_nothing(mode, timing, first, KernelDriver)


@pytest.mark.parametrize("mode", MODES)
def test_strays_and_old_messages_never_move_the_origin(mode):
    for jump in STRAY_JUMPS:
        assert_few_strays_move_nothing(mode, jump, KernelDriver)
    for back, count in OLD:
        assert_old_messages_move_nothing(mode, back, count, KernelDriver)
