"""Corners that once went wrong in both runtimes; the twin run cannot see such errors."""

import math

import pytest

from tests.kernel.library import Kernel, needs_compiler
from tests.twin.scenario import plain_settings, with_weights

pytestmark = needs_compiler

STEP = 0.01
BEGAN_HOLDING, LOST = 1 << 8, 1 << 9
VARIABLES = {variable.name: variable for variable in plain_settings().variables()}


def started(event=False, start_time=0.0, **start):
    kernel = Kernel(with_weights(plain_settings(start=start), event))
    kernel.init(start_time)
    return kernel


def step(kernel, size=STEP, **inputs):
    for name, value in inputs.items():
        kernel.set(VARIABLES[name], value, True)
    kernel.step(kernel.state.grid.time, size)


def test_without_latency_in_event_timing_no_estimate_is_wrong():
    kernel = started(event=True, **{"algorithm.selected": 4})
    for i in range(400):
        step(kernel, y=math.sin(0.1 * i))
        assert kernel.state.quality.error == 0.0


def test_an_offset_of_the_size_of_a_rounding_error_stays_inside_the_history():
    kernel = started(**{"algorithm.selected": 2, "latency.offset": 1e-6 * STEP})
    for i in range(3000):
        step(kernel, y=float(i))
        assert kernel.state.quality.error < 1e-5
        assert kernel.state.quality.tolerance <= 0.2


@pytest.mark.parametrize("gap", [56, 57, 60, 62, 63, 64, 100])
def test_the_detector_survives_gaps_of_any_length(gap):
    kernel = started(**{"algorithm.selected": 4, "discontinuity.enabled": 1})
    for i in range(300):
        step(kernel, y=math.sin(0.1 * i), y_valid=0 if 100 <= i < 100 + gap else 1)
    assert kernel.state.switching.mode == 2


def test_a_late_host_is_told_once_as_a_hold_and_a_lost_signal_not_again():
    kernel = started(**{"algorithm.selected": 2})
    for i in range(20):
        step(kernel, y=float(i))
    step(kernel, size=20 * STEP)
    step(kernel, y_valid=0)
    assert kernel.state.log.events & BEGAN_HOLDING
    told = 0
    for _ in range(80):
        step(kernel, size=3 * STEP)
        told += bool(kernel.state.log.events & LOST)
        assert not kernel.state.log.events & BEGAN_HOLDING
    assert told == 1


def test_a_stamp_beyond_countable_slots_is_no_news():
    kernel = started(start_time=-1.7e308, macro_step=1e300, **{"latency.mode": 2})
    step(kernel, size=1e300, y=1.0, y_time=-1.79e308)
    while kernel.state.grid.time < 0.8e307:
        step(kernel, size=1e306, y_time=kernel.state.grid.time)
    assert math.isfinite(kernel.state.reconstruction.y_hat)


def test_outputs_stay_finite_with_the_largest_numbers():
    largest = 1.7976931348623157e308
    kernel = started(**{"algorithm.selected": 5, "latency.constant_steps": 3, "latency.offset": largest})
    for i in range(100):
        step(kernel, y=largest if i % 2 else -largest)
        outputs = [value for name, value in read(kernel).items() if name not in ("y", "y_time")]
        assert all(map(math.isfinite, outputs))


def read(kernel):
    return {name: kernel.get(variable) for name, variable in VARIABLES.items()}


def test_the_observer_never_sees_zero_before_the_first_value():
    kernel = started(start_time=10.0, y=1000.0, **{"algorithm.selected": 3, "latency.mode": 2})
    stamp = 9.7
    for _ in range(200):
        news = stamp <= kernel.state.grid.time - 0.05
        step(kernel, size=0.02 * STEP, **({"y": 1000.0, "y_time": stamp} if news else {}))
        stamp += STEP if news else 0.0
        assert kernel.state.reconstruction.y_hat == pytest.approx(1000.0, rel=1e-9)
    assert kernel.state.switching.active == 3
