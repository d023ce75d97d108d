"""The life cycle in C: properties that hold whatever the numbers are."""

import math

import pytest

from couplant_runtime.algorithms import BY_NAME, GENERIC, NAMES
from tests.kernel.library import Kernel, needs_compiler
from tests.twin.scenario import plain_settings

pytestmark = needs_compiler

NUMBERS = [BY_NAME[name].number for name in GENERIC]


def drive(kernel, values, parts=1, step=0.01):
    y = next(v for v in plain_settings().variables() if v.name == "y")
    outputs = []
    for i, value in enumerate(values):
        kernel.set(y, value, True)
        for part in range(parts):
            kernel.step(kernel.state.grid.time, (i + (part + 1) / parts) * step - kernel.state.grid.time)
        outputs.append(kernel.state.reconstruction.y_hat)
    return outputs


def started(**start):
    kernel = Kernel(plain_settings(start=start))
    kernel.init(0.0)
    return kernel


@pytest.mark.parametrize("algorithm", NUMBERS)
@pytest.mark.parametrize("k", [0, 1, 3, 6])
def test_constants_are_kept_exactly(algorithm, k):
    kernel = started(**{"algorithm.selected": algorithm, "latency.constant_steps": k})
    assert drive(kernel, [0.3] * 60) == [0.3] * 60


@pytest.mark.parametrize("name", ["foh", "eros3", "eros4"])
@pytest.mark.parametrize("k", [0, 1, 3, 6])
def test_lines_are_continued_to_the_end_of_the_step(name, k):
    kernel = started(**{"algorithm.selected": 1 + NAMES.index(name), "latency.constant_steps": k})
    outputs = drive(kernel, [float(n - k) for n in range(60)])
    assert outputs[20:] == pytest.approx([float(n + 1) for n in range(20, 60)], abs=1e-9)


@pytest.mark.parametrize("algorithm", NUMBERS)
def test_a_step_in_parts_ends_where_the_whole_step_ends(algorithm):
    values = [math.sin(0.3 * n) for n in range(50)]
    start = {"algorithm.selected": algorithm, "latency.constant_steps": 3}
    whole, split = drive(started(**start), values), drive(started(**start), values, parts=4)
    assert split == pytest.approx(whole, rel=1e-12)


@pytest.mark.parametrize("algorithm", NUMBERS)
def test_scaling_by_a_power_of_two_scales_the_estimate_exactly(algorithm):
    values = [math.sin(0.3 * n) for n in range(50)]
    start = {"algorithm.selected": algorithm, "latency.constant_steps": 3}
    plain, scaled = drive(started(**start), values), drive(started(**start), [4.0 * value for value in values])
    assert scaled == [4.0 * value for value in plain]


def test_a_preview_is_repeatable_and_has_no_side_effect(kernel, settings):
    kernel.init(0.0)
    kernel.set(settings.variables()[0], 2.5, True)
    before = bytes(kernel.state)
    first, second = bytes(kernel.preview(True)), bytes(kernel.preview(True))
    assert first == second != before
    assert bytes(kernel.state) == before


def test_reset_is_a_fresh_start(kernel, settings):
    fresh = bytes(kernel.state)
    kernel.init(0.0)
    drive(kernel, [1.0, 2.0, 3.0])
    kernel.reset()
    assert bytes(kernel.state) == fresh
