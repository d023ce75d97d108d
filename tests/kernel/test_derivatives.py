"""Derivatives of y_hat against differences of previews."""

import ctypes
import math

import pytest

from tests.kernel.library import Kernel, library, needs_compiler
from tests.learning.coupling import STEP as LEARNING_STEP
from tests.learning.coupling import settings_of
from tests.twin.scenario import plain_settings, with_weights

pytestmark = needs_compiler

STEP = 0.01
K = 3


def started(event=True, weights=(), **start):
    start = {"latency.constant_steps": K, **start}
    kernel = Kernel(with_weights(plain_settings(start=start), event, weights))
    kernel.init(0.0)
    return kernel


def set_y(kernel, value):
    kernel.set(next(v for v in plain_settings().variables() if v.name == "y"), value, True)


def run(kernel, n=40):
    for i in range(n):
        set_y(kernel, math.sin(0.2 * i))
        kernel.step(kernel.state.grid.time, STEP)


def gain(kernel, running=True):
    seen = kernel.preview(running)
    return library().cp_coupling_gain(kernel.settings, ctypes.byref(seen), running)


def difference(kernel, value, delta=1e-3):
    outputs = []
    for y in (value - delta, value + delta):
        set_y(kernel, y)
        outputs.append(kernel.preview(True).reconstruction.y_hat)
    set_y(kernel, value)
    return (outputs[1] - outputs[0]) / (2.0 * delta)


@pytest.mark.parametrize("algorithm", range(1, 6))
@pytest.mark.parametrize("offset", [0.0, 0.3 * STEP])
@pytest.mark.parametrize("k", [0, 1, 3, 6])
def test_gain_is_what_a_change_of_y_makes_of_the_estimate(algorithm, k, offset):
    kernel = started(
        **{"algorithm.selected": algorithm, "latency.constant_steps": k, "latency.offset": offset},
    )
    run(kernel)
    set_y(kernel, 0.4)
    assert gain(kernel) == pytest.approx(difference(kernel, 0.4), rel=1e-9)


def test_gain_of_given_weights():
    kernel = started(weights=((K, (2.5, -1.0, -0.5), (0.75, -0.5, -0.25)),), **{"algorithm.selected": 6})
    run(kernel)
    set_y(kernel, 0.4)
    assert kernel.preview(True).switching.active == 6
    assert gain(kernel) == pytest.approx(2.5, rel=1e-12)
    assert difference(kernel, 0.4) == pytest.approx(2.5, rel=1e-9)


@pytest.mark.parametrize("algorithm", ["network", "irregular", {"selected": "phasor", "frequency": 1.6}])
def test_gain_of_what_learns_and_of_true_ages(algorithm):
    kernel = Kernel(settings_of("event", K, algorithm))
    kernel.init(0.0)
    for i in range(400):
        kernel.state.input.y = math.sin(0.2 * i) + 0.3 * math.sin(0.31 * i)
        kernel.step(kernel.state.grid.time, LEARNING_STEP)
    if algorithm == "network":
        assert kernel.state.neural.accepted > 0
    assert gain(kernel) == pytest.approx(difference(kernel, kernel.state.input.y), rel=1e-9)
    assert abs(gain(kernel)) > 0.1


@pytest.mark.parametrize(
    "start",
    [{"output.max": -5.0}, {"y_valid": 0}, {"latency.coast_steps": 0, "y_valid": 0}],
    ids=["limited", "no news", "held"],
)
def test_gain_is_zero_where_y_has_no_effect(start):
    kernel = started(**{"algorithm.selected": 2, "output.max": start.get("output.max", 10.0)})
    run(kernel)
    set_y(kernel, 0.4)
    if "y_valid" in start:
        kernel.set(next(v for v in plain_settings().variables() if v.name == "y_valid"), 0, True)
    assert gain(kernel) == difference(kernel, 0.4) == 0.0


def test_in_step_timing_the_estimate_of_the_last_step_does_not_depend_on_y():
    kernel = started(event=False)
    run(kernel)
    assert gain(kernel) == 0.0


def test_before_the_run_the_estimate_is_y_within_limits(kernel, settings):
    kernel.set(settings.variables()[0], 2.0, False)
    assert gain(kernel, running=False) == 1.0
    kernel.set(next(v for v in settings.variables() if v.name == "output.max"), 1.0, False)
    assert gain(kernel, running=False) == 0.0


@pytest.mark.parametrize("algorithm", range(1, 6))
def test_slope_is_the_change_of_the_output_in_time(algorithm):
    kernel = started(**{"algorithm.selected": algorithm})
    run(kernel)
    set_y(kernel, 0.4)
    kernel.step(kernel.state.grid.time, 0.25 * STEP)
    before = kernel.state.reconstruction.y_hat
    slope = library().cp_coupling_slope(kernel.settings, ctypes.byref(kernel.state))
    kernel.step(kernel.state.grid.time, 0.5 * STEP)
    assert slope == pytest.approx((kernel.state.reconstruction.y_hat - before) / (0.5 * STEP), rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("start", [{"reconstruction": 2}, {"output.max": -2.0}, {"bypass": 1}])
def test_slope_is_zero_where_the_output_does_not_move(start):
    kernel = started(**{"algorithm.selected": 2, **start})
    run(kernel)
    assert library().cp_coupling_slope(kernel.settings, ctypes.byref(kernel.state)) == 0.0


def test_the_next_macro_point():
    kernel = started()
    assert library().cp_coupling_next_point(ctypes.byref(kernel.state)) == STEP
    kernel.step(0.0, 0.3 * STEP)
    assert library().cp_coupling_next_point(ctypes.byref(kernel.state)) == STEP
    kernel.step(kernel.state.grid.time, 0.7 * STEP)
    assert library().cp_coupling_next_point(ctypes.byref(kernel.state)) == 2.0 * STEP
