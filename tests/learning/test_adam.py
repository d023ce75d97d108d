"""Example 04 and 30 variations of it with networks that a server trains by Adam: no overshoot, half the error."""

import json
from functools import cache

import numpy as np
import pytest

from couplant.base import paths
from tests.kernel.library import needs_compiler
from tests.learning.served import Served
from tests.learning.stop import COUNT, DELAY, Channel, Plant, mean_error, run

pytestmark = needs_compiler

EXAMPLE = paths.root() / "examples" / "04_learning"
VARIATIONS = 30
AFTER = 6
"""Macro steps after a jump has arrived in which an estimate may overshoot: what EROS3 looks back. [-]"""


def overshoots(estimate, v1):
    """Return the largest error over the jump at each hit, from the arrival of the jump on."""
    jumps = np.flatnonzero(np.diff(v1) > 1.0) + 1
    seen = [j for j in jumps if j + DELAY + AFTER <= COUNT]
    errors = np.abs(estimate - v1)
    return [errors[j + DELAY : j + DELAY + AFTER].max() / (v1[j] - v1[j - 1]) for j in seen]


@cache
def open_loop(algorithm):
    """Return the overshoots on the undelayed v1, recorded."""
    v1 = Plant().reference[:, 1]
    channel = Channel(algorithm) if algorithm != "network" else Served("v1")
    return overshoots(np.array([channel.pass_on(value)[0] for value in v1]), v1)


@cache
def closed_loop(seed):
    """Return the mean absolute error over that of EROS3, and the overshoots of v1, of a variation."""
    plant = Plant() if seed is None else Plant.varied(seed)
    given, sent = run(plant, [Served(name) for name in ("x1", "v1", "f")])
    eros3, _ = run(plant, [Channel("eros3") for _ in range(3)])
    return mean_error(plant, given) / mean_error(plant, eros3), overshoots(given[:, 1], sent[:, 1])


@cache
def ratios():
    return np.array([closed_loop(seed)[0] for seed in range(VARIATIONS)])


def test_the_stop_is_foreseen_in_open_loop():
    assert max(open_loop("network")[3:]) <= 0.5


def test_eros3_overshoots_at_every_hit():
    assert len(open_loop("eros3")) == 8
    assert min(open_loop("eros3")) > 3.6


@pytest.mark.night("long closed loops that learn: 29 s of CPU")
def test_the_velocity_does_not_overshoot_in_closed_loop():
    assert max(over for seed in range(VARIATIONS) for over in closed_loop(seed)[1][3:]) <= 1.0


@pytest.mark.night("many learning loops: 50 s of CPU")
def test_the_error_is_less_than_half_that_of_eros3_in_most_variations():
    assert np.median(ratios()) <= 0.46


@pytest.mark.landing("long closed loops that learn")
def test_no_variation_loses():
    assert ratios().max() <= 1.0


@pytest.mark.landing("trains the networks of an example: 32 s of CPU")
def test_the_page_of_the_example_tells_these_figures():
    expected = json.loads((EXAMPLE / "expected.json").read_text(encoding="utf-8"))["adam"]
    overs = [over for seed in range(VARIATIONS) for over in closed_loop(seed)[1][3:]]
    figures = (closed_loop(None)[0], np.median(ratios()), ratios().max(), max(overs))
    assert figures == pytest.approx([expected[key] for key in ("example", "median", "worst", "overshoot")], abs=0.005)
    assert open_loop("network") == pytest.approx(expected["open_loop"], abs=0.005)
