"""Power bonds of an effort and a velocity: take-back, and that a budget bounds the energy that is created."""

import numpy as np
import pytest

from tests.kernel.library import needs_compiler
from tests.networks.velocities import STEP, Run, Shaft, drive, simulate, whole

pytestmark = needs_compiler

OSCILLATOR = Shaft((1.0, 0.1), (1.0, 2.0, 10.0), (0.01, 0.001, 0.001))
STIFF = Shaft((2.5, 2.1), (67.0, 66.0, 120.0), (0.12, 0.02, 0.04))
DRIVEN = Shaft((1.0, 2.0), (0.0, 2.0, 0.0), (0.5, 0.2, 0.5), drive)
DRIVEN_STIFF = Shaft((1.0, 2.0), (0.0, 60.0, 0.0), (0.05, 1.0, 0.4), drive)
SHAFTS = {"oscillator": OSCILLATOR, "stiff": STIFF}
TAKE_BACK = (("take_back", 0.02), ("source", "bond"))
EVERY_HOST = pytest.mark.parametrize("host", ["step", "event", "jacobi"])


def budget(shaft, k):
    """Return four times the largest energy that passes the bond in k + 1 macro steps, J."""
    rows, _ = whole(shaft)
    sums = np.concatenate([[0.0], np.cumsum(rows[:, 0] * rows[:, 1] * STEP)])
    return 4.0 * float(np.abs(sums[k + 1 :] - sums[: -k - 1]).max())


@pytest.mark.sample(65)
@EVERY_HOST
@pytest.mark.parametrize("k", [3, 8, 14, 18, 20])
@pytest.mark.parametrize("algorithm", ["zoh", "foh", "eros3", "eros4"])
@pytest.mark.parametrize("shaft", ["oscillator", "stiff"])
def test_the_energy_created_is_at_most_two_budgets(shaft, algorithm, k, host):
    allowed = 0.3 * whole(SHAFTS[shaft])[1]
    run = Run(SHAFTS[shaft], algorithm, k, host, (*TAKE_BACK, ("budget", allowed)))
    _, largest, created = simulate(run)
    assert created <= 2.2 * allowed and largest <= 3.5


@EVERY_HOST
@pytest.mark.parametrize("k", [3, 10])
@pytest.mark.parametrize("algorithm", ["foh", "eros3"])
def test_mean_power_within_a_budget_of_some_steps_of_it(algorithm, k, host):
    """EROS3 created 2.8 budgets in a Jacobi host where a step that overdrew was followed by others."""
    allowed = budget(DRIVEN_STIFF, k)
    _, largest, created = simulate(Run(DRIVEN_STIFF, algorithm, k, host, (("budget", allowed),)))
    assert created <= 2.2 * allowed and largest <= 6.0


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    ("algorithm", "k", "host", "share", "m", "c", "d"),
    [
        ("eros4", 10, "step", 1.0, (1.37, 0.555), 24.0, (0.77, 0.47, 0.34)),
        ("foh", 18, "step", 2.0, (0.248, 0.659), 369.0, (0.226, 0.03, 0.046)),
        ("eros4", 20, "event", 0.5, (0.514, 2.1), 68.0, (0.362, 1.375, 0.122)),
        ("foh", 20, "jacobi", 1.0, (1.55, 0.388), 336.0, (0.104, 5.96, 0.985)),
        ("eros3", 18, "step", 0.5, (0.92, 1.36), 1291.0, (0.703, 0.478, 0.065)),
        ("eros4", 16, "step", 0.25, (1.855, 0.902), 361.0, (0.509, 0.347, 0.077)),
    ],
)
def test_the_bound_holds_for_stiff_shafts_with_mean_power(algorithm, k, host, share, m, c, d):
    """Single steps of shafts that swing with .15 to .97 rad a step overdrew: 2.3 to 4 budgets were created."""
    shaft = Shaft(m, (0.0, c, 0.0), d, drive)
    allowed = share * budget(shaft, k)
    assert simulate(Run(shaft, algorithm, k, host, (("budget", allowed),)))[2] <= 2.1 * allowed


@EVERY_HOST
@pytest.mark.parametrize(("algorithm", "k"), [("foh", 3), ("eros3", 3), ("foh", 10)])
def test_mean_power_passes_it(algorithm, k, host):
    free = simulate(Run(DRIVEN, algorithm, k, host))
    guarded = simulate(Run(DRIVEN, algorithm, k, host, (("budget", budget(DRIVEN, k)),)))
    assert guarded[0] <= 1.01 * free[0] < 0.06


@EVERY_HOST
def test_mean_power_goes_on_where_the_algorithm_alone_is_unstable(host):
    error, largest, _ = simulate(Run(DRIVEN, "eros3", 10, host, (("budget", budget(DRIVEN, 10)),)))
    assert error < 0.15 and largest < 1.05
    assert simulate(Run(DRIVEN, "eros3", 10, host))[0] > 1e6


def test_take_back_mends_zoh_where_velocities_are_coupled():
    without, with_it = (simulate(Run(OSCILLATOR, "zoh", 3, "step", bond)) for bond in ((), TAKE_BACK))
    assert with_it[0] < 0.5 * without[0]
